#pragma once

#include "stiction/report/page_data.h"
#include "stiction/results/run_model.h"

namespace stiction {

/// The bodies of a run, the world first, with their radii; tracks are left empty.
std::vector<PageBody> list_bodies(const RunModel& model);

/// The shapes of a run in their places, its joints and springs. Equal shapes share a mesh: spheres, boxes,
/// ellipsoids and cylinders of any size one each, scaled. `reach`: how far unbounded shapes are shown [m].
void add_shapes(const RunModel& model, double reach, PageData& page);

/// How far a shape extends from the origin of its frame [m]; 0 for unbounded ones.
double calc_radius(const Shape& shape);

}  // namespace stiction
