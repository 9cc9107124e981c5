#include "stiction/stepping/rigid/step_rows.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "stiction/base/index.h"

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

StepRows::StepRows(const RigidModel& model)
    : layout_(model), A_(model, layout_), J_(model, layout_), groups_(model.parts.size()) {}

void StepRows::begin(const Island& island) {
  layout_.begin(island);
  A_.begin(island);
  J_.clear();
}

/// Blocks of contacts that share a cluster; the lists of a cluster rise, so do the merged columns.
void StepRows::calc_pattern(const std::vector<int>& blocks, ConeMatrix& W) {
  place_.resize(at(size()));
  for (std::size_t i = 0; i < blocks.size(); ++i) place_[at(blocks[i])] = static_cast<int>(i);
  row_start_.assign(1, 0);
  columns_.clear();
  for (const int self : blocks) {
    const std::array<int, 2>& cluster = this->blocks()[at(self)].cluster;
    const std::vector<int>&first = J_.blocks_of(cluster[0]), &second = J_.blocks_of(cluster[1]);
    std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(columns_));
    if (first.empty() && second.empty()) columns_.push_back(self);
    row_start_.push_back(static_cast<int>(columns_.size()));
  }
  for (int& column : columns_) column = place_[at(column)];
  W.assign_pattern(dimension(), row_start_, columns_);
}

/// (A J')' of a block.
void StepRows::calc_moved(const RowBlock& block) {
  for (std::size_t side = 0; side < 2; ++side) {
    const int cluster = block.cluster[side];
    if (cluster < 0) continue;
    const MatX& A = A_.A(cluster);
    const int n = layout_.size(cluster);
    const double* J = J_.row_data(block, side);
    double* Y = moved_.data() + block.start[side];
    for (int k = 0; k < dimension(); ++k) {
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int j = 0; j < n; ++j) sum += A(j, i) * J[k * n + j];
        Y[k * n + i] = sum;
      }
    }
  }
}

void StepRows::calc_matrix(const std::vector<int>& blocks, ConeMatrix& W) {
  calc_pattern(blocks, W);
  const int d = dimension();
  const std::vector<Mat3>& compliance = J_.compliance();
  moved_.resize(J_.pool_size());
  for (const int i : blocks) calc_moved(this->blocks()[at(i)]);
  for (int row = 0; row < W.block_count(); ++row) {
    const RowBlock& block = this->blocks()[at(blocks[at(row)])];
    for (int k = W.row_begin(row); k < W.row_begin(row + 1); ++k) {
      const RowBlock& other = this->blocks()[at(blocks[at(W.column(k))])];
      double* entry = W.data(k);
      for (std::size_t side = 0; side < 2; ++side) {
        const int cluster = block.cluster[side];
        if (cluster < 0) continue;
        const int its = other.cluster[0] == cluster ? 0 : other.cluster[1] == cluster ? 1 : -1;
        if (its < 0) continue;
        add_product(J_.row_data(block, side), moved_.data() + other.start[at(its)], layout_.size(cluster), d, entry);
      }
      // The normal impulse of joint friction is given: a row of its own, coupled to nothing.
      if (&block == &other && block.kind == RowKind::joint_friction) entry[0] = 1;
      if (&block == &other && !compliance.empty()) {
        const int m = std::min(d, 3);
        Eigen::Map<MatX>(entry, d, d).topLeftCorner(m, m) += compliance[at(blocks[at(row)])].topLeftCorner(m, m);
      }
    }
  }
}

/// J A J' of the normal row.
double StepRows::calc_normal_entry(const RowBlock& block) {
  if (block.kind == RowKind::joint_friction) return 1;
  double sum = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const int cluster = block.cluster[side];
    if (cluster < 0) continue;
    const MatX& A = A_.A(cluster);
    const Eigen::Map<const VecX> J(J_.row_data(block, side), layout_.size(cluster));
    for (Eigen::Index j = 0; j < J.size(); ++j) sum += J[j] * A.col(j).dot(J);
  }
  return sum;
}

void StepRows::calc_normal_diagonal(ConeMatrix& W) {
  row_start_.resize(at(size()) + 1);
  columns_.resize(at(size()));
  std::iota(row_start_.begin(), row_start_.end(), 0);
  std::iota(columns_.begin(), columns_.end(), 0);
  W.assign_pattern(dimension(), row_start_, columns_);
  for (int i = 0; i < size(); ++i) *W.data(i) = calc_normal_entry(blocks()[at(i)]);
}

const ConeMatrix& StepRows::W() {
  if (W_of_ == revision()) return W_;
  all_.resize(at(size()));
  std::iota(all_.begin(), all_.end(), 0);
  calc_matrix(all_, W_);
  W_of_ = revision();
  return W_;
}

ImpulseMotion StepRows::motion(int i) {
  const RowBlock& block = blocks()[at(i)];
  ImpulseMotion motion;
  for (std::size_t side = 0; side < 2; ++side) {
    if (block.cluster[side] < 0) continue;
    const auto& [cluster, first, n] = island().clusters[at(layout_.slot(block.cluster[side]))];
    motion.parts[side] = {first, n, moved_.data() + block.start[side], A_.A(cluster).data()};
  }
  return motion;
}

bool StepRows::has_body_form(const std::vector<int>& blocks) const {
  return dimension() == 3 && J_.compliance().empty() && std::all_of(blocks.begin(), blocks.end(), [&](int i) {
           const RowBlock& block = this->blocks()[at(i)];
           const bool small = std::all_of(block.cluster.begin(), block.cluster.end(),
                                          [&](int cluster) { return cluster < 0 || layout_.size(cluster) <= 6; });
           return small && block.kind != RowKind::joint_friction &&
                  block.ellipsoid.head<2>() == Eigen::Vector2d::Ones();
         });
}

/// H = L' J' of each side.
void StepRows::calc_body_form(const std::vector<int>& blocks, BodyConeProblem& problem) {
  problem.bodies = static_cast<int>(island().clusters.size());
  problem.contacts.resize(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock& block = this->blocks()[at(blocks[i])];
    BodyConeProblem::Contact& contact = problem.contacts[i];
    contact.mu = block.mu;
    for (std::size_t side = 0; side < 2; ++side) {
      contact.body[side] = -1;
      contact.H[side].setZero();
      const int cluster = block.cluster[side];
      if (cluster < 0) continue;
      contact.body[side] = layout_.slot(cluster);
      const int n = layout_.size(cluster);
      const Eigen::Map<const MatX> J(J_.row_data(block, side), n, 3);
      const Mat6& L = A_.L(cluster);
      if (n == 6) {
        contact.H[side].noalias() = L.transpose().lazyProduct(Eigen::Map<const Eigen::Matrix<double, 6, 3>>(J.data()));
      } else {
        contact.H[side].topRows(n) = L.topLeftCorner(n, n).transpose() * J;
      }
    }
  }
}

void StepRows::multiply(const VecX& r, VecX& u) {
  const int d = dimension();
  if (W_of_ == revision()) {
    W_.multiply(r, u);
    const int m = std::min(d, 3);
    const std::vector<Mat3>& compliance = J_.compliance();
    for (std::size_t i = 0; i < compliance.size(); ++i) {
      const int first = d * static_cast<int>(i);
      u.segment(first, m) -= compliance[i].topLeftCorner(m, m).lazyProduct(r.segment(first, m));
    }
    return;
  }
  if (!(pushed_of_ == revision() && pushed_by_ == r)) {
    pushed_of_ = {};
    pushed_.setZero(island().nv);
    add_impulses(r, pushed_);
    pushed_by_ = r;
    pushed_of_ = revision();
  }
  u.resize(d * size());
  for (int i = 0; i < size(); ++i) u.segment(d * i, d) = J_.multiply(i, pushed_).head(d);
}

void StepRows::add_impulses(const VecX& r, VecX& v) {
  if (pushed_of_ == revision() && pushed_by_ == r) {
    v += pushed_;
    return;
  }
  impulse_.setZero(island().nv);
  is_pushed_.assign(island().clusters.size(), 0);
  J_.add_transposed(r, impulse_, is_pushed_);
  for (std::size_t slot = 0; slot < is_pushed_.size(); ++slot) {
    if (!is_pushed_[slot]) continue;
    const auto& [cluster, first, n] = island().clusters[slot];
    const MatX& A = A_.A(cluster);
    if (n == 6) {
      v.segment<6>(first) += Eigen::Map<const Mat6>(A.data()) * impulse_.segment<6>(first);
    } else {
      for (int j = 0; j < n; ++j) {
        const double impulse = impulse_[first + j];
        for (int i = 0; i < n; ++i) v[first + i] += A(i, j) * impulse;
      }
    }
  }
}

}  // namespace stiction
