#pragma once

#include <functional>

#include "stiction/contact/normal_response.h"

namespace stiction {

/// A normal law from outside: a formula of the scene or a function of a C++ program, with x the depth, v its rate and
/// v_i the speed of touch-down,
///     f = max(F(x, v, v_i), 0),   stored: int_0^x F(s, 0, v_i) ds,   dissipated: (f - F(x, 0, v_i)) v            (1)
/// so that the ledger closes for every F. The integral by 8 Gauss points in sqrt(s): exact for the powers x^(k/2) up to
/// x^(13/2), Hertz's among them. F must be finite; a law that feeds energy does so here, too: check_user_law.
/// A function may keep scratch memory: every thread calls a copy of its own (multibody/compliant_contacts.h).
struct NormalUser {
  using Function = std::function<double(double depth, double approach, double impact_speed)>;
  struct Memory {
    double impact_speed = 0;  ///< v_i [m/s]

    template <class Self>
    static auto entries(Self& m) {
      return std::tie(m.impact_speed);
    }
  };
  Function force;  ///< F [N]

  Memory start(const Touch& touch) const { return {touch.approach}; }
  NormalOutput<Memory> respond(double depth, double approach, const Memory& memory) const;
};

/// Where a law does not do what a law may: F is not finite, pulls at rest, or gives more than it takes; sampled at
/// depths from 1 um to 1 cm and speeds up to 10 m/s. Found: the first such place.
struct UserLawFault {
  enum class Kind { none, not_finite, pulls, feeds_energy } kind = Kind::none;
  double depth = 0;     ///< normal laws; of friction the speed [m, m/s]
  double approach = 0;  ///< normal laws; of friction the load [m/s, N]
  double value = 0;     ///< F, or mu
};
UserLawFault check_user_law(const NormalUser& law);

}  // namespace stiction
