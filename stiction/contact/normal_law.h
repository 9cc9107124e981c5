#pragma once

#include <variant>

#include "stiction/contact/normal_linear.h"
#include "stiction/contact/normal_power.h"
#include "stiction/contact/normal_user.h"

namespace stiction {

/// Normal laws. Each has start() for the moment of touching, and respond() for every instant after it.
using NormalLaw = std::variant<NormalLinear, NormalPower, NormalUser>;

}  // namespace stiction
