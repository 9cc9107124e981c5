#pragma once

#include "stiction/contact/compliant_slot.h"

namespace stiction {

/// Where the pair of a slot touches or is nearest: the slot's ball on the half-space, or the closest points of both
/// shapes; of patches with volume where these begin: the closest points, of pegs in the wall of a round bore the place
/// that reaches deepest into it (volume_wall.h). Points that are followed: point_follower.h.
ContactSite find_slot_site(const CompliantSlot& slot, const ContactSides& sides);

}  // namespace stiction
