#include "test/unit/multibody/random_tree.h"

#include <algorithm>
#include <string>

namespace stiction {

Vec3 make_random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

Quaternion make_random_quaternion(Random& random) {
  Quaternion q;
  do {
    q = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  } while (calc_norm(q) < 0.1);
  return calc_normalized(q);
}

Transform make_random_transform(Random& random) {
  return {calc_matrix(make_random_quaternion(random)), make_random_vector(random)};
}

VecX make_random_values(Random& random, int n) {
  VecX x(n);
  for (double& value : x) value = random.uniform(-2, 2);
  return x;
}

MassProperties make_random_mass(Random& random) {
  const double a = random.uniform(0.1, 1), b = random.uniform(0.1, 1), c = random.uniform(0.1, 1);
  const double m = random.uniform(0.5, 3);
  const Vec3 principal = m / 12 * Vec3(b * b + c * c, c * c + a * a, a * a + b * b);
  const Mat3 R = calc_matrix(make_random_quaternion(random));
  return {m, make_random_vector(random, 0.5), R * principal.asDiagonal() * R.transpose()};
}

std::array<JointKind, 10> make_all_joint_kinds() {
  return {JointWeld{},      JointRevolute{},  JointPrismatic{}, JointScrew{0.3}, JointCylindrical{},
          JointUniversal{}, JointSpherical{}, JointPlanar{},    JointFree{},     JointTranslation{}};
}

System make_world() {
  System system;
  system.bodies.resize(1);
  system.bodies[0].name = "world";
  system.joints.resize(1);
  return system;
}

int add_body(System& system, const Joint& given, const MassProperties& mass) {
  Joint joint = given;
  joint.nq = calc_nq(joint.kind);
  joint.nv = calc_nv(joint.kind);
  joint.q_start = system.nq;
  joint.v_start = system.nv;
  system.nq += joint.nq;
  system.nv += joint.nv;
  Body body;
  body.name = "body" + std::to_string(system.n_bodies());
  body.mass = mass;
  system.bodies.push_back(body);
  system.joints.push_back(joint);
  return system.n_bodies() - 1;
}

namespace {

TimeFunction make_random_function(Random& random) {
  return Sine{random.uniform(0.2, 1), random.uniform(0.1, 1), random.uniform(-3, 3), random.uniform(-1, 1)};
}

}  // namespace

System make_random_tree(Random& random, TreeOptions options) {
  const auto kinds = make_all_joint_kinds();
  System system = make_world();
  system.gravity = make_random_vector(random, 10);
  for (int b = 1; b <= options.n_bodies; ++b) {
    Joint joint;
    joint.kind = kinds[random.index(10)];
    // Half of the bodies prolong a chain.
    joint.parent = random.index(2) == 0 ? b - 1 : random.index(b);
    joint.X_PF = make_random_transform(random);
    joint.X_MB = make_random_transform(random);
    MassProperties mass = make_random_mass(random);
    if (random.uniform() < options.prescribed && type_of(joint.kind) != JointType::spherical) {
      if (type_of(joint.kind) == JointType::free) {
        joint.parent = 0;
        joint.X_PF = joint.X_MB = {};
        PathMotion path;
        for (int i = 0; i < 3; ++i) path.position.push_back(make_random_function(random));
        path.axis = make_random_vector(random).normalized();
        path.angle = make_random_function(random);
        path.start = make_random_quaternion(random);
        joint.motion.emplace(path);
      } else {
        CoordinateMotion motion;
        for (int i = 0; i < calc_nq(joint.kind); ++i) motion.coordinates.push_back(make_random_function(random));
        joint.motion.emplace(motion);
      }
      if (random.index(2) == 0) mass = {};
    }
    add_body(system, joint, mass);
  }
  return system;
}

TreeSample::TreeSample(System tree, Random& random)
    : system(std::move(tree)),
      t(random.uniform(-1, 1)),
      q(make_random_values(random, system.nq)),
      v(make_random_values(random, system.nv)),
      vdot(make_random_values(random, system.nv)),
      tau(make_random_values(random, system.nv)),
      kinematics(system),
      dynamics(system) {
  for (int b = 0; b < system.n_bodies(); ++b) F.push_back(make_random_values(random, 6));
  F[0].setZero();
  normalize_quaternions(TreePlan(system), q);
  update_prescribed(system, t, q, v, vdot);
  update();
}

double TreeSample::rate(bool with_vdot) const {
  double largest = with_vdot ? 1 + vdot.lpNorm<Eigen::Infinity>() : 1;
  for (const Vec6& V : kinematics.V_WB) largest = std::max(largest, V.norm());
  return largest;
}

}  // namespace stiction
