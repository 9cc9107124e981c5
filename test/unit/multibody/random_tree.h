#pragma once

#include <array>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/multibody/dynamics.h"

namespace stiction {

Vec3 make_random_vector(Random& random, double size = 1);
Quaternion make_random_quaternion(Random& random);
Transform make_random_transform(Random& random);
VecX make_random_values(Random& random, int n);
/// The principal moments are those of a box, so that the triangle inequality holds.
MassProperties make_random_mass(Random& random);

/// One of each kind, in the order of JointKind.
std::array<JointKind, 10> make_all_joint_kinds();

/// A system with the world in it and nothing else.
System make_world();
/// Counts the joint's coordinates and gives it its place in q and v. Returns the new body's index.
int add_body(System& system, const Joint& joint, const MassProperties& mass);

struct TreeOptions {
  int n_bodies = 10;
  double prescribed = 0;  ///< share of joints whose motion is prescribed
};

/// A tree of joints of all kinds in random frames; with prescribed joints, among them massless bodies and paths.
System make_random_tree(Random& random, TreeOptions options = {});

/// A system at a random state, with forces and a workspace. Prescribed joints follow their functions at time t.
struct TreeSample {
  TreeSample(System tree, Random& random);
  void update() {
    update_positions(system, q, kinematics);
    update_velocities(system, v, kinematics);
    update_articulated_inertia(system, kinematics, dynamics);
  }
  /// The largest rate in the tree: of the velocities and, where it counts, of vdot; at least 1. A finite difference
  /// with a step of 1e-2 / rate has a relative error of 1e-2^4 / 30 and, from rounding, of 1e-14.
  double rate(bool with_vdot) const;

  System system;
  double t;
  VecX q, v, vdot, tau;
  std::vector<Vec6> F;
  Kinematics kinematics;
  TreeDynamics dynamics;
};

/// df/ds at s = 0 by the five-point rule: error h^4 f'''''/30 and rounding 1e-16 f/h, both near 1e-12 for h = 1e-3 and
/// functions of unit scale.
template <class Function>
auto calc_derivative(Function f, double h = 1e-3) {
  using Value = decltype(f(0.0));
  const Value result = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
  return result;
}

}  // namespace stiction
