#pragma once

#include "stiction/multibody/system.h"
#include "stiction/scene/scene.h"

namespace stiction {

/// Scene -> System: names resolved, mass properties from shapes, trees ordered, joints in their chosen form, the
/// initial state assembled. Throws InputError with ALL physical faults (unknown bodies, impossible inertia, loops in
/// the tree, a step longer than the duration, constraints that do not close), and those of reading, if there were any:
/// what does not rest on a fault is judged all the same.
System compile(const Scene& scene, std::vector<Fault> faults = {});

/// Does the integrator in effect choose its own steps?
bool is_adaptive(const Scene& scene);

/// The recording interval in effect: time.output or its default.
double calc_output_interval(const Scene& scene);

}  // namespace stiction
