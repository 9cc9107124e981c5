#pragma once

#include <string>
#include <string_view>

namespace stiction {

/// "contact.A/B.force" -> "contact.B/A.force"; names of other signals are returned as they are. So are components of
/// vectors (contact.A/B.impulse.x): they act on B, and have the other sign for the other order.
std::string swap_pair(std::string_view signal);

/// Does the glob name the signal? A pair of bodies may be named in either order where that changes no sign.
bool matches_signal(const std::string& signal, const std::string& glob);

}  // namespace stiction
