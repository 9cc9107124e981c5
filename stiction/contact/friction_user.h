#pragma once

#include <functional>

#include "stiction/contact/friction_response.h"
#include "stiction/contact/normal_user.h"

namespace stiction {

/// A friction law from outside: the coefficient as a function of the speed of slip and of the load,
///     f_t = -f_n mu(|v|, f_n) dir(v, v_eps)                                                                       (1)
/// dir of friction_response.h. It takes energy where mu >= 0, and has no memory: it creeps below v_eps. Of points only.
struct FrictionUser {
  using Function = std::function<double(double speed, double load)>;
  Function coefficient;     ///< mu [-]
  double tolerance = 1e-3;  ///< v_eps [m/s]

  using Memory = NoMemory;
  FrictionOutput<Memory> respond(const Slip& slip, const Memory& memory) const;
};

/// mu is finite and not below 0, at speeds from 0 to 10 m/s and loads from 1 mN to 1 MN.
UserLawFault check_user_law(const FrictionUser& law);

}  // namespace stiction
