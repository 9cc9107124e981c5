#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "stiction/base/disjoint_sets.h"
#include "stiction/base/index.h"
#include "stiction/stepping/rigid/step_rows.h"

// The rows of a step as a matrix, or as contacts between bodies.

namespace stiction {
namespace {

/// The d x d block J Y', column by column; both are stored row by row.
void add_product(const double* J, const double* Y, int n, int d, double* block) {
  if (d == 3 && n == 6) {
    using Rows = Eigen::Map<const Eigen::Matrix<double, 6, 3>>;
    Eigen::Map<Mat3>{block} += Rows(J).transpose().lazyProduct(Rows(Y));
    return;
  }
  for (int row = 0; row < d; ++row) {
    for (int column = 0; column < d; ++column) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += J[row * n + i] * Y[column * n + i];
      block[column * d + row] += sum;
    }
  }
}

}  // namespace

const std::vector<std::vector<int>>& StepRows::find_groups() {
  if (groups_are_valid_) return groups_;
  groups_are_valid_ = true;
  for (const Island::Cluster& cluster : island_->clusters) {
    group_root_[at(cluster.index)] = cluster.index;
    group_of_root_[at(cluster.index)] = -1;
  }
  for (const RowBlock& block : blocks_) {
    const auto [a, b] = block.cluster;
    if (a >= 0 && b >= 0) group_root_[at(find_root(group_root_, a))] = find_root(group_root_, b);
  }
  std::size_t count = 0;
  const auto begin_group = [&] {
    if (count == groups_.size()) groups_.emplace_back();
    groups_[count].clear();
    return static_cast<int>(count++);
  };
  for (int i = 0; i < size(); ++i) {
    const int cluster = std::max(blocks_[at(i)].cluster[0], blocks_[at(i)].cluster[1]);
    if (cluster < 0) {
      groups_[at(begin_group())].push_back(i);
      continue;
    }
    int& group = group_of_root_[at(find_root(group_root_, cluster))];
    if (group < 0) group = begin_group();
    groups_[at(group)].push_back(i);
  }
  groups_.resize(count);
  return groups_;
}

/// (A J')' of a block.
void StepRows::calc_moved(const RowBlock& block) {
  for (std::size_t slot = 0; slot < 2; ++slot) {
    const int cluster = block.cluster[slot];
    if (cluster < 0) continue;
    update_inverse(cluster);
    const int n = size_of(cluster);
    const MatX& A = inverse_[at(cluster)];
    const double* J = pool_.data() + block.start[slot];
    double* Y = moved_pool_.data() + block.start[slot];
    for (int k = 0; k < dimension_; ++k) {
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int j = 0; j < n; ++j) sum += A(j, i) * J[k * n + j];
        Y[k * n + i] = sum;
      }
    }
  }
}

void StepRows::calc_matrix(const std::vector<int>& blocks, ConeMatrix& W) {
  // Blocks of contacts that share a cluster; the lists of a cluster rise, so do the merged columns.
  place_.resize(at(size()));
  for (std::size_t i = 0; i < blocks.size(); ++i) place_[at(blocks[i])] = static_cast<int>(i);
  row_start_.assign(1, 0);
  columns_.clear();
  for (const int self : blocks) {
    const RowBlock& block = blocks_[at(self)];
    static const std::vector<int> none;
    const std::vector<int>& first = block.cluster[0] < 0 ? none : blocks_of_cluster_[at(block.cluster[0])];
    const std::vector<int>& second = block.cluster[1] < 0 ? none : blocks_of_cluster_[at(block.cluster[1])];
    std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(columns_));
    if (first.empty() && second.empty()) columns_.push_back(self);
    row_start_.push_back(static_cast<int>(columns_.size()));
  }
  for (int& column : columns_) column = place_[at(column)];
  W.assign_pattern(dimension_, row_start_, columns_);
  const int d = dimension_;
  moved_pool_.resize(pool_.size());
  for (const int i : blocks) calc_moved(blocks_[at(i)]);
  for (int row = 0; row < W.block_count(); ++row) {
    const RowBlock& block = blocks_[at(blocks[at(row)])];
    for (int k = W.row_begin(row); k < W.row_begin(row + 1); ++k) {
      const RowBlock& other = blocks_[at(blocks[at(W.column(k))])];
      double* entry = W.data(k);
      for (int s = 0; s < 2; ++s) {
        const int cluster = block.cluster[at(s)];
        if (cluster < 0) continue;
        const int slot = other.cluster[0] == cluster ? 0 : other.cluster[1] == cluster ? 1 : -1;
        if (slot < 0) continue;
        const int n = size_of(cluster);
        const double* J = pool_.data() + block.start[at(s)];
        const double* Y = moved_pool_.data() + other.start[at(slot)];
        add_product(J, Y, n, d, entry);
      }
      // The normal impulse of joint friction is given: a row of its own, coupled to nothing.
      if (&block == &other && block.kind == RowKind::joint_friction) entry[0] = 1;
      if (&block == &other && !compliance_.empty()) {
        const int m = std::min(d, 3);
        Eigen::Map<MatX>(entry, d, d).topLeftCorner(m, m) += compliance_[at(blocks[at(row)])].topLeftCorner(m, m);
      }
    }
  }
}

const ConeMatrix& StepRows::W() {
  if (W_is_valid_) return W_;
  all_.resize(at(size()));
  std::iota(all_.begin(), all_.end(), 0);
  calc_matrix(all_, W_);
  W_is_valid_ = true;
  return W_;
}

bool StepRows::has_body_form(const std::vector<int>& blocks) const {
  return dimension_ == 3 && compliance_.empty() && std::all_of(blocks.begin(), blocks.end(), [&](int i) {
           const RowBlock& block = blocks_[at(i)];
           const bool small = std::all_of(block.cluster.begin(), block.cluster.end(),
                                          [&](int cluster) { return cluster < 0 || size_of(cluster) <= 6; });
           return small && block.kind != RowKind::joint_friction &&
                  block.ellipsoid.head<2>() == Eigen::Vector2d::Ones();
         });
}

void StepRows::calc_body_form(const std::vector<int>& blocks, BodyConeProblem& problem) {
  problem.bodies = static_cast<int>(island_->clusters.size());
  problem.contacts.resize(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock& block = blocks_[at(blocks[i])];
    BodyConeProblem::Contact& contact = problem.contacts[i];
    for (std::size_t side = 0; side < 2; ++side)
      contact.body[side] = block.cluster[side] < 0 ? -1 : slot_[at(block.cluster[side])];
    contact.mu = block.mu;
    for (std::size_t slot = 0; slot < 2; ++slot) {
      contact.H[slot].setZero();
      const int cluster = block.cluster[slot];
      if (cluster < 0) continue;
      const int n = size_of(cluster);
      const Eigen::Map<const MatX> J(pool_.data() + block.start[slot], n, 3);
      const Mat6& L = update_factor(cluster);
      if (n == 6) {
        contact.H[slot].noalias() = L.transpose().lazyProduct(Eigen::Map<const Eigen::Matrix<double, 6, 3>>(J.data()));
      } else {
        contact.H[slot].topRows(n) = L.topLeftCorner(n, n).transpose() * J;
      }
    }
  }
}

/// L of A = L L'; columns of directions in which a constraint lets nothing move are 0.
const Mat6& StepRows::update_factor(int cluster) {
  Mat6& L = factor_[at(cluster)];
  if (factor_is_valid_[at(cluster)]) return L;
  update_inverse(cluster);
  if (factor_is_valid_[at(cluster)]) return L;
  factor_is_valid_[at(cluster)] = 1;
  L.setZero();
  const MatX& A = inverse_[at(cluster)];
  const int n = static_cast<int>(A.rows());
  for (int j = 0; j < n; ++j) {
    const double pivot = A(j, j) - L.row(j).head(j).squaredNorm();
    if (!(pivot > 1e-13 * A(j, j))) continue;
    L(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) L(i, j) = (A(i, j) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
  }
  return L;
}

void StepRows::multiply(const VecX& r, VecX& u) {
  const int d = dimension_;
  if (W_is_valid_) {
    W_.multiply(r, u);
    const int m = std::min(d, 3);
    for (std::size_t i = 0; i < compliance_.size(); ++i) {
      const int first = d * static_cast<int>(i);
      u.segment(first, m) -= compliance_[i].topLeftCorner(m, m).lazyProduct(r.segment(first, m));
    }
    return;
  }
  pushed_is_valid_ = false;
  pushed_.setZero(island_->nv);
  add_impulses(r, pushed_);
  pushed_by_ = r;
  pushed_is_valid_ = true;
  u.resize(d * size());
  for (int i = 0; i < size(); ++i) u.segment(d * i, d) = calc_row_velocities(i, pushed_).head(d);
}

}  // namespace stiction
