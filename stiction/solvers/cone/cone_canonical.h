#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/solvers/cone/cone.h"

namespace stiction {

/// The form in which every method works. With r = T x, T diagonal, T = s (1/mu, E) for a contact, problem (1)-(3) of
/// cone.h becomes
///     u = A x + b,   A = T W T,   b = T q                                                                     (1)
///     L contains  y = u + |u_t| e_0,  orthogonal to  x in L,   L = { |x_t| <= x_0 }                           (2)
/// one self-dual cone for every mu and every ellipsoid. The scale s of a contact makes the mean of diag(A) 1 there.
/// Rows that bear no friction (mu = 0 or a half-axis 0) have T = 0 and get A = 1 on the diagonal, so that x = 0 there.
template <int D>
struct ConeCanonical {
  using Vec = Eigen::Matrix<double, D, 1>;
  using Mat = Eigen::Matrix<double, D, D>;
  using Vecs = std::vector<Vec>;

  int count = 0;               ///< contacts
  std::vector<int> row_start;  ///< pattern of A by block rows, as in ConeMatrix
  std::vector<int> column;
  std::vector<int> diagonal;
  std::vector<Mat> A;
  Vecs b;
  Vecs T;
  std::vector<double> mu;
  Vecs axes;                   ///< component 0 unused
  std::vector<char> circular;  ///< all half-axes of the contact are equal
};

/// T of a contact with the diagonal block W.
template <int D>
Eigen::Matrix<double, D, 1> calc_cone_scale(const Eigen::Matrix<double, D, D>& W, double mu,
                                            const Eigen::Matrix<double, D, 1>& axes) {
  // Directions of T: (1, mu E), the same as (1/mu, E) up to s, and finite at mu = 0.
  Eigen::Matrix<double, D, 1> T = mu * axes;
  T[0] = 1;
  // s from the mean of diag(T W T) over the rows that bear something.
  double trace = 0;
  int rows = 0;
  for (int i = 0; i < D; ++i) {
    if (T[i] == 0) continue;
    trace += T[i] * T[i] * std::max(W(i, i), 0.0);
    ++rows;
  }
  return trace > 0 ? Eigen::Matrix<double, D, 1>(T / std::sqrt(trace / rows)) : T;
}

template <int D>
ConeCanonical<D> make_canonical(const ConeProblem& problem);

/// x of an r; T = 0 gives 0.
template <int D>
typename ConeCanonical<D>::Vecs to_canonical(const ConeCanonical<D>& cone, const VecX& r);
template <int D>
VecX from_canonical(const ConeCanonical<D>& cone, const typename ConeCanonical<D>::Vecs& x);

/// u = A x + b
template <int D>
void calc_velocity(const ConeCanonical<D>& cone, const typename ConeCanonical<D>::Vecs& x,
                   typename ConeCanonical<D>::Vecs& u);

/// Numerator of residual (4) of cone.h, in the units of the problem, for x and u = A x + b: what methods stop by.
template <int D>
double calc_natural_norm(const ConeCanonical<D>& cone, const typename ConeCanonical<D>::Vecs& x,
                         const typename ConeCanonical<D>::Vecs& u);

}  // namespace stiction
