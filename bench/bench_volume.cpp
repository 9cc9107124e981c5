/// Interference regions: closed forms, clipping, chords at 1e-6, and the octree at an accuracy it can reach.
#include <benchmark/benchmark.h>

#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/volume/interference.h"
#include "stiction/math/rotation.h"

namespace {

using namespace stiction;

Transform at(double x, double y, double z) {
  return {Mat3::Identity(), Vec3(x, y, z)};
}
Transform turned(const Vec3& rotation, const Vec3& place) {
  return {calc_matrix(calc_exponential(rotation)), place};
}

/// A block with a groove along x, a cylinder of radius 0.8 whose axis lies 0.2 above its top.
Shape make_groove() {
  std::vector<Quadric> surfaces = calc_constraints(Box{Vec3(6, 4, 2)});
  const Quadric side = calc_constraints(Cylinder{0.8, 1, Vec3::UnitX()})[0];
  surfaces.push_back(calc_complement(calc_transformed(side, at(0, 0, 1.2))));
  return std::get<Cell>(make_cell(surfaces));
}

void measure(benchmark::State& state, const Shape& A, const Transform& X_A, const Shape& B, const Transform& X_B,
             double accuracy = 1e-6) {
  RegionOptions options;
  options.accuracy = accuracy;
  for (auto _ : state) benchmark::DoNotOptimize(calc_interference(A, X_A, B, X_B, options));
}

void bench_volume_sphere_half_space(benchmark::State& state) {
  measure(state, Sphere{1}, at(0, 0, 0.9), HalfSpace{}, {});
}
void bench_volume_cylinder_half_space(benchmark::State& state) {
  measure(state, Cylinder{0.5, 1}, turned(Vec3(0.3, 0, 0), Vec3(0, 0, 0.5)), HalfSpace{}, {});
}
void bench_volume_capsule_half_space(benchmark::State& state) {
  measure(state, Capsule{0.5, 1}, turned(Vec3(0.3, 0, 0), Vec3(0, 0, 0.5)), HalfSpace{}, {});
}
void bench_volume_box_half_space(benchmark::State& state) {
  measure(state, Box{Vec3(1, 2, 3)}, turned(Vec3(0.3, 0.2, 0), Vec3(0, 0, 1.4)), HalfSpace{}, {});
}
void bench_volume_box_box(benchmark::State& state) {
  measure(state, Box{Vec3(1, 1, 1)}, turned(Vec3(0.3, 0.5, 0.1), Vec3(0.3, 0.2, 0.6)), Box{Vec3(1, 2, 1)}, {});
}
void bench_volume_ball_in_groove(benchmark::State& state) {
  measure(state, make_groove(), {}, Sphere{0.7}, at(0.3, 0, 1.09), 1 / static_cast<double>(state.range(0)));
}
void bench_volume_ball_in_bore(benchmark::State& state) {
  measure(state, HollowCylinder{1.2, Vec3::UnitX()}, {}, Sphere{1}, at(0, 0, -0.21));
}
void bench_volume_sphere_on_box_edge(benchmark::State& state) {
  measure(state, Sphere{0.5}, at(1.1, 0.2, 1.4), Box{Vec3(2, 2, 2)}, {});
}
void bench_volume_ellipsoids(benchmark::State& state) {
  measure(state, Ellipsoid{Vec3(1, 1.5, 2)}, {}, Ellipsoid{Vec3(0.5, 1, 0.7)},
          turned(Vec3(0.3, 0.5, 0.1), Vec3(1.3, 0.2, 0.4)));
}
void bench_volume_superquadric_half_space(benchmark::State& state) {
  measure(state, Superquadric{Vec3(1, 0.8, 1.2), 0.5, 0.7}, turned(Vec3(0.3, 0.5, 0.1), Vec3(0, 0, 1)), HalfSpace{}, {},
          1e-4);
}
/// The octree halves its width for twice the cells: its time at 1e-6 is this one's times width/1e-6 (counter `width`).
void bench_volume_octree_ball_in_groove(benchmark::State& state) {
  const Shape groove = make_groove();
  double width = 0;
  for (auto _ : state) {
    const VolumeBounds bounds =
        calc_interference_bounds(groove, {}, Sphere{0.7}, at(0.3, 0, 1.09), 1e-9, state.range(0));
    width = (bounds.upper - bounds.lower) / bounds.upper;
  }
  state.counters["width"] = width;
}

BENCHMARK(bench_volume_sphere_half_space);
BENCHMARK(bench_volume_cylinder_half_space);
BENCHMARK(bench_volume_capsule_half_space);
BENCHMARK(bench_volume_box_half_space);
BENCHMARK(bench_volume_box_box);
BENCHMARK(bench_volume_ball_in_groove)->Arg(10000)->Arg(1000000)->Arg(100000000)->Unit(benchmark::kMicrosecond);
BENCHMARK(bench_volume_ball_in_bore)->Unit(benchmark::kMicrosecond);
BENCHMARK(bench_volume_sphere_on_box_edge)->Unit(benchmark::kMicrosecond);
BENCHMARK(bench_volume_ellipsoids)->Unit(benchmark::kMicrosecond);
BENCHMARK(bench_volume_superquadric_half_space)->Unit(benchmark::kMillisecond);
BENCHMARK(bench_volume_octree_ball_in_groove)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMillisecond);

}  // namespace
