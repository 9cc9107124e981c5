#pragma once

#include "stiction/multibody/system.h"
#include "stiction/results/measured.h"
#include "stiction/scene/scene.h"

namespace stiction {

/// What is stored of a run before its first step: title, method, parameters in effect, sizes, warnings,
/// the verdict that is expected. The bodies and shapes are those of describe_model (results/run_model.h).
RunDescription describe_run(const Scene& scene, const System& system);

}  // namespace stiction
