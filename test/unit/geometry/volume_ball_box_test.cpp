// A ball on the faces, edges and corners of a box: the closed form against integration over the face.
#include "stiction/geometry/volume/volume_ball_box.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "stiction/geometry/volume/volume_chords.h"

#include "volume_tools.h"

namespace stiction {
namespace {

constexpr double slab_x = 0.8, slab_y = 0.6;

/// Where on the face [-0.4, 0.4] x [-0.3, 0.3] the ball stands, and how high its centre is.
struct BallPlace {
  const char* name;
  double x, y, height;
};
constexpr BallPlace ball_places[] = {
    {"all of the cap on the face", 0.1, 0, 0.45},
    {"within an edge", 0.3, 0.05, 0.45},
    {"on an edge", 0.4, 0, 0.45},
    {"beyond an edge", 0.5, 0.02, 0.45},
    {"within a corner", 0.35, 0.2, 0.45},
    {"on a corner", -0.4, 0.3, 0.45},
    {"beyond a corner", -0.48, 0.4, 0.42},
    {"beyond one edge, within the other", 0.45, -0.25, 0.44},
    {"the face narrower than the cap", 0.02, 0.01, 0.35},
    {"all of the face in the ball", 0.01, 0.02, 0.05},
    {"nearly half in the face", 0.4, 0.3, 0.05},
    {"flat cap on a corner", 0.4, 0.299, 0.499},
    {"flat cap beyond a corner", -0.403, 0.302, 0.4995},
    {"flat cap on an edge", -0.402, 0.1, 0.499},
    {"flat cap on the face", 0.1, 0.1, 0.4999},
    {"just flat, within an edge", 0.35, 0.28, 0.4801},
    {"just steep, within an edge", 0.35, 0.28, 0.4799},
};

/// (1) of volume_moments.h, without surfaces, by two integrations over the face; z up from the face.
Eigen::Array<double, 10, 1> integrate_slab(double R, const BallPlace& place) {
  Eigen::Array<double, 10, 1> sums;
  const double disc = std::sqrt(R * R - place.height * place.height);
  const auto clamp_breaks = [](double low, double high, std::initializer_list<double> inner) {
    std::vector<double> breaks{low};
    for (const double x : inner)
      if (x > low && x < high) breaks.push_back(x);
    breaks.push_back(high);
    std::sort(breaks.begin(), breaks.end());
    return breaks;
  };
  const double x0 = std::max(-slab_x / 2, place.x - disc), x1 = std::min(slab_x / 2, place.x + disc);
  // The chord in y has a kink where its end passes a corner of the face.
  const double top = slab_y / 2 - place.y, bottom = -slab_y / 2 - place.y;
  const double kink_top = std::sqrt(std::max(disc * disc - top * top, 0.0));
  const double kink_bottom = std::sqrt(std::max(disc * disc - bottom * bottom, 0.0));
  const std::vector<double> in_x =
      clamp_breaks(x0, x1, {place.x - kink_top, place.x + kink_top, place.x - kink_bottom, place.x + kink_bottom});
  for (int entry = 0; entry < 10; ++entry) {
    sums[entry] = integrate(
        [&](double x) {
          const double chord = std::sqrt(std::max(disc * disc - (x - place.x) * (x - place.x), 0.0));
          const double y0 = std::max(-slab_y / 2, place.y - chord), y1 = std::min(slab_y / 2, place.y + chord);
          if (!(y1 > y0)) return 0.0;
          return integrate(
              [&](double y) {
                const double square = (x - place.x) * (x - place.x) + (y - place.y) * (y - place.y);
                const double f = std::sqrt(std::max(R * R - square, 0.0)) - place.height;
                const double z1 = -f * f / 2, z2 = f * f * f / 3;
                const double of[10] = {f, x * f, y * f, z1, x * x * f, y * y * f, z2, x * y * f, y * z1, x * z1};
                return of[entry];
              },
              {y0, y1}, 40);
        },
        in_x, 60);
  }
  return sums;
}

TEST(VolumeBallBox, MomentsAreTheirIntegrals) {
  constexpr double R = 0.5, thickness = 0.9;
  const Box box{Vec3(slab_x, slab_y, thickness)};
  for (const BallPlace& place : ball_places) {
    const Vec3 centre(place.x, place.y, thickness / 2 + place.height);
    // Flat caps by the integration that is for them.
    const BallBoxCut cut = calc_ball_box_cut(box.size, R, centre, 2, 0);
    const Eigen::Array<double, 10, 1> expected = integrate_slab(R, place);
    const Transform X_FO{Mat3::Identity(), cut.local.origin - Vec3(0, 0, thickness / 2)};
    const RegionSums about_face = calc_transformed(cut.local.sums, X_FO);
    // 1e-10 of the quadrature, and the rounding that is told.
    const double V = expected[0], size = std::cbrt(V), within = 1e-10 + cut.error;
    ASSERT_GT(V, 0) << place.name;
    EXPECT_NEAR(about_face[0] / V, 1, within) << place.name;
    for (int i = 1; i < 4; ++i) EXPECT_NEAR(about_face[i], expected[i], within * V * size) << place.name << i;
    for (int i = 4; i < 10; ++i) EXPECT_NEAR(about_face[i], expected[i], within * V * R * R) << place.name << i;
    EXPECT_LT(cut.error, 1e-8) << place.name;
  }
}

// The same ball at every face, seen from either body and turned in space, against integration by chords.
TEST(VolumeBallBox, AgreesWithChordsAtEveryFace) {
  Random random(7);
  const Vec3 size(0.8, 0.6, 0.7);
  const Box box{size};
  const Sphere ball{0.3};
  int counted = 0;
  for (int n = 0; n < 60; ++n) {
    const int face = n % 3;
    Vec3 centre = make_random_vector(random, 0.5).cwiseProduct(size) * 1.2;
    centre[face] = std::copysign(0.5 * size[face] + random.uniform(0.02, 0.29), centre[face]);
    const Transform X_WA = make_random_pose(random, 2);
    const Transform X_WB{calc_matrix(calc_exponential(Vec3(1, 2, 3))), X_WA * centre};
    const InterferenceRegion exact = calc_interference(box, X_WA, ball, X_WB);
    const InterferenceRegion chords =
        calc_interference_by_chords(box, ball, {Mat3::Identity(), centre}, {.accuracy = 1e-10});
    if (!(chords.volume > 0)) {
      EXPECT_EQ(exact.volume, 0);
      continue;
    }
    ++counted;
    EXPECT_EQ(exact.method, RegionMethod::closed_form);
    EXPECT_NEAR(exact.volume / chords.volume, 1, 1e-9) << n;
    const double width = std::cbrt(chords.volume);
    EXPECT_LT((X_WA.inverse() * exact.centroid - chords.centroid).norm(), 1e-8 * width) << n;
    EXPECT_LT((X_WA.R.transpose() * exact.inertia * X_WA.R - chords.inertia).norm(), 1e-7 * chords.inertia.norm()) << n;
    EXPECT_LT((X_WA.R.transpose() * exact.dV_dx - chords.dV_dx).norm(), 1e-7 * chords.dV_dx.norm()) << n;
    EXPECT_LT((X_WA.R.transpose() * exact.dV_dr - chords.dV_dr).norm(), 1e-7 * chords.dV_dx.norm() * width) << n;
  }
  EXPECT_GT(counted, 25);
}

// However flat, what a corner leaves of a cap has a closed form: 0.1 m pressed in by 10 um to 10 mm, near the edge and
// the corner of a face of 1 m.
TEST(VolumeBallBox, FlatCapsNeedNoIntegration) {
  const Box box{Vec3(1, 1, 0.4)};
  for (const double depth : {1e-5, 1e-4, 1e-3, 3e-3, 1e-2}) {
    const double out = 0.3 * std::sqrt(0.2 * depth);
    for (const double x : {0.0, 0.5 - out, 0.5 + out}) {
      const Transform X_WB{Mat3::Identity(), Vec3(x, 0.5 + out, 0.3 - depth)};
      const InterferenceRegion region = calc_interference(box, {}, Sphere{0.1}, X_WB);
      EXPECT_GT(region.volume, 0);
      EXPECT_EQ(region.method, RegionMethod::closed_form) << depth << " " << x;
    }
  }
}

// A region of two, three or four equal parts: by symmetry the cap over the face, its half on an edge, its quarter on a
// corner. What rounding leaves of that is within the error that is told.
TEST(VolumeBallBox, FlatCapsLoseWhatIsSaid) {
  const double R = 0.5;
  const Vec3 size(2, 2, 2);
  for (const double height : {1e-2, 1e-4, 1e-6, 1e-8}) {
    const double h = R - (R - height), cap = std::numbers::pi * h * h * (3 * R - h) / 3;
    const BallBoxCut edge = calc_ball_box_cut(size, R, Vec3(1, 0.1, 1 + (R - height)), 2);
    const BallBoxCut corner = calc_ball_box_cut(size, R, Vec3(-1, 1, 1 + (R - height)), 2);
    // The place of the centre is rounded too: to 1e-16 of the box.
    const double place = 4.4e-16 / height;
    EXPECT_NEAR(edge.local.sums[0] / (cap / 2), 1, edge.error + 2 * place) << height;
    EXPECT_NEAR(corner.local.sums[0] / (cap / 4), 1, corner.error + 2 * place) << height;
    EXPECT_NEAR(edge.local.sums[5] / (std::numbers::pi / 8 * (R * R * h * h * h * 4 / 3 - R * h * h * h * h)), 1,
                edge.error + 4 * place + h / R);
    EXPECT_LT(edge.error, 1e-14 * (R / h) * (R / h) + 1e-14) << height;
  }
}

TEST(VolumeBallBox, DerivativesAgreeWithDifferences) {
  const Box box{Vec3(2, 2, 2)};
  const Sphere ball{0.5};
  for (const Vec3& centre : {Vec3(1.02, 0.1, 1.45), Vec3(0.95, -0.98, 1.46), Vec3(1.1, 1.05, 1.4)}) {
    const Transform X{Mat3::Identity(), centre};
    const InterferenceRegion region = calc_interference(box, {}, ball, X);
    for (int i = 0; i < 3; ++i) {
      const double h = 1e-6;
      const double by_move = difference(box, {}, ball, X, region.centroid, h * Vec3::Unit(i), Vec3::Zero(), 1e-6);
      const double by_turn = difference(box, {}, ball, X, region.centroid, Vec3::Zero(), h * Vec3::Unit(i), 1e-6);
      EXPECT_NEAR(by_move / h, region.dV_dx[i], 1e-7 * region.dV_dx.norm());
      EXPECT_NEAR(by_turn / h, region.dV_dr[i], 1e-7 * region.dV_dx.norm());
    }
  }
}

}  // namespace
}  // namespace stiction
