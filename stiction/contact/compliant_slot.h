#pragma once

#include "stiction/contact/contact_core.h"

namespace stiction {

/// A place where a pair of shapes may touch compliantly, laid out when the scene is compiled; what its laws remember
/// stands in State::z from z_start on (contact_state.h), its touching in State::modes.
///
/// A pair has one slot, its closest points. With a half-space, boxes and polytopes have one for each corner and
/// capsules one for each end, each a ball of the given radius fixed in the shape. LIMIT: faces of two bounded bodies
/// that lie on each other touch in their deepest point only: point contact is for bodies whose shapes do not conform.
/// Where the patch is a region with volume (volume_contact.h), a pair has one slot, whatever its shapes.
struct CompliantSlot {
  int shape_a = 0, shape_b = 0;  ///< indices into ContactModel::shapes; a < b
  int point = 0;                 ///< which of the pair's
  int rule = 0;
  int z_start = 0;
  int touch_mode = 0, stick_mode = 0;  ///< indices into State::modes
  int follow_start = -1;               ///< followed points: six numbers in z, p_A and p_B in the shapes' frames

  enum class Kind { closest, ball_of_a, ball_of_b };
  Kind kind = Kind::closest;
  Vec3 centre = Vec3::Zero();  ///< of the ball, in its shape's frame
  double radius = 0;           ///< and its radius [m]
  bool volume = false;         ///< the patch is a region with volume
  bool turned = false;         ///< the bodies stand in the other order than in the table, whose numbers differ for them
  bool planar = false;         ///< bodies that move in x-y: the site is kept there

  ContactStateLayout layout = {};  ///< of its memory
};

/// What a slot remembers, in the z of a State.
inline ContactState read_slot_state(const CompliantSlot& slot, const double* z, bool touching) {
  ContactState state{.touching = touching};
  const ContactStateView from = slot.layout.place(z + slot.z_start);
  std::copy_n(from.friction, slot.layout.friction, state.friction.begin());
  std::copy_n(from.normal, slot.layout.normal, state.normal.begin());
  if (slot.layout.volume) state.elastic = *from.elastic;
  return state;
}
inline void write_slot_state(const CompliantSlot& slot, const ContactState& state, double* z) {
  const ContactRateView to = slot.layout.place(z + slot.z_start);
  std::copy_n(state.friction.begin(), slot.layout.friction, to.friction);
  std::copy_n(state.normal.begin(), slot.layout.normal, to.normal);
  if (slot.layout.volume) *to.elastic = state.elastic;
}

}  // namespace stiction
