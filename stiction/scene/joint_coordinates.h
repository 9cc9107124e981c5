#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

/// What the text reader must know of a joint's coordinates, by the joint's type: their order and whether each turns
/// [rad] or slides [m]. The names are those of coordinate_name() in multibody/joint.h.
struct CoordinateKind {
  std::string_view name;  ///< empty for the only coordinate of a joint
  bool slides = false;
};
/// For joints with one rate a coordinate: revolute, prismatic, screw, cylindrical, universal, planar; else empty.
const std::vector<CoordinateKind>& list_coordinates(const std::string& joint_type);

}  // namespace stiction
