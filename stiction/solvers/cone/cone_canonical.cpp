#include "stiction/solvers/cone/cone_canonical.h"

#include "stiction/solvers/cone/cone_projection.h"

namespace stiction {

template <int D>
ConeCanonical<D> make_canonical(const ConeProblem& problem) {
  using Cone = ConeCanonical<D>;
  Cone cone;
  cone.count = problem.contacts();
  cone.axes.assign(cone.count, Cone::Vec::Ones());
  for (int i = 0; i < cone.count; ++i) {
    if (problem.ellipsoid.size() > 0) cone.axes[i].template tail<D - 1>() = problem.ellipsoid.row(i).transpose();
    const auto tangential = cone.axes[i].template tail<D - 1>();
    cone.circular.push_back(tangential.minCoeff() == tangential.maxCoeff());
    const typename Cone::Mat W = problem.W.block(problem.W.diagonal(i));
    cone.mu.push_back(problem.mu[i]);
    cone.T.push_back(calc_cone_scale<D>(W, problem.mu[i], cone.axes[i]));
    cone.b.push_back(cone.T[i].cwiseProduct(problem.q.template segment<D>(i * D)));
    cone.diagonal.push_back(problem.W.diagonal(i));
    cone.row_start.push_back(problem.W.row_begin(i));
  }
  cone.row_start.push_back(problem.W.stored_blocks());
  cone.A.reserve(problem.W.stored_blocks());
  for (int i = 0; i < cone.count; ++i) {
    for (int k = cone.row_start[i]; k < cone.row_start[i + 1]; ++k) {
      const int j = problem.W.column(k);
      cone.column.push_back(j);
      cone.A.push_back(cone.T[i].asDiagonal() * problem.W.block(k) * cone.T[j].asDiagonal());
      for (int c = 0; c < D && i == j; ++c) {
        if (cone.T[i][c] == 0) cone.A.back()(c, c) = 1;
      }
    }
  }
  return cone;
}

template <int D>
typename ConeCanonical<D>::Vecs to_canonical(const ConeCanonical<D>& cone, const VecX& r) {
  typename ConeCanonical<D>::Vecs x(cone.count, ConeCanonical<D>::Vec::Zero());
  for (int i = 0; i < D * cone.count; ++i) {
    const double T = cone.T[i / D][i % D];
    if (T != 0) x[i / D][i % D] = r[i] / T;
  }
  return x;
}

template <int D>
VecX from_canonical(const ConeCanonical<D>& cone, const typename ConeCanonical<D>::Vecs& x) {
  VecX r(D * cone.count);
  for (int i = 0; i < cone.count; ++i) r.template segment<D>(i * D) = cone.T[i].cwiseProduct(x[i]);
  return r;
}

template <int D>
void calc_velocity(const ConeCanonical<D>& cone, const typename ConeCanonical<D>::Vecs& x,
                   typename ConeCanonical<D>::Vecs& u) {
  for (int i = 0; i < cone.count; ++i) {
    typename ConeCanonical<D>::Vec sum = cone.b[i];
    for (int k = cone.row_start[i]; k < cone.row_start[i + 1]; ++k) sum += cone.A[k] * x[cone.column[k]];
    u[i] = sum;
  }
}

template <int D>
double calc_natural_norm(const ConeCanonical<D>& cone, const typename ConeCanonical<D>::Vecs& x,
                         const typename ConeCanonical<D>::Vecs& u) {
  using Vec = typename ConeCanonical<D>::Vec;
  double sum = 0;
  for (int i = 0; i < cone.count; ++i) {
    const Vec& T = cone.T[i];
    // z = r - v, v = (u_n + mu |E u_t|, u_t)
    const Vec r = T.cwiseProduct(x[i]);
    Vec v = (T.array() != 0).select(u[i].cwiseQuotient(T), 0.0);
    v[0] += u[i].template tail<D - 1>().norm() / T[0];
    Vec z = r - v;
    const double slope = cone.mu[i] * cone.axes[i][1];
    const double t = z.template tail<D - 1>().norm();
    if (!cone.circular[i]) {
      const VecX axes = cone.axes[i].template tail<D - 1>();
      VecX projected = z;
      project_on_cone(cone.mu[i], axes, projected);
      z = projected;
    } else if (slope * t <= -z[0]) {
      z.setZero();
    } else if (t > slope * z[0]) {
      z[0] = (z[0] + slope * t) / (1 + slope * slope);
      z.template tail<D - 1>() *= slope * z[0] / t;
    }
    sum += (r - z).squaredNorm();
  }
  return std::sqrt(sum);
}

#define STICTION_INSTANTIATE(D)                                                                                    \
  template ConeCanonical<D> make_canonical<D>(const ConeProblem&);                                                 \
  template ConeCanonical<D>::Vecs to_canonical<D>(const ConeCanonical<D>&, const VecX&);                           \
  template VecX from_canonical<D>(const ConeCanonical<D>&, const ConeCanonical<D>::Vecs&);                         \
  template void calc_velocity<D>(const ConeCanonical<D>&, const ConeCanonical<D>::Vecs&, ConeCanonical<D>::Vecs&); \
  template double calc_natural_norm<D>(const ConeCanonical<D>&, const ConeCanonical<D>::Vecs&,                     \
                                       const ConeCanonical<D>::Vecs&);
STICTION_INSTANTIATE(2)
STICTION_INSTANTIATE(3)
STICTION_INSTANTIATE(4)
#undef STICTION_INSTANTIATE

}  // namespace stiction
