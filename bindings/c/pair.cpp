#include "bindings/c/pair.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "stiction/base/text.h"
#include "stiction/contact/contact_core.h"
#include "stiction/contact/contact_model.h"
#include "stiction/math/rotation.h"
#include "stiction/multibody/system.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"

#include "bindings/c/guard.h"

// The contact core in C.

using namespace stiction;
using namespace stiction::capi;

struct stiction_pair {
  ContactPair pair;
  Transform X_AS, X_BS;                          ///< of the shapes in their bodies
  std::shared_ptr<const CutShape> cut_a, cut_b;  ///< that the law of a patch with volume refers to; may be null
};
constexpr std::size_t friction_numbers = std::tuple_size_v<decltype(ContactState::friction)>,
                      normal_numbers = std::tuple_size_v<decltype(ContactState::normal)>;
static_assert(STICTION_MEMORY_SIZE == friction_numbers + normal_numbers + 1);

namespace {

const ContactShape& find_shape(const ContactModel& model, const std::string& name, int& index) {
  for (std::size_t i = 0; i < model.shapes.size(); ++i) {
    if (model.shapes[i].name != name) continue;
    index = static_cast<int>(i);
    return model.shapes[i];
  }
  std::vector<std::string> names;
  for (const ContactShape& shape : model.shapes) names.push_back(shape.name);
  const std::string nearest = find_nearest_word(name, names);
  throw InputError("the scene has no shape \"" + name + "\"",
                   nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
}

ContactState read_memory(const stiction_contact_memory& memory) {
  ContactState state{.touching = memory.touching != 0, .elastic = memory.values[STICTION_MEMORY_SIZE - 1]};
  std::copy_n(memory.values, friction_numbers, state.friction.begin());
  std::copy_n(memory.values + friction_numbers, normal_numbers, state.normal.begin());
  return state;
}

/// A state or its rates.
template <class Numbers>
void write_memory(const Numbers& from, double* to) {
  to = std::copy(from.friction.begin(), from.friction.end(), to);
  to = std::copy(from.normal.begin(), from.normal.end(), to);
  *to = from.elastic;
}

Vec3 read3(const double* x) {
  return Vec3(x[0], x[1], x[2]);
}

void write3(const Vec3& x, double* to) {
  std::copy_n(x.data(), 3, to);
}

/// The shape of a body: pose, and velocity at its own origin.
ContactBody place(const stiction_body_state& body, const Transform& X_BS) {
  const double* q = body.quaternion;
  const Transform X_WB{calc_matrix(read_quaternion(q)), read3(body.position)};
  const Vec3 w = read3(body.angular), arm = X_WB.R * X_BS.p;
  return {.X_WS = X_WB * X_BS, .w = w, .v = read3(body.linear) + w.cross(arm)};
}

/// A wrench [torque; force] at the shape's origin, at the body's.
void write_wrench(const Vec6& F, const stiction_body_state& body, const ContactBody& placed, double* force,
                  double* torque) {
  const Vec3 f = linear(F), arm = placed.X_WS.p - read3(body.position);
  write3(f, force);
  write3(angular(F) + arm.cross(f), torque);
}

template <std::size_t n>
bool is_finite(const double (&list)[n]) {
  return std::all_of(list, list + n, [](double x) { return std::isfinite(x); });
}

void check_numbers(const stiction_body_state& a, const stiction_body_state& b, const stiction_contact_memory& memory) {
  for (const stiction_body_state* body : {&a, &b}) {
    if (!is_finite(body->position) || !is_finite(body->quaternion) || !is_finite(body->angular) ||
        !is_finite(body->linear))
      throw InputError("the state of a body is not finite");
    if (!(calc_norm(read_quaternion(body->quaternion)) > 0))
      throw InputError("the quaternion of a body is zero", "no rotation is 1, 0, 0, 0");
  }
  if (!is_finite(memory.values))
    throw InputError("the memory of the contact is not finite",
                     "it starts as zeros, and is integrated with the rates of the contact's output");
}

}  // namespace

namespace stiction::capi {

stiction_pair* read_pair(const std::string& scene, const std::string& a, const std::string& b) {
  // Where the bodies stand is told in every call: that they overlap in the text (settle) is no fault.
  const System system = compile(read_scene(
      SceneText{.files = {{"scene.toml", scene}}, .overrides = {"method.type=\"compliant\"", "method.settle=true"}}));
  int index_a = -1, index_b = -1;
  const ContactShape& shape_a = find_shape(system.contact, a, index_a);
  const ContactShape& shape_b = find_shape(system.contact, b, index_b);
  const int rule = system.contact.find_rule(index_a, index_b);
  if (rule < 0 || !system.contact.rules[static_cast<std::size_t>(rule)].compliant)
    throw InputError("the scene has no law of contact for \"" + a + "\" and \"" + b + "\"",
                     "add [contact.default]; one of the two bodies must be free to move");
  CompliantLaw law = *system.contact.rules[static_cast<std::size_t>(rule)].compliant;
  if (law.volume) law.volume->cut_a = shape_a.cut.get(), law.volume->cut_b = shape_b.cut.get();
  return new stiction_pair{
      {shape_a.shape, shape_b.shape, std::move(law)}, shape_a.X_BS, shape_b.X_BS, shape_a.cut, shape_b.cut};
}

stiction_contact_output evaluate_pair(const stiction_pair& pair, const stiction_body_state& a,
                                      const stiction_body_state& b, const stiction_contact_memory& memory) {
  check_numbers(a, b, memory);
  const ContactBody body_a = place(a, pair.X_AS), body_b = place(b, pair.X_BS);
  const ContactOutput seen = evaluate_contact(pair.pair, body_a, body_b, read_memory(memory));
  stiction_contact_output to = {};
  to.gap = seen.gap;
  write3(seen.motion.point, to.point), write3(seen.motion.normal, to.normal);
  to.normal_force = seen.response.normal_force;
  write3(seen.response.force - seen.response.normal_force * seen.motion.normal, to.friction_force);
  write_wrench(seen.wrenches.F_A, a, body_a, to.force_a, to.torque_a);
  write_wrench(seen.wrenches.F_B, b, body_b, to.force_b, to.torque_b);
  to.stored = seen.response.stored;
  to.dissipated = seen.response.normal_dissipated + seen.response.friction_dissipated;
  write_memory(seen.rate, to.rates);
  to.sticks = seen.response.sticks ? 1 : 0;
  return to;
}

bool update_pair(const stiction_pair& pair, const stiction_body_state& a, const stiction_body_state& b,
                 stiction_contact_memory& memory) {
  check_numbers(a, b, memory);
  ContactState state = read_memory(memory);
  const bool switched = update_contact(pair.pair, place(a, pair.X_AS), place(b, pair.X_BS), state);
  write_memory(state, memory.values);
  memory.touching = state.touching ? 1 : 0;
  return switched;
}

}  // namespace stiction::capi

stiction_status stiction_pair_read(const char* scene, const char* shape_a, const char* shape_b, stiction_pair** pair) {
  return guard([&] {
    need(pair, "pair") = nullptr;
    *pair = read_pair(&need(scene, "scene"), &need(shape_a, "shape_a"), &need(shape_b, "shape_b"));
  });
}

void stiction_pair_free(stiction_pair* pair) {
  delete pair;
}

stiction_status stiction_pair_evaluate(const stiction_pair* pair, const stiction_body_state* a,
                                       const stiction_body_state* b, const stiction_contact_memory* memory,
                                       stiction_contact_output* output) {
  return guard([&] {
    need(output, "output") = evaluate_pair(need(pair, "pair"), need(a, "a"), need(b, "b"), need(memory, "memory"));
  });
}

stiction_status stiction_pair_update(const stiction_pair* pair, const stiction_body_state* a,
                                     const stiction_body_state* b, stiction_contact_memory* memory, int* changed) {
  return guard([&] {
    const bool switched = update_pair(need(pair, "pair"), need(a, "a"), need(b, "b"), need(memory, "memory"));
    if (changed) *changed = switched ? 1 : 0;
  });
}
