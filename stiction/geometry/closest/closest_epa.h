#pragma once

#include <array>

#include "stiction/geometry/closest/closest_gjk.h"

namespace stiction {

/// Depth of two overlapping cores by expanding a polytope inside M = A - B (van den Bergen, GDC 2001): the face nearest
/// to the origin is pushed out to the support point of its normal n until
///     h_M(n) - offset <= tolerance                                                                        (1)
/// The smallest offset is a lower bound of the depth min h_M, over all directions; h_M(n) an upper one.
/// DEPARTURES: the first polytope is any large tetrahedron of support points; the origin may lie outside it, or on or
/// just outside M: the face of smallest signed offset is taken all the same, so that touching cores have a normal.
/// Where several faces lie in the nearest plane, the one that holds the foot of the origin. No allocation: at most 512
/// faces.
class PolytopeExpansion {
 public:
  PolytopeExpansion(const CoreBody& A, const CoreBody& B);
  /// Expand until (1) or the room or the precision is used up. Call again with a smaller tolerance to go on.
  GlobalSolution expand(double tolerance);

 private:
  /// Without initial values: most of the room is never used. add_face sets all.
  struct Face {
    std::array<int, 3> vertex, neighbour;  ///< neighbour[i] across the edge vertex[i] - vertex[i+1]
    Vec3 normal;
    double offset;
    bool alive, frozen;
    bool settled;  ///< (1) holds for it, but the foot of the origin is outside it
  };
  bool start();
  int add_face(int a, int b, int c);
  int find_nearest() const;
  bool add_point(int face, const DifferencePoint& point);
  void collect_horizon(int face, int edge, const Vec3& point);
  GlobalSolution make_solution(int face, double height) const;
  GlobalSolution find_foot(double tolerance);
  /// No gap is larger: over all faces, those that were given up among them.
  double calc_bound() const;

  const CoreBody& A_;
  const CoreBody& B_;
  double size_;
  std::array<DifferencePoint, 258> points_;
  std::array<Face, 512> faces_;
  int point_count_ = 0, face_count_ = 0;
  std::array<std::array<int, 2>, 512> horizon_;  ///< face beyond the edge, its edge
  std::array<int, 512> visible_;
  int horizon_count_ = 0, visible_count_ = 0, iterations_ = 0;
  bool started_ = false;
};

}  // namespace stiction
