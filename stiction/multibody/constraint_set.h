#pragma once

#include <vector>

#include "stiction/math/pivoted_cholesky.h"
#include "stiction/multibody/constraint_row.h"
#include "stiction/multibody/dynamics.h"
#include "stiction/multibody/force_sum.h"

namespace stiction {

/// All constraint rows of a system at one instant: values, velocities, velocity products, Jacobian, and the solution of
///     A x = b,   A = g M^-1 g'   (rows x rows; M^-1 over the joints that are not prescribed)                (1)
/// A is scaled to unit diagonal and factorised with complete pivoting (pivoted_cholesky.h); rows that depend on others
/// are dropped. Dense: O(rows * bodies) for M^-1 g', O(rows^2 nv) for A, O(rows^3) for the factorisation. Each update
/// needs those above it; nothing allocates after construction.
class ConstraintSet {
 public:
  explicit ConstraintSet(const System& system);
  /// Of these constraints only, ascending; owners are numbers of the system all the same.
  ConstraintSet(const System& system, const std::vector<int>& constraints);
  int size() const { return static_cast<int>(phi_.size()); }
  bool empty() const { return phi_.size() == 0; }
  /// The constraint to which a row belongs.
  int constraint_of(int row) const { return owner_[row]; }

  /// phi and the rows' gradients. Needs kinematics after update_positions.
  void update_positions(const Instant& instant);
  /// phidot. Needs kinematics after update_velocities.
  void update_velocities(const Instant& instant);
  /// gamma.
  void update_bias(const Instant& instant);
  /// g, M^-1 g' and the factors of A. Needs update_positions and update_articulated_inertia.
  /// `nv`: entries of v.
  void factorize(const Kinematics& kinematics, TreeDynamics& dynamics, int nv);

  /// x = A^-1 x.
  void solve_in_place(VecX& x) { cholesky_.solve_in_place(x); }
  /// The forces J' lambda, on bodies and coordinates.
  void add_forces(const Kinematics& kinematics, const VecX& lambda, ForceSum& sum) const;

  /// What the pair rows of one constraint exert on its body b, at that body's origin.
  Vec6 calc_force_on_b(int constraint, const VecX& lambda) const;

  const VecX& phi() const { return phi_; }
  const VecX& rate() const { return rate_; }    ///< phidot = g v + phi_t
  const VecX& phi_t() const { return phi_t_; }  ///< the part of phidot that is not g v: moving offsets of couplers
  const VecX& gamma() const { return gamma_; }
  const MatX& jacobian_transposed() const { return Gt_; }      ///< nv x rows
  const MatX& inverse_mass_jacobian() const { return MiGt_; }  ///< M^-1 g', nv x rows
  int rank() const { return cholesky_.rank(); }

  /// Rounding of phi [m] and of phidot [m/s], from the sizes of the vectors whose differences they are.
  double position_rounding() const { return position_rounding_; }
  double velocity_rounding() const { return velocity_rounding_; }

 private:
  struct PairEntry {
    PairRow row;
    int pair = 0;   ///< index into pairs_
    int index = 0;  ///< of the row in phi
    Vec6 F_a, F_b;  ///< gradient
  };
  struct CouplerEntry {
    const RowCoupler* row = nullptr;
    int index = 0;
  };

  const System& system_;
  std::vector<int> owner_;
  std::vector<FramePair> pairs_;
  std::vector<PairPose> poses_;      ///< one a pair
  std::vector<PairMotion> motions_;  ///< one a pair
  std::vector<PairEntry> rows_;
  std::vector<CouplerEntry> couplers_;
  VecX phi_, rate_, phi_t_, gamma_;
  MatX Gt_, MiGt_, A_;
  PivotedCholesky cholesky_;
  double position_rounding_ = 0, velocity_rounding_ = 0;
};

}  // namespace stiction
