#pragma once

#include "stiction/multibody/coordinate_ref.h"
#include "stiction/multibody/kinematics.h"

namespace stiction {

/// Does this joint in this form offer coordinates?
bool has_coordinates(const NamedJoint& joint);

struct CoordinateValue {
  double position = 0;
  double velocity = 0;
};
/// In constraint form measured from the poses of the two bodies; angles include the whole turns counted in z.
CoordinateValue calc_coordinate(const System&, const Kinematics&, const VecX& q, const VecX& v, const VecX& z,
                                CoordinateRef ref);
/// The work-conjugate force: added to tau in tree form, as an equal and opposite wrench on both bodies (F, at the body
/// origins) in constraint form.
void add_coordinate_force(const System&, const Kinematics&, CoordinateRef ref, double force, std::vector<Vec6>& F,
                          VecX& tau);
/// row += factor * d(velocity of the coordinate)/dv, 1 x nv.
void add_coordinate_row(const System&, const Kinematics&, CoordinateRef ref, double factor, Eigen::Ref<VecX> row);
/// The acceleration of the coordinate for vdot = 0.
double calc_coordinate_bias(const System&, const Kinematics&, CoordinateRef ref);

}  // namespace stiction
