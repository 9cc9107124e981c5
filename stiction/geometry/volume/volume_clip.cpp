#include "stiction/geometry/volume/volume_clip.h"

#include <cmath>
#include <utility>

namespace stiction {
namespace {

/// A new corner on the edge from an inner corner to an outer one, and its successor on the rim of the cut.
struct Crossing {
  int inside = 0, outside = 0, corner = 0, next = -1;
};

template <class Crossings>
int find_crossing(const Crossings& crossings, int inside, int outside) {
  for (int i = 0; i < static_cast<int>(crossings.size()); ++i)
    if (crossings[i].inside == inside && crossings[i].outside == outside) return i;
  return -1;
}

}  // namespace

template <class Storage>
void ClipSolid<Storage>::cut(const Vec3& normal, double offset, bool of_b) {
  typename Storage::template Corners<double> heights;
  bool any_outside = false, any_inside = false;
  for (const Vec3& corner : corners) {
    heights.push_back(normal.dot(corner) - offset);
    (heights[heights.size() - 1] > 0 ? any_outside : any_inside) = true;
  }
  if (!any_outside) return;
  if (!any_inside) {
    faces.clear();
    return;
  }
  typename Storage::template Corners<Crossing> crossings;
  const auto touch = [&](int inside, int outside) {
    int i = find_crossing(crossings, inside, outside);
    if (i >= 0) return i;
    // The point of the edge at height 0, always from the inner corner: the same for both faces.
    const double t = heights[inside] / (heights[inside] - heights[outside]);
    corners.push_back(corners[inside] + t * (corners[outside] - corners[inside]));
    i = static_cast<int>(crossings.size());
    crossings.push_back({inside, outside, static_cast<int>(corners.size()) - 1, -1});
    return i;
  };
  typename Storage::template Faces<Face> kept;
  for (const Face& face : faces) {
    Face clipped;
    clipped.of_b = face.of_b;
    int exit = -1, first_entry = -1;
    const int n = static_cast<int>(face.loop.size());
    for (int k = 0; k < n; ++k) {
      const int from = face.loop[k], to = face.loop[k + 1 < n ? k + 1 : 0];
      const bool from_out = heights[from] > 0, to_out = heights[to] > 0;
      if (!from_out) clipped.loop.push_back(from);
      if (from_out == to_out) continue;
      const int i = from_out ? touch(to, from) : touch(from, to);
      clipped.loop.push_back(crossings[i].corner);
      // The face runs from exit to entry along the cut; the new face runs the other way.
      if (!from_out) {
        exit = i;
      } else if (exit >= 0) {
        crossings[i].next = exit;
        exit = -1;
      } else {
        first_entry = i;
      }
    }
    if (exit >= 0 && first_entry >= 0) crossings[first_entry].next = exit;
    if (clipped.loop.size() >= 3) kept.push_back(clipped);
  }
  // Close the solid along the rim.
  for (Crossing& start : crossings) {
    if (start.next < 0) continue;
    Face rim;
    rim.of_b = of_b;
    Crossing* crossing = &start;
    while (crossing->next >= 0) {
      rim.loop.push_back(crossing->corner);
      crossing = &crossings[std::exchange(crossing->next, -1)];
    }
    if (rim.loop.size() >= 3) kept.push_back(rim);
  }
  // Drop the corners outside.
  typename Storage::template Corners<int> number;
  typename Storage::template Corners<Vec3> remaining;
  for (int i = 0; i < static_cast<int>(corners.size()); ++i) {
    const bool stays = i >= static_cast<int>(heights.size()) || heights[i] <= 0;
    number.push_back(stays ? static_cast<int>(remaining.size()) : -1);
    if (stays) remaining.push_back(corners[i]);
  }
  for (Face& face : kept)
    for (int& corner : face.loop) corner = number[corner];
  corners = std::move(remaining);
  faces = std::move(kept);
}

template <class Storage>
LocalSums ClipSolid<Storage>::calc_sums() const {
  LocalSums result;
  if (empty()) return result;
  // From the mean of the corners every tetrahedron is positive: nothing cancels.
  Vec3 mean = Vec3::Zero();
  for (const Vec3& corner : corners) mean += corner - corners[0];
  result.origin = corners[0] + mean / static_cast<double>(corners.size());
  double six_volumes = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const Face& face : faces) {
    const Vec3 a = corners[face.loop[0]] - result.origin;
    for (int k = 1; k + 1 < static_cast<int>(face.loop.size()); ++k) {
      const Vec3 b = corners[face.loop[k]] - result.origin, c = corners[face.loop[k + 1]] - result.origin;
      const Vec3 twice_area = (b - a).cross(c - a), sum = a + b + c;
      // Tetrahedron (0, a, b, c) of volume d/6: int x = d/24 sum, int x x' = d/120 (aa' + bb' + cc' + sum sum').
      const double d = a.dot(twice_area);
      six_volumes += d;
      first += d * sum;
      second += d * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
      if (face.of_b) add_surface(result.sums, sum / 3, 0.5 * twice_area);
    }
  }
  const RegionSums surface = result.sums;
  result.sums = make_sums(six_volumes / 6, first / 24, second / 120) + surface;
  return result;
}

template struct ClipSolid<BoxClipStorage>;
template struct ClipSolid<SmallClipStorage>;
template struct ClipSolid<FreeClipStorage>;

BoxClipSolid make_clip_box(const Vec3& size) {
  BoxClipSolid solid;
  const Vec3 h = 0.5 * size;
  for (int i = 0; i < 8; ++i)
    solid.corners.push_back(Vec3(i & 1 ? h.x() : -h.x(), i & 2 ? h.y() : -h.y(), i & 4 ? h.z() : -h.z()));
  constexpr int loops[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& loop : loops) {
    BoxClipSolid::Face face;
    for (int corner : loop) face.loop.push_back(corner);
    solid.faces.push_back(face);
  }
  return solid;
}

}  // namespace stiction
