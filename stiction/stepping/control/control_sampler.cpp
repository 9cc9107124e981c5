#include "stiction/stepping/control/control_sampler.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/index.h"
#include "stiction/multibody/coordinate.h"

namespace stiction {
namespace {

/// Number of samples at or before t; times are rounded.
double count_samples(double t, double sample_time) {
  return std::floor(t / sample_time * (1 + 1e-12) + 1e-9);
}

double apply_dead_band(double f, double band) {
  return std::copysign(std::max(0.0, std::abs(f) - band), f);
}

}  // namespace

ControlSampler::ControlSampler(const System& system)
    : system_(system),
      kinematics_(system),
      dynamics_(system),
      no_forces_(system.bodies.size(), Vec6::Zero()),
      zero_(VecX::Zero(system.nv)),
      tau_(VecX::Zero(system.nv)) {}

void ControlSampler::note_contacts(const std::vector<ContactRecord>& contacts, double h, State& state) const {
  for (const Controller& controller : system_.controllers) {
    const auto* law = std::get_if<CartesianControl>(&controller.law);
    if (law == nullptr) continue;
    // About the world's origin: the moment about the point follows when it is measured.
    Vec6 wrench = Vec6::Zero();
    for (const ContactRecord& contact : contacts) {
      const auto& shapes = system_.contact.shapes;
      Vec6 on_b;
      on_b << contact.moment_impulse + contact.position.cross(contact.impulse), contact.impulse;
      if (shapes[at(contact.shape_b)].body == law->at.body) wrench += on_b / h;
      if (shapes[at(contact.shape_a)].body == law->at.body) wrench -= on_b / h;
    }
    state.z.segment<6>(controller.z_start + 12) = wrench;
  }
}

double find_next_sample(const System& system, double t) {
  double next = std::numeric_limits<double>::infinity();
  for (const Controller& controller : system.controllers)
    next = std::min(next, (count_samples(t, controller.sample_time) + 1) * controller.sample_time);
  return next;
}

bool ControlSampler::sample(double t_before, State& state) {
  bool any = false;
  for (const Controller& controller : system_.controllers) {
    const double T = controller.sample_time;
    if (t_before >= 0 && count_samples(t_before, T) == count_samples(state.t, T)) continue;
    if (!any) update_positions(system_, state.q, kinematics_);
    update_velocities(system_, state.v, kinematics_);
    any = true;
    sample(controller, state);
  }
  return any;
}

const double* ControlSampler::push_measured(const Controller& controller, const VecX& now, State& state) {
  const int n = controller.measured();
  double* ring = state.z.data() + controller.z_start + controller.outputs() + controller.memory();
  // At first everything was always as it is now: a body at rest.
  const bool is_first = state.step == 0;
  for (int k = controller.delay; k > 0; --k) std::copy_n(is_first ? now.data() : ring + (k - 1) * n, n, ring + k * n);
  std::copy_n(now.data(), n, ring);
  return ring + controller.delay * n;
}

void ControlSampler::sample(const Controller& controller, State& state) {
  if (const auto* joint = std::get_if<JointControl>(&controller.law)) {
    state.z[controller.z_start] = calc_output(*joint, controller, state);
  } else {
    state.z.segment<6>(controller.z_start) = calc_output(std::get<CartesianControl>(controller.law), controller, state);
  }
}

double ControlSampler::calc_output(const JointControl& law, const Controller& controller, State& state) {
  const CoordinateValue x = calc_coordinate(system_, kinematics_, state.q, state.v, state.z, law.coordinate);
  const double* seen = push_measured(controller, Eigen::Vector2d(x.position, x.velocity), state);
  const Sample target = calc_sample(law.target, state.t);
  double& sum = state.z[controller.z_start + 1];
  const double error = target.value - seen[0], sum_next = sum + controller.sample_time * error;
  double rest = law.proportional * error + law.derivative * (target.rate - seen[1]);
  if (law.gravity) {
    update_gravity();
    const NamedJoint& joint = system_.named_joints[at(law.coordinate.joint)];
    rest += tau_[system_.joints[at(joint.child)].v_start + law.coordinate.component];
  }
  const double wanted = rest + law.integral * sum_next, output = std::clamp(wanted, -law.limit, law.limit);
  // A clipped output would wind up the integral.
  if (wanted == output || std::abs(sum_next) < std::abs(sum)) sum = sum_next;
  return output;
}

void ControlSampler::update_gravity() {
  update_velocities(system_, zero_, kinematics_);
  calc_inverse_dynamics(system_, kinematics_, zero_, no_forces_, dynamics_, tau_);
}

Vec6 ControlSampler::calc_output(const CartesianControl& law, const Controller& controller, State& state) {
  const std::size_t body = at(law.at.body);
  const Mat3& R = kinematics_.X_WB[body].R;
  const Vec3 r = R * law.at.p_BQ, p = kinematics_.X_WB[body].p + r;
  const Vec6 V = shift_velocity(kinematics_.V_WB[body], r);
  const Vec6 felt = state.z.segment<6>(controller.z_start + 12);
  const Vec3 force = felt.tail<3>();
  VecX now(18);
  now << calc_logarithm(calc_quaternion(law.R_start * R.transpose())), p, V, felt.head<3>() - p.cross(force), force;
  const Eigen::Map<const VecX> seen(push_measured(controller, now, state), 18);
  tau_.setZero();
  if (law.gravity) update_gravity();
  if (law.admittance) {
    auto command = state.z.segment<6>(controller.z_start + 6);
    if (state.step == 0) command << Vec3::Zero(), seen.segment<3>(3);
    return calc_wrench(law, follow_command(law, controller, state.t, seen, command), tau_);
  }
  // (2)
  Vec6 F = law.gravity ? calc_wrench(law, Vec6::Zero(), tau_) : Vec6(Vec6::Zero());
  F.head<3>() +=
      law.stiffness.head<3>().cwiseProduct(seen.head<3>()) - law.damping.head<3>().cwiseProduct(seen.segment<3>(6));
  for (int k = 0; k < 3; ++k) {
    const Sample target = calc_sample(law.target[at(k)], state.t);
    F[3 + k] += law.stiffness[3 + k] * (target.value - seen[3 + k]) + law.damping[3 + k] * (target.rate - seen[9 + k]);
  }
  return F;
}

Vec6 ControlSampler::follow_command(const CartesianControl& law, const Controller& controller, double t,
                                    const VecX& seen, Eigen::Ref<Vec6> command) {
  Vec6 V_c;
  for (int k = 0; k < 6; ++k) {
    const TimeFunction& given = k < 3 ? law.angular_target[at(k)] : law.target[at(k - 3)];
    V_c[k] = calc_sample(given, t).value + law.yield[k] * apply_dead_band(seen[12 + k], law.dead_band[k]);
  }
  const Quaternion R_c = calc_exponential(command.head<3>());
  const double b = law.bandwidth, T = controller.sample_time;
  Vec6 away;
  away << calc_logarithm(R_c * calc_exponential(seen.head<3>())), command.tail<3>() - seen.segment<3>(3);
  command.head<3>() = calc_logarithm(calc_exponential(T * V_c.head<3>()) * R_c);
  command.tail<3>() += T * V_c.tail<3>();
  return b * b * away + 2 * b * (V_c - seen.segment<6>(6));
}

Vec6 ControlSampler::calc_wrench(const CartesianControl& law, const Vec6& a, const VecX& tau) {
  calc_frame_jacobian(system_, kinematics_, law.at.body, law.at.p_BQ, jacobian_);
  update_articulated_inertia(system_, kinematics_, dynamics_);
  moved_.resize(system_.nv, 6);
  for (int k = 0; k < 6; ++k)
    calc_inverse_mass_product(system_, kinematics_, dynamics_, jacobian_.row(k).transpose(), moved_.col(k));
  const Mat6 inverse = jacobian_ * moved_;
  const Vec6 wanted = a + moved_.transpose() * tau;
  return inverse.completeOrthogonalDecomposition().solve(wanted);
}

}  // namespace stiction
