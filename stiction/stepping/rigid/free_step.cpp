#include "stiction/stepping/rigid/free_step.h"

#include "stiction/base/index.h"

namespace stiction {
namespace {

/// Mean velocity of a prescribed joint over [t, t + h]: positions at the end come out exactly.
void write_mean_velocity(const Joint& joint, int v_start, double t, double h, VecX& v) {
  const auto mean = [&](const TimeFunction& function) {
    return (calc_sample(function, t + h).value - calc_sample(function, t).value) / h;
  };
  if (const auto* motion = std::get_if<CoordinateMotion>(&*joint.motion)) {
    for (std::size_t i = 0; i < motion->coordinates.size(); ++i)
      v[v_start + static_cast<int>(i)] = mean(motion->coordinates[i]);
  } else {
    const auto& path = std::get<PathMotion>(*joint.motion);
    v.segment<3>(v_start) = mean(path.angle) * path.axis;
    for (int i = 0; i < 3; ++i) v[v_start + 3 + i] = mean(path.position[at(i)]);
  }
}

}  // namespace

// A damper on one body is a line: two differences give its fixed point, however stiff it is. Growth of changes on the
// way there is no harm.
FreeStep::FreeStep(const RigidModel& model)
    : model_(model), motion_(model), flight_(model), acceleration_of_forces_(5, 1e300) {}

void FreeStep::begin(const Island& island, const VecX& z, const std::vector<int>& modes) {
  island_ = &island;
  z_ = &z;
  modes_ = &modes;
  motion_.begin(island);
  flight_.begin(island);
  acceleration_.setZero(island.nv);
}

void FreeStep::update(const StepTask& step) {
  const auto& [from, h, scheme, locating] = step;
  motion_.evaluate(from.t, from.q, from.v, *z_, *modes_);
  v_start_ = from.v;
  theta_.setConstant(from.v.size(), scheme.theta);
  if (scheme.force_ahead > 0) {
    // To the point at which the scheme takes its forces, by an explicit step.
    v_mean_ = from.v + scheme.force_ahead * h * motion_.acceleration();
    evaluate_ahead(step, v_mean_);
  }
  v_free_ = from.v + h * motion_.acceleration();
  force_change_ = 0;
  if (is_iterated(scheme)) damp(step);
  flight_.update({from, h, motion_}, v_free_);
  set_given_velocities(step);
}

/// With velocities v, `force_ahead` of the start on the way that its velocities go; of joints, on the way of v: masses
/// turn with them, and only the midpoint rule in positions and velocities keeps their energy.
void FreeStep::evaluate_ahead(const StepTask& step, const VecX& v) {
  const double ahead = (island_->is_jointed ? calc_weight(step.scheme) : step.scheme.force_ahead) * step.h;
  displacement_ = ahead * (island_->is_jointed ? v : step.from.v);
  q_ = step.from.q;
  add_displacement(motion_.kinematics().plan, displacement_, q_);
  motion_.evaluate(step.from.t + ahead, q_, v, *z_, *modes_);
}

/// Dampers and motors, where positions are of second order; Coriolis forces of joints in every formulation that does
/// not iterate itself: taken at the start they feed energy, the more the faster a mechanism turns.
bool FreeStep::is_iterated(const TimeScheme& scheme) const {
  return !scheme.implicit && (island_->is_jointed || (island_->is_damped && scheme.theta < 1));
}

/// Weight of v+ in the velocities of such forces.
double FreeStep::calc_weight(const TimeScheme& scheme) {
  return scheme.force_ahead > 0 ? scheme.force_ahead : 0.5;
}

/// v_free = v + h M^-1 f(v + weight (v_free - v)): forces take the velocities that come out, as the implicit midpoint
/// rule does.
void FreeStep::damp(const StepTask& step) {
  v_forces_ = step.scheme.force_ahead > 0 ? v_mean_ : step.from.v;
  acceleration_of_forces_.begin(v_forces_.size());
  for (int k = 0; k < model_.policy.force_iterations && advance_forces(step, v_free_); ++k)
    v_free_ = step.from.v + step.h * motion_.acceleration();
}

/// Forces at the velocities that v_end asks for, unless they are already: then it returns false.
bool FreeStep::advance_forces(const StepTask& step, const VecX& v_end) {
  const auto& [from, h, scheme, locating] = step;
  v_mean_ = from.v + calc_weight(scheme) * (v_end - from.v);
  force_change_ = (v_mean_ - v_forces_).cwiseAbs().maxCoeff() / (1 + v_mean_.cwiseAbs().maxCoeff());
  if (force_change_ <= model_.tolerances.force_change) return false;
  acceleration_of_forces_.accelerate(v_forces_, v_mean_, v_forces_);
  evaluate_ahead(step, v_forces_);
  return true;
}

void FreeStep::update_at_end(const StepTask& step, const VecX& q, const VecX& v) {
  if (island_->is_jointed) {
    v_mean_ = 0.5 * (step.from.v + v);
    evaluate_ahead(step, v_mean_);
  } else {
    motion_.evaluate(step.from.t + step.h, q, v, *z_, *modes_);
  }
  v_free_ = step.from.v + step.h * motion_.acceleration();
  flight_.update({step.from, step.h, motion_}, v_free_);
  flight_.refer_to(q, v_free_);
  set_given_velocities(step);
}

void FreeStep::set_given_velocities(const StepTask& step) {
  const auto& [from, h, scheme, locating] = step;
  const TreePlan& plan = motion_.kinematics().plan;
  for (const int body : island_->asleep)
    v_free_.segment(plan.joints[at(body)].v_start, plan.joints[at(body)].nv).setZero();
  if (!island_->has_prescribed) return;
  q_.resize(island_->nq);
  if (scheme.theta < 1) update_prescribed(model_.system, plan, from.t, q_, v_start_, acceleration_);
  for (const int body : plan.prescribed) {
    const JointPlan& joint = plan.joints[at(body)];
    write_mean_velocity(model_.system.joints[at(body)], joint.v_start, from.t, h, v_free_);
    auto end = v_free_.segment(joint.v_start, joint.nv);
    auto start = v_start_.segment(joint.v_start, joint.nv);
    if (scheme.theta < 1) {
      end = (end - (1 - scheme.theta) * start) / scheme.theta;
    } else {
      start = end;
    }
  }
}

bool FreeStep::correct(const StepTask& step, const Kinematics& at_s, int round, const VecX& v_end) {
  const auto& [from, h, scheme, locating] = step;
  if (!island_->feels_velocity) return false;
  if (is_iterated(scheme)) {
    if (round == 0) acceleration_of_forces_.begin(v_end.size());
    if (round == model_.policy.force_iterations || !advance_forces(step, v_end)) return false;
  } else {
    if (scheme.force_ahead == 0 || scheme.theta == 1 || round > 0) return false;
    v_mean_ = from.v + scheme.force_ahead * (v_end - from.v);
    evaluate_ahead(step, v_mean_);
  }
  v_before_ = v_free_;
  v_free_ = from.v + h * motion_.acceleration();
  flight_.correct({from, h, motion_}, at_s, v_before_, v_end, v_free_);
  set_given_velocities(step);
  if ((v_free_ - v_before_).cwiseAbs().maxCoeff() > 1e-13 * (1 + from.v.cwiseAbs().maxCoeff())) return true;
  force_change_ = 0;  // no force feels what has changed
  return false;
}

void FreeStep::add_turns(const StepTask& step, const VecX& v_end, VecX& displacement) const {
  add_turns(step, theta_, v_end, displacement);
}

void FreeStep::add_turns(const StepTask& step, const VecX& weight, const VecX& v_end, VecX& displacement) const {
  flight_.add_turns({step.from, step.h, motion_}, step.scheme.theta, weight, v_end, displacement);
}

void FreeStep::calc_accelerations(const StepTask& step, VecX& a) const {
  a = (v_free_ - v_start_) / step.h;
  flight_.refer_accelerations({step.from, step.h, motion_}, a);
}

void FreeStep::book_work(const StepTask& step, const VecX& q_s, const VecX& v_end, IslandState& to) {
  const auto& [from, h, scheme, locating] = step;
  if (!island_->forces.empty() || island_->has_prescribed) {
    v_mean_ = 0.5 * (v_end + from.v);
    motion_.evaluate(from.t + 0.5 * h, q_s, v_mean_, *z_, *modes_);
  }
  to.ledger[ledger_input] += h * motion_.input_power();
  to.ledger[ledger_dissipated] += h * motion_.dissipated_power();
}

}  // namespace stiction
