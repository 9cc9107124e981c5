#include "stiction/run/simulation.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "stiction/base/version.h"
#include "stiction/math/rotation.h"

#include "bindings/c/guard.h"

// The simulation in C. The object holds what is handed out as C strings.

using namespace stiction;
using stiction::capi::guard;
using stiction::capi::need;

struct stiction_simulation {
  explicit stiction_simulation(Simulation made) : simulation(std::move(made)), bodies(simulation.bodies()) {}
  Simulation simulation;
  std::vector<std::string> bodies;
  std::vector<StepEvent> events;
  std::deque<SignalInfo> signals;  ///< those of the simulation so far, at addresses that stay
};

namespace stiction::capi {

namespace {

std::vector<std::string> read_overrides(const char* const* overrides, std::size_t count) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i) list.emplace_back(&need((&need(overrides, "overrides"))[i], "an override"));
  return list;
}

void write3(const Vec3& x, double* to) {
  std::copy_n(x.data(), 3, to);
}

stiction_status take_report(stiction_simulation& s, StepReport report) {
  s.events = std::move(report.events);
  if (report.status == StepStatus::ok) return STICTION_OK;
  last_error() = std::string(name_of(report.status)) + ": " + report.message;
  return STICTION_STEP;
}

/// Entry `index` of a list; InputError if there is none.
template <class List>
const auto& pick(const List& list, int index, const char* what) {
  if (index < 0 || static_cast<std::size_t>(index) >= list.size())
    throw InputError(std::string("there is no ") + what + " number " + std::to_string(index));
  return list[static_cast<std::size_t>(index)];
}

/// The signals of a simulation are only ever added to, at their end.
const std::deque<SignalInfo>& list_signals(stiction_simulation* s) {
  stiction_simulation& live = need(s, "simulation");
  const std::vector<SignalInfo>& known = live.simulation.signals();
  for (std::size_t i = live.signals.size(); i < known.size(); ++i) live.signals.push_back(known[i]);
  return live.signals;
}

/// Names and counts have no status: NULL or 0 where something is wrong, and the message is stiction_last_error().
template <class T, class Work>
T try_or(T otherwise, const Work& work) noexcept {
  T result = otherwise;
  return guard([&] { result = work(); }) == STICTION_OK ? result : otherwise;
}

}  // namespace
}  // namespace stiction::capi

using namespace stiction::capi;

const char* stiction_version(void) {
  return stiction::version;
}

stiction_status stiction_open(const char* file, const char* const* overrides, size_t count,
                              stiction_simulation** simulation) {
  return guard([&] {
    need(simulation, "simulation") = nullptr;
    *simulation = new stiction_simulation(Simulation::from_file(&need(file, "file"), read_overrides(overrides, count)));
  });
}

stiction_status stiction_read(const char* toml, const char* const* overrides, size_t count,
                              stiction_simulation** simulation) {
  return guard([&] {
    need(simulation, "simulation") = nullptr;
    *simulation = new stiction_simulation(Simulation::from_text(&need(toml, "toml"), read_overrides(overrides, count)));
  });
}

stiction_status stiction_copy(stiction_simulation* original, stiction_simulation** copy) {
  return guard([&] {
    need(copy, "copy") = nullptr;
    *copy = new stiction_simulation(Simulation(need(original, "original").simulation));
  });
}

void stiction_free(stiction_simulation* simulation) {
  delete simulation;
}

double stiction_time(const stiction_simulation* s) {
  return s ? s->simulation.time() : 0;
}

double stiction_duration(const stiction_simulation* s) {
  return s ? s->simulation.scene().time.duration : 0;
}

double stiction_step_length(const stiction_simulation* s) {
  return s ? s->simulation.step_length() : 0;
}

stiction_status stiction_step(stiction_simulation* s) {
  return guard([&] {
    stiction_simulation& live = need(s, "simulation");
    return take_report(live, live.simulation.step());
  });
}

stiction_status stiction_step_to(stiction_simulation* s, double t) {
  return guard([&] {
    stiction_simulation& live = need(s, "simulation");
    return take_report(live, live.simulation.step_to(t));
  });
}

stiction_status stiction_advance(stiction_simulation* s, double t_limit) {
  return guard([&] {
    stiction_simulation& live = need(s, "simulation");
    return take_report(live, live.simulation.advance(t_limit));
  });
}

stiction_status stiction_set_step(stiction_simulation* s, double step) {
  return guard([&] { need(s, "simulation").simulation.set_step(step); });
}

stiction_status stiction_reset(stiction_simulation* s) {
  return guard([&] { need(s, "simulation").simulation.reset(); });
}

stiction_status stiction_set(stiction_simulation* s, const char* path, const char* value) {
  return guard([&] {
    stiction_simulation& live = need(s, "simulation");
    live.simulation.set(&need(path, "path"), &need(value, "value"));
    live.bodies = live.simulation.bodies();
    live.events.clear(), live.signals.clear();
  });
}

size_t stiction_q_size(const stiction_simulation* s) {
  return s ? static_cast<size_t>(s->simulation.state().q.size()) : 0;
}

size_t stiction_v_size(const stiction_simulation* s) {
  return s ? static_cast<size_t>(s->simulation.state().v.size()) : 0;
}

stiction_status stiction_get_state(const stiction_simulation* s, double* q, double* v) {
  return guard([&] {
    const State& state = need(s, "simulation").simulation.state();
    if (q) std::copy(state.q.begin(), state.q.end(), q);
    if (v) std::copy(state.v.begin(), state.v.end(), v);
  });
}

stiction_status stiction_set_state(stiction_simulation* s, const double* q, const double* v) {
  return guard([&] {
    State state = need(s, "simulation").simulation.state();
    if (q) std::copy_n(q, state.q.size(), state.q.begin());
    if (v) std::copy_n(v, state.v.size(), state.v.begin());
    s->simulation.set_state(state);
  });
}

stiction_status stiction_save(stiction_simulation* s, void* buffer, size_t* size) {
  return guard([&] {
    const std::string bytes = encode_state(need(s, "simulation").simulation.save());
    const size_t room = need(size, "size");
    *size = bytes.size();
    if (!buffer) return;
    if (room < bytes.size()) throw InputError("the buffer is too small for the state");
    std::memcpy(buffer, bytes.data(), bytes.size());
  });
}

stiction_status stiction_restore(stiction_simulation* s, const void* buffer, size_t size) {
  return guard([&] {
    const char* bytes = static_cast<const char*>(buffer);
    need(s, "simulation").simulation.restore(decode_state(std::string_view(&need(bytes, "buffer"), size)));
  });
}

stiction_status stiction_hash(const stiction_simulation* s, char hash[17]) {
  return guard([&] { std::strcpy(&need(hash, "hash"), calc_hash(need(s, "simulation").simulation.state()).c_str()); });
}

int stiction_body_count(const stiction_simulation* s) {
  return s ? static_cast<int>(s->bodies.size()) : 0;
}

const char* stiction_body_name(const stiction_simulation* s, int body) {
  return try_or<const char*>(nullptr, [&]() -> const char* {
    const std::vector<std::string>& bodies = need(s, "simulation").bodies;
    if (body < 0 || static_cast<size_t>(body) > bodies.size())
      throw InputError("there is no body number " + std::to_string(body));
    return body == 0 ? "world" : bodies[static_cast<size_t>(body - 1)].c_str();
  });
}

stiction_status stiction_find_body(const stiction_simulation* s, const char* name, int* body) {
  return guard([&] {
    need(body, "body") = -1;
    *body = need(s, "simulation").simulation.find_body(&need(name, "name"));
  });
}

stiction_status stiction_get_pose(stiction_simulation* s, int body, double position[3], double quaternion[4]) {
  return guard([&] {
    const Transform X = need(s, "simulation").simulation.pose(body);
    if (position) write3(X.p, position);
    if (!quaternion) return;
    const Quaternion q = calc_quaternion(X.R);
    quaternion[0] = q.w, quaternion[1] = q.x, quaternion[2] = q.y, quaternion[3] = q.z;
  });
}

stiction_status stiction_get_velocity(stiction_simulation* s, int body, double linear[3], double angular[3]) {
  return guard([&] {
    const BodyVelocity velocity = need(s, "simulation").simulation.velocity(body);
    if (linear) write3(velocity.linear, linear);
    if (angular) write3(velocity.angular, angular);
  });
}

int stiction_contact_count(stiction_simulation* s) {
  return try_or(0, [&] { return static_cast<int>(need(s, "simulation").simulation.contacts().size()); });
}

stiction_status stiction_get_contact(stiction_simulation* s, int index, stiction_contact* contact) {
  return guard([&] {
    const auto contacts = need(s, "simulation").simulation.contacts();
    if (index < 0 || static_cast<size_t>(index) >= contacts.size())
      throw InputError("there is no contact number " + std::to_string(index));
    const SimulationContact& c = contacts[static_cast<size_t>(index)];
    stiction_contact& to = need(contact, "contact");
    to.shape_a = c.shape_a.data(), to.shape_b = c.shape_b.data();  // of strings: they end with 0
    write3(c.position, to.position), write3(c.normal, to.normal);
    write3(c.force, to.force), write3(c.moment, to.moment), write3(c.slip, to.slip);
    to.gap = c.gap;
    to.mode = c.mode == ContactMode::open ? 0 : c.mode == ContactMode::stick ? 1 : 2;
  });
}

int stiction_event_count(const stiction_simulation* s) {
  return s ? static_cast<int>(s->events.size()) : 0;
}

stiction_status stiction_get_event(const stiction_simulation* s, int index, double* t, const char** kind,
                                   const char** name) {
  return guard([&] {
    const StepEvent& event = pick(need(s, "simulation").events, index, "event");
    if (t) *t = event.t;
    if (kind) *kind = event.kind.c_str();
    if (name) *name = event.name.c_str();
  });
}

int stiction_signal_count(stiction_simulation* s) {
  return try_or(0, [&] { return static_cast<int>(need(s, "simulation").simulation.signals().size()); });
}

const char* stiction_signal_name(stiction_simulation* s, int index) {
  return try_or<const char*>(nullptr, [&] { return pick(list_signals(s), index, "signal").name.c_str(); });
}

const char* stiction_signal_unit(stiction_simulation* s, int index) {
  return try_or<const char*>(nullptr, [&] { return pick(list_signals(s), index, "signal").unit.c_str(); });
}

stiction_status stiction_find_signal(stiction_simulation* s, const char* name, int* index) {
  return guard([&] {
    need(index, "index") = -1;
    *index = need(s, "simulation").simulation.find_signal(&need(name, "name"));
  });
}

stiction_status stiction_get_signal(stiction_simulation* s, int index, double* value) {
  return guard([&] { need(value, "value") = need(s, "simulation").simulation.signal(index); });
}

int stiction_input_count(const stiction_simulation* s) {
  return try_or(0, [&] { return static_cast<int>(need(s, "simulation").simulation.inputs().size()); });
}

const char* stiction_input_name(const stiction_simulation* s, int index) {
  return try_or<const char*>(
      nullptr, [&] { return pick(need(s, "simulation").simulation.inputs(), index, "input").name.c_str(); });
}

const char* stiction_input_unit(const stiction_simulation* s, int index) {
  return try_or<const char*>(
      nullptr, [&] { return pick(need(s, "simulation").simulation.inputs(), index, "input").unit.c_str(); });
}

stiction_status stiction_find_input(const stiction_simulation* s, const char* name, int* index) {
  return guard([&] {
    need(index, "index") = -1;
    *index = need(s, "simulation").simulation.find_input(&need(name, "name"));
  });
}

stiction_status stiction_get_input(const stiction_simulation* s, int index, double* value) {
  return guard([&] { need(value, "value") = need(s, "simulation").simulation.input(index); });
}

stiction_status stiction_set_input(stiction_simulation* s, int index, double value) {
  return guard([&] { need(s, "simulation").simulation.set_input(index, value); });
}
