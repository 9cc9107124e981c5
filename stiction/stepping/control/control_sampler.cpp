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
    Vec3 force = Vec3::Zero();
    for (const ContactRecord& contact : contacts) {
      const auto& shapes = system_.contact.shapes;
      if (shapes[at(contact.shape_b)].body == law->at.body) force += contact.impulse / h;
      if (shapes[at(contact.shape_a)].body == law->at.body) force -= contact.impulse / h;
    }
    state.z.segment<3>(controller.z_start + 9) = force;
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
  const double rest =
      law.proportional * error + law.derivative * (target.rate - seen[1]) + (law.gravity ? calc_gravity(law) : 0);
  const double wanted = rest + law.integral * sum_next, output = std::clamp(wanted, -law.limit, law.limit);
  // A clipped output would wind up the integral.
  if (wanted == output || std::abs(sum_next) < std::abs(sum)) sum = sum_next;
  return output;
}

/// tau of the joint that keeps everything at rest.
double ControlSampler::calc_gravity(const JointControl& law) {
  update_velocities(system_, zero_, kinematics_);
  calc_inverse_dynamics(system_, kinematics_, zero_, no_forces_, dynamics_, tau_);
  const NamedJoint& joint = system_.named_joints[at(law.coordinate.joint)];
  return tau_[system_.joints[at(joint.child)].v_start + law.coordinate.component];
}

Vec6 ControlSampler::calc_output(const CartesianControl& law, const Controller& controller, State& state) {
  const std::size_t body = at(law.at.body);
  const Mat3& R = kinematics_.X_WB[body].R;
  const Vec3 r = R * law.at.p_BQ;
  const Vec6 V = shift_velocity(kinematics_.V_WB[body], r);
  VecX now(15);
  now << calc_logarithm(calc_quaternion(law.R_start * R.transpose())), kinematics_.X_WB[body].p + r, V,
      state.z.segment<3>(controller.z_start + 9);
  const Eigen::Map<const VecX> seen(push_measured(controller, now, state), 15);
  const Vec3 theta = seen.head<3>(), x = seen.segment<3>(3), w = seen.segment<3>(6), v = seen.segment<3>(9);
  Vec3 given, rate;
  for (int k = 0; k < 3; ++k) {
    const Sample target = calc_sample(law.target[at(k)], state.t);
    given[k] = target.value, rate[k] = target.rate;
  }
  Vec6 F;
  if (!law.admittance) {
    F.head<3>() = law.stiffness.head<3>().cwiseProduct(theta) - law.damping.head<3>().cwiseProduct(w);
    F.tail<3>() = law.stiffness.tail<3>().cwiseProduct(given - x) + law.damping.tail<3>().cwiseProduct(rate - v);
    return F;
  }
  // (3)
  auto x_c = state.z.segment<3>(controller.z_start + 6);
  if (state.step == 0) x_c = x;
  Vec3 v_c = given;
  for (int k = 0; k < 3; ++k) v_c[k] += law.yield[k] * apply_dead_band(seen[12 + k], law.dead_band[k]);
  const double b = law.bandwidth;
  F.head<3>() = b * b * theta - 2 * b * w;
  F.tail<3>() = b * b * (x_c - x) + 2 * b * (v_c - v);
  x_c += controller.sample_time * v_c;
  // Lambda = (J M^-1 J')^-1
  calc_frame_jacobian(system_, kinematics_, law.at.body, law.at.p_BQ, jacobian_);
  update_articulated_inertia(system_, kinematics_, dynamics_);
  moved_.resize(system_.nv, 6);
  for (int k = 0; k < 6; ++k)
    calc_inverse_mass_product(system_, kinematics_, dynamics_, jacobian_.row(k).transpose(), moved_.col(k));
  const Mat6 inverse = jacobian_ * moved_;
  return inverse.completeOrthogonalDecomposition().solve(F);
}

}  // namespace stiction
