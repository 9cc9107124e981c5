#pragma once

#include <vector>

#include "stiction/math/vector.h"

namespace stiction {

/// Sparse LU of a matrix of D x D blocks, multifrontal (Duff and Reid 1983): contacts are ordered by minimum degree on
/// the graph of blocks, rows and columns alike; contacts with (nearly) the same neighbours make one dense front, in
/// which rows are exchanged for the largest pivot within the front. No pivots are taken across fronts: meant for
/// matrices whose leading principal parts are regular, as those of regularised contact problems are. Numbers need not
/// be symmetric. The analysis is reused while the pattern stays the same.
template <int D>
class ConeFactor {
 public:
  using Mat = Eigen::Matrix<double, D, D>;
  using Vec = Eigen::Matrix<double, D, 1>;

  /// Pattern by rows: columns of row i in `columns[start[i]..start[i + 1])`, the diagonal among them.
  void analyze(int count, const std::vector<int>& start, const std::vector<int>& columns);
  /// Blocks in the order of the pattern. False if a pivot is zero or not finite.
  bool factorize(const std::vector<Mat>& blocks);
  void solve(std::vector<Vec>& right_side);
  /// Multiplications of a factorisation of the pattern.
  double cost() const { return cost_; }

 private:
  /// A block of the matrix and where it enters its front, in contacts.
  struct Entry {
    int block, row, column;
  };
  /// Contacts first..first + width - 1 of the elimination, eliminated together; `below` are the later ones they touch.
  struct Front {
    int first = 0, width = 0, parent = -1;
    std::vector<int> below;
    std::vector<int> in_parent;  ///< of each contact below, its place in the parent's front
    std::vector<Entry> entries;
    std::vector<int> children;
    MatX F;                      ///< [L\U of the pivots, U; L, what goes to the parent]
    std::vector<int> exchanged;  ///< row exchanged with row k at step k
  };

  void order();
  std::vector<std::vector<int>> calc_structure() const;
  void make_fronts(const std::vector<std::vector<int>>& structure);
  void assemble(Front& front, const std::vector<Mat>& blocks);
  static bool eliminate(Front& front);

  int count_ = 0;
  double cost_ = 0;
  std::vector<int> start_, columns_;  ///< the pattern that was analysed
  std::vector<int> place_, source_;   ///< place_[contact] = its position in the elimination, and the inverse
  std::vector<Front> fronts_;
  VecX work_, local_;
};

}  // namespace stiction
