#pragma once

#include "test/fuzz/physics/random_scene.h"

namespace stiction::fuzz {

// Scenes of the rigid formulations beside the free bodies of random_scene.h. What they must obey is in `bounds` and in
// judge_scene.h.

/// 1 to 4 bodies of any shape, with densities of 10 to 1e5 kg/m^3 and speeds of up to 60 m/s, on one of: a floor, a
/// belt that goes to and fro, a table that shakes, a room of planes, a pipe, a hollow ball, before a wall of 2 mm. With
/// some of: a driven ball or a ram (a motor on a slide) that pushes them, springs, sleep. Two materials; static
/// friction, friction ellipses, moments of spin, restitution that falls with speed.
RandomScene make_furnished_scene(std::uint64_t seed, const std::string& method);
/// Boxes and cylinders stacked on a floor, with densities of 10 to 1e5 kg/m^3, at rest: none may move.
RandomScene make_stack_scene(std::uint64_t seed, const std::string& method);
/// A peg (cylinder or capsule) in a bore (a hollow cylinder, or a cell) that it leaves 0.05 to 2 % of its radius, under
/// gravity from anywhere and a force and a couple, spinning and sliding.
RandomScene make_bore_scene(std::uint64_t seed, const std::string& method);
/// One or two arms of 1 to 3 links that hang on the world, on joints of every kind, with limits, springs, friction and
/// motors, and fall to a floor.
RandomScene make_arm_scene(std::uint64_t seed, const std::string& method);

}  // namespace stiction::fuzz
