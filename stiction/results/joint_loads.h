#pragma once

#include <vector>

#include "stiction/multibody/equations.h"
#include "stiction/multibody/force_sum.h"

namespace stiction {

/// What goes through the named joints at one instant, alike for joints in tree and in constraint form.
///
/// The force on a coordinate is that of motors, torsional springs, drivers, couplers, limits and friction. In tree form
/// it is tau. In constraint form the elements act as a wrench W on the child, f times the wrench U of a unit force
/// (coordinate.h), so
///     f = W . U / U . U                                                                                     (1)
/// The reaction is the whole wrench from the joint on the child, f on its coordinates included: calc_joint_force in
/// tree form; in constraint form
///     sum of lambda_k F_k over the rows of the joint's constraint + W of each coordinate                    (2)
/// Rigid formulations: under the mean forces of contacts, limits and friction over the last step (StepLoads), with
/// which `equations` were evaluated, and the forces of the elements at its end; an impact by its impulse over h.
/// Where constraints are redundant the multipliers of the rows dropped are zero: one of many possible reactions.
/// Rows that no planar motion can change are not among a planar system's constraints: there is no reaction out of the
/// plane.
class JointLoads {
 public:
  explicit JointLoads(const System& system);

  /// After equations.evaluate(state). Never allocates.
  double calc_force(const Equations& equations, const State& state, CoordinateRef coordinate);
  /// [torque; force] at the origin of M, world axes.
  Vec6 calc_reaction(const Equations& equations, const State& state, int joint);

 private:
  struct CouplerUse {
    int row = 0;  ///< into lambda
    double ratio = 0;
  };
  /// What acts on one coordinate of a joint in constraint form.
  struct Actors {
    std::vector<const Force*> elements;
    std::vector<CouplerUse> couplers;
  };

  const NamedJoint& joint_of(int joint) const { return system_.named_joints[static_cast<std::size_t>(joint)]; }
  void add_elements();
  void add_couplers();
  Actors* find_actors(CoordinateRef coordinate);
  /// W on the child at its origin.
  Vec6 calc_wrench(const Equations& equations, const State& state, CoordinateRef coordinate);
  /// W for a unit force: U of (1).
  Vec6 calc_unit_wrench(const Equations& equations, CoordinateRef coordinate);

  const System& system_;
  std::vector<std::vector<Actors>> actors_;  ///< by joint and coordinate; none for joints in tree form
  ForceSum scratch_;
};

}  // namespace stiction
