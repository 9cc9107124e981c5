#include "stiction/scene/write/read_back.h"

#include "stiction/geometry/shape/parametric_form.h"
#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

constexpr const char* of_program = "function";

bool has_function(const ShapeSpec& spec) {
  const auto* parametric = std::get_if<Parametric>(&spec.shape);
  return parametric && parametric->surface && !find_form(*parametric->surface);
}
bool has_function(const std::optional<NormalSpec>& normal) {
  return normal && normal->law == of_program;
}
bool has_function(const std::variant<double, FrictionSpec>& friction) {
  const auto* spec = std::get_if<FrictionSpec>(&friction);
  return spec && spec->law == of_program;
}

/// Formulas, and balls, in the place of functions of the program.
void write_functions(Scene& scene) {
  for (auto& [name, contact] : scene.contacts) {
    if (has_function(contact.normal)) contact.normal->law = "formula", contact.normal->formula.text = "0";
    if (!has_function(contact.friction)) continue;
    FrictionSpec& friction = std::get<FrictionSpec>(contact.friction);
    friction.law = "formula", friction.formula.text = "0";
  }
  for (auto& [name, body] : scene.bodies) {
    for (auto& [part, shape] : body.shapes) {
      if (has_function(shape)) shape.shape = Sphere{.radius = 1};
    }
  }
}

/// What has no text, as it was given: the lists have the same order.
void take_what_is_not_written(const Scene& given, Scene& read) {
  read.source = given.source, read.text = given.text;
  read.method.step_origin = given.method.step_origin;
  read.method_is_default = given.method_is_default;
  for (std::size_t i = 0; i < given.contacts.size(); ++i) {
    const ContactSpec& contact = given.contacts[i].value;
    if (has_function(contact.normal)) read.contacts[i].value.normal = contact.normal;
    if (has_function(contact.friction)) read.contacts[i].value.friction = contact.friction;
  }
  for (std::size_t i = 0; i < given.bodies.size(); ++i) {
    const BodySpec& body = given.bodies[i].value;
    read.bodies[i].value.copy_of = body.copy_of;
    for (std::size_t k = 0; k < body.shapes.size(); ++k) {
      if (has_function(body.shapes[k].value)) read.bodies[i].value.shapes[k].value.shape = body.shapes[k].value.shape;
    }
  }
}

/// Keys that are there of what was read only: an empty text, or a direction of length zero, became a default.
void find_empty(const Node& given, const Node& read, const std::string& path, std::vector<Fault>& faults) {
  for (const Member& member : read.members) {
    const std::string place = join_path(path, member.key);
    if (const Node* same = find_member(given, member.key))
      find_empty(*same, member.value, place, faults);
    else
      faults.push_back({{}, place, "is empty, or zero", "leave it as the struct is made: that is the default"});
  }
}

}  // namespace

Scene read_back(const Scene& scene) {
  Scene written = scene;
  write_functions(written);
  const Node given = describe_scene().write(written, true);
  Sources sources;
  sources.add({}, {});
  std::vector<Fault> faults;
  SourceMap places;
  ReadContext context(sources, given, places, faults);
  Scene read = describe_scene().read(context, given);
  if (faults.empty()) find_empty(given, describe_scene().write(read, true), {}, faults);
  for (Fault& fault : faults) fault.place = {};
  if (!faults.empty()) throw InputError(std::move(faults));
  take_what_is_not_written(scene, read);
  return read;
}

}  // namespace stiction
