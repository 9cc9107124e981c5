#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/contact/compliant_layer.h"
#include "stiction/contact/compliant_slot.h"
#include "stiction/contact/contact_law.h"
#include "stiction/geometry/shape/placed_shape.h"
#include "stiction/math/time_function.h"

namespace stiction {

/// A part of a body, as contact sees it.
struct ContactShape {
  int body = 0;
  std::string name;  ///< BODY, or BODY.PART where a body has several
  std::string body_name;
  std::string material;  ///< of the body; may be empty
  Shape shape;
  Transform X_BS;
  std::vector<TimeFunction> surface_velocity;  ///< of the surface against the body, body axes [m/s]: a belt; or empty
  bool moves_freely = false;                   ///< forces decide about its motion, not a motion given beforehand
  bool planar = false;                         ///< its body moves in x-y
  std::optional<CompliantLayer> layer = std::nullopt;  ///< of its material
  /// Without what earlier parts of the body have of it, where it overlaps them and touches with patches.
  std::shared_ptr<const CutShape> cut = nullptr;
};

/// [contact."A/B"]: a side is a shape, a body or a material; the default has none.
struct ContactRule {
  std::string name;  ///< as the user wrote it
  std::string a, b;
  bool touches = true;  ///< false: these two pass through each other
  RigidLaw law;
  std::optional<CompliantLaw> compliant = std::nullopt;  ///< where the formulation is compliant
  std::optional<CompliantLayer> layer = std::nullopt;    ///< instead of those of the materials
};

/// The layers at the contacts of a pair: none, one or two in series. Deflections along the surface turn with the body
/// that has the layer; a layer of a rule belongs to the body that no force moves, else to the first of the two.
struct PairLayers {
  int count = 0;
  std::array<const CompliantLayer*, 2> layer = {nullptr, nullptr};
  std::array<int, 2> body = {0, 0};
};

/// Which shapes may touch, and by what law. Constant once compiled.
///
/// The most specific rule decides: a shape counts 3, the body 2, its material 1, the default 0, both sides added; of
/// equals the later one. Shapes never touch where neither moves freely, or both belong to one body; bodies joined by a
/// joint or a constraint touch only if a rule names both as bodies or shapes.
struct ContactModel {
  bool in_use = false;  ///< the formulation knows contact
  std::vector<ContactShape> shapes;
  std::vector<ContactRule> rules;
  std::vector<CompliantSlot> slots;         ///< of compliant contact, ascending by shapes; empty for rigid formulations
  std::vector<std::pair<int, int>> joined;  ///< pairs of bodies that a joint or constraint connects, ascending

  /// Index of the rule for two shapes; -1 if none fits, -2 if they never touch.
  int find_rule(int shape_a, int shape_b) const;
  /// The layers between two shapes under a rule: that of the rule, else those of the shapes, in series.
  PairLayers find_layers(int shape_a, int shape_b, int rule) const;
  bool has_layers() const;
};
inline constexpr int no_rule = -1, never_touch = -2;

}  // namespace stiction
