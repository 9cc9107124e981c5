#pragma once

#include "cone_problems.h"

/// Contact problems of the kinds that simulations write, from formulas: each a step of bodies under gravity, pressed
/// together, with the velocities before the contact impulses. Resting, all of them could stay where they are (w = 0
/// makes u = 0 possible), so that none asks for what cannot be.
namespace stiction::test {

constexpr double step_fall = 9.81 * 0.005;  ///< velocity gained from gravity in a step of 5 ms [m/s]

inline Vec6 make_falling_velocity(Random& random, double noise) {
  Vec6 velocity;
  velocity << make_random_vector(random, noise), make_random_vector(random, noise) - Vec3(0, 0, step_fall);
  return velocity;
}

inline GlobalConeProblem make_global(int rows, const std::vector<MadeBody>& bodies,
                                     const std::vector<MadeContact>& contacts, double mu) {
  return make_global(rows, bodies, contacts, VecX::Constant(static_cast<Eigen::Index>(contacts.size()), mu));
}

/// Boxes stacked, `points` x `points` contacts a face: (points^2 - 3) redundant normals each.
inline GlobalConeProblem make_stack(int boxes, int points, double mu, std::uint64_t seed) {
  Random random(seed);
  std::vector<MadeBody> bodies;
  std::vector<MadeContact> contacts;
  for (int b = 0; b < boxes; ++b) {
    bodies.push_back({.position = {0, 0, b + 0.5},
                      .inertia = Vec3::Constant(1.0 / 6),
                      .velocity = make_falling_velocity(random, 0.02)});
    for (int k = 0; k < points * points; ++k) {
      const Vec3 point((k % points) / (points - 1.0) - 0.5, (k / points) / (points - 1.0) - 0.5, b);
      contacts.push_back({b - 1, b, point, Vec3::UnitZ()});
    }
  }
  return make_global(3, bodies, contacts, mu);
}

/// The same with masses 1 and `ratio` in turn.
inline GlobalConeProblem make_uneven_stack(int boxes, int points, double ratio, double mu, std::uint64_t seed) {
  Random random(seed);
  std::vector<MadeBody> bodies;
  std::vector<MadeContact> contacts;
  for (int b = 0; b < boxes; ++b) {
    const double mass = b % 2 == 0 ? 1 : ratio;
    bodies.push_back({.position = {0, 0, b + 0.5},
                      .mass = mass,
                      .inertia = Vec3::Constant(mass / 6),
                      .velocity = make_falling_velocity(random, 0.02)});
    for (int k = 0; k < points * points; ++k) {
      const Vec3 point((k % points) / (points - 1.0) - 0.5, (k / points) / (points - 1.0) - 0.5, b);
      contacts.push_back({b - 1, b, point, Vec3::UnitZ()});
    }
  }
  return make_global(3, bodies, contacts, mu);
}

/// A problem made from its solution: bodies at random that touch in random directions; each contact is apart (r = 0,
/// u_n > 0), sticks (u = 0, r within the cone) or slips (r on the cone, u_t against it) by lot, and q = u - W r. Not
/// what bodies under gravity do: friction makes such problems far from monotone.
struct KnownProblem {
  ConeProblem problem;
  VecX r;
};

inline KnownProblem make_known_problem(int count, double mu, std::uint64_t seed, int rows = 3) {
  Random random(seed);
  const auto flatten = [&](Vec3 v) {
    if (rows == 2) v.y() = 0;
    return v;
  };
  std::vector<MadeBody> bodies;
  std::vector<MadeContact> contacts;
  for (int b = 0; b < count; ++b) {
    bodies.push_back({.position = flatten(make_random_vector(random, 2))});
    for (int k = random.index(6); k >= 0; --k) {
      contacts.push_back({random.index(b + 1) - 1, b, bodies[b].position + flatten(make_random_vector(random, 0.5)),
                          flatten(make_random_vector(random, 1)).normalized()});
    }
  }
  KnownProblem known{make_local(make_global(rows, bodies, contacts, mu)), {}};
  const int nc = static_cast<int>(contacts.size());
  known.r = VecX::Zero(rows * nc);
  VecX u = known.r;
  for (int c = 0; c < nc; ++c) {
    VecX direction(rows - 1);
    for (double& value : direction) value = random.uniform(-1, 1);
    direction.normalize();
    const int state = random.index(3);
    const double normal = std::exp(random.uniform(-1, 1)), part = random.uniform();
    auto r_t = known.r.segment(rows * c + 1, rows - 1), u_t = u.segment(rows * c + 1, rows - 1);
    known.r[rows * c] = state == 0 ? 0 : normal;
    u[rows * c] = state == 0 ? normal : 0;
    if (state == 0) u_t = part * direction;
    if (state == 1) r_t = part * mu * normal * direction;
    if (state == 2) r_t = mu * normal * direction;
    if (state == 2) u_t = -part * direction;
  }
  known.problem.q = u - known.problem.W * known.r;
  return known;
}

/// Rods laid crosswise in layers of two, as in a log pile: length 2, radius 0.05, so that inertias about axis and
/// middle differ by 270. Each rod touches the two below at one point each.
inline GlobalConeProblem make_log_pile(int layers, double mu, std::uint64_t seed) {
  Random random(seed);
  constexpr double radius = 0.05, length = 2, across = length * length / 12 + radius * radius / 4;
  std::vector<MadeBody> bodies;
  std::vector<MadeContact> contacts;
  for (int layer = 0; layer < layers; ++layer) {
    const bool along_x = layer % 2 == 0;
    for (int k = 0; k < 2; ++k) {
      const double offset = (k == 0 ? -0.6 : 0.6) + random.uniform(-0.2, 0.2), z = radius * (2 * layer + 1);
      const int rod = static_cast<int>(bodies.size());
      bodies.push_back(
          {.position = along_x ? Vec3(0, offset, z) : Vec3(offset, 0, z),
           .inertia = along_x ? Vec3(radius * radius / 2, across, across) : Vec3(across, radius * radius / 2, across),
           .velocity = make_falling_velocity(random, 0.05)});
      for (int other = 0; other < 2; ++other) {
        const int below = layer == 0 ? -1 : 2 * (layer - 1) + other;
        Vec3 point = bodies[rod].position - Vec3(0, 0, radius);
        const double place = below < 0 ? 2 * other - 1.0
                             : along_x ? bodies[below].position.x()
                                       : bodies[below].position.y();
        (along_x ? point.x() : point.y()) = place;
        contacts.push_back({below, rod, point, Vec3::UnitZ()});
      }
    }
  }
  return make_global(3, bodies, contacts, mu);
}

/// Spheres in a box, close to a cubic lattice: each touches the ones beside, below and the walls, along lines that lean
/// a little. Normals of walls are horizontal: wedged.
inline GlobalConeProblem make_spheres_in_box(int side, int height, double mu, std::uint64_t seed, double noise = 0.1) {
  Random random(seed);
  std::vector<MadeBody> bodies;
  std::vector<MadeContact> contacts;
  const auto index = [&](int x, int y, int z) { return (z * side + y) * side + x; };
  for (int z = 0; z < height; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double mass = std::exp(random.uniform(-0.5, 0.5));
        bodies.push_back({.position = Vec3(x, y, z) + make_random_vector(random, 0.1),
                          .mass = mass,
                          .inertia = Vec3::Constant(0.1 * mass),
                          .velocity = make_falling_velocity(random, noise)});
      }
    }
  }
  const auto touch = [&](int a, int b) {
    const Vec3 between = bodies[b].position - bodies[a].position;
    contacts.push_back({a, b, bodies[a].position + 0.5 * between, between.normalized()});
  };
  const auto touch_wall = [&](int b, const Vec3& normal) {
    contacts.push_back({-1, b, bodies[b].position - 0.5 * normal, normal});
  };
  for (int z = 0; z < height; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const int b = index(x, y, z);
        x == 0 ? touch_wall(b, Vec3::UnitX()) : touch(index(x - 1, y, z), b);
        y == 0 ? touch_wall(b, Vec3::UnitY()) : touch(index(x, y - 1, z), b);
        z == 0 ? touch_wall(b, Vec3::UnitZ()) : touch(index(x, y, z - 1), b);
        if (x == side - 1) touch_wall(b, -Vec3::UnitX());
        if (y == side - 1) touch_wall(b, -Vec3::UnitY());
      }
    }
  }
  return make_global(3, bodies, contacts, mu);
}

/// A chain of bodies on the ground, each pushing the next one through a flat contact of four points, light and heavy
/// in turn: masses 1 and `ratio`. The first one comes in at 1 m/s.
inline GlobalConeProblem make_train(int count, double ratio, double mu, std::uint64_t seed) {
  Random random(seed);
  std::vector<MadeBody> bodies;
  std::vector<MadeContact> contacts;
  for (int b = 0; b < count; ++b) {
    const double mass = b % 2 == 0 ? 1 : ratio;
    bodies.push_back({.position = {1.0 * b, 0, 0.5},
                      .mass = mass,
                      .inertia = Vec3::Constant(mass / 6),
                      .velocity = make_falling_velocity(random, 0.01)});
    for (int k = 0; k < 4; ++k) {
      const double s = k & 1 ? 0.4 : -0.4, t = k & 2 ? 0.4 : -0.4;
      contacts.push_back({-1, b, Vec3(b + s, t, 0), Vec3::UnitZ()});
      if (b > 0) contacts.push_back({b - 1, b, Vec3(b - 0.5, s, 0.5 + t), Vec3::UnitX()});
    }
  }
  bodies[0].velocity[3] = 1;
  return make_global(3, bodies, contacts, mu);
}

/// Blocks wedged in an arch of `count` stones over the half circle, four contacts a joint: it stands by friction and
/// thrust alone, statically indeterminate.
inline GlobalConeProblem make_arch(int count, double mu, std::uint64_t seed) {
  Random random(seed);
  std::vector<MadeBody> bodies;
  std::vector<MadeContact> contacts;
  constexpr double pi = 3.14159265358979323846, radius = 2, half = 0.25;
  for (int joint = 0; joint <= count; ++joint) {
    const double angle = pi * joint / count, middle = pi * (joint + 0.5) / count;
    if (joint < count) {
      bodies.push_back({.position = radius * Vec3(-std::cos(middle), 0, std::sin(middle)),
                        .inertia = Vec3::Constant(0.1),
                        .velocity = make_falling_velocity(random, 0.01)});
    }
    const Vec3 outward(-std::cos(angle), 0, std::sin(angle)), along(std::sin(angle), 0, std::cos(angle));
    for (int k = 0; k < 4; ++k) {
      const Vec3 point = (radius + (k & 1 ? half : -half)) * outward + Vec3(0, k & 2 ? half : -half, 0);
      const int a = joint - 1, b = joint < count ? joint : -1;
      contacts.push_back({a, b, point, along});
    }
  }
  return make_global(3, bodies, contacts, mu);
}

}  // namespace stiction::test
