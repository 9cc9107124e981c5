#include "stiction/solvers/cone/cone_mixing.h"

namespace stiction {

template <int D>
ConeMixing<D>::ConeMixing(int contacts)
    : f_differences_(D * contacts, columns),
      g_differences_(D * contacts, columns),
      f_(D * contacts),
      g_(D * contacts),
      f_before_(D * contacts),
      g_before_(D * contacts) {}

template <int D>
void ConeMixing<D>::mix(const Vecs& x, const Vecs& swept, Vecs& next) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    g_.template segment<D>(D * static_cast<Eigen::Index>(i)) = swept[i];
    f_.template segment<D>(D * static_cast<Eigen::Index>(i)) = swept[i] - x[i];
  }
  const int column = window_.open(f_.norm());
  if (column >= 0) {
    f_differences_.col(column) = f_ - f_before_;
    g_differences_.col(column) = g_ - g_before_;
    const auto known = f_differences_.leftCols(window_.known());
    window_.set_products(column, known.transpose() * f_differences_.col(column));
  }
  f_before_ = f_, g_before_ = g_;
  if (column >= 0) {
    const int known = window_.known();
    g_.noalias() -=
        g_differences_.leftCols(known) * window_.calc_gamma(f_differences_.leftCols(known).transpose() * f_);
  }
  for (std::size_t i = 0; i < x.size(); ++i) next[i] = g_.template segment<D>(D * static_cast<Eigen::Index>(i));
}

template class ConeMixing<2>;
template class ConeMixing<3>;
template class ConeMixing<4>;

}  // namespace stiction
