#pragma once

#include <string>
#include <vector>

#include "stiction/run/simulate.h"

#include "test/fuzz/physics/random_scene.h"

namespace stiction::fuzz {

/// What is wrong with the motion of a random scene, by physics alone, whatever the program says of it:
///     energy     kinetic and potential energy less input rises above its lowest value so far by more than 1 % of the
///                largest kinetic energy, or of the largest input
///     overlap    an overlap of more than 1 % of the smallest body (rigid formulations; measured by exact geometry)
///     bounds     a body is behind a wall, a joint beyond its limit by more than 1 % of the smallest body (rad as m)
///     fallen     a body ends below the floor; compliant: by more than half of the smallest body
///     moved      a scene that starts at rest, on a level floor, has moved by more than 1e-6 m (rigid formulations)
///     unfinished the run did not reach its end
/// 1 % is what a user sees at once; rounding and the order of the methods stay far below it at these steps.
struct SceneFaults {
  std::vector<std::string> faults;
  bool is_told = false;  ///< the verdict is not "trustworthy"
  std::string verdict;   ///< its reasons in one line
};
SceneFaults judge_scene(const RandomScene& scene, const RunResult& run);

}  // namespace stiction::fuzz
