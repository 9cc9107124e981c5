#pragma once

#include "stiction/solvers/cone/cone_bodies.h"
#include "stiction/solvers/cone/cone_least_norm.h"
#include "stiction/stepping/rigid/cluster_inertia.h"
#include "stiction/stepping/rigid/row_groups.h"

namespace stiction {

/// Where physics meets solvers: the Delassus matrix of the rows of a step,
///     W = J A J'                                                                                               (1)
/// with J of jacobian_rows.h and A of cluster_inertia.h. This is the mixed problem of cooking-complementarity-2006, eq.
/// (34), after its free unknowns (velocities, joint impulses) have been eliminated, cluster by cluster
/// (multibody/cluster.h). W is formed where a solver asks for it; products with it need not.
///
/// Order of calls: begin, A().update, J().clear, J().add_*; then the products. Vectors v are the island's. Nothing
/// allocates once as many rows have been there before.
class StepRows {
 public:
  explicit StepRows(const RigidModel& model);
  void begin(const Island& island);
  const Island& island() const { return layout_.island(); }
  const ClusterLayout& layout() const { return layout_; }
  ClusterInertia& A() { return A_; }
  const ClusterInertia& A() const { return A_; }
  JacobianRows& J() { return J_; }
  const JacobianRows& J() const { return J_; }
  int dimension() const { return J_.dimension(); }  ///< Island::dimension
  const std::vector<RowBlock>& blocks() const { return J_.blocks(); }
  int size() const { return J_.size(); }

  /// Groups of blocks that do not act on one another (row_groups.h).
  const std::vector<std::vector<int>>& find_groups() { return groups_.find(J_, island()); }
  /// W of the blocks of whole groups (rising); contacts that give have their compliance on its diagonal.
  void calc_matrix(const std::vector<int>& blocks, ConeMatrix& W);
  /// Of W its diagonal blocks, and of these the normal entries; the others are 0.
  void calc_normal_diagonal(ConeMatrix& W);
  /// W of all, made when first asked for.
  const ConeMatrix& W();
  /// What an impulse of block i changes of v, one column of A J' a row of the block; after W or calc_matrix of the
  /// block.
  ImpulseMotion motion(int i);
  /// The same without W, as contacts between bodies (solvers/cone/cone_bodies.h), q left out: whether that can be, and
  /// then how. It cannot where clusters have more than 6 coordinates, nor with joint friction, contacts that give, and
  /// friction other than isotropic.
  bool has_body_form(const std::vector<int>& blocks) const;
  void calc_body_form(const std::vector<int>& blocks, BodyConeProblem& problem);

  /// W r of the bodies alone, without compliance.
  void multiply(const VecX& r, VecX& u);
  /// v += A J' r.
  void add_impulses(const VecX& r, VecX& v);

 private:
  /// Of what a result was computed: it is valid while J and A are the same.
  struct Revision {
    std::int64_t J = -1, A = -1;
    bool operator==(const Revision&) const = default;
  };
  Revision revision() const { return {J_.revision(), A_.revision()}; }
  void calc_pattern(const std::vector<int>& blocks, ConeMatrix& W);
  void calc_moved(const RowBlock& block);
  double calc_normal_entry(const RowBlock& block);

  ClusterLayout layout_;
  ClusterInertia A_;
  JacobianRows J_;
  RowGroups groups_;
  ConeMatrix W_;
  Revision W_of_;
  std::vector<double> moved_;  ///< (A J')', as J lies in its pool
  std::vector<int> row_start_, columns_, place_, all_;
  VecX impulse_;
  std::vector<char> is_pushed_;  ///< clusters of the island
  VecX pushed_, pushed_by_;      ///< what the last impulses that were multiplied make of v = 0, and these
  Revision pushed_of_;
};

}  // namespace stiction
