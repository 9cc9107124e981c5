#pragma once

#include <array>
#include <vector>

#include "stiction/solvers/mcp/mcp_newton.h"
#include "stiction/stepping/rigid/free_step.h"
#include "stiction/stepping/rigid/step_problem.h"

namespace stiction {

/// Poses a step's problem at the configuration that a velocity leads to.
class EndOfStep {
 public:
  virtual ~EndOfStep() = default;
  /// Masses, v_free, contacts, rows and layers there.
  virtual void pose_at(const VecX& v) = 0;
};

/// A step of geometric_implicit as one mixed complementarity problem (compliant-implicit-2007, eqs 4-6, 9, 14, 15),
/// solved by Newton's method: where contacts run fast over surfaces with little curvature, the iteration of s in
/// rigid_step.cpp, which knows how gaps change but not how contact points and normals do, contracts slowly or not at
/// all. Unknowns: the velocities v at the end, and of each loaded contact its impulse p along n, t, o (and the moment
/// about n) and sigma, the speed of its slip. With closest points, frames, J and A = M^-1 at q+ = q + h v:
///     v - v_free - A J' p = 0,                                                  v free                         (1)
///     (gap + delta_n(p)) / h >= 0                               orthogonal to   p_n >= 0                       (2)
///     u_j + (delta_j(p) - delta_l,j) / h + sigma p_j / (e_j^2 mu p_n) = 0,      p_j free                       (3)
///     mu p_n - sum_j p_j^2 / (e_j^2 mu p_n) >= 0                orthogonal to   sigma >= 0                     (4)
/// (3) and (4) are the paper's (5) divided by mu p_n: regular for p_n > 0. p is measured in units that make all of
/// these velocities.
/// F' has the derivatives of closest points and normals by their curvature (geometry/closest/contact_kinematics.h),
/// those of frames, lever arms and turned masses, and of the exponential by which rotations are composed. DEPARTURES:
/// the closest points are eliminated. F' leaves out how forces of elements and the frames of tangential deflections
/// change with q+, and the shift of bodies whose origin is not their centre of mass.
/// Islands whose bodies are free or planar, without constraints, limits and joint friction. The contacts are those that
/// the last solution loads: whether others close is the caller's to see, who verifies the result.
class EndNewton final : private McpProblem {
 public:
  explicit EndNewton(const RigidModel& model) : model_(model) {}

  struct Place {
    EndOfStep& end;
    StepProblem& problem;
    StepRows& rows;
    Kinematics& kinematics;    ///< at s
    const VecX& v_kept;        ///< v_free there
    const VecX& displacement;  ///< from q to s
    const VecX& q_s;
    const VecX& z;
    double h = 0, t_end = 0;
  };
  /// From the impulses in place.problem.solved(), whose rows are in place.rows, and v: to the solution, or nearer to
  /// it. Returns the residual it ends with, natural, of (1) to (4) [m/s]; infinity, and v as it was, unless that is a
  /// tenth of the first, or within rounding(). On nearly flat surfaces it ends above the tolerance.
  double solve(const Place& place, double tolerance, VecX& v);
  /// By how much the residual of the last result changes where rounding turns or moves a body, 4 units in the last
  /// place of 1 rad and of its distance from the origin: closest points of nearly flat surfaces run far. No step is
  /// solved to less. 0 where it ended within the tolerance [m/s].
  double rounding() const { return rounding_; }
  /// The impulse of the contact at a place, where it is one of these; else null.
  const Eigen::Vector4d* find_impulse(const Contact& contact) const;

  /// The same without solving it: F and F' of the problem, and where it starts. `z` is empty where it cannot be posed.
  McpProblem& pose_only(const Place& place, const VecX& v, VecX& z);

 private:
  struct LoadedContact {
    Contact contact;
    int block = 0;                                   ///< in the rows
    int start = 0;                                   ///< of its unknowns
    double unit = 1;                                 ///< of p [N s / (m/s)]
    Eigen::Vector4d p = Eigen::Vector4d::Zero();     ///< [N s]
    Eigen::Vector4d axes = Eigen::Vector4d::Zero();  ///< e_j mu of (4), from 1 on; 0: p_j = 0
  };
  /// A body of a contact: how it moves with the velocities of the island.
  struct Side {
    int body = 0, v_start = 0, nv = 0, cluster = -1;  ///< nv = 0: none of them moves it
    Mat6 H = Mat6::Zero();                            ///< [w; v of the origin] for unit velocities, nv columns
    Mat6 moved = Mat6::Zero();                        ///< [d angle; d origin] at the end of the step, likewise
  };
  /// How a contact changes with one velocity.
  struct Change {
    double gap = 0;
    Mat3 frame = Mat3::Zero();
    std::array<Vec3, 2> arm = {Vec3::Zero(), Vec3::Zero()};  ///< from the origins of the bodies to the point
  };

  void calc_F(const VecX& z, VecX& F) override;
  void calc_J(const VecX& z, Jacobian& J) override;
  bool can_pose() const;
  bool pose_start(const Place& place, const VecX& v);
  void begin(const VecX& v);
  double calc_rounding();
  bool match();
  bool pose(const VecX& z);
  void calc_end_velocities();
  const RowBlock& block(const LoadedContact& loaded) const;
  void write_contact(const LoadedContact& loaded, double sigma, VecX& F) const;
  void make_pattern(Jacobian& J);
  Side make_side(int body) const;
  Change calc_change(const LoadedContact& loaded, const std::array<Side, 2>& sides, std::size_t side, int column) const;
  void add_contact(const LoadedContact& loaded, Jacobian& J);
  void add_geometry(const LoadedContact& loaded, const std::array<Side, 2>& sides, std::size_t side, Jacobian& J);
  void add_push(const Side& side, const Vec6& wrench, int column, Jacobian& J);
  void add_turned_mass(int body, Jacobian& J);
  void add_law(const LoadedContact& loaded, double sigma, Jacobian& J) const;

  const RigidModel& model_;
  const Place* place_ = nullptr;
  int nv_ = 0, d_ = 3;
  std::vector<LoadedContact> loaded_;
  VecX z_, F_, posed_, r_, u_, v_end_, shifted_, changed_;
  std::vector<Eigen::Triplet<double>> pattern_;
  std::vector<int> pattern_key_, key_;  ///< what the pattern depends on: of the last F', and of this problem
  bool is_posed_ = false;
  double rounding_ = 0;
  McpNewton newton_;
};

}  // namespace stiction
