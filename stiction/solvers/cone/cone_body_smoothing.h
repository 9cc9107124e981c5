#pragma once

#include <array>

#include "stiction/solvers/cone/cone_bodies.h"
#include "stiction/solvers/cone/cone_smoothing.h"

namespace stiction {

/// Map and step of cone_smoothing.h for contacts between bodies (cone_bodies.h), W never formed. With A = G' G + E, G =
/// (T H)' the rows of the canonical form (one column of G an impulse) and E = 1 on rows that bear no friction, else 0,
/// step (2) there is, by the Woodbury identity, one on the change dw = G dx of the bodies' velocities:
///     C = (I - B) + B G_s (alpha N + E),   D = C^-1 B G_s                                                     (1)
///     (I + G D G') dw = -G C^-1 Phi,   dx = -C^-1 Phi - D G' dw                                               (2)
/// (G_s is the slope dy/du, called G there.) C has a block of 3 x 3 a contact. The matrix of (2) has a block of 6 x 6 a
/// body and one for each two that touch, however many points they touch at: faces with many points, for which A is
/// singular, cost no more than one point, and alpha may be small. (2) is regular for every alpha where e > 0.
/// Assumes that every block of C is regular: e > 0, or alpha > 0. Contacts that take off have D = 0.
class ConeBodySmoothing {
 public:
  using Vecs = ConeCanonical<3>::Vecs;

  /// Keeps a reference.
  void pose(const BodyConeProblem& problem);
  Vecs to_canonical(const VecX& r) const;
  void from_canonical(const Vecs& x, VecX& r) const;

  int count() const { return static_cast<int>(T_.size()); }
  void calc_velocity(const Vecs& x, Vecs& u);
  void multiply(const Vecs& dx, Vecs& du);
  double calc_natural_norm(const Vecs& x, const Vecs& u) const;
  const Vec3& offset(int contact) const { return b_[static_cast<std::size_t>(contact)]; }
  const Vec3& proximal(int contact) const { return proximal_[static_cast<std::size_t>(contact)]; }

  void update_map(const Vecs& x, const Vecs& u, double e);
  bool solve_step(double alpha, Vecs& dx);
  /// Multiplications of the last factorisation.
  double cost() const { return factor_.cost(); }
  /// The same of one with all contacts that push: what a step will cost.
  double estimate_cost(const Vecs& x);

 private:
  using Rows = Eigen::Matrix<double, 6, 3>;
  void sum_impulses(const Vecs& x);
  Vec3 calc_row_velocity(std::size_t contact) const;
  void choose_pattern();
  void make_pattern();
  void assemble();

  const BodyConeProblem* problem_ = nullptr;
  std::vector<std::array<Rows, 2>> G_;
  Vecs T_, b_, proximal_, idle_;  ///< idle_: E
  Vecs phi_, y_;                  ///< y_: -C^-1 Phi
  std::vector<Mat3> B_, BG_, D_;
  std::vector<char> active_, held_;        ///< held_: those of the pattern
  std::vector<Vec6> w_;                    ///< of the bodies, the last one for none
  std::vector<int> index_;                 ///< of a body in the system, -1: none
  std::vector<std::array<int, 4>> place_;  ///< of a contact's blocks (aa, ab, ba, bb) in blocks_, -1: none
  std::vector<int> start_, columns_, diagonal_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<Mat6> blocks_;
  std::vector<Vec6> right_side_;
  ConeFactor<6> factor_;
};

}  // namespace stiction
