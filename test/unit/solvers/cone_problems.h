#pragma once

#include "stiction/base/random.h"
#include "stiction/math/rotation.h"
#include "stiction/solvers/cone/cone_global.h"

/// Contact problems made from formulas: bodies with six degrees of freedom (three in the plane), contact points and
/// normals, velocities before the impact. A body -1 is the ground.
namespace stiction::test {

struct MadeContact {
  int a = -1, b = -1;  ///< the normal points from a to b
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
};

struct MadeBody {
  Vec3 position = Vec3::Zero();
  double mass = 1;
  Vec3 inertia = Vec3::Constant(0.1);  ///< about the axes of the world
  Vec6 velocity = Vec6::Zero();        ///< angular, linear
};

/// rows: 2 (plane y = 0), 3, or 4 (with spin). Velocities at the start of the step are those of the bodies.
inline GlobalConeProblem make_global(int rows, const std::vector<MadeBody>& bodies,
                                     const std::vector<MadeContact>& contacts, const VecX& mu) {
  const int ndof = 6 * static_cast<int>(bodies.size()), nc = static_cast<int>(contacts.size());
  std::vector<Eigen::Triplet<double>> mass, jacobian;
  GlobalConeProblem problem;
  problem.dimension = rows;
  problem.f = VecX::Zero(ndof);
  problem.w = VecX::Zero(rows * nc);
  problem.mu = mu;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    for (int k = 0; k < 6; ++k) {
      const double m = k < 3 ? bodies[b].inertia[k] : bodies[b].mass;
      const int dof = 6 * static_cast<int>(b) + k;
      mass.emplace_back(dof, dof, m);
      problem.f[dof] = m * bodies[b].velocity[k];
    }
  }
  for (int c = 0; c < nc; ++c) {
    const Vec3& n = contacts[c].normal;
    Vec3 t1, t2;
    calc_tangents(n, t1, t2);
    if (rows == 2) t1 = Vec3::UnitY().cross(n);
    // Row by row: direction of a translation, or of a rotation for spin.
    for (int row = 0; row < rows; ++row) {
      const Vec3 direction = row == 0 || row == 3 ? n : row == 1 ? t1 : t2;
      for (int side : {-1, 1}) {
        const int body = side < 0 ? contacts[c].a : contacts[c].b;
        if (body < 0) continue;
        const Vec3 arm = contacts[c].point - bodies[body].position;
        const Vec3 angular = row == 3 ? direction : Vec3(arm.cross(direction));
        for (int k = 0; k < 3; ++k) {
          if (angular[k] != 0) jacobian.emplace_back(6 * body + k, rows * c + row, side * angular[k]);
          if (row != 3 && direction[k] != 0)
            jacobian.emplace_back(6 * body + 3 + k, rows * c + row, side * direction[k]);
        }
      }
    }
  }
  problem.M.resize(ndof, ndof);
  problem.M.setFromTriplets(mass.begin(), mass.end());
  problem.H.resize(ndof, rows * nc);
  problem.H.setFromTriplets(jacobian.begin(), jacobian.end());
  return problem;
}

inline Vec3 make_random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

/// A box on a plane with `points` contacts along its rim: 3 points carry it, every other one makes it hyperstatic.
inline GlobalConeProblem make_box_on_plane(int points, double mu, const Vec6& velocity, int rows = 3) {
  MadeBody box;
  box.position = {0, 0, 0.5};
  box.inertia.setConstant(1.0 / 6);
  box.velocity = velocity;
  std::vector<MadeContact> contacts;
  for (int k = 0; k < points; ++k) {
    const double angle = 2 * 3.14159265358979323846 * k / points;
    contacts.push_back({-1, 0, {0.5 * std::cos(angle), rows == 2 ? 0 : 0.5 * std::sin(angle), 0}, Vec3::UnitZ()});
  }
  return make_global(rows, {box}, contacts, VecX::Constant(points, mu));
}

/// A tower of boxes, four contacts a face, mass growing by `ratio` from box to box upward.
inline GlobalConeProblem make_tower(int boxes, double ratio, double mu, std::uint64_t seed, int rows = 3) {
  Random random(seed);
  std::vector<MadeBody> bodies;
  std::vector<MadeContact> contacts;
  double mass = 1;
  for (int b = 0; b < boxes; ++b, mass *= ratio) {
    MadeBody box;
    box.position = {0, 0, b + 0.5};
    box.mass = mass;
    box.inertia.setConstant(mass / 6);
    box.velocity.tail<3>() = Vec3(0, 0, -0.1) + make_random_vector(random, 0.05);
    box.velocity.head<3>() = make_random_vector(random, 0.05);
    bodies.push_back(box);
    for (int corner = 0; corner < 4; ++corner) {
      const Vec3 point(corner & 1 ? 0.5 : -0.5, rows == 2 ? 0 : corner & 2 ? 0.5 : -0.5, b);
      if (rows > 2 || corner < 2) contacts.push_back({b - 1, b, point, Vec3::UnitZ()});
    }
  }
  return make_global(rows, bodies, contacts, VecX::Constant(static_cast<Eigen::Index>(contacts.size()), mu));
}

/// A pile: bodies at random places, each touching several earlier ones or the ground, one to four contacts a pair.
/// Normals lean from the vertical by less than atan(0.9 / mu_most): lifting each body faster than the ones before opens
/// every contact with u_n > mu |u_t|, and then a solution exists (Acary, Cadoux, Lemarechal, Malick 2011). Steeper ones
/// may be wedged.
inline GlobalConeProblem make_pile(int count, double mu_most, std::uint64_t seed, int rows = 3) {
  Random random(seed);
  std::vector<MadeBody> bodies;
  std::vector<MadeContact> contacts;
  const auto flatten = [&](Vec3 v) {
    if (rows == 2) v.y() = 0;
    return v;
  };
  for (int b = 0; b < count; ++b) {
    MadeBody body;
    body.position = flatten(make_random_vector(random, 2)) + Vec3(0, 0, 3);
    body.mass = std::exp(random.uniform(-1.5, 1.5));
    body.inertia.setConstant(0.1 * body.mass);
    body.velocity.tail<3>() = flatten(make_random_vector(random, 0.5)) - Vec3(0, 0, 1);
    body.velocity.head<3>() = rows == 2 ? Vec3(0, random.uniform(-1, 1), 0) : make_random_vector(random, 1);
    bodies.push_back(body);
    for (int pair = 0; pair < 3; ++pair) {
      const int other = random.index(b + 1) - 1;
      // Horizontal part at most 0.9 / mu_most of the vertical one.
      const double lean = mu_most > 0 ? std::min(0.9 / mu_most, 5.0) : 5.0, angle = random.uniform(-3.14, 3.14);
      const double horizontal = lean * random.uniform();
      const Vec3 normal = flatten({horizontal * std::cos(angle), horizontal * std::sin(angle), 1}).normalized();
      const Vec3 centre = body.position - 0.5 * normal;
      for (int point = random.index(4); point >= 0; --point) {
        contacts.push_back({other, b, centre + flatten(make_random_vector(random, 0.3)), normal});
      }
    }
  }
  VecX mu(static_cast<Eigen::Index>(contacts.size()));
  for (double& value : mu) value = random.uniform(0, mu_most);
  return make_global(rows, bodies, contacts, mu);
}

}  // namespace stiction::test
