#include "stiction/solvers/cone/cone_anderson.h"

namespace stiction {

template <int D>
ConeAnderson<D>::ConeAnderson(int contacts) : x_(D * contacts), g_(D * contacts) {
  acceleration_.begin(D * contacts);
}

template <int D>
void ConeAnderson<D>::accelerate(const Vecs& x, const Vecs& swept, Vecs& next) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x_.template segment<D>(D * static_cast<Eigen::Index>(i)) = x[i];
    g_.template segment<D>(D * static_cast<Eigen::Index>(i)) = swept[i];
  }
  acceleration_.accelerate(x_, g_, x_);
  for (std::size_t i = 0; i < x.size(); ++i) next[i] = x_.template segment<D>(D * static_cast<Eigen::Index>(i));
}

template class ConeAnderson<2>;
template class ConeAnderson<3>;
template class ConeAnderson<4>;

}  // namespace stiction
