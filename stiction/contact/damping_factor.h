#pragma once

namespace stiction {

/// The dimensionless damping factor d = e a v_i of the force f = k x^p (1 + a dx/dt) that makes an impact of speed v_i
/// leave with e v_i (gonthier-thesis-2007, section 3.2.1), whatever k, p and the masses:
///     (1 + d/e) / (1 - d) = exp(d (1 + 1/e)),   0 <= d <= 1                                          (3.23)
/// and the approximations it is compared with:
///     Hunt and Crossley 1975:         d = 3/2 e (1 - e)                                               (3.26)
///     Lankarani and Nikravesh 1990:   d = 3/4 e (1 - e^2)                                             (3.27)
enum class DampingRule { exact, hunt_crossley, lankarani_nikravesh };

/// 0 < e <= 1. (3.23) is solved as phi(d/e) = phi(-d) with phi(x) = ln(1 + x) - x, computed without cancellation, so
/// that d is good to rounding for every e. As e goes to 0, 1 - d falls as exp(-1/e): below e = 0.03 d is 1 to rounding.
double calc_damping_factor(double restitution, DampingRule rule = DampingRule::exact);

}  // namespace stiction
