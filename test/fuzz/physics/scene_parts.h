#pragma once

#include "test/fuzz/physics/random_scene.h"
#include "test/fuzz/physics/random_shapes.h"

namespace stiction::fuzz {

// What furnished scenes share.

/// Gravity, and a step of 0.1 to 20 ms with at most 400 of them.
RandomScene begin_scene(Random& random, std::uint64_t seed, const std::string& method);
/// The method; in one scene of six with sleep.
void end_scene(Random& random, RandomScene& scene);

/// 10 to 1e5 kg/m^3.
double make_density(Random& random);
void note_shape(const RandomShape& shape, bool is_first, RandomScene& scene);

/// Between each body and the world or the one before. So soft that explicit steps resolve them: w h <= 0.1 of a ball
/// within the smallest body, of 10 kg/m^3.
void add_springs(Random& random, RandomScene& scene);

/// The laws of all pairs, or of pairs of the materials steel and rubber.
void add_laws(Random& random, bool has_materials, RandomScene& scene);

}  // namespace stiction::fuzz
