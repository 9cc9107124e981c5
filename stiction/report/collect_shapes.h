#pragma once

#include "stiction/multibody/system.h"
#include "stiction/report/page_data.h"

namespace stiction {

/// The bodies of a system, the world first, with their radii; tracks are left empty.
std::vector<PageBody> list_bodies(const System& system);

/// The shapes of a system in their places, its joints and springs. Equal shapes share a mesh: spheres, boxes,
/// ellipsoids and cylinders of any size one each, scaled. `reach`: how far unbounded shapes are shown [m].
void add_shapes(const System& system, double reach, PageData& page);

/// How far a shape extends from the origin of its frame [m]; 0 for unbounded ones.
double calc_radius(const Shape& shape);

}  // namespace stiction
