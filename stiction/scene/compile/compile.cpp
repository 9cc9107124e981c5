#include "stiction/scene/compile/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "stiction/base/text.h"
#include "stiction/math/symmetric_eigen.h"
#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/equations.h"
#include "stiction/results/signals.h"
#include "stiction/results/verdict.h"
#include "stiction/scene/compile/compile_draft.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/scene/describe/features.h"
#include "stiction/stepping/ode/integrators.h"

namespace stiction {

namespace {

constexpr std::string_view body_path = "body.";

/// "body.NAME" or "body.NAME.key" -> NAME; anything else -> nothing.
std::string find_body_name(const std::string& path) {
  if (!path.starts_with(body_path)) return {};
  return path.substr(body_path.size(), path.find('.', body_path.size()) - body_path.size());
}

}  // namespace

Draft::Draft(const Scene& the_scene) : scene(the_scene) {
  for (const auto& [name, body] : scene.bodies)
    if (!body.copy_of.empty()) originals.emplace(name, body.copy_of);
}

std::string Draft::find_original_path(const std::string& path) const {
  const std::string name = find_body_name(path);
  const auto found = originals.find(name);
  if (found == originals.end()) return path;
  return std::string(body_path) + found->second + path.substr(body_path.size() + name.size());
}

void Draft::fault(const std::string& given_path, const std::string& message, const std::string& hint) {
  const std::string name = find_body_name(given_path), path = find_original_path(given_path);
  if (const auto copy = originals.find(name); copy != originals.end())
    if (reporters.emplace(copy->second, name).first->second != name) return;
  faults.push_back({scene.source.find(path), path, message, hint});
}

bool Draft::is_faulty(const std::string& given_path) const {
  const std::string path = find_original_path(given_path);
  return std::any_of(faults.begin(), faults.end(), [&](const Fault& noted) {
    return noted.path.starts_with(path) && (noted.path.size() == path.size() || noted.path[path.size()] == '.');
  });
}

bool Draft::may_lack_names() const {
  return std::any_of(faults.begin(), faults.end(), [](const Fault& noted) {
    const auto names = [&](std::string_view kind) {
      return noted.path == kind || (noted.path.empty() && noted.hint.find(kind) != std::string::npos);
    };
    // A misspelt key of the scene itself hides names only if it was meant to be one of their tables.
    const bool other_key = noted.path.empty() && noted.message.starts_with("there is no key");
    return (noted.path.empty() && !other_key) || names("body") || names("joint") || names("material");
  });
}

void Draft::check_body(const std::string& name, const std::string& path) {
  if (!name.empty() && !is_faulty(path)) find_body(name, path);
}

void Draft::check_joint(const std::string& name, const std::string& path) {
  if (!name.empty() && !is_faulty(path)) find_coordinate(name, path);
}

void Draft::stop_if_faulty() const {
  if (!faults.empty()) throw InputError(faults);
}

std::string suggest(const std::string& word, const std::vector<std::string>& candidates, const std::string& what) {
  const std::string nearest = find_nearest_word(word, candidates);
  if (!nearest.empty()) return fmt::format("did you mean \"{}\"?", nearest);
  if (candidates.empty()) return fmt::format("the scene has no {}", what);
  if (candidates.size() > 12) return {};
  return fmt::format("there {} {}", candidates.size() == 1 ? "is" : "are", join_words(candidates));
}

int Draft::find_body(const std::string& name, const std::string& path) {
  const auto found = body_index.find(name);
  if (found != body_index.end()) return found->second;
  if (may_lack_names() || is_faulty("body." + name)) return -1;
  std::vector<std::string> names;
  for (const BodyDraft& draft_body : bodies) names.push_back(draft_body.name);
  fault(path, fmt::format("there is no body \"{}\"", name), suggest(name, names, "body"));
  return -1;
}

std::optional<CoordinateRef> Draft::find_coordinate(const std::string& name, const std::string& path) {
  const std::size_t dot = name.find('.');
  const auto found = joint_index.find(name.substr(0, dot));
  if (is_faulty("joint." + name.substr(0, dot)) || (found == joint_index.end() && may_lack_names())) return {};
  if (found == joint_index.end()) {
    std::vector<std::string> names;
    for (const JointDraft& draft_joint : joints) names.push_back(draft_joint.name);
    fault(path, fmt::format("there is no joint \"{}\"", name), suggest(name, names, "joint"));
    return {};
  }
  const JointDraft& draft_joint = joint(found->second);
  if (!has_coordinates(draft_joint.kind)) {
    fault(path, fmt::format("a {} joint has no scalar coordinate", name_of(draft_joint.kind)));
    return {};
  }
  const int n = calc_nq(draft_joint.kind);
  if (dot == std::string::npos && n == 1) return CoordinateRef{found->second, 0};
  std::vector<std::string> components;
  for (int k = 0; k < n; ++k)
    components.push_back(name.substr(0, dot) + "." + coordinate_name(draft_joint.kind, k).name);
  const auto component = std::find(components.begin(), components.end(), name);
  if (n > 1 && component != components.end())
    return CoordinateRef{found->second, static_cast<int>(component - components.begin())};
  fault(path,
        n == 1 ? fmt::format("joint \"{}\" has only one coordinate", name.substr(0, dot))
               : fmt::format("joint \"{}\" has {} coordinates", name.substr(0, dot), n),
        n == 1 ? fmt::format("write \"{}\"", name.substr(0, dot)) : "give one: " + join_words(components, " or "));
  return {};
}

namespace {

void check_time(Draft& draft) {
  for (const char* path : {"time.duration", "time.step", "time.output", "method.integrator"}) {
    if (draft.is_faulty(path)) return;
  }
  const TimeSpec& time = draft.scene.time;
  if (!(time.duration > 0) || !std::isfinite(time.duration)) draft.fault("time.duration", "must be > 0 s");
  if (!(time.step > 0)) draft.fault("time.step", "must be > 0 s");
  if (time.step > time.duration) {
    draft.fault("time.step", fmt::format("{} s is longer than the duration, {} s", format_number(time.step),
                                         format_number(time.duration)));
  }
  if (time.duration / time.step > 1e13) {
    draft.fault("time.step", fmt::format("{} s gives {:.1e} steps: too many for the precision of the time",
                                         format_number(time.step), time.duration / time.step));
  }
  if (!time.output) return;
  if (*time.output > time.duration) draft.fault("time.output", "is longer than the duration");
}

void check_method(Draft& draft) {
  const MethodSettings& method = draft.scene.method;
  const auto& formulations = formulation_names();
  if (std::find(formulations.begin(), formulations.end(), method.type) == formulations.end()) {
    draft.fault("method.type", fmt::format("there is no formulation \"{}\"", method.type),
                suggest(method.type, formulations, "formulation"));
  }
  if (method.directions % 2 != 0)
    draft.fault("method.directions", fmt::format("must be even, got {}", method.directions),
                "directions come in opposite pairs");
  if (method.threads > 1024)
    draft.fault("method.threads", fmt::format("must be between 1 and 1024, got {}", method.threads));
  if (method.theta > 1) draft.fault("method.theta", "must be between 0.5 and 1");
  if (!draft.is_faulty("method.type")) {
    for (const AskedFeature& asked : list_asked_features(draft.scene))
      if (asked.refused && !has_feature(asked.feature, method.type))
        draft.fault(asked.path, format_refusal(asked.feature, method.type), asked.hint);
  }
  if (method.sleep > 0 && method.sleep < draft.scene.time.step && !draft.is_faulty("time.step"))
    draft.fault("method.sleep",
                fmt::format("{} s is shorter than a step, {} s", format_number(method.sleep),
                            format_number(draft.scene.time.step)),
                "use at least some dozen steps");
  if (!find_integrator(method.integrator)) {
    std::vector<std::string> names;
    for (const IntegratorInfo& info : integrators()) names.push_back(info.name);
    draft.fault("method.integrator", fmt::format("there is no integrator \"{}\"", method.integrator),
                suggest(method.integrator, names, "integrator"));
  }
}

/// Every coordinate that is not prescribed needs inertia: a point mass on a free joint, say, has none about itself. The
/// bodies are gone through from the tips inwards; one that is singular spoils those that carry it, and their results.
void check_inertia(Draft& draft, const System& system) {
  Kinematics kinematics(system);
  TreeDynamics dynamics(system);
  update_positions(system, system.initial.q, kinematics);
  update_articulated_inertia(system, kinematics, dynamics);
  std::vector<bool> spoiled(system.bodies.size());
  for (std::size_t i = system.bodies.size() - 1; i > 0; --i) {
    const Joint& joint = system.joints[i];
    const auto parent = static_cast<std::size_t>(joint.parent);
    if (spoiled[i]) spoiled[parent] = true;
    if (spoiled[i] || joint.nv == 0 || joint.prescribed()) continue;
    // H' I_A H; a single free body is solved about its centre of mass, where its own inertia counts.
    const bool alone = kinematics.plan.joints[i].role == HingeRole::free_leaf;
    MatX block = system.bodies[i].mass.inertia;
    if (!alone) {
      const SpatialInertia& I = dynamics.I_A[i];
      Mat6 matrix;
      matrix << I.J, I.C, I.C.transpose(), I.M;
      const auto H = kinematics.H[i].leftCols(joint.nv);
      block = H.transpose() * matrix * H;
    }
    const double smallest = calc_smallest_eigenvalue(block);
    if (!(smallest > 1e-14 * block.diagonal().maxCoeff())) {
      draft.fault("body." + system.bodies[i].name, "has no inertia in a direction in which it can move",
                  std::string("give inertia, or a shape with a density or a mass") +
                      (alone ? "; or particle = true for a point mass" : ""));
      spoiled[parent] = true;
    }
  }
}

/// The largest entry of each constraint's rows.
std::vector<double> calc_largest_by_constraint(const ConstraintSet& rows, const VecX& values, std::size_t n) {
  std::vector<double> largest(n, 0.0);
  for (int row = 0; row < rows.size(); ++row) {
    double& entry = largest[static_cast<std::size_t>(rows.constraint_of(row))];
    entry = std::max(entry, std::abs(values[row]));
  }
  return largest;
}

/// Constraints must nearly hold at the start (1e-3 m or rad); what is left is projected away.
void assemble(Draft& draft, System& system) {
  Equations equations(system);
  State& state = system.initial;
  equations.calc_drift(0, state.q, state.v, state.z);
  const auto path_of = [&](std::size_t constraint) {
    const std::string& name = system.constraints[constraint].name;
    return (draft.joint_index.count(name) > 0 ? "joint." : "constraint.") + name;
  };
  const ConstraintSet& rows = equations.constraints();
  const std::vector<double> open = calc_largest_by_constraint(rows, rows.phi(), system.constraints.size());
  const std::vector<double> moving = calc_largest_by_constraint(rows, rows.rate(), system.constraints.size());
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i] > closing_tolerance) {
      draft.fault(
          path_of(i),
          fmt::format("does not close: it is open by {} (m or rad) in the initial position", format_number(open[i])),
          "move the bodies so that it holds within 1e-3, or remove at_b (child_at, length, offset): it is then "
          "computed "
          "from the initial position");
    } else if (moving[i] > closing_tolerance) {
      draft.fault(path_of(i),
                  fmt::format("the initial velocities violate it by {} (m/s or rad/s)", format_number(moving[i])),
                  "give all joints of the loop consistent velocities, within 1e-3");
    }
  }
  if (!draft.faults.empty()) return;
  const Equations::Projection projection = equations.project(state, draft.scene.method.projection_tolerance);
  if (!projection.converged) {
    const int worst = projection.drift.worst_constraint;
    draft.fault(worst < 0 ? "constraint" : path_of(static_cast<std::size_t>(worst)),
                "cannot be satisfied together with the other constraints and prescribed motions");
  }
  // The ledger starts when the assembled system starts.
  state.z.head(ledger_size).setZero();
}

/// A joint beyond its limits at the start would be thrown back to them.
void check_limits(Draft& draft, const System& system) {
  constexpr double allowed = 1e-6;  // [m, rad], what rounding of a position given in degrees leaves many times over
  Kinematics start(system);
  update_positions(system, system.initial.q, start);
  for (std::size_t i = 0; i < system.named_joints.size(); ++i) {
    const NamedJoint& joint = system.named_joints[i];
    for (std::size_t k = 0; k < joint.limits.size(); ++k) {
      const CoordinateRef ref{static_cast<int>(i), static_cast<int>(k)};
      const double position = calc_coordinate_position(system, start, system.initial.q, system.initial.z, ref);
      const JointLimit& limit = joint.limits[k];
      if (position >= limit.lower - allowed && position <= limit.upper + allowed) continue;
      const CoordinateName name = coordinate_name(joint.kind, ref.component);
      draft.fault("joint." + joint.name + ".position",
                  fmt::format("{}{}{} is outside the limits {} to {} at the start", name.name, *name.name ? " = " : "",
                              fmt::format("{:.9g} {}", position, name.unit), format_number(limit.lower),
                              format_number(limit.upper)),
                  "start within the limits, or have the joint moved to them before the run with method.settle = true "
                  "(rigid formulations)");
    }
  }
}

/// cvode_bdf solves with a dense matrix of all states, doubled by its copy in factors.
void check_matrix(Draft& draft, const System& system) {
  // 2 x 2 GiB. Half of it: a quarter of the memory; double: 16 GiB, more than most machines have.
  constexpr int most_states = 16384;
  const double states = system.nq + system.nv + system.nz;
  if (draft.scene.method.integrator != "cvode_bdf" || !uses_integrator(draft.scene.method.type) ||
      states <= most_states)
    return;
  draft.fault(
      "method.integrator",
      fmt::format("\"cvode_bdf\" solves with a dense matrix of all states: {} of them take {} GiB, at most "
                  "{} are allowed",
                  format_number(states), format_digits(states * states * sizeof(double) / (1 << 30), 2), most_states),
      "use method.type = \"cone\" for scenes of many bodies, or an integrator without a matrix, such as "
      "\"dormand_prince\"");
}

void check_expectation(Draft& draft) {
  const ExpectSpec& expect = draft.scene.expect;
  if (expect.verdict != words_of(Trust::trustworthy) && expect.because.empty() && !draft.is_faulty("expect"))
    draft.fault("expect.because", fmt::format("must say why the verdict is expected to be \"{}\"", expect.verdict));
}

/// Every pattern in [record] must name a signal, and no two signals may share a name. Of a system that is not `whole`,
/// as faults kept its contacts from being added, signals of contact are not judged.
void check_record(Draft& draft, const System& system, bool whole) {
  std::vector<std::string> patterns = draft.scene.record.signals;
  if (!whole) {
    std::erase_if(patterns, [](const std::string& pattern) {
      return pattern.starts_with("contact.") || pattern.starts_with("audit.");
    });
  }
  try {
    SignalTable(system, patterns);
  } catch (const InputError& error) {
    for (const Fault& fault : error.faults()) draft.fault("record.signals", fault.message, fault.hint);
  }
}

/// A pair has one table: in the other order it is the same.
void check_repeated_pair(Draft& draft, std::size_t index, const std::string& path) {
  const ContactSpec& contact = draft.scene.contacts[index].value;
  for (std::size_t i = 0; i < index; ++i) {
    const auto& [name, other] = draft.scene.contacts[i];
    if (contact.a.empty() || contact.a == contact.b || contact.a != other.b || contact.b != other.a) continue;
    draft.fault(path, fmt::format("the pair has a table already: [contact.\"{}\"]", name),
                "keep one of the two: the order of the names matters only for `direction`");
  }
}

}  // namespace

void check_pairs(Draft& draft) {
  std::vector<std::string> names;
  for (const auto& [name, body] : draft.scene.bodies) {
    names.push_back(name);
    for (const auto& shape : body.shapes) {
      if (!shape.name.empty()) names.push_back(name + "." + shape.name);
    }
  }
  const std::size_t n_shapes = names.size();
  for (const auto& material : draft.scene.materials) names.push_back(material.name);
  for (std::size_t i = 0; i < draft.scene.contacts.size(); ++i) {
    const auto& [name, contact] = draft.scene.contacts[i];
    const std::string path = fmt::format("contact.\"{}\"", name);
    check_repeated_pair(draft, i, path);
    const auto last_shape = names.begin() + static_cast<long>(n_shapes);
    if (!contact.a.empty() && contact.a == contact.b && std::find(names.begin(), last_shape, contact.a) != last_shape &&
        std::find(last_shape, names.end(), contact.a) == names.end()) {
      draft.fault(path, fmt::format("\"{}\" cannot touch itself", contact.a),
                  "name two bodies; for many alike give them a material and write [contact.\"MATERIAL/MATERIAL\"]");
      continue;
    }
    for (const std::string& side : {contact.a, contact.b}) {
      if (side.empty() || std::find(names.begin(), names.end(), side) != names.end()) continue;
      if (draft.may_lack_names() || draft.is_faulty(path)) continue;
      // The body was made into copies: SIDE1, SIDE2, ...
      const bool copied = std::find(names.begin(), names.end(), side + "1") != names.end() &&
                          std::find(names.begin(), names.end(), side + "2") != names.end();
      draft.fault(
          path, fmt::format("there is no body, shape or material \"{}\"", side),
          copied ? fmt::format("the copies are named {0}1, {0}2, ...: give \"{0}\" a material and name that here", side)
                 : suggest(side, names, "body"));
    }
  }
}

namespace {

/// All that can be said of the elements of a scene whose tree cannot be built.
[[noreturn]] void judge_the_rest(Draft& draft) {
  add_constraints(draft, nullptr);
  add_forces(draft, nullptr);
  add_controllers(draft, nullptr);
  throw InputError(draft.faults);
}

}  // namespace

System compile(const Scene& given, std::vector<Fault> faults) {
  // Of a scene with faults what can be completed was completed when it was read.
  std::optional<Scene> completed;
  if (faults.empty() && !is_complete(given)) completed = complete(given);
  const Scene& scene = completed ? *completed : given;
  Draft draft(scene);
  draft.faults = std::move(faults);
  check_time(draft);
  check_method(draft);
  check_expectation(draft);
  draft_bodies(draft);
  draft_joints(draft);
  check_initial_motion(draft);
  check_pairs(draft);
  if (!draft.faults.empty()) judge_the_rest(draft);
  // Every joint as a tree joint first: that places the bodies. Then each in its own form.
  const System assembled = build_tree(draft, true, nullptr);
  if (!draft.faults.empty()) judge_the_rest(draft);
  System system = build_tree(draft, false, &assembled);
  VecX acceleration = VecX::Zero(system.nv);
  update_prescribed(system, 0, system.initial.q, system.initial.v, acceleration);
  add_named_joints(draft, system);
  add_constraints(draft, &system);
  add_forces(draft, &system);
  add_viscous_friction(draft, system);
  add_controllers(draft, &system);
  check_motions(draft, system);
  check_inertia(draft, system);
  assemble(draft, system);
  const bool contact = has_contact(scene.method.type), sound = draft.faults.empty();
  if (sound && !scene.method.settle) check_limits(draft, system);
  if (sound) add_joint_forces(draft, system);
  if (contact && sound) add_contacts(draft, system);
  check_matrix(draft, system);
  // Whoever wants no contact between shapes says so. What asks about positions alone settles.
  const bool is_open = scene.method_is_default && !scene.method.settle;
  if (!contact && sound && scene.contacts.empty() && is_open) check_contact_is_meant(draft, system);
  check_record(draft, system, sound || !contact);
  draft.stop_if_faulty();
  return system;
}

}  // namespace stiction
