#include "stiction/stepping/rigid/impulse_units.h"

#include <cmath>

#include "stiction/solvers/island.h"

namespace stiction {
namespace {

bool is_usual(double W_nn) {
  return W_nn == 0 || (W_nn >= 1e-3 && W_nn <= 1e3);
}

double calc_power_of_two(double mean) {
  return mean > 0 && std::isfinite(mean) ? std::exp2(std::round(std::log2(mean))) : 1.0;
}

}  // namespace

double calc_impulse_unit(const ConeMatrix& W) {
  bool usual = true;
  double sum = 0;
  for (int i = 0; i < W.block_count(); ++i) {
    const auto block = W.block(W.diagonal(i));
    usual = usual && is_usual(block(0, 0));
    sum += block.trace();
  }
  return usual ? 1.0 : calc_power_of_two(sum / W.rows());
}

void ImpulseUnits::apply(ConeProblem& problem, VecX& r) {
  scale_.resize(0);
  ConeMatrix& W = problem.W;
  if (calc_impulse_unit(W) == 1) return;
  const int d = problem.dimension();
  scale_.resize(d * problem.contacts());
  for (const std::vector<int>& island : find_islands(W)) {
    double sum = 0;
    for (const int i : island) sum += W.block(W.diagonal(i)).trace();
    const double c = calc_power_of_two(sum / (d * static_cast<double>(island.size())));
    for (const int i : island) {
      scale_.segment(d * i, d).setConstant(c);
      for (int k = W.row_begin(i); k < W.row_begin(i + 1); ++k) W.block(k) /= c;
    }
  }
  r.array() *= scale_.array();
}

void ImpulseUnits::apply(BodyConeProblem& problem, VecX& r) {
  scale_.resize(0);
  bool usual = true;
  double sum = 0;
  for (const BodyConeProblem::Contact& contact : problem.contacts) {
    usual = usual && is_usual(contact.H[0].col(0).squaredNorm() + contact.H[1].col(0).squaredNorm());
    sum += contact.H[0].squaredNorm() + contact.H[1].squaredNorm();
  }
  if (usual) return;
  // A power of 4, so that its root is a power of 2.
  const double root = calc_power_of_two(std::sqrt(sum / (3 * static_cast<double>(problem.contacts.size()))));
  for (BodyConeProblem::Contact& contact : problem.contacts) {
    for (auto& H : contact.H) H /= root;
  }
  scale_.setConstant(r.size(), root * root);
  r.array() *= scale_.array();
}

void ImpulseUnits::restore(VecX& r) const {
  if (scale_.size() > 0) r.array() /= scale_.array();
}

}  // namespace stiction
