#pragma once

#include "stiction/multibody/system.h"
#include "stiction/scene/scene.h"

namespace stiction {

/// Scene -> System: defaults completed (complete.h), names resolved, mass properties from shapes, trees ordered, joints
/// in their chosen form, the initial state assembled. Throws InputError with ALL physical faults (unknown bodies, impossible inertia, loops in
/// the tree, a step longer than the duration, constraints that do not close), and those of reading, if there were any:
/// what does not rest on a fault is judged all the same.
System compile(const Scene& scene, std::vector<Fault> faults = {});

}  // namespace stiction
