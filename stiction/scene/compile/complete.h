#pragma once

#include "stiction/scene/scene.h"

namespace stiction {

/// What a scene leaves open, filled in, whoever made it (a file, a program):
///   - method.type: "cone" where there are contact tables, else "smooth";
///   - method.step = time.step;
///   - bodies with `copies` become that many bodies.
/// compile() does the same to the scene it is given. Completing twice changes nothing more.
Scene complete(Scene scene);
bool is_complete(const Scene& scene);
/// The formulation and the step alone: all that can be said of a scene with faults.
void complete_method(Scene& scene);

/// The method of a complete scene as a stepper needs it: integrators have the recording interval for max_step = 0.
MethodSettings calc_method(const Scene& scene);

/// Does the integrator in effect choose its own steps?
bool is_adaptive(const Scene& scene);

/// The recording interval in effect: time.output or its default.
double calc_output_interval(const Scene& scene);

}  // namespace stiction
