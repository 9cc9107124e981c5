#pragma once

#include <optional>

#include "stiction/contact/contact_core.h"

namespace stiction {

/// Closed forms for a sphere with a plane, a sphere, a hollow sphere or a hollow cylinder (gonthier-thesis-2007,
/// Appendix A.2): the pairs of most point contacts. With d the vector to the sphere's centre from the plane, centre or
/// axis:
///     n = +-d/|d|,   dn/dt = w x n + (d'_t - (w x d)_t) / (+-|d|)                                            (1)
/// w of the body that the plane, centre or axis belongs to. The same as calc_closest and calc_contact_rates give, in a
/// tenth of their time: those measure their own residual.
struct RoundPair {
  ContactSite site;
  /// What else (1) needs.
  double distance = 0;       ///< +-|d|; 0: a plane, whose normal turns with it [m]
  Vec3 axis = Vec3::Zero();  ///< of a hollow cylinder, unit
  bool sphere_is_b = true;
};
std::optional<RoundPair> find_round_pair(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b);
/// dn/dt.
Vec3 calc_normal_rate(const RoundPair& pair, const ContactBody& a, const ContactBody& b);

}  // namespace stiction
