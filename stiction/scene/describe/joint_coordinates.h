#pragma once

#include <string>
#include <vector>

#include "stiction/multibody/joint.h"

namespace stiction {

/// The coordinates of a type of joint with one rate a coordinate; empty for the others.
std::vector<CoordinateName> list_coordinates(const std::string& joint_type);
/// Is it a displacement [m], and no angle [rad]?
bool slides(const CoordinateName& coordinate);

}  // namespace stiction
