#include "stiction/geometry/shape/polytope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace stiction {
namespace {

/// Outward planes of the hull's triangles, or nothing if Qhull finds the points flat.
struct Triangle {
  Vec3 normal;
  double offset;
  std::array<int, 3> vertices;
};

std::vector<Triangle> calc_hull_triangles(std::vector<Vec3>& points) {
  std::vector<Triangle> triangles;
  qhT context;
  qhT* qh = &context;
  qh_zero(qh, nullptr);
  char command[] = "qhull Qt Pp";
  std::FILE* nowhere = std::fopen("/dev/null", "w");
  const int fault =
      qh_new_qhull(qh, 3, static_cast<int>(points.size()), points[0].data(), False, command, nowhere, nowhere);
  if (fault == 0) {
    facetT* facet;
    FORALLfacets {
      Triangle t{Vec3(facet->normal[0], facet->normal[1], facet->normal[2]), -facet->offset, {}};
      int corner = 0;
      vertexT *vertex, **vertexp;
      FOREACHvertex_(facet->vertices) {
        if (corner < 3) t.vertices[static_cast<std::size_t>(corner++)] = qh_pointid(qh, vertex->point);
      }
      triangles.push_back(t);
    }
  }
  qh_freeqhull(qh, !qh_ALL);
  int current = 0, total = 0;
  qh_memfreeshort(qh, &current, &total);
  if (nowhere) std::fclose(nowhere);
  return triangles;
}

/// Corners in the order of their angle about the normal.
void sort_around(const std::vector<Vec3>& vertices, PolytopeFace& face) {
  Vec3 centre = Vec3::Zero();
  for (int i : face.vertices) centre += vertices[static_cast<std::size_t>(i)];
  centre /= static_cast<double>(face.vertices.size());
  const Vec3 s = (vertices[static_cast<std::size_t>(face.vertices[0])] - centre).normalized(), t = face.normal.cross(s);
  const auto angle = [&](int i) {
    const Vec3 r = vertices[static_cast<std::size_t>(i)] - centre;
    const double a = std::atan2(t.dot(r), s.dot(r));
    return a < -1e-9 ? a + 2 * M_PI : a;
  };
  std::sort(face.vertices.begin(), face.vertices.end(), [&](int i, int j) { return angle(i) < angle(j); });
}

/// The faces' planes anew from their corners (Newell), more exact than the triangles' where corners are many.
void refit_plane(const std::vector<Vec3>& vertices, PolytopeFace& face) {
  const std::size_t n = face.vertices.size();
  const Vec3 origin = vertices[static_cast<std::size_t>(face.vertices[0])];
  Vec3 area = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < n; ++k) {
    area += (vertices[static_cast<std::size_t>(face.vertices[k])] - origin)
                .cross(vertices[static_cast<std::size_t>(face.vertices[k + 1])] - origin);
  }
  face.normal = area.normalized();
  face.offset = -HUGE_VAL;
  for (int i : face.vertices)
    face.offset = std::max(face.offset, face.normal.dot(vertices[static_cast<std::size_t>(i)]));
}

void join_edges(Polytope& polytope) {
  std::map<std::pair<int, int>, int> directed;
  for (std::size_t f = 0; f < polytope.faces.size(); ++f) {
    const std::vector<int>& corners = polytope.faces[f].vertices;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      directed[{corners[k], corners[(k + 1) % corners.size()]}] = static_cast<int>(f);
    }
  }
  polytope.neighbours.resize(polytope.vertices.size());
  for (const auto& [ends, left] : directed) {
    const auto [start, end] = ends;
    if (start > end) continue;
    const auto right = directed.find({end, start});
    if (right == directed.end()) continue;
    polytope.edges.push_back({start, end, left, right->second});
    polytope.neighbours[static_cast<std::size_t>(start)].push_back(end);
    polytope.neighbours[static_cast<std::size_t>(end)].push_back(start);
  }
}

}  // namespace

std::variant<Polytope, std::string> make_polytope(const std::vector<Vec3>& points) {
  if (points.size() < 4) return fmt::format("a solid hull needs at least 4 points, got {}", points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) return fmt::format("point {} is not finite", i + 1);
  }
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3& p : points) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
  const Vec3 middle = 0.5 * (lower + upper);
  const double extent = (upper - lower).norm();
  if (!(extent > 0)) return std::string("all points are the same");
  // Qhull works on points of unit size about the origin, so that its tolerances fit any scale.
  std::vector<Vec3> scaled;
  for (const Vec3& p : points) scaled.push_back((p - middle) / extent);
  const std::vector<Triangle> triangles = calc_hull_triangles(scaled);
  if (triangles.empty()) return std::string("the points lie in one plane or on one line: their hull has no inside");

  // Merge coplanar triangles: normals within 1e-9.
  Polytope result;
  std::vector<Triangle> planes;
  std::vector<std::vector<int>> corners;
  for (const Triangle& t : triangles) {
    std::size_t k = 0;
    while (k < planes.size() &&
           !((planes[k].normal - t.normal).norm() < 1e-9 && std::abs(planes[k].offset - t.offset) < 1e-9))
      ++k;
    if (k == planes.size()) planes.push_back(t), corners.emplace_back();
    for (int v : t.vertices) {
      if (std::find(corners[k].begin(), corners[k].end(), v) == corners[k].end()) corners[k].push_back(v);
    }
  }
  double thickness = HUGE_VAL;
  for (const Triangle& t : planes) {
    double depth = 0;
    for (const Vec3& p : scaled) depth = std::max(depth, t.offset - t.normal.dot(p));
    thickness = std::min(thickness, depth);
  }
  if (thickness < 1e-9) return std::string("the points lie in one plane: their hull has no inside");

  // Keep the order of the points for the vertices; order the faces by their corners.
  std::vector<int> used(points.size(), 0), number(points.size(), -1);
  for (const auto& list : corners) {
    for (int v : list) used[static_cast<std::size_t>(v)] = 1;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!used[i]) continue;
    number[i] = static_cast<int>(result.vertices.size());
    result.vertices.push_back(points[i]);
  }
  for (std::size_t k = 0; k < planes.size(); ++k) {
    PolytopeFace face{planes[k].normal, 0, {}};
    for (int v : corners[k]) face.vertices.push_back(number[static_cast<std::size_t>(v)]);
    std::sort(face.vertices.begin(), face.vertices.end());
    sort_around(result.vertices, face);
    refit_plane(result.vertices, face);
    result.faces.push_back(std::move(face));
  }
  std::sort(result.faces.begin(), result.faces.end(),
            [](const PolytopeFace& a, const PolytopeFace& b) { return a.vertices < b.vertices; });
  join_edges(result);
  if (result.vertices.size() + result.faces.size() != result.edges.size() + 2) {
    return std::string(
        "the points give no clean hull: many of them lie almost in one plane; remove those that are no corners");
  }
  return result;
}

}  // namespace stiction
