#include <benchmark/benchmark.h>

#include <vector>

#include "stiction/base/random.h"
#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

const Transform at_origin;

std::vector<Transform> make_poses(double reach) {
  Random random(3);
  std::vector<Transform> poses;
  for (int i = 0; i < 64; ++i) {
    const Vec3 axis = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.1, 1)).normalized();
    const Vec3 p = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
    poses.push_back({Eigen::AngleAxisd(random.uniform(-3, 3), axis).toRotationMatrix(), reach * p});
  }
  return poses;
}

void run_cold(benchmark::State& state, const Shape& A, const Shape& B, double reach) {
  const std::vector<Transform> poses = make_poses(reach);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(calc_closest(A, at_origin, B, poses[next]));
    next = next + 1 == poses.size() ? 0 : next + 1;
  }
}
/// From the pair's own memory, the pose having turned by 1e-3 rad since.
void run_warm(benchmark::State& state, const Shape& A, const Shape& B, double reach) {
  const std::vector<Transform> poses = make_poses(reach);
  std::vector<ClosestCache> caches(poses.size());
  const Mat3 turn = Eigen::AngleAxisd(1e-3, Vec3::UnitX()).toRotationMatrix();
  for (std::size_t i = 0; i < poses.size(); ++i)
    benchmark::DoNotOptimize(calc_closest(A, at_origin, B, {turn * poses[i].R, poses[i].p}, &caches[i]));
  std::size_t next = 0;
  for (auto _ : state) {
    ClosestCache cache = caches[next];
    benchmark::DoNotOptimize(calc_closest(A, at_origin, B, poses[next], &cache));
    next = next + 1 == poses.size() ? 0 : next + 1;
  }
}

const Shape half_space = HalfSpace{}, sphere = Sphere{0.5}, box = Box{Vec3(1, 0.8, 0.6)}, cylinder = Cylinder{0.4, 1.2};
const Shape capsule = Capsule{0.3, 1}, ellipsoid = Ellipsoid{Vec3(0.7, 0.5, 0.3)}, torus = Torus{0.6, 0.2};

BENCHMARK_CAPTURE(run_cold, sphere_half_space, half_space, sphere, 1.0);
BENCHMARK_CAPTURE(run_cold, sphere_sphere, sphere, sphere, 1.2);
BENCHMARK_CAPTURE(run_cold, sphere_box, box, sphere, 1.2);
BENCHMARK_CAPTURE(run_cold, capsule_capsule, capsule, capsule, 1.2);
BENCHMARK_CAPTURE(run_cold, ellipsoid_ellipsoid_apart, ellipsoid, ellipsoid, 1.5);
BENCHMARK_CAPTURE(run_cold, ellipsoid_ellipsoid_overlap, ellipsoid, ellipsoid, 0.6);
BENCHMARK_CAPTURE(run_warm, ellipsoid_ellipsoid_apart_warm, ellipsoid, ellipsoid, 1.5);
BENCHMARK_CAPTURE(run_warm, ellipsoid_ellipsoid_overlap_warm, ellipsoid, ellipsoid, 0.6);
BENCHMARK_CAPTURE(run_cold, box_box_apart, box, box, 1.5);
BENCHMARK_CAPTURE(run_cold, box_box_overlap, box, box, 0.8);
BENCHMARK_CAPTURE(run_cold, cylinder_cylinder_apart, cylinder, cylinder, 2.0);
BENCHMARK_CAPTURE(run_cold, cylinder_cylinder_overlap, cylinder, cylinder, 0.8);
BENCHMARK_CAPTURE(run_cold, torus_box, torus, box, 1.2);

/// All contact points within 1 mm of two bodies that lie on each other, B turned about (0.6, 0.8, 0) by a tilt [rad].
void run_contacts(benchmark::State& state, const Shape& A, const Shape& B, const Transform& X_WB, double tilt) {
  const Mat3 turn = Eigen::AngleAxisd(tilt, Vec3(0.6, 0.8, 0)).toRotationMatrix();
  const Transform tilted{turn * X_WB.R, X_WB.p};
  std::vector<ContactPoint> points;
  for (auto _ : state) {
    points.clear();
    calc_contact_points(A, at_origin, B, tilted, 1e-3, points);
    benchmark::DoNotOptimize(points.data());
  }
}
/// The same at random orientations, the bodies touching.
void run_contacts_random(benchmark::State& state, const Shape& A, const Shape& B) {
  std::vector<Transform> poses = make_poses(0.1);
  for (Transform& X : poses) {
    const ClosestPoints c = calc_closest(A, at_origin, B, X);
    X.p -= c.gap * c.normal;
  }
  std::vector<ContactPoint> points;
  std::size_t next = 0;
  for (auto _ : state) {
    points.clear();
    calc_contact_points(A, at_origin, B, poses[next], 1e-3, points);
    benchmark::DoNotOptimize(points.data());
    next = next + 1 == poses.size() ? 0 : next + 1;
  }
}

/// Four sides that lean inwards: a stone of an arch.
Shape make_wedge() {
  std::vector<Vec3> corners;
  for (double x : {-0.1, 0.1})
    for (double y : {-0.05, 0.05})
      for (double z : {-0.05, 0.05}) corners.emplace_back(x * (1 - 2 * z), y, z);
  return std::get<Polytope>(make_polytope(corners));
}
const Shape brick = Box{Vec3(0.2, 0.1, 0.1)}, wedge = make_wedge(), drum = Cylinder{0.05, 0.1};
const Transform overhanging{Mat3::Identity(), Vec3(0.1, 0, 0.1)};
const Transform lying{Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()).toRotationMatrix(), Vec3(0.02, 0, 0.1)};

BENCHMARK_CAPTURE(run_contacts, box_box_tilt_0, brick, brick, overhanging, 0.0);
BENCHMARK_CAPTURE(run_contacts, box_box_tilt_1e12, brick, brick, overhanging, 1e-12);
BENCHMARK_CAPTURE(run_contacts, box_box_tilt_1e9, brick, brick, overhanging, 1e-9);
BENCHMARK_CAPTURE(run_contacts, box_box_tilt_1e6, brick, brick, overhanging, 1e-6);
BENCHMARK_CAPTURE(run_contacts, box_box_tilt_1e3, brick, brick, overhanging, 1e-3);
BENCHMARK_CAPTURE(run_contacts_random, box_box_random, brick, brick);
BENCHMARK_CAPTURE(run_contacts, wedge_wedge_tilt_0, wedge, wedge, overhanging, 0.0);
BENCHMARK_CAPTURE(run_contacts, wedge_wedge_tilt_1e9, wedge, wedge, overhanging, 1e-9);
BENCHMARK_CAPTURE(run_contacts, wedge_wedge_tilt_1e3, wedge, wedge, overhanging, 1e-3);
BENCHMARK_CAPTURE(run_contacts_random, wedge_wedge_random, wedge, wedge);
BENCHMARK_CAPTURE(run_contacts, drum_box_tilt_0, brick, drum, overhanging, 0.0);
BENCHMARK_CAPTURE(run_contacts, drum_box_tilt_1e9, brick, drum, overhanging, 1e-9);
BENCHMARK_CAPTURE(run_contacts, drum_box_tilt_1e3, brick, drum, overhanging, 1e-3);
BENCHMARK_CAPTURE(run_contacts, drum_box_lying_tilt_0, brick, drum, lying, 0.0);
BENCHMARK_CAPTURE(run_contacts, drum_box_lying_tilt_1e9, brick, drum, lying, 1e-9);
BENCHMARK_CAPTURE(run_contacts_random, drum_box_random, brick, drum);

}  // namespace
}  // namespace stiction
