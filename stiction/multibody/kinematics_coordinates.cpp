#include <algorithm>
#include <cmath>

#include "stiction/multibody/kinematics.h"

namespace stiction {

namespace {

struct Target {
  double *q, *v, *vdot;  ///< the joint's own numbers
};

void write_motion(const CoordinateMotion& motion, double t, Target to) {
  for (std::size_t i = 0; i < motion.coordinates.size(); ++i) {
    const Sample sample = calc_sample(motion.coordinates[i], t);
    to.q[i] = sample.value;
    to.v[i] = sample.rate;
    to.vdot[i] = sample.acceleration;
  }
}

/// R_WB = R(axis, angle) R_start; the angular velocity and acceleration lie along the fixed axis.
void write_motion(const PathMotion& motion, double t, Target to) {
  const Sample angle = calc_sample(motion.angle, t);
  write_quaternion(make_axis_angle(motion.axis, angle.value) * motion.start, to.q);
  for (int i = 0; i < 3; ++i) {
    to.v[i] = motion.axis[i] * angle.rate;
    to.vdot[i] = motion.axis[i] * angle.acceleration;
    const Sample p = calc_sample(motion.position[static_cast<std::size_t>(i)], t);
    to.q[4 + i] = p.value;
    to.v[3 + i] = p.rate;
    to.vdot[3 + i] = p.acceleration;
  }
}

}  // namespace

void calc_rates(const TreePlan& plan, const VecX& q, const VecX& v, VecX& dq) {
  for (const int b : plan.moving) {
    const JointPlan& joint = plan.joints[b];
    calc_joint_rates(joint.type, joint.nv, q.data() + joint.q_start, v.data() + joint.v_start,
                     dq.data() + joint.q_start);
  }
}

void normalize_quaternions(const TreePlan& plan, VecX& q) {
  for (const int at : plan.quaternions) {
    write_quaternion(calc_normalized(read_quaternion(q.data() + at)), q.data() + at);
  }
}

double calc_quaternion_error(const System& system, const VecX& q) {
  double worst = 0;
  for (const Joint& joint : system.joints) {
    const int offset = quaternion_offset(joint.kind);
    if (offset < 0) continue;
    worst = std::max(worst, std::abs(calc_norm(read_quaternion(q.data() + joint.q_start + offset)) - 1));
  }
  return worst;
}

void add_displacement(const TreePlan& plan, const VecX& dv, VecX& q) {
  for (const int b : plan.moving) {
    const JointPlan& joint = plan.joints[b];
    double* x = q.data() + joint.q_start;
    const double* d = dv.data() + joint.v_start;
    if (joint.type != JointType::spherical && joint.type != JointType::free) {
      for (int i = 0; i < joint.nv; ++i) x[i] += d[i];
      continue;
    }
    // q_FM <- exp(dv) q_FM: dv is resolved in F.
    write_quaternion(calc_exponential(Vec3(d[0], d[1], d[2])) * read_quaternion(x), x);
    for (int i = 3; i < joint.nv; ++i) x[i + 1] += d[i];
  }
}

void update_prescribed(const System& system, double t, VecX& q, VecX& v, VecX& vdot) {
  update_prescribed(system, TreePlan(system), t, q, v, vdot);
}

void update_prescribed(const System& system, const TreePlan& plan, double t, VecX& q, VecX& v, VecX& vdot) {
  for (const int b : plan.prescribed) {
    const JointPlan& joint = plan.joints[b];
    const Target to{q.data() + joint.q_start, v.data() + joint.v_start, vdot.data() + joint.v_start};
    std::visit([&](const auto& motion) { write_motion(motion, t, to); }, *system.joints[b].motion);
  }
}

}  // namespace stiction
