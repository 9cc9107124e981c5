#include "stiction/stepping/rigid/impact_friction.h"

#include <algorithm>

#include "stiction/base/index.h"
#include "stiction/base/infinity.h"
#include "stiction/stepping/rigid/impact_process.h"

namespace stiction {
namespace {

/// Tangent of the angle by which slip may turn in an increment: errors of the midpoint rule are its square / 24.
/// Several contacts are not known so well: how they share the impulse is an assumption.
constexpr double turn_alone = 0.02, turn_of_several = 0.2;
/// Of the largest velocity: slower slip has stopped.
constexpr double stopped = 1e-7;

}  // namespace

int ImpactFriction::size() const {
  return static_cast<int>(contacts_->size());
}

void ImpactFriction::begin(const std::vector<ImpactContact>& contacts, int d, const VecX& u) {
  contacts_ = &contacts;
  d_ = d;
  stick_speed_ = stopped * u.cwiseAbs().maxCoeff();
  friction_.setZero(d - 1, size());
}

/// E u_t
VecX ImpactFriction::calc_scaled(int contact, const VecX& u) const {
  const auto E = (*contacts_)[at(contact)].ellipsoid.head(d_ - 1).array();
  return E * u.segment(d_ * contact + 1, d_ - 1).array();
}

void ImpactFriction::update(const VecX& u) {
  const int n = size();
  slips_.assign(at(n), 0);
  sticking_.clear();
  for (int i = 0; i < n; ++i) {
    const ImpactContact& contact = (*contacts_)[at(i)];
    friction_.col(i).setZero();
    if (contact.mu == 0) continue;
    const VecX slip = calc_scaled(i, u);
    if (slip.norm() <= stick_speed_) {
      sticking_.push_back(i);
      continue;
    }
    slips_[at(i)] = 1;
    friction_.col(i) = contact.mu * (contact.ellipsoid.head(d_ - 1).array() * slip.array() / slip.norm()).matrix();
  }
}

double ImpactFriction::find_slip_end(const VecX& u, const VecX& change) const {
  const double turn = size() == 1 ? turn_alone : turn_of_several;
  double end = infinity;
  for (int i = 0; i < size(); ++i) {
    if (!slips(i)) continue;
    const VecX a = calc_scaled(i, u), b = calc_scaled(i, change);
    const double size = a.norm(), along = a.dot(b) / size, across = (b - along / size * a).norm();
    const double rate = (across <= 1e-12 * b.norm() ? 0 : across / turn) - along;
    if (rate > 0) end = std::min(end, size / rate);
  }
  return end;
}

bool ImpactFriction::turns(const VecX& u, const VecX& change, double part) const {
  constexpr double same = 1e-6;
  for (int i = 0; d_ > 2 && i < size(); ++i) {
    if (!slips(i)) continue;
    const VecX a = calc_scaled(i, u), b = part * calc_scaled(i, change);
    const double size = a.norm();
    if ((a + b).norm() > stick_speed_ && (b - a.dot(b) / (size * size) * a).norm() > same * (a + b).norm()) return true;
  }
  return false;
}

}  // namespace stiction
