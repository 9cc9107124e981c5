#pragma once

#include <array>
#include <memory>
#include <vector>

#include "stiction/multibody/constraint_set.h"
#include "stiction/solvers/cone/cone_bodies.h"
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

/// Where physics meets solvers: the rows J of contacts, limits and joint friction at a configuration, and
///     W = J A J',   A = M^-1 - M^-1 G' (G M^-1 G')^-1 G M^-1                                                   (1)
/// A is the inverse mass that the bilateral constraints G v = ... leave: impulses through it do not violate them. This
/// is the mixed problem of cooking-complementarity-2006, eq. (34), after its free unknowns (velocities, joint impulses)
/// have been eliminated, cluster by cluster (multibody/cluster.h).
/// DEPARTURE: dependent constraint rows are dropped (PivotedCholesky); the paper's matrix would be singular then.
///
/// Order of calls: begin, update_configuration, clear, add_*; then the products. Vectors v are the island's. Nothing
/// allocates once as many rows have been there before.
class StepRows {
 public:
  explicit StepRows(const RigidModel& model);
  void begin(const Island& island);
  const Island& island() const { return *island_; }

  int dimension() const { return dimension_; }  ///< Island::dimension

  /// Masses and constraints at the positions of `kinematics`.
  void update_configuration(const Kinematics& kinematics, const Instant& instant);

  void clear();
  /// The impulse acts on each body at the point of its own surface: a configuration that is only predicted may overlap
  /// far, and the lever arm is the body's then, too.
  void add_contact(int index, const Contact& contact, const Kinematics& kinematics);
  void add_limit(int coordinate, bool upper, double gap, const Kinematics& kinematics);
  void add_joint_friction(int coordinate, const Kinematics& kinematics);
  /// A contact that gives: u of its block is that of the bodies plus compliance times r, in the first three rows, until
  /// clear(). W has it on its diagonal, multiply() has not.
  void set_compliance(int block, const Mat3& compliance);
  /// What it gives along the normal [m/s].
  double calc_give(int block, const VecX& r) const;
  /// All friction coefficients 0, until clear().
  void make_frictionless();
  /// The contacts have other numbers now: index[old] = new.
  void renumber_contacts(const std::vector<int>& index);
  const std::vector<RowBlock>& blocks() const { return blocks_; }
  int size() const { return static_cast<int>(blocks_.size()); }
  /// Groups of blocks that do not act on one another, those of a group rising, groups by their first.
  const std::vector<std::vector<int>>& find_groups();
  /// W of the blocks of whole groups (rising).
  void calc_matrix(const std::vector<int>& blocks, ConeMatrix& W);
  /// W of all, made when first asked for.
  const ConeMatrix& W();
  /// The same without W, as contacts between bodies (solvers/cone/cone_bodies.h), q left out: whether that can be, and
  /// then how. It cannot where clusters have more than 6 coordinates, nor with joint friction, contacts that give, and
  /// friction other than isotropic.
  bool has_body_form(const std::vector<int>& blocks) const;
  void calc_body_form(const std::vector<int>& blocks, BodyConeProblem& problem);
  /// The first entry of a cluster in v.
  /// Where a cluster stands in Island::clusters.
  int slot(int cluster) const { return slot_[static_cast<std::size_t>(cluster)]; }
  int count_free_velocities() const;
  int v_start(int cluster) const { return v_start_[static_cast<std::size_t>(cluster)]; }
  /// The cluster of an entry of v; -1: prescribed.
  int cluster_of_v(int i) const { return cluster_of_v_[static_cast<std::size_t>(i)]; }

  /// u = velocities along the rows for the velocities in the instant (kinematics after update_velocities), surface
  /// velocities of belts included; the normal row of joint friction is 0.
  void calc_velocities(const Instant& instant, VecX& u) const;
  /// The rows of block i times v: the part of its velocity that coordinates make which move freely; 0 beyond dimension.
  Eigen::Vector4d calc_row_velocities(int i, const VecX& v) const;
  /// W r of the bodies alone
  void multiply(const VecX& r, VecX& u);
  /// v += A J' r.
  void add_impulses(const VecX& r, VecX& v);
  int constraint_count() const { return constraint_count_; }  ///< rows
  /// The offset of satisfy_constraints becomes part times g v + phi_t, for the velocities in the instant; 0 at first.
  void set_constraint_offset(const Instant& instant, double part);
  void clear_constraint_offset();
  /// Brings v onto the constraints at the velocity level, g v + phi_t = offset - gain phi, changing it least in the
  /// kinetic metric. `instant` holds v and the configuration.
  void satisfy_constraints(const Instant& instant, double gain, VecX& v);

  /// Velocity of the belts at a contact: that of B's surface against its body less that of A's, world axes [m/s].
  Vec3 calc_surface_velocity(const Contact& contact, const Kinematics& kinematics, double t) const;

 private:
  void set_masses_of_balls();
  int size_of(int cluster) const { return model_.clusters.dimension(cluster); }
  double* reserve(RowBlock& block, int cluster);
  void add_body(RowBlock& block, int body, const Vec3& point, double sign, const Kinematics& kinematics);
  void add_coordinate(RowBlock& block, int row, double sign, const Kinematics& kinematics);
  void finish(const RowBlock& block);
  void update_inverse(int cluster);
  const Mat6& update_factor(int cluster);
  void calc_moved(const RowBlock& block);

  /// The constraints of a cluster.
  struct Bonds {
    explicit Bonds(const System& system, const std::vector<int>& constraints) : set(system, constraints) {}
    ConstraintSet set;
    VecX offset, lambda;
  };

  const RigidModel& model_;
  const System& system_;
  const Island* island_ = nullptr;
  int dimension_ = 3;
  TreeDynamics dynamics_;
  // By cluster:
  std::vector<std::unique_ptr<Bonds>> bonds_;  ///< or none
  std::vector<int> v_start_, slot_;            ///< slot_: in Island::clusters
  std::vector<MatX> mass_, inverse_;
  std::vector<Mat6> factor_;  ///< of the inverse
  std::vector<char> inverse_is_valid_, factor_is_valid_;
  std::vector<int> cluster_of_v_;
  int constraint_count_ = 0;
  std::vector<RowBlock> blocks_;
  std::vector<Mat3> compliance_;    ///< of the blocks; empty where none gives
  std::vector<double> pool_;        ///< J, row by row
  std::vector<double> moved_pool_;  ///< (A J')', likewise
  std::vector<char> is_pushed_;     ///< clusters
  std::vector<std::vector<int>> blocks_of_cluster_;
  std::vector<std::vector<int>> groups_;         ///< the first group_count_ are in use
  std::vector<int> group_root_, group_of_root_;  ///< clusters
  bool groups_are_valid_ = false;
  ConeMatrix W_;
  bool W_is_valid_ = false;
  std::vector<int> row_start_, columns_, place_, all_;
  VecX row_, impulse_;
  VecX pushed_, pushed_by_;  ///< what the last impulses that were multiplied make of v = 0, and these
  bool pushed_is_valid_ = false;
};

/// The directions t, o of a contact's tangent plane, given the direction of the law's first half-axis (world axes, or
/// zero): o = n x t. Without one, t is the projection of the world's z, or x where the normal is nearly along z; in the
/// plane t = z x n.
Mat3 make_contact_frame(const Vec3& normal, const Vec3& direction, bool planar);

}  // namespace stiction
