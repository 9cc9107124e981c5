#include "stiction/stepping/rigid/stepper_rigid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stiction/base/disjoint_sets.h"
#include "stiction/base/index.h"
#include "stiction/base/text.h"
#include "stiction/solvers/cone/cone_auto.h"
#include "stiction/stepping/ode/ode_fixed.h"

namespace stiction {
namespace {

/// A contact counts as closed below this part of the sizes of its shapes.
constexpr double closed_part = 1e-9;

RigidSolverSettings make_solver_settings(const MethodSettings& settings) {
  return {.form = settings.type == "cone" ? FrictionForm::cone : FrictionForm::polyhedral,
          .directions = settings.directions,
          .tolerance = settings.solver_tolerance,
          .aim = 1e-2 * settings.solver_tolerance};
}

/// Half the diagonal of each shape; those without an end count 0.
std::vector<double> list_sizes(const ContactModel& model) {
  std::vector<double> sizes;
  for (const ContactShape& shape : model.shapes) sizes.push_back(calc_size(shape.shape));
  return sizes;
}

std::vector<double> list_arms(const ContactModel& model) {
  std::vector<double> arms;
  for (const ContactShape& shape : model.shapes) arms.push_back(calc_size(shape.shape) + shape.X_BS.p.norm());
  return arms;
}

std::vector<char> list_moving(const ContactModel& model) {
  std::vector<char> moving;
  for (const ContactShape& shape : model.shapes) moving.push_back(shape.moves_freely ? 1 : 0);
  return moving;
}

/// Does nothing but gravity act on a body of its own, and no gyroscopic moment? Then forces do not depend on
/// velocities.
bool is_free_of_velocity_forces(const System& system, int body) {
  const Joint& joint = system.joints[at(body)];
  const MassProperties& mass = system.bodies[at(body)].mass;
  if (joint.nv == 0 || joint.prescribed()) return true;
  const bool at_centre = joint.parent == 0 && mass.com.isZero(0) && joint.X_MB.p.isZero(0);
  if (type_of(joint.kind) == JointType::planar) return at_centre;
  if (type_of(joint.kind) == JointType::translation) return joint.parent == 0;
  return type_of(joint.kind) == JointType::free && at_centre &&
         mass.inertia.isApprox(Mat3(mass.inertia(0, 0) * Mat3::Identity()), 1e-15);
}

}  // namespace

StepperRigid::Scheme StepperRigid::make_scheme(const MethodSettings& settings) {
  Scheme scheme;
  scheme.keeps_open = true;
  if (settings.type == "cone") {
    scheme.theta = settings.theta;
    scheme.geometry = 1 - settings.theta;
    scheme.midpoint_force = true;
    scheme.locates_all = true;
  } else if (settings.type == "stewart_trinkle") {
    scheme.geometry = 1;
    scheme.predicted_gap = true;
    scheme.nonlinear = settings.nonlinear;
  } else {
    scheme.velocity_level = true;
  }
  return scheme;
}

StepperRigid::StepperRigid(const System& system, const MethodSettings& settings)
    : system_(system),
      settings_(settings),
      scheme_(make_scheme(settings)),
      free_(system),
      flight_(system),
      rows_(system),
      solver_(make_solver_settings(settings)),
      finder_(system.contact),
      sleeping_(system, settings),
      equations_(system),
      kinematics_(system),
      at_state_(system),
      reach_(system.contact.shapes.size(), 0.0),
      sizes_(list_sizes(system.contact)),
      arms_(list_arms(system.contact)),
      moves_freely_(list_moving(system.contact)),
      acceleration_(VecX::Zero(system.nv)) {
  // The rest of a step with too many impacts: every contact in (2), from where the bodies are.
  rest_scheme_ = scheme_;
  rest_scheme_.keeps_open = false;
  if (settings.type == "cone") rest_scheme_.theta = 1, rest_scheme_.geometry = 0, rest_scheme_.parabolas = true;
  for (const ContactShape& shape : system.contact.shapes) has_belts_ = has_belts_ || !shape.surface_velocity.empty();
  has_forces_ = !system.forces.empty();
  for (const Joint& joint : system.joints) {
    has_prescribed_ = has_prescribed_ || joint.prescribed();
    free_velocities_ += joint.prescribed() ? 0 : calc_nv(joint.kind);
  }
  has_forces_ = has_forces_ || has_prescribed_;
  has_velocity_forces_ = !system.forces.empty();
  for (int b = 0; b < system.n_bodies(); ++b)
    has_velocity_forces_ = has_velocity_forces_ || !is_free_of_velocity_forces(system, b);
  for (const ContactRule& rule : system.contact.rules) has_restitution_ = has_restitution_ || rule.law.restitution > 0;
  if (has_restitution_ && scheme_.theta != 0.5) scheme_.parabolas = rest_scheme_.parabolas = true;
  double smallest = 1;
  for (const double size : sizes_) smallest = size > 0 ? std::min(smallest, size) : smallest;
  smallest_closed_gap_ = closed_part * smallest;
  slip_speed_ = std::max(slip_speed_, 10 * settings.solver_tolerance);
}

const RigidLaw& StepperRigid::get_law(const Contact& contact) const {
  return system_.contact.rules[at(contact.rule)].law;
}

double StepperRigid::calc_closed_gap(const Contact& contact) const {
  return std::max(smallest_closed_gap_,
                  closed_part * std::min(sizes_[at(contact.shape_a)], sizes_[at(contact.shape_b)]));
}

/// Contacts whose impacts are located in time.
bool StepperRigid::is_located(const Contact& contact) const {
  return scheme_.locates_all || get_law(contact).restitution > 0;
}

/// The entry of an ascending list that is the same place: the same point of the pair by its id, else, since ids change
/// where another feature of the pair takes over, the nearest point of the pair within a twentieth of the smaller shape.
/// Contacts are mostly asked for in the list's own order: `next` is where the last one found lies, and one on.
template <class T, class GetPlace>
const T* StepperRigid::find_place(const std::vector<T>& list, const Contact& contact, const GetPlace& get_place,
                                  std::size_t& next) const {
  if (next < list.size() && get_place(list[next]).same_place(contact)) return &list[next++];
  const auto before = [&](const T& entry, const Contact& other) { return get_place(entry).comes_before(other); };
  // It may lack in the list, just here.
  const bool is_gap = next <= list.size() && (next == 0 || before(list[next - 1], contact)) &&
                      (next == list.size() || contact.comes_before(get_place(list[next])));
  const auto found = is_gap ? list.begin() + static_cast<std::ptrdiff_t>(next)
                            : std::lower_bound(list.begin(), list.end(), contact, before);
  next = static_cast<std::size_t>(found - list.begin());
  if (found != list.end() && get_place(*found).same_place(contact)) return &list[next++];
  const auto same_pair = [&](const T& entry) {
    return get_place(entry).shape_a == contact.shape_a && get_place(entry).shape_b == contact.shape_b;
  };
  auto first = found;
  while (first != list.begin() && same_pair(*(first - 1))) --first;
  const double a = sizes_[at(contact.shape_a)], b = sizes_[at(contact.shape_b)];
  double nearest = 0.05 * (a == 0 ? b : b == 0 ? a : std::min(a, b));
  const T* result = nullptr;
  for (auto entry = first; entry != list.end() && same_pair(*entry); ++entry) {
    const double distance = (get_place(*entry).point_b - contact.point_b).norm();
    if (distance > nearest) continue;
    nearest = distance;
    result = &*entry;
  }
  return result;
}

const ContactMemory* StepperRigid::find_memory(const Contact& contact) const {
  return find_place(
      memory_, contact, [](const ContactMemory& memory) -> const Contact& { return memory.place; }, next_memory_);
}

/// Of the impulse, by the last solve of this (sub)step.
const ContactMemory* StepperRigid::find_guess(const Contact& contact) const {
  return find_place(
      guesses_, contact, [](const ContactMemory& memory) -> const Contact& { return memory.place; }, next_guess_);
}

const Contact* StepperRigid::find_contact(const std::vector<Contact>& list, const Contact& contact,
                                          std::size_t& next) const {
  return find_place(
      list, contact, [](const Contact& place) -> const Contact& { return place; }, next);
}

/// The same place at the start of the step.
const Contact* StepperRigid::find_start(const Contact& contact) const {
  return find_contact(start_contacts_, contact, next_start_);
}

/// Those that are open at the start of the step.
bool StepperRigid::is_to_be_located(const Contact& contact) const {
  if (!is_located(contact)) return false;
  const ContactMemory* memory = find_memory(contact);
  if (memory && memory->active) return false;
  const Contact* start = find_start(contact);
  return start == nullptr || !touches_[static_cast<std::size_t>(start - start_contacts_.data())];
}

/// The contacts at the start of a (sub)step, and which of them an impact acts on.
void StepperRigid::look_at_start(const State& state) {
  start_contacts_ = find_contacts(state);
  start_speed_.clear();
  touches_.clear();
  const double slow = 0.5 * settings_.step * system_.gravity.norm();
  for (const Contact& contact : start_contacts_) {
    const double speed = calc_normal_speed(contact, at_state_);
    double touching = calc_closed_gap(contact);
    if (is_located(contact))
      touching = -speed < slow ? touching + settings_.step * std::max(0.0, -speed) : calc_touching_gap(contact, speed);
    start_speed_.push_back(speed);
    touches_.push_back(contact.gap <= touching ? 1 : 0);
  }
}

double StepperRigid::calc_normal_speed(const Contact& contact, const Kinematics& kinematics) const {
  const int a = rows_.body_of(contact.shape_a), b = rows_.body_of(contact.shape_b);
  const auto velocity = [&](int body, const Vec3& point) {
    return shift_velocity(load_spatial(kinematics.V_WB[at(body)].data()), Vec3(point - kinematics.X_WB[at(body)].p)).v;
  };
  return contact.normal.dot(velocity(b, contact.point_b) - velocity(a, contact.point_a));
}

/// How far a point of a shape comes within h, at most.
double StepperRigid::calc_way(std::size_t i, const Kinematics& kinematics, double h) const {
  const Vec6& V = kinematics.V_WB[at(rows_.body_of(static_cast<int>(i)))];
  return h * (linear(V).norm() + angular(V).norm() * arms_[i]);
}

/// All contacts that a motion at twice the present speeds, and free fall, could close within h; none of two shapes that
/// are asleep or fixed.
void StepperRigid::find_contacts_at(const Kinematics& kinematics, double h, std::vector<Contact>& contacts) {
  const double fall = system_.gravity.norm() * h;
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    if (sleeping_.is_dormant(i)) {
      reach_[i] = ContactFinder::dormant;
      continue;
    }
    reach_[i] = moves_freely_[i] || !kinematics.V_WB[at(rows_.body_of(static_cast<int>(i)))].isZero()
                    ? 2 * calc_way(i, kinematics, h) + h * fall + 10 * smallest_closed_gap_
                    : 0;
  }
  const std::vector<Contact>& found = finder_.update(kinematics.X_WB, reach_, rows_.is_planar());
  contacts.assign(found.begin(), found.end());
}

bool StepperRigid::is_found(const VecX& q, const VecX& v) const {
  return found_q_.size() == q.size() && found_q_ == q && found_v_ == v;
}

/// Within reach of a whole step. The end of a step is the start of the next: what was found last is kept. So it is
/// after an impact, unless that made a body so fast that its reach no longer holds its way.
const std::vector<Contact>& StepperRigid::find_contacts(const State& state) {
  if (found_q_.size() == state.q.size() && found_q_ == state.q && found_v_ != state.v) {
    update_velocities(system_, state.v, at_state_);
    bool is_within = true;
    for (std::size_t i = 0; i < found_reach_.size() && is_within; ++i)
      is_within = sleeping_.is_dormant(i) || calc_way(i, at_state_, settings_.step) <= found_reach_[i];
    if (is_within) found_v_ = state.v;
  }
  if (!is_found(state.q, state.v)) {
    update_positions(system_, state.q, at_state_);
    update_velocities(system_, state.v, at_state_);
    find_contacts_at(at_state_, settings_.step, found_);
    found_q_ = state.q, found_v_ = state.v;
    found_reach_ = reach_;
  }
  return found_;
}

/// Within reach of h at s, with kinematics_ there. Where s is the start of a whole step they are known.
void StepperRigid::find_step_contacts(double h) {
  const bool is_whole = std::abs(h - settings_.step) <= 1e-9 * settings_.step;
  if (is_whole && is_found(q_s_, v_start_)) {
    contacts_ = found_;
    reach_ = found_reach_;
  } else {
    find_contacts_at(kinematics_, h, contacts_);
  }
}

/// The audits of the parts of a step together: the worst, or the sum.
void StepperRigid::merge_audit(const ContactAudit& part, ContactAudit& whole) {
  whole.cone = std::max(whole.cone, part.cone);
  whole.dissipation += part.dissipation;
  whole.residual = std::max(whole.residual, part.residual);
  whole.iterations += part.iterations;
  whole.contacts = std::max(whole.contacts, part.contacts);
  whole.unknowns = std::max(whole.unknowns, part.unknowns);
  whole.unconverged += part.unconverged;
  whole.first_order += part.first_order;
  whole.note_lost_restitution(part.restitution_lost, part.lost_a, part.lost_b);
  whole.nonlinear_iterations += part.nonlinear_iterations;
  whole.nonlinear_change = std::max(whole.nonlinear_change, part.nonlinear_change);
}

StepReport StepperRigid::step(State& state, double t_limit) {
  StepReport report;
  const double t_next = calc_next_time(state.t, settings_.step, t_limit);
  report.h = t_next - state.t;
  current_ = state;
  step_start_ = state.t;
  records_.clear();
  resting_impulses_.clear();
  constexpr int most_settling = 100;
  if (settings_.settle && state.step == 0) separate(current_, most_settling, true, report);
  advance(current_, t_next, report);
  if (!current_.q.allFinite() || !current_.v.allFinite() || !current_.z.allFinite()) {
    report.status = StepStatus::diverged;
    report.message = describe_not_finite(state);
    return report;
  }
  measure(current_, report);
  current_.t = t_next;
  current_.step = state.step + 1;
  sleeping_.add_records(report.h, records_, report.contact);
  if (sleeping_.fall_asleep({current_, at_state_, report.h, records_}, memory_, report)) found_q_.resize(0);
  std::swap(state, current_);
  return report;
}

/// Of the largest group of bodies that lean on one another.
int StepperRigid::count_bearing() {
  const ClusterMap& clusters = rows_.clusters();
  const auto cluster_of = [&](int shape) { return clusters.of_body[at(rows_.body_of(shape))]; };
  group_.resize(at(clusters.size()));
  std::iota(group_.begin(), group_.end(), 0);
  for (const ContactMemory& memory : memory_) {
    const int a = cluster_of(memory.place.shape_a), b = cluster_of(memory.place.shape_b);
    if (memory.active && a >= 0 && b >= 0) group_[at(find_root(group_, a))] = find_root(group_, b);
  }
  bearing_.assign(group_.size(), 0);
  int largest = 0;
  for (const ContactMemory& memory : memory_) {
    const int a = cluster_of(memory.place.shape_a), b = cluster_of(memory.place.shape_b);
    if (memory.active && std::max(a, b) >= 0)
      largest = std::max(largest, ++bearing_[at(find_root(group_, std::max(a, b)))]);
  }
  return largest;
}

/// If the last impulses act on sleepers, their groups wake at t, with the forces that held them; what was sought
/// without them is forgotten.
bool StepperRigid::wake_pushed(double t, StepReport& report) {
  if (!sleeping_.is_pushed(rows_, r_)) return false;
  sleeping_.wake(t, t - step_start_, report);
  const std::vector<ContactMemory>& woken = sleeping_.woken_contacts();
  memory_.insert(memory_.end(), woken.begin(), woken.end());
  std::sort(memory_.begin(), memory_.end(),
            [](const ContactMemory& x, const ContactMemory& y) { return x.comes_before(y); });
  for (const ContactRecord& record : sleeping_.woken_records())
    find_record(record.shape_a, record.shape_b, record.point) = record;
  found_q_.resize(0);
  return true;
}

void StepperRigid::advance(State& state, double t_next, StepReport& report) {
  // A moment may turn out to be no impact, of a contact that grazes, say: again and again, if they were not counted.
  int impacts = 0, moments = 0;
  const int most_moments = 2 * settings_.impacts;
  while (state.t < t_next) {
    const double h = t_next - state.t;
    look_at_start(state);
    guesses_.clear();
    solved_step_ = 0;
    const int bearing = count_bearing();
    const bool locating = impacts < settings_.impacts && moments < most_moments && bearing <= most_located_among;
    is_large_heap_ = bearing > cone_most_factorized;
    slack_ = bearing <= most_located_among ? 0 : settings_.step * (is_large_heap_ ? large_slack_speed : slack_speed);
    if (locating && has_impact()) {
      if (apply_impact(state, report)) ++impacts;
      continue;
    }
    // A trial that is given up leaves nothing in the report.
    StepReport part;
    take_step(state, h, locating ? scheme_ : rest_scheme_, trial_, part);
    ++report.evaluations;
    if (!locating) note_first_order(part);
    if (wake_pushed(state.t, report)) continue;
    if (locating && closes(state, h)) {
      const bool too_many = impacts + count_moments() > settings_.impacts || part.contact.unconverged > 0;
      part = {};
      ++moments;
      if (too_many || !locate_impact(state, part)) {
        moments = most_moments;
        part.contact = {};
        take_step(state, h, rest_scheme_, trial_, part);
        ++part.evaluations;
        note_first_order(part);
        trial_.t = t_next;
      }
      report.evaluations += part.evaluations;
      if (wake_pushed(state.t, report)) continue;
    } else {
      trial_.t = t_next;
    }
    merge_audit(part.contact, report.contact);
    remember(trial_.t, trial_.t - state.t, false, report);
    std::swap(state, trial_);
  }
  if (scheme_.velocity_level) separate(state, 5, false, report);
  // What has become so large a heap within the step was solved by sweeps alone, too.
  if (rows_.size() > cone_most_factorized) slack_ = settings_.step * large_slack_speed;
  if ((slack_ > 0 || scheme_.locates_all) && !scheme_.velocity_level) loosen(state, report);
  update_modes(state, report);
}

}  // namespace stiction
