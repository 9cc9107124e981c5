#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// The directions of polyhedral friction: columns d_k of a polyhedron inscribed in the friction ellipsoid of one
/// contact with mu r_n = 1, in pairs d, -d; `directions` (even) is the number along a circle. In the plane two, +-e_t.
/// In space without spin, (e_t cos a, e_o sin a) at `directions` equal angles. With a spin moment, points on the unit
/// sphere times (e_t, e_o, e_r): circles of latitude that are 2 pi / `directions` apart, the one at the latitude b with
/// the even number of points next above `directions` cos b, at least 4, and both poles: with 8 directions 22, with 16
/// there are 90. The polyhedron lies inside the ellipsoid by at most the part (pi / directions)^2, which friction takes
/// too little; the direction of the force is off by up to sqrt(2) pi / directions.
void calc_friction_polyhedron(int dimension, int directions, const Vec3& ellipsoid, MatX& edges);
/// How many there are.
int count_friction_directions(int dimension, int directions, bool spins);

}  // namespace stiction
