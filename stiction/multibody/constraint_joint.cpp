#include "stiction/multibody/constraint_joint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "stiction/multibody/constraint_row.h"

namespace stiction {
namespace {

using Rows = std::vector<ConstraintRow>;
constexpr int x = 0, y = 1, z = 2;

/// z of B along z of A.
const Rows same_z = {RowNormal{x, z}, RowNormal{y, z}};
/// All axes of B along those of A.
const Rows same_axes = {RowNormal{x, y}, RowNormal{y, z}, RowNormal{z, x}};
const Rows same_point = {RowPoint{x}, RowPoint{y}, RowPoint{z}};
/// The origin of B on the z axis of A.
const Rows on_z = {RowPoint{x}, RowPoint{y}};

Rows join(Rows a, const Rows& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Rows make_rows(JointWeld, int) {
  return join(same_point, same_axes);
}
Rows make_rows(JointRevolute, int) {
  return join(same_point, same_z);
}
Rows make_rows(JointPrismatic, int) {
  return join(on_z, same_axes);
}
Rows make_rows(JointScrew screw, int turns) {
  return join(join(on_z, same_z), {RowScrew{screw.pitch, turns}});
}
Rows make_rows(JointCylindrical, int) {
  return join(on_z, same_z);
}
/// R_FM = Rz Rx: the first axis, z of F, stays normal to the second, x of M.
Rows make_rows(JointUniversal, int) {
  return join(same_point, {RowNormal{z, x}});
}
Rows make_rows(JointSpherical, int) {
  return same_point;
}
Rows make_rows(JointPlanar, int) {
  return join({RowPoint{z}}, same_z);
}
Rows make_rows(JointFree, int) {
  return {};
}
Rows make_rows(JointTranslation translation, int) {
  return translation.dimension == 3 ? same_axes : join({RowPoint{z}}, same_axes);
}

PairPose make_pose(const Transform& X_Wa, const Transform& X_Wb, const FramePair& frames) {
  const Vec3 r_a = X_Wa.R * frames.X_aA.p, r_b = X_Wb.R * frames.X_bB.p;
  return {frames.body_a, frames.body_b, X_Wa.R * frames.X_aA.R,         X_Wb.R * frames.X_bB.R,
          r_a,           r_b,           (X_Wb.p - X_Wa.p) + (r_b - r_a)};
}

/// The largest derivative of a row along x, y and the angle of a body, given the row's gradient F on it.
double calc_planar_part(const Vec6& F, bool moves) {
  return moves ? std::max({std::abs(F[2]), std::abs(F[3]), std::abs(F[4])}) : 0;
}

Transform displace(const PlanarBody& body, const Vec3& x_y_angle) {
  if (!body.moves) return body.X_WB;
  return {make_rotation_z(x_y_angle.z()) * body.X_WB.R, body.X_WB.p + Vec3(x_y_angle.x(), x_y_angle.y(), 0)};
}

/// Can a planar motion change the row, at the initial pose or at others in general position?
bool acts_in_plane(const PairRow& row, const FramePair& frames, const PlanarBody& a, const PlanarBody& b) {
  const std::array<std::pair<Vec3, Vec3>, 3> displacements = {{{Vec3::Zero(), Vec3::Zero()},
                                                               {Vec3(0.31, -0.17, 0.7), Vec3(-0.23, 0.41, -1.1)},
                                                               {Vec3(-1.3, 0.9, 2.0), Vec3(0.7, 1.7, 0.4)}}};
  const VecX no_turns = VecX::Zero(0);
  return std::any_of(displacements.begin(), displacements.end(), [&](const auto& d) {
    const Measure m = calc_row(row, make_pose(displace(a, d.first), displace(b, d.second), frames), no_turns);
    return std::max(calc_planar_part(m.F_a, a.moves), calc_planar_part(m.F_b, b.moves)) > 1e-9;
  });
}

}  // namespace

Constraint make_joint_constraint(const NamedJoint& joint) {
  Constraint result;
  result.name = joint.name;
  result.frames = {joint.parent, joint.child, joint.X_PF, joint.X_MB.inverse()};
  result.rows = std::visit([&](const auto& kind) { return make_rows(kind, joint.turns_start); }, joint.kind);
  return result;
}

double drop_planar_rows(Constraint& constraint, const PlanarBody& a, const PlanarBody& b) {
  const PairPose start = make_pose(a.X_WB, b.X_WB, constraint.frames);
  double misfit = 0;
  const auto is_idle = [&](const ConstraintRow& row) {
    auto pair_row = find_pair_row(row);
    if (!pair_row) return false;
    // Whole turns of a screw play no part here.
    if (auto* screw = std::get_if<RowScrew>(&*pair_row)) screw->turns = -1;
    if (acts_in_plane(*pair_row, constraint.frames, a, b)) return false;
    misfit = std::max(misfit, std::abs(calc_row(*pair_row, start, VecX::Zero(0)).value));
    return true;
  };
  std::erase_if(constraint.rows, is_idle);
  return misfit;
}

}  // namespace stiction
