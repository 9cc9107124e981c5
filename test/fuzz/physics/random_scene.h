#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stiction::fuzz {

/// A signal that stays between two values.
struct SignalBound {
  std::string signal;
  double lower = 0, upper = 0;
};

/// A random scene and what is known of its motion without any simulation.
struct RandomScene {
  std::string text;  ///< TOML: `stiction run` takes it as it is
  std::string method;
  double step = 0;         ///< [s]
  double smallest = 0;     ///< half of the smallest extent of any body [m]
  double largest = 0;      ///< radius of a ball around the largest body [m]
  bool has_input = false;  ///< a belt: energy may be put in
  bool has_rods = false;   ///< neighbours are held at their distance
  bool has_links = false;  ///< each body moves on the one before: ball joints and hinges
  bool has_superquadric = false;
  bool has_bristles = false;        ///< compliant friction with memory: stiff
  bool is_at_rest = false;          ///< every body rests on the floor, which is level, and nothing pushes it
  double last_radius = 0;           ///< of a ball around the last link [m]
  std::vector<std::string> bodies;  ///< those that move
  std::vector<SignalBound> bounds;  ///< walls, limits of joints; of lengths in m, angles in rad
};

/// 1 to 5 bodies of seven shapes over a level floor with gravity, in free flight, spinning, some held together by
/// rods (constraints of distance) or by joints, on a floor that may be a belt; friction 0 to 1, restitution 0 to 1 by
/// each hypothesis, steps from 0.1 to 20 ms. One scene in eight starts at rest. The same seed and method give the same
/// scene on every machine; scenes of one seed differ between the rigid methods in the method alone. `compliant`: points
/// or patches, Hertz' law or volumes, bristles, smooth Coulomb friction or springs, by integrators with fixed and
/// adaptive steps.
RandomScene make_random_scene(std::uint64_t seed, const std::string& method);

/// A kind of random scenes: free bodies, or those of furnished_scene.h.
struct SceneKind {
  const char* name;
  RandomScene (*make)(std::uint64_t seed, const std::string& method);
  bool is_rigid = true;  ///< not for `compliant`
};
const std::vector<SceneKind>& scene_kinds();

/// The formulations with contact that are tried.
const std::vector<std::string>& fuzzed_methods();

}  // namespace stiction::fuzz
