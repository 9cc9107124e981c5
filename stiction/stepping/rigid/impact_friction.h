#pragma once

#include <vector>

#include "stiction/math/vector.h"

namespace stiction {

struct ImpactContact;

/// Friction of the contacts of an impact (impact_process.h): which of them slip at velocities u, in blocks of d, normal
/// first, and how friction acts against the slip of those,
///     dr_t = -f dr_n,   f = mu E^2 u_t / |E u_t|                                                                 (1)
/// E the half-axes of the friction ellipsoid. Slip of less than 1e-7 of the largest velocity has stopped: an energy of
/// 1e-14 of the impact's.
class ImpactFriction {
 public:
  /// Of these contacts, which stay in place, at the velocities u before the impact.
  void begin(const std::vector<ImpactContact>& contacts, int d, const VecX& u);
  /// From now on the directions of slip are those at u.
  void update(const VecX& u);

  bool slips(int contact) const { return slips_[static_cast<std::size_t>(contact)] != 0; }
  /// Contacts with friction that do not slip, ascending.
  const std::vector<int>& sticking() const { return sticking_; }
  /// f of a contact that slips; else 0.
  auto of(int contact) const { return friction_.col(contact); }

  /// The part of a change of u after which a slip has stopped or turned by as much as an increment may:
  ///     |b_perp| part = turn (|a| + b_par part),   slip a + part b, b along and across a
  double find_slip_end(const VecX& u, const VecX& change) const;
  /// Does a slip turn within the part?
  bool turns(const VecX& u, const VecX& change, double part) const;

 private:
  VecX calc_scaled(int contact, const VecX& u) const;
  int size() const;

  const std::vector<ImpactContact>* contacts_ = nullptr;
  int d_ = 3;
  double stick_speed_ = 0;
  MatX friction_;            ///< columns f
  std::vector<char> slips_;  ///< else it sticks, or is without friction
  std::vector<int> sticking_;
};

}  // namespace stiction
