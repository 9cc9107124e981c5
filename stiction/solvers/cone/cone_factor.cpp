#include "stiction/solvers/cone/cone_factor.h"

#include <Eigen/OrderingMethods>
#include <Eigen/Sparse>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int widest_front = 16;  // contacts; wider pivots are cut so that most of the work is in products

}  // namespace

template <int D>
void ConeFactor<D>::order() {
  // Minimum degree on the pattern of A + A'.
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(2 * columns_.size());
  for (int i = 0; i < count_; ++i) {
    for (int k = start_[i]; k < start_[i + 1]; ++k) {
      entries.emplace_back(i, columns_[k], 1.0);
      entries.emplace_back(columns_[k], i, 1.0);
    }
  }
  Eigen::SparseMatrix<double> graph(count_, count_);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  source_.assign(permutation.indices().data(), permutation.indices().data() + count_);
  place_.resize(count_);
  for (int p = 0; p < count_; ++p) place_[source_[p]] = p;
}

// Of each position, the later positions that its elimination touches, rising.
template <int D>
std::vector<std::vector<int>> ConeFactor<D>::calc_structure() const {
  std::vector<std::vector<int>> below(count_), children(count_);
  for (int i = 0; i < count_; ++i) {
    for (int k = start_[i]; k < start_[i + 1]; ++k) {
      const int p = place_[i], q = place_[columns_[k]];
      if (p != q) below[std::min(p, q)].push_back(std::max(p, q));
    }
  }
  std::vector<int> mark(count_, -1);
  for (int p = 0; p < count_; ++p) {
    std::vector<int> merged;
    const auto add = [&](int q) {
      if (q <= p || mark[q] == p) return;
      mark[q] = p;
      merged.push_back(q);
    };
    for (int q : below[p]) add(q);
    for (int child : children[p]) {
      for (int q : below[child]) add(q);
    }
    std::sort(merged.begin(), merged.end());
    below[p] = std::move(merged);
    if (!below[p].empty()) children[below[p].front()].push_back(p);
  }
  return below;
}

template <int D>
void ConeFactor<D>::make_fronts(const std::vector<std::vector<int>>& structure) {
  fronts_.clear();
  cost_ = 0;
  std::vector<int> front_of(count_);
  for (int p = 0; p < count_; ++p) {
    // Joins the front before it if that one touches it next and few zeros are taken in.
    bool join = false;
    if (!fronts_.empty()) {
      const Front& last = fronts_.back();
      const std::vector<int>& below = structure[p - 1];
      const int zeros = static_cast<int>(structure[p].size()) + 1 - static_cast<int>(below.size());
      join = !below.empty() && below.front() == p && last.width < widest_front && zeros * last.width <= 2;
    }
    if (!join) {
      fronts_.emplace_back();
      fronts_.back().first = p;
    }
    Front& front = fronts_.back();
    ++front.width;
    front.below = structure[p];
    front_of[p] = static_cast<int>(fronts_.size()) - 1;
  }
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    const int size = D * (front.width + static_cast<int>(front.below.size()));
    front.F.resize(size, size);
    // Of p pivots and r rows below them: p^3 / 3 + p^2 r + p r^2
    const double pivots = D * front.width, rest = size - pivots;
    cost_ += pivots * (pivots * pivots / 3 + pivots * rest + rest * rest);
    front.exchanged.resize(D * front.width);
    if (front.below.empty()) continue;
    front.parent = front_of[front.below.front()];
    const Front& parent = fronts_[front.parent];
    for (int q : front.below) {
      const auto found = std::lower_bound(parent.below.begin(), parent.below.end(), q) - parent.below.begin();
      const bool pivot = q < parent.first + parent.width;
      front.in_parent.push_back(pivot ? q - parent.first : parent.width + static_cast<int>(found));
    }
    fronts_[front.parent].children.push_back(static_cast<int>(f));
  }
  // Where each block of the matrix enters.
  for (int i = 0; i < count_; ++i) {
    for (int k = start_[i]; k < start_[i + 1]; ++k) {
      const int p = place_[i], q = place_[columns_[k]];
      Front& front = fronts_[front_of[std::min(p, q)]];
      const auto local = [&](int position) {
        if (position < front.first + front.width) return position - front.first;
        const auto found = std::lower_bound(front.below.begin(), front.below.end(), position);
        return front.width + static_cast<int>(found - front.below.begin());
      };
      front.entries.push_back({k, local(p), local(q)});
    }
  }
}

template <int D>
void ConeFactor<D>::analyze(int count, const std::vector<int>& start, const std::vector<int>& columns) {
  if (count == count_ && start == start_ && columns == columns_) return;
  count_ = count;
  start_ = start;
  columns_ = columns;
  order();
  make_fronts(calc_structure());
  work_.resize(D * count);
  local_.resize(D * count);
}

template <int D>
void ConeFactor<D>::assemble(Front& front, const std::vector<Mat>& blocks) {
  front.F.setZero();
  for (const Entry& e : front.entries) front.F.template block<D, D>(D * e.row, D * e.column) += blocks[e.block];
  for (int c : front.children) {
    const Front& child = fronts_[c];
    const int size = static_cast<int>(child.below.size()), offset = child.width;
    for (int j = 0; j < size; ++j) {
      for (int i = 0; i < size; ++i) {
        front.F.template block<D, D>(D * child.in_parent[i], D * child.in_parent[j]) +=
            child.F.template block<D, D>(D * (offset + i), D * (offset + j));
      }
    }
  }
}

template <int D>
bool ConeFactor<D>::eliminate(Front& front) {
  MatX& F = front.F;
  const int pivots = D * front.width, rest = static_cast<int>(F.rows()) - pivots;
  for (int k = 0; k < pivots; ++k) {
    // Largest pivot of the column among the pivot rows.
    int best = k;
    for (int i = k + 1; i < pivots; ++i) {
      if (std::abs(F(i, k)) > std::abs(F(best, k))) best = i;
    }
    front.exchanged[k] = best;
    if (best != k) F.row(k).swap(F.row(best));
    const double inverse = 1 / F(k, k);
    if (!std::isfinite(inverse)) return false;
    const int left = pivots + rest - k - 1;
    F.col(k).tail(left) *= inverse;
    // Only the pivot columns now; the others follow as one product.
    for (int j = k + 1; j < pivots; ++j) F.col(j).tail(left) -= F(k, j) * F.col(k).tail(left);
  }
  if (rest == 0) return true;
  for (int j = pivots; j < pivots + rest; ++j) {
    for (int k = 0; k < pivots; ++k)
      F.col(j).segment(k + 1, pivots - k - 1) -= F(k, j) * F.col(k).segment(k + 1, pivots - k - 1);
  }
  auto corner = F.bottomRightCorner(rest, rest);
  if (rest * pivots < 100) {
    corner -= F.bottomLeftCorner(rest, pivots).lazyProduct(F.topRightCorner(pivots, rest));
  } else {
    corner.noalias() -= F.bottomLeftCorner(rest, pivots) * F.topRightCorner(pivots, rest);
  }
  return true;
}

template <int D>
bool ConeFactor<D>::factorize(const std::vector<Mat>& blocks) {
  for (Front& front : fronts_) {
    assemble(front, blocks);
    if (!eliminate(front)) return false;
  }
  return true;
}

template <int D>
void ConeFactor<D>::solve(std::vector<Vec>& right_side) {
  for (int p = 0; p < count_; ++p) work_.template segment<D>(D * p) = right_side[source_[p]];
  // L y = P b
  for (const Front& front : fronts_) {
    const int pivots = D * front.width, rest = static_cast<int>(front.F.rows()) - pivots;
    auto own = work_.segment(D * front.first, pivots);
    for (int k = 0; k < pivots; ++k) std::swap(own[k], own[front.exchanged[k]]);
    for (int k = 0; k < pivots; ++k) own.tail(pivots - k - 1) -= own[k] * front.F.col(k).segment(k + 1, pivots - k - 1);
    local_.head(rest).noalias() = front.F.bottomLeftCorner(rest, pivots) * own;
    for (std::size_t b = 0; b < front.below.size(); ++b) {
      work_.template segment<D>(D * front.below[b]) -= local_.template segment<D>(D * b);
    }
  }
  // U x = y
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const int pivots = D * front->width, rest = static_cast<int>(front->F.rows()) - pivots;
    auto own = work_.segment(D * front->first, pivots);
    for (std::size_t b = 0; b < front->below.size(); ++b) {
      local_.template segment<D>(D * b) = work_.template segment<D>(D * front->below[b]);
    }
    own.noalias() -= front->F.topRightCorner(pivots, rest) * local_.head(rest);
    for (int k = pivots - 1; k >= 0; --k) {
      own[k] /= front->F(k, k);
      own.head(k) -= own[k] * front->F.col(k).head(k);
    }
  }
  for (int p = 0; p < count_; ++p) right_side[source_[p]] = work_.template segment<D>(D * p);
}

template class ConeFactor<2>;
template class ConeFactor<3>;
template class ConeFactor<4>;
template class ConeFactor<6>;  // cone_body_smoothing.h

}  // namespace stiction
