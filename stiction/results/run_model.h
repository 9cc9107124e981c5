#pragma once

#include <string>
#include <vector>

#include "stiction/contact/contact_model.h"
#include "stiction/multibody/system.h"

namespace stiction {

/// What a run stores of its mechanical system, so that nobody who looks at it reads or compiles its scene again: where
/// bodies stand at the start, their exact shapes, what joins them, and how pairs of shapes are called. Body 0 is the
/// world; all indices are those of the System.
struct RunModel {
  struct BodyModel {
    std::string name;
    bool fixed = false;  ///< to the world, by welds
    Transform X_WB;      ///< at the start
    Solid shapes{};
  };
  struct JointModel {
    std::string name, kind;     ///< "revolute", ...
    int parent = 0, child = 0;  ///< bodies
    Transform X_PF;             ///< the axis is z of F
  };
  /// A spring or damper between two points of bodies.
  struct SpringModel {
    std::string name;
    int a = 0, b = 0;                               ///< bodies
    Vec3 at_a = Vec3::Zero(), at_b = Vec3::Zero();  ///< in their frames [m]
  };
  Vec3 up = Vec3::UnitZ();
  std::vector<BodyModel> bodies;
  std::vector<JointModel> joints;
  std::vector<SpringModel> springs;
  /// What find_rule() and PairNames need: shapes with their name, body, material and whether they move freely; rules
  /// with their sides, friction and restitution; joined bodies. Shapes are found in `bodies`, laws nowhere.
  ContactModel contact;
};

RunModel describe_model(const System& system);

}  // namespace stiction
