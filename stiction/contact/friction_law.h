#pragma once

#include <variant>

#include "stiction/contact/friction_bristle.h"
#include "stiction/contact/friction_coulomb.h"
#include "stiction/contact/friction_spring.h"
#include "stiction/contact/friction_user.h"

namespace stiction {

/// Friction laws. Each has respond().
using FrictionLaw = std::variant<FrictionNone, FrictionCoulomb, FrictionBristle, FrictionSpring, FrictionUser>;

}  // namespace stiction
