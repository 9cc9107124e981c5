#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "stiction/multibody/instant.h"
#include "stiction/stepping/rigid/island.h"

namespace stiction {

/// What one block of rows of a step's problem stands for.
enum class RowKind {
  contact,         ///< normal, tangential (1 or 2), spin where a law has it
  limit,           ///< of a joint coordinate: its distance to the limit is the gap; no friction
  joint_friction,  ///< |impulse| <= bound on a joint coordinate: a cone whose normal impulse is given
};

struct RowBlock {
  RowKind kind = RowKind::contact;
  int index = 0;  ///< contact: into the contacts given; else into RigidModel::coordinates
  // Contacts:
  int body_a = 0, body_b = 0;
  Mat3 frame = Mat3::Identity();  ///< columns n (from A to B), t, o, world axes; u = velocity of B against A along them
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  ///< where the impulse acts on each body, world
  Vec3 ellipsoid = Vec3::Ones();                        ///< half-axes of the friction ellipsoid: along t, o, spin
  double mu = 0;
  double gap = 0;    ///< contact, limit [m, rad]
  double sign = 1;   ///< limit: +1 lower, -1 upper
  double bound = 0;  ///< joint friction: force [N, N m]; times h the normal impulse
  // Jacobians of at most two clusters, d rows of J
  std::array<int, 2> cluster = {-1, -1};
  std::array<int, 2> start = {0, 0};  ///< in the pool
};

/// Speed at which the surfaces of a contact slip, with that of its spin at the radius e_r, for velocities along its
/// rows [m/s].
inline double calc_slip_speed(const RowBlock& block, const Eigen::Ref<const VecX>& u) {
  const Eigen::Index d = u.size();
  const double spin = d == 4 ? block.ellipsoid[2] * u[3] : 0;
  return std::sqrt(u.segment(1, std::min<Eigen::Index>(d, 3) - 1).squaredNorm() + spin * spin);
}

/// The rows J of contacts, limits and joint friction of an island at a configuration, in blocks of d =
/// Island::dimension, each with the columns of the one or two clusters that it acts on; u = J v are the velocities
/// along them. Nothing allocates once as many rows have been there before.
class JacobianRows {
 public:
  JacobianRows(const RigidModel& model, const ClusterLayout& layout);
  int dimension() const { return layout_.island().dimension; }
  void clear();
  std::int64_t revision() const { return revision_; }  ///< changes with clear()

  /// The impulse acts on each body at the point of its own surface: a configuration that is only predicted may overlap
  /// far, and the lever arm is the body's then, too.
  void add_contact(int index, const Contact& contact, const Kinematics& kinematics);
  void add_limit(int coordinate, bool upper, double gap, const Kinematics& kinematics);
  void add_joint_friction(int coordinate, const Kinematics& kinematics);
  int size() const { return static_cast<int>(blocks_.size()); }
  const std::vector<RowBlock>& blocks() const { return blocks_; }
  /// For changes of its law and its index.
  RowBlock& block(int i) { return blocks_[static_cast<std::size_t>(i)]; }
  /// Those that act on a cluster, ascending.
  const std::vector<int>& blocks_of(int cluster) const;
  /// A contact that gives: u of its block is that of the bodies plus compliance times r, in the first three rows, until
  /// clear(). No product with J has it.
  void set_compliance(int block, const Mat3& compliance);
  const std::vector<Mat3>& compliance() const { return compliance_; }  ///< of the blocks; empty where none gives
  /// What a block gives along its normal [m/s].
  double calc_give(int block, const VecX& r) const;

  /// d rows of a block, one after the other, for the coordinates of block.cluster[side].
  const double* row_data(const RowBlock& block, std::size_t side) const { return pool_.data() + block.start[side]; }
  std::size_t pool_size() const { return pool_.size(); }
  /// u for the velocities in the instant, those that are prescribed included; the normal row of joint friction is 0.
  void calc_velocities(const Instant& instant, VecX& u) const;
  /// Of block i the part of u that coordinates make which move freely; 0 beyond dimension.
  Eigen::Vector4d multiply(int i, const VecX& v) const;
  /// sum += J' r; `pushed`, of Island::clusters, becomes 1 where an impulse acts.
  void add_transposed(const VecX& r, VecX& sum, std::vector<char>& pushed) const;

 private:
  double* reserve(RowBlock& block, int cluster);
  void add_body(RowBlock& block, int body, const Vec3& point, double sign, const Kinematics& kinematics);
  void add_coordinate(RowBlock& block, int row, double sign, const Kinematics& kinematics);
  void finish(const RowBlock& block);

  const RigidModel& model_;
  const ClusterLayout& layout_;
  std::vector<RowBlock> blocks_;
  std::vector<Mat3> compliance_;
  std::vector<double> pool_;  ///< J, row by row
  std::vector<std::vector<int>> blocks_of_cluster_;
  VecX row_;
  std::int64_t revision_ = 0;
};

/// The directions t, o of a contact's tangent plane, given the direction of the law's first half-axis (world axes, or
/// zero): o = n x t. Without one, t is the projection of the world's z, or x where the normal is nearly along z; in the
/// plane t = z x n.
Mat3 make_contact_frame(const Vec3& normal, const Vec3& direction, bool planar);

}  // namespace stiction
