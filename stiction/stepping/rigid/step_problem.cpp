#include "stiction/stepping/rigid/step_problem.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "stiction/base/index.h"
#include "stiction/base/infinity.h"
#include "stiction/multibody/coordinate.h"
#include "stiction/stepping/rigid/static_friction.h"

namespace stiction {
namespace {

/// A contact that closes within a step at `time`, and its normal velocity at the end of the step.
struct Rebound {
  double time = 0, speed = -infinity;
};

/// Under the acceleration that takes the normal velocity from u_start to u_free within h:
///     gap + u_start t + a t^2 / 2 = 0,   u- = u_start + a t,   u+ = -e(-u-) u- + a (h - t)
Rebound calc_rebound(double gap, double u_start, double u_free, double h, const RigidLaw& law) {
  const double a = (u_free - u_start) / h, square = u_start * u_start - 2 * a * std::max(0.0, gap);
  if (square < 0) return {};
  const double t = gap > 0 ? 2 * gap / (std::sqrt(square) - u_start) : 0;
  if (t >= h) return {};
  const double u_impact = u_start + a * t;
  return {t, -law.calc_restitution(-u_impact) * u_impact + a * (h - t)};
}

/// Velocity of the belts at a contact: that of B's surface against its body less that of A's, world axes [m/s].
Vec3 calc_surface_velocity(const RigidModel& model, const Contact& contact, const Kinematics& kinematics, double t) {
  const auto calc = [&](int shape) -> Vec3 {
    const ContactShape& belt = model.system.contact.shapes[at(shape)];
    const std::vector<TimeFunction>& v = belt.surface_velocity;
    if (v.empty()) return Vec3::Zero();
    const Vec3 own(calc_sample(v[0], t).value, calc_sample(v[1], t).value, calc_sample(v[2], t).value);
    return kinematics.X_WB[at(belt.body)].R * own;
  };
  const Vec3 velocity = calc(contact.shape_b) - calc(contact.shape_a);
  return velocity - contact.normal * contact.normal.dot(velocity);
}

}  // namespace

bool is_restored(const RigidModel& model, const ContactTracker& tracker, const Contact& contact, double speed_before,
                 double speed_free) {
  const double e = model.law(contact).calc_restitution(-speed_before);
  if (e == 0 || speed_before >= 0 || tracker.was_loaded(contact)) return false;
  return e * -speed_before >= 0.5 * std::max(0.0, speed_before - speed_free);
}

double calc_taken(const std::vector<int>& group, int d, const SolvedContacts& solved) {
  double taken = 0, scale = 0;
  for (const int i : group) {
    const auto r = solved.r.segment(d * i, d), u = solved.u_start.segment(d * i, d);
    taken -= 0.5 * r.dot(u + solved.u_end.segment(d * i, d));
    scale += std::abs(r.dot(u));
  }
  return std::abs(taken) < 1e-12 * scale ? 0 : taken;
}

void add_limits(const RigidModel& model, const VecX& q, const VecX& z, double widest, const Kinematics& kinematics,
                StepRows& rows) {
  for (const int k : rows.island().coordinates) {
    const GuardedCoordinate& coordinate = model.coordinates[at(k)];
    const double position = calc_coordinate_position(model.system, kinematics, q, z, coordinate.ref);
    const double below = position - coordinate.limit.lower, above = coordinate.limit.upper - position;
    if (std::isfinite(below) && below <= widest) rows.J().add_limit(k, false, below, kinematics);
    if (std::isfinite(above) && above <= widest) rows.J().add_limit(k, true, above, kinematics);
  }
}

void add_belts(const RigidModel& model, const StepRows& rows, const std::vector<Contact>& contacts,
               const Kinematics& kinematics, double t, VecX& u) {
  if (!rows.island().has_belts) return;
  const int d = rows.dimension();
  for (int i = 0; i < rows.size(); ++i) {
    const RowBlock& block = rows.blocks()[at(i)];
    if (block.kind != RowKind::contact) continue;
    const Contact& contact = contacts[at(block.index)];
    if (!model.shape(contact.shape_a).is_belt && !model.shape(contact.shape_b).is_belt) continue;
    const Vec3 velocity = calc_surface_velocity(model, contact, kinematics, t);
    for (int k = 1; k < std::min(d, 3); ++k) u[d * i + k] += block.frame.col(k).dot(velocity);
  }
}

void set_static_friction(const RigidModel& model, const ContactTracker& tracker, const std::vector<Contact>& contacts,
                         const VecX& u_start, double t, StepRows& rows) {
  if (!model.has_static_friction) return;
  const int d = rows.dimension();
  for (int i = 0; i < rows.size(); ++i) {
    const RowBlock& block = rows.blocks()[at(i)];
    if (block.kind != RowKind::contact) continue;
    const Contact& contact = contacts[at(block.index)];
    const RigidLaw& law = model.law(contact);
    if (!law.has_static_friction()) continue;
    rows.J().block(i).mu =
        calc_friction(law, tracker.find_memory(contact), calc_slip_speed(block, u_start.segment(d * i, d)),
                      model.tolerances.slip_speed, t == 0);
  }
}

StepProblem::StepProblem(const RigidModel& model, StepRows& rows, ContactSearch& search, ContactTracker& tracker)
    : model_(model), rows_(rows), search_(search), tracker_(tracker) {}

void StepProblem::calc_speeds(const VecX& v, Kinematics& kinematics, std::vector<double>& speeds) const {
  update_velocities(model_.system, v, kinematics);
  speeds.resize(solved_.contacts.size());
  for (std::size_t i = 0; i < speeds.size(); ++i) speeds[i] = model_.calc_normal_speed(solved_.contacts[i], kinematics);
}

void StepProblem::find(const Place& place) {
  update_velocities(model_.system, place.v_start, place.kinematics);
  // Where s is the start of a whole step, they are known.
  const double step = model_.settings.step;
  if (std::abs(place.step.h - step) <= 1e-9 * step && search_.is_found(place.q_s, place.v_start)) {
    solved_.contacts = search_.find(place.step.from).contacts;
  } else {
    search_.find(place.kinematics, place.step.h, found_);
    solved_.contacts.swap(found_.contacts);
  }
  if (place.step.scheme.is_at_end()) turn_passed(place);
  calc_speeds(place.v_linear, place.kinematics, linear_speed_);
  calc_speeds(place.v_kept, place.kinematics, speed_);
  included_.resize(solved_.contacts.size());
  for (std::size_t i = 0; i < included_.size(); ++i) included_[i] = is_included(i, place) ? 1 : 0;
}

void StepProblem::include_again(const Place& place) {
  calc_speeds(place.v_kept, place.kinematics, speed_);
  for (std::size_t i = 0; i < included_.size(); ++i) included_[i] = included_[i] || is_included(i, place) ? 1 : 0;
}

/// At q + h v a fast body may be through another, where the nearest faces are the far ones: impulses along their
/// normals would push it on. Such contacts are taken as they were at the start, moved with the bodies.
void StepProblem::turn_passed(const Place& place) {
  const auto move = [&](int shape, const Vec3& point) -> Vec3 {
    const std::size_t body = at(model_.shape(shape).body);
    const Vec3 v = linear(place.kinematics.V_WB[body]), w = angular(place.kinematics.V_WB[body]);
    return point + place.step.h * (v + w.cross(point - (place.kinematics.X_WB[body].p - place.step.h * v)));
  };
  for (Contact& contact : solved_.contacts) {
    const Contact* start = tracker_.find_start(contact);
    if (!start || start->gap < -model_.calc_closed_gap(*start) || start->normal.dot(contact.normal) >= 0) continue;
    contact.normal = start->normal;
    contact.point_a = move(start->shape_a, start->point_a);
    contact.point_b = move(start->shape_b, start->point_b);
    contact.gap = contact.normal.dot(contact.point_b - contact.point_a);
  }
}

double StepProblem::calc_bound(std::size_t i, const Place& place) const {
  const Contact& contact = solved_.contacts[i];
  ContactAtS at_s{.gap = contact.gap,
                  .gap_start = contact.gap - place.step.scheme.geometry * place.step.h * linear_speed_[i],
                  .speed = linear_speed_[i],
                  .closed_gap = model_.calc_closed_gap(contact),
                  .h = place.step.h,
                  .step = model_.settings.step,
                  .slack = place.jam.slack,
                  .touching = place.jam.slack};
  // A contact that was loaded does not let go where its neighbours were moved by the position correction.
  if (place.jam.is_jammed() && at_s.gap_start > place.jam.slack && tracker_.was_loaded(contact))
    at_s.touching = place.jam.loaded_slack;
  return model_.formulation->calc_bound(at_s);
}

bool StepProblem::is_included(std::size_t i, const Place& place) const {
  const Contact& contact = solved_.contacts[i];
  if (place.step.locating && tracker_.is_to_be_located(contact)) return false;
  // What had a row in the last solve of this (sub)step would get it again.
  if (tracker_.was_loaded(contact) || tracker_.find_start_guess(contact)) return true;
  if (model_.has_layers) {
    // A layer that has let go relaxes.
    const ContactMemory* memory = tracker_.find_memory(contact);
    if (memory && memory->is_deflected()) return true;
  }
  // A little early: a contact that turns out not to close has no impulse, one that was left out costs another solve. In
  // a large island, where every solve is long, by what the others may push in a step: its weight, and half its speed.
  const double early = place.jam.is_jammed() ? 0.5 * std::abs(speed_[i]) + place.step.h * model_.system.gravity.norm()
                                             : 1e-3 * std::abs(speed_[i]);
  return speed_[i] < calc_bound(i, place) + early;
}

/// Shapes that v_end makes faster than contacts were sought for: the known ones, as they are, and what is new.
void StepProblem::extend(const Place& place, const VecX& v_end) {
  update_velocities(model_.system, v_end, place.kinematics);
  if (!search_.extend(place.kinematics, place.step.h, found_)) return;
  known_.swap(solved_.contacts);
  known_included_.swap(included_);
  solved_.contacts.clear();
  std::set_union(known_.begin(), known_.end(), found_.contacts.begin(), found_.contacts.end(),
                 std::back_inserter(solved_.contacts),
                 [](const Contact& a, const Contact& b) { return a.comes_before(b); });
  included_.assign(solved_.contacts.size(), 0);
  renumber_.assign(known_.size(), 0);
  std::size_t known = 0;
  for (std::size_t i = 0; i < solved_.contacts.size() && known < known_.size(); ++i) {
    if (!known_[known].same_place(solved_.contacts[i])) continue;
    included_[i] = known_included_[known];
    renumber_[known++] = static_cast<int>(i);
  }
  for (int i = 0; i < rows_.size(); ++i) {
    RowBlock& block = rows_.J().block(i);
    if (block.kind == RowKind::contact) block.index = renumber_[at(block.index)];
  }
  calc_speeds(place.v_linear, place.kinematics, linear_speed_);
  calc_speeds(place.v_kept, place.kinematics, speed_);
}

bool StepProblem::include_violated(const Place& place, const VecX& v_end) {
  extend(place, v_end);
  calc_speeds(v_end, place.kinematics, end_speed_);
  bool any = false;
  for (std::size_t i = 0; i < solved_.contacts.size(); ++i) {
    if (included_[i] || (place.step.locating && tracker_.is_to_be_located(solved_.contacts[i]))) continue;
    if (end_speed_[i] >= calc_bound(i, place) - model_.tolerances.violation_speed) continue;
    included_[i] = 1;
    any = true;
  }
  return any;
}

void StepProblem::pose(const Place& place) {
  const auto& [step, t_s, q_s, kinematics, v_start, v_linear, v_kept, z, jam] = place;
  const double h = step.h;
  rows_.J().clear();
  for (std::size_t i = 0; i < solved_.contacts.size(); ++i) {
    if (included_[i]) rows_.J().add_contact(static_cast<int>(i), solved_.contacts[i], kinematics);
  }
  add_limits(model_, q_s, z, infinity, kinematics, rows_);
  for (const int k : rows_.island().coordinates) {
    if (model_.coordinates[at(k)].has_friction()) rows_.J().add_joint_friction(k, kinematics);
  }
  // u before and without impulses, belts included; of joint limits also that on the way to s
  update_velocities(model_.system, v_start, kinematics);
  rows_.J().calc_velocities({model_.system, kinematics, t_s, q_s, v_start, z}, solved_.u_start);
  if (!rows_.island().coordinates.empty()) {
    update_velocities(model_.system, v_linear, kinematics);
    rows_.J().calc_velocities({model_.system, kinematics, t_s, q_s, v_linear, z}, u_linear_);
  }
  update_velocities(model_.system, v_kept, kinematics);
  rows_.J().calc_velocities({model_.system, kinematics, t_s, q_s, v_kept, z}, u_free_);
  add_belts(model_, rows_, solved_.contacts, kinematics, step.from.t, solved_.u_start);
  add_belts(model_, rows_, solved_.contacts, kinematics, step.from.t + h, u_free_);
  set_static_friction(model_, tracker_, solved_.contacts, solved_.u_start, step.from.t, rows_);
  // (2) asks for u_n+ >= bound: the problem is posed in u - bound
  const int d = rows_.dimension();
  q_ = u_free_;
  solved_.r.setZero(d * rows_.size());
  fresh_.assign(at(rows_.size()), 0);
  solved_.turned.setZero(d * rows_.size());
  solved_.restored.setZero(rows_.size());
  solved_.impact_time.setZero(rows_.size());
  for (int i = 0; i < rows_.size(); ++i) {
    const RowBlock& block = rows_.blocks()[at(i)];
    if (block.kind == RowKind::limit) {
      const double speed = u_linear_[d * i], gap_start = block.gap - step.scheme.geometry * h * speed;
      q_[d * i] -=
          calc_closing_bound(block.gap, gap_start, step.scheme.is_at_end() ? speed : 0, h, model_.settings.step);
    }
    if (block.kind == RowKind::contact) pose_contact(i, place);
    if (block.kind == RowKind::joint_friction)
      rows_.J().block(i).bound = model_.coordinates[at(block.index)].calc_bound(solved_.u_start[d * i + 1], z);
  }
  turn_contacts(place);
  solved_.layers.clear();
  if (!model_.has_layers) return;
  solved_.layers.resize(at(rows_.size()));
  for (int i = 0; i < rows_.size(); ++i) {
    if (rows_.blocks()[at(i)].kind == RowKind::contact) pose_layers(i, place);
  }
}

/// (4) and (5) of layer_step.h: what layers give joins W, where they begin joins q.
void StepProblem::pose_layers(int i, const Place& place) {
  const RowBlock& block = rows_.blocks()[at(i)];
  const Contact& contact = solved_.contacts[at(block.index)];
  const PairLayers laws = model_.find_layers(contact);
  if (laws.count == 0) return;
  const int d = rows_.dimension();
  const ContactMemory *memory = tracker_.find_memory(contact), *guess = tracker_.find_start_guess(contact);
  const Contact* start = memory ? nullptr : tracker_.find_start(contact);
  // What overlaps at the start and has no history is at rest.
  SharedDepth depth;
  if (start && start->gap < 0) depth = share_depth(*laws.layer[0], laws.layer[1], -start->gap);
  ContactLayers& layers = solved_.layers[at(i)];
  layers.count = laws.count;
  Mat3 compliance = Mat3::Zero();
  for (std::size_t k = 0; k < at(laws.count); ++k) {
    LayerStep& step = layers.layer[k];
    step.layer = laws.layer[k];
    step.body = laws.body[k];
    step.is_remembered = memory != nullptr;
    step.start = memory ? calc_deflection_in(block.frame, place.kinematics.X_WB[at(step.body)].R, memory->layers[k])
                        : Vec3(k == 0 ? depth.first : depth.second, 0, 0);
    const LayerMemory* last = guess ? &guess->layers[k] : memory ? &memory->layers[k] : nullptr;
    step.on_core = last && last->on_core;
    // A nonlinear law has no slope at 0.
    const double iterate = guess ? guess->layers[k].normal : std::max(step.start[0], -contact.gap);
    pose_layer(place.step.h, d == 2, std::max(iterate, model_.calc_closed_gap(contact)), step);
    compliance += step.A / place.step.h;
    q_[d * i] += step.b[0] / place.step.h;
    for (int j = 1; j < std::min(d, 3); ++j) q_[d * i + j] += (step.b[j] - step.start[j]) / place.step.h;
  }
  rows_.J().set_compliance(i, compliance);
}

bool StepProblem::update_layers(double h) {
  const int d = rows_.dimension();
  bool any = false;
  for (std::size_t i = 0; i < solved_.layers.size(); ++i) {
    ContactLayers& layers = solved_.layers[i];
    Vec3 p = Vec3::Zero();
    if (layers.count > 0) p.head(std::min(d, 3)) = solved_.r.segment(d * static_cast<int>(i), std::min(d, 3));
    for (std::size_t k = 0; k < at(layers.count); ++k) any = solve_layer(p, h, layers.layer[k]) || any;
  }
  return any;
}

void StepProblem::pose_contact(int i, const Place& place) {
  const int d = rows_.dimension();
  const std::size_t index = at(rows_.blocks()[at(i)].index);
  const Contact& contact = solved_.contacts[index];
  const double bound = calc_bound(index, place);
  q_[d * i] -= bound;
  // Impacts that are not located: e acts by either hypothesis.
  const double u_start = solved_.u_start[d * i], u_free = u_free_[d * i];
  if (!place.step.locating && is_restored(model_, tracker_, contact, u_start, u_free)) {
    const double gap = contact.gap - place.step.scheme.geometry * place.step.h * linear_speed_[index];
    const Rebound rebound = calc_rebound(gap, u_start, u_free, place.step.h, model_.law(contact));
    solved_.restored[i] = std::max(0.0, rebound.speed - bound);
    solved_.impact_time[i] = rebound.time;
    q_[d * i] -= solved_.restored[i];
  }
  const ContactMemory* known = tracker_.find_start_guess(contact);
  if (!known) known = tracker_.find_memory(contact);
  if (known) {
    solved_.r.segment(d * i, d) = place.step.h * calc_expected_force(*known).head(d);
  } else {
    fresh_[at(i)] = 1;
  }
}

/// (3), with v+ as the warm start has it: off by O(h^2).
void StepProblem::turn_contacts(const Place& place) {
  const double g = place.step.scheme.geometry;
  if (g == 0 || g == 1 || rows_.size() == 0) return;
  const int d = rows_.dimension();
  v_expected_ = place.v_kept;
  rows_.add_impulses(solved_.r, v_expected_);
  update_velocities(model_.system, place.v_start, place.kinematics);
  for (int i = 0; i < rows_.size(); ++i) solved_.turned.segment(d * i, d) = calc_turn(i, place.kinematics).head(d);
  update_velocities(model_.system, v_expected_, place.kinematics);
  for (int i = 0; i < rows_.size(); ++i) {
    auto turned = solved_.turned.segment(d * i, d);
    const double normal = turned[0];
    turned = (1 / g - 1) * (2 * calc_turn(i, place.kinematics).head(d) - turned);
    turned[0] -= 0.5 * g * normal;
  }
  q_ += solved_.turned;
}

/// u(s) - u(q) for the velocities of `kinematics`, which is at s.
Eigen::Vector4d StepProblem::calc_turn(int i, const Kinematics& kinematics) const {
  const RowBlock& block = rows_.blocks()[at(i)];
  const int index = block.kind == RowKind::contact ? find_smooth_start(block, kinematics) : -1;
  if (index < 0) return Eigen::Vector4d::Zero();
  const Contact& contact = solved_.contacts[at(block.index)];
  const ContactTracker::Arms& arms = tracker_.start().arms[at(index)];
  const Vec3& normal = tracker_.start().contacts[at(index)].normal;
  const auto velocity = [&](int body, const Vec3& arm) {
    return shift_velocity(load_spatial(kinematics.V_WB[at(body)].data()), arm);
  };
  const SpatialPair before = velocity(block.body_b, arms.b) - velocity(block.body_a, arms.a);
  const SpatialPair now = model_.calc_motion(contact, kinematics);
  Eigen::Vector4d turn;
  turn << contact.normal.dot(now.v) - normal.dot(before.v), block.frame.col(1).dot(now.v - before.v),
      block.frame.col(2).dot(now.v - before.v), contact.normal.dot(now.w) - normal.dot(before.w);
  return turn;
}

/// Where the contact came from, among those at the start, if it is held there and runs smoothly: the one point of its
/// pair that is held, or one that is fixed to a body, as a corner is. Points of faces with round rims jump. Else -1.
int StepProblem::find_smooth_start(const RowBlock& block, const Kinematics& kinematics) const {
  const Contact& contact = solved_.contacts[at(block.index)];
  const ContactTracker::Start& start = tracker_.start();
  const Contact* found = tracker_.find_start(contact);
  if (!found) return -1;
  const std::size_t index = static_cast<std::size_t>(found - start.contacts.data());
  if (!start.held[index]) return -1;
  const double size = model_.calc_size(contact);
  if (start.alone[index])
    return (contact.point_b - found->point_b).norm() < model_.tolerances.smooth_path_part * size
               ? static_cast<int>(index)
               : -1;
  const auto is_fixed = [&](int body, const Vec3& point, const Vec3& own_arm) {
    const Transform& X_WB = kinematics.X_WB[at(body)];
    return (X_WB.R.transpose() * (point - X_WB.p) - own_arm).norm() < model_.tolerances.fixed_point_part * size;
  };
  return is_fixed(block.body_a, contact.point_a, start.own_arms[index].a) ||
                 is_fixed(block.body_b, contact.point_b, start.own_arms[index].b)
             ? static_cast<int>(index)
             : -1;
}

bool StepProblem::drop_restitution(double h) {
  if (solved_.restored.size() == 0 || solved_.restored.maxCoeff() == 0) return false;
  const int d = rows_.dimension();
  bool any = false;
  for (const std::vector<int>& group : rows_.find_groups()) {
    // Velocities are those at the times of impact: a fall goes on until then, and is braked after it.
    double taken = calc_taken(group, d, solved_), scale = 0;
    for (const int i : group) {
      const double r = solved_.r[d * i];
      scale += std::abs(r * solved_.u_start[d * i]);
      if (solved_.restored[i] > 0)
        taken -= 0.5 * r * (u_free_[d * i] - solved_.u_start[d * i]) * (2 * solved_.impact_time[i] / h - 1);
    }
    if (taken >= -1e-9 * scale) continue;
    for (const int i : group) {
      any = any || solved_.restored[i] > 0;
      q_[d * i] += solved_.restored[i];
      solved_.restored[i] = 0;
    }
  }
  return any;
}

}  // namespace stiction
