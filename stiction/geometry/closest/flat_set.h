#pragma once

#include <array>

#include "stiction/math/vector.h"

namespace stiction {

/// Points that lie in a plane across a direction n to within a tolerance: a corner, the ends of an edge, the corners
/// of a face. Stands for their convex hull.
struct FlatSet {
  static constexpr int kMostPoints = 64;
  std::array<Vec3, kMostPoints> points;
  int count = 0;

  void add(const Vec3& point) {
    if (count < kMostPoints) points[static_cast<std::size_t>(count++)] = point;
  }
  const Vec3& at(int i) const { return points[static_cast<std::size_t>(i)]; }
  /// Sides: none of a point, one of a segment, as many as corners of a polygon.
  int count_sides() const { return count > 2 ? count : count - 1; }
  const Vec3& end_of(int side) const { return at((side + 1) % count); }
};

/// The corners of a polygon counter-clockwise about n.
void sort_corners(const Vec3& n, FlatSet& set);

/// A point of each of two flat sets across n.
struct FlatPair {
  Vec3 x = Vec3::Zero(), y = Vec3::Zero();
  double apart = 0;  ///< their distance across n; 0 where the sets have a common point seen along n [m]
};
/// Points of a and b, polygons sorted about n, that are nearest to each other seen along n. Two convex sets of a plane
/// that have a common point have a corner of one in the other or sides that cross; those apart have a corner of one
/// nearest to the other: all of these are looked at, the first with apart = 0 is taken.
FlatPair find_common(const FlatSet& a, const FlatSet& b, const Vec3& n);

}  // namespace stiction
