#include "stiction/multibody/constraint_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stiction/multibody/coordinate.h"

namespace stiction {
namespace {

/// A few roundings of numbers of this size.
double calc_rounding(double size) {
  return 32 * std::numeric_limits<double>::epsilon() * size;
}

std::vector<int> list_all(const System& system) {
  std::vector<int> all(system.constraints.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

ConstraintSet::ConstraintSet(const System& system) : ConstraintSet(system, list_all(system)) {}

ConstraintSet::ConstraintSet(const System& system, const std::vector<int>& constraints) : system_(system) {
  for (const int c : constraints) {
    const Constraint& constraint = system.constraints[static_cast<std::size_t>(c)];
    bool has_pair = false;
    for (const ConstraintRow& row : constraint.rows) {
      const int index = static_cast<int>(owner_.size());
      owner_.push_back(c);
      if (const auto pair_row = find_pair_row(row)) {
        if (!has_pair) pairs_.push_back(constraint.frames);
        has_pair = true;
        rows_.push_back({*pair_row, static_cast<int>(pairs_.size()) - 1, index, Vec6::Zero(), Vec6::Zero()});
      } else {
        couplers_.push_back({&std::get<RowCoupler>(row), index});
      }
    }
  }
  poses_.resize(pairs_.size());
  motions_.resize(pairs_.size());
  const auto n = static_cast<Eigen::Index>(owner_.size());
  phi_ = rate_ = phi_t_ = gamma_ = VecX::Zero(n);
  Gt_ = MiGt_ = MatX::Zero(system.nv, n);
  A_ = MatX::Zero(n, n);
  cholesky_ = PivotedCholesky(static_cast<int>(n));
}

void ConstraintSet::update_positions(const Instant& instant) {
  const Kinematics& kinematics = instant.kinematics;
  double size = 1;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const PairPose& pose = poses_[i] = calc_pair_pose(kinematics, pairs_[i]);
    size = std::max({size, kinematics.X_WB[pose.body_a].p.norm() + pose.r_a.norm(),
                     kinematics.X_WB[pose.body_b].p.norm() + pose.r_b.norm()});
  }
  for (PairEntry& entry : rows_) {
    const Measure measure = calc_row(entry.row, poses_[entry.pair], instant.z);
    phi_[entry.index] = measure.value;
    entry.F_a = measure.F_a, entry.F_b = measure.F_b;
  }
  for (const CouplerEntry& entry : couplers_) {
    phi_[entry.index] = calc_coupler(*entry.row, instant);
    // Coordinates may be large: many turns.
    size = std::max(size, std::abs(calc_sample(entry.row->offset, instant.t).value));
  }
  position_rounding_ = calc_rounding(size);
}

void ConstraintSet::update_velocities(const Instant& instant) {
  const Kinematics& kinematics = instant.kinematics;
  double size = 1;
  for (const PairEntry& entry : rows_) {
    const PairPose& pose = poses_[entry.pair];
    const double part_a = entry.F_a.dot(kinematics.V_WB[pose.body_a]);
    const double part_b = entry.F_b.dot(kinematics.V_WB[pose.body_b]);
    rate_[entry.index] = part_a + part_b;
    size = std::max({size, std::abs(part_a), std::abs(part_b)});
  }
  for (const CouplerEntry& entry : couplers_) {
    const CouplerRate rate = calc_coupler_rate(*entry.row, instant);
    rate_[entry.index] = rate.rate;
    phi_t_[entry.index] = rate.phi_t;
    size = std::max(size, std::abs(rate.phi_t));
  }
  velocity_rounding_ = calc_rounding(size);
}

void ConstraintSet::update_bias(const Instant& instant) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) motions_[i] = calc_pair_motion(instant.kinematics, poses_[i]);
  for (const PairEntry& entry : rows_)
    gamma_[entry.index] = calc_row_gamma(entry.row, poses_[entry.pair], motions_[entry.pair]);
  for (const CouplerEntry& entry : couplers_) gamma_[entry.index] = calc_coupler_gamma(*entry.row, instant);
}

void ConstraintSet::factorize(const Kinematics& kinematics, TreeDynamics& dynamics, int nv) {
  // g', one column a row; v may be that of some bodies only (select_bodies)
  Gt_.setZero(nv, size());
  MiGt_.resize(nv, size());
  for (const PairEntry& entry : rows_) {
    const PairPose& pose = poses_[entry.pair];
    add_body_force(system_, kinematics, pose.body_a, entry.F_a, Gt_.col(entry.index));
    add_body_force(system_, kinematics, pose.body_b, entry.F_b, Gt_.col(entry.index));
  }
  for (const CouplerEntry& entry : couplers_)
    for (std::size_t k = 0; k < entry.row->coordinates.size(); ++k)
      add_coordinate_row(system_, kinematics, entry.row->coordinates[k], entry.row->ratios[k], Gt_.col(entry.index));
  // M^-1 g'
  for (int i = 0; i < size(); ++i) calc_inverse_mass_product(system_, kinematics, dynamics, Gt_.col(i), MiGt_.col(i));
  // A = g M^-1 g', the lower triangle
  for (int j = 0; j < size(); ++j)
    for (int i = j; i < size(); ++i) A_(i, j) = Gt_.col(i).dot(MiGt_.col(j));
  cholesky_.factorize(A_);
}

void ConstraintSet::add_forces(const Kinematics& kinematics, const VecX& lambda, ForceSum& sum) const {
  for (const PairEntry& entry : rows_) {
    const PairPose& pose = poses_[entry.pair];
    sum.F[pose.body_a] += lambda[entry.index] * entry.F_a;
    sum.F[pose.body_b] += lambda[entry.index] * entry.F_b;
  }
  for (const CouplerEntry& entry : couplers_)
    for (std::size_t k = 0; k < entry.row->coordinates.size(); ++k)
      add_coordinate_force(system_, kinematics, entry.row->coordinates[k], lambda[entry.index] * entry.row->ratios[k],
                           sum.F, sum.tau);
}

Vec6 ConstraintSet::calc_force_on_b(int constraint, const VecX& lambda) const {
  Vec6 F = Vec6::Zero();
  for (const PairEntry& entry : rows_)
    if (owner_[entry.index] == constraint) F += lambda[entry.index] * entry.F_b;
  return F;
}

}  // namespace stiction
