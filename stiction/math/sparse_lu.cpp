#include "stiction/math/sparse_lu.h"

#include <Eigen/OrderingMethods>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/base/index.h"

namespace stiction {
namespace {

constexpr double diagonal_part = 0.1;  // of the largest entry, with which the diagonal is the pivot

}  // namespace

void SparseLu::Factor::clear() {
  start.clear();
  row.clear();
  value.clear();
}

void SparseLu::order(const Matrix& A) {
  n_ = static_cast<int>(A.rows());
  const int* outer = A.outerIndexPtr();
  const int* inner = A.innerIndexPtr();
  const std::size_t entries = at(outer[n_]);
  if (outer_.size() == at(n_) + 1 && inner_.size() == entries && std::equal(outer_.begin(), outer_.end(), outer) &&
      std::equal(inner_.begin(), inner_.end(), inner))
    return;
  outer_.assign(outer, outer + n_ + 1);
  inner_.assign(inner, inner + entries);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::COLAMDOrdering<int>()(A, order);
  column_order_.resize(at(n_));
  for (int i = 0; i < n_; ++i) column_order_[at(order.indices()[i])] = i;
}

bool SparseLu::compute(const Matrix& A, double part) {
  STICTION_CHECK(A.rows() == A.cols() && A.isCompressed());
  order(A);
  L_.clear();
  U_.clear();
  place_.assign(at(n_), -1);
  mark_.assign(at(n_), -1);
  x_.assign(at(n_), 0.0);
  reach_.resize(at(n_));
  stack_.resize(at(n_));
  next_.resize(at(n_));
  smallest_ = std::numeric_limits<double>::infinity();
  largest_ = 0;
  for (int k = 0; k < n_; ++k) {
    const int column = column_order_[at(k)];
    L_.start.push_back(static_cast<int>(L_.row.size()));
    U_.start.push_back(static_cast<int>(U_.row.size()));
    const int top = find_reach(A, column);
    eliminate(A, column, top);
    if (!take_column(k, column, top)) return false;
  }
  L_.start.push_back(static_cast<int>(L_.row.size()));
  U_.start.push_back(static_cast<int>(U_.row.size()));
  for (int& row : L_.row) row = place_[at(row)];
  return n_ == 0 || smallest_ > part * largest_;
}

/// Rows that an entry of the column reaches through the columns of L: reach_[top ...], in the order of elimination.
int SparseLu::find_reach(const Matrix& A, int column) {
  int top = n_;
  for (int entry = A.outerIndexPtr()[column]; entry < A.outerIndexPtr()[column + 1]; ++entry) {
    const int row = A.innerIndexPtr()[entry];
    if (mark_[at(row)] == column) continue;
    int depth = 0;
    stack_[0] = row;
    while (depth >= 0) {
      const int i = stack_[at(depth)], pivot = place_[at(i)];
      if (mark_[at(i)] != column) {
        mark_[at(i)] = column;
        next_[at(depth)] = pivot < 0 ? 0 : L_.start[at(pivot)] + 1;
      }
      const int end = pivot < 0 ? 0 : L_.start[at(pivot) + 1];
      bool descends = false;
      for (int p = next_[at(depth)]; p < end && !descends; ++p) {
        if (mark_[at(L_.row[at(p)])] == column) continue;
        next_[at(depth)] = p + 1;
        stack_[at(++depth)] = L_.row[at(p)];
        descends = true;
      }
      if (descends) continue;
      --depth;
      reach_[at(--top)] = i;
    }
  }
  return top;
}

/// x = L^-1 A(:, column)
void SparseLu::eliminate(const Matrix& A, int column, int top) {
  for (int entry = A.outerIndexPtr()[column]; entry < A.outerIndexPtr()[column + 1]; ++entry)
    x_[at(A.innerIndexPtr()[entry])] = A.valuePtr()[entry];
  for (int k = top; k < n_; ++k) {
    const int pivot = place_[at(reach_[at(k)])];
    if (pivot < 0) continue;
    const double x = x_[at(reach_[at(k)])];
    for (int p = L_.start[at(pivot)] + 1; p < L_.start[at(pivot) + 1]; ++p)
      x_[at(L_.row[at(p)])] -= L_.value[at(p)] * x;
  }
}

/// The k-th columns of L and U. Returns whether there is a pivot.
bool SparseLu::take_column(int k, int column, int top) {
  int found = -1;
  double most = 0;
  for (int p = top; p < n_; ++p) {
    const int i = reach_[at(p)];
    if (place_[at(i)] >= 0) {
      U_.add(place_[at(i)], x_[at(i)]);
    } else if (std::abs(x_[at(i)]) > most) {
      most = std::abs(x_[at(i)]);
      found = i;
    }
  }
  if (found < 0 || !std::isfinite(most)) return false;
  if (place_[at(column)] < 0 && mark_[at(column)] == column && std::abs(x_[at(column)]) >= diagonal_part * most)
    found = column;
  const double pivot = x_[at(found)];
  smallest_ = std::min(smallest_, std::abs(pivot));
  largest_ = std::max(largest_, std::abs(pivot));
  U_.add(k, pivot);
  place_[at(found)] = k;
  L_.add(found, 1);
  for (int p = top; p < n_; ++p) {
    const int i = reach_[at(p)];
    if (place_[at(i)] < 0) L_.add(i, x_[at(i)] / pivot);
    x_[at(i)] = 0;
  }
  return true;
}

void SparseLu::solve(VecX& b) const {
  STICTION_CHECK(b.size() == n_);
  work_.resize(at(n_));
  for (int i = 0; i < n_; ++i) work_[at(place_[at(i)])] = b[i];
  for (int k = 0; k < n_; ++k) {
    for (int p = L_.start[at(k)] + 1; p < L_.start[at(k) + 1]; ++p)
      work_[at(L_.row[at(p)])] -= L_.value[at(p)] * work_[at(k)];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const int last = U_.start[at(k) + 1] - 1;
    work_[at(k)] /= U_.value[at(last)];
    for (int p = U_.start[at(k)]; p < last; ++p) work_[at(U_.row[at(p)])] -= U_.value[at(p)] * work_[at(k)];
  }
  for (int k = 0; k < n_; ++k) b[column_order_[at(k)]] = work_[at(k)];
}

}  // namespace stiction
