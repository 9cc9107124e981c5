#include "stiction/contact/contensou_polygon.h"

#include <array>
#include <cmath>

namespace stiction {
namespace {

/// In sizes of the patch. (2) loses (c/size)^4 to rounding; the rule's error is (size/c)^5.
constexpr double far_centre = 30;

struct FanSums {
  double x = 0, y = 0, moment = 0;  ///< int p e_phi, int p r
};

/// (2) and (3) of one edge, for the centre (cx, cy).
void add_fan(const PlateEdge& edge, double cx, double cy, FanSums& sums) {
  const double ax = edge.ax - cx, ay = edge.ay - cy, dx = edge.bx - edge.ax, dy = edge.by - edge.ay;
  const double length = std::sqrt(dx * dx + dy * dy);
  if (!(length > 0)) return;
  const double tx = dx / length, ty = dy / length, mx = ty, my = -tx;
  const double h = ax * mx + ay * my, from = ax * tx + ay * ty, to = from + length;
  if (h == 0) return;
  const double p = edge.p + edge.gx * cx + edge.gy * cy, g_m = edge.gx * mx + edge.gy * my,
               g_t = edge.gx * tx + edge.gy * ty;
  const double R0 = std::sqrt(h * h + from * from), R1 = std::sqrt(h * h + to * to);
  const double log = std::asinh(to / std::abs(h)) - std::asinh(from / std::abs(h));
  const double i0 = log, i1 = R1 - R0, i2 = 0.5 * (to * R1 - from * R0 - h * h * log);
  const double j0 = 0.5 * (to * R1 - from * R0 + h * h * log), j1 = (R1 * R1 * R1 - R0 * R0 * R0) / 3;
  const double alpha = 0.5 * p + g_m * h / 3, beta = g_t / 3;
  const double along = h * h * (alpha * i0 + beta * i1), across = h * (alpha * i1 + beta * i2);
  sums.x += along * tx - across * mx;
  sums.y += along * ty - across * my;
  sums.moment += h * ((p / 3 + 0.25 * g_m * h) * j0 + 0.25 * g_t * j1);
}

/// The rule of Radon for the triangle (0, a, b), of degree 5: barycentric coordinates of a and b, weight.
struct TriangleNode {
  double a, b, weight;
};
constexpr double low = 0.1012865073234563, low_weight = 0.1259391805448271, high = 0.4701420641051151,
                 high_weight = 0.1323941527885062;
constexpr std::array<TriangleNode, 7> radon_7{{{1.0 / 3, 1.0 / 3, 0.225},
                                               {low, low, low_weight},
                                               {1 - 2 * low, low, low_weight},
                                               {low, 1 - 2 * low, low_weight},
                                               {high, high, high_weight},
                                               {1 - 2 * high, high, high_weight},
                                               {high, 1 - 2 * high, high_weight}}};

/// (1) of one edge where the direction of slip hardly changes: x, y and moment of p (v + w x rho)/|v + w x rho|.
void add_smooth(const PlateEdge& edge, double vx, double vy, double w, FanSums& sums) {
  const double area = 0.5 * (edge.ax * edge.by - edge.ay * edge.bx);
  for (const TriangleNode& node : radon_7) {
    const double x = node.a * edge.ax + node.b * edge.bx, y = node.a * edge.ay + node.b * edge.by;
    const double sx = vx - w * y, sy = vy + w * x;
    const double load = area * node.weight * (edge.p + edge.gx * x + edge.gy * y) / std::sqrt(sx * sx + sy * sy);
    sums.x += load * sx;
    sums.y += load * sy;
    sums.moment += load * (x * sy - y * sx);
  }
}

}  // namespace

PolygonFriction calc_polygon_friction(const PlatePressure& plate, const Vec3& v, double w) {
  const double vx = plate.u.dot(v), vy = plate.w.dot(v), speed = std::sqrt(vx * vx + vy * vy);
  FanSums sums;
  double sign = 1 / plate.volume;
  if (speed > far_centre * plate.size * std::abs(w)) {
    for (const PlateEdge& edge : plate.edges) add_smooth(edge, vx, vy, w, sums);
  } else {
    const double cx = -vy / w, cy = vx / w;
    for (const PlateEdge& edge : plate.edges) add_fan(edge, cx, cy, sums);
    // About the centroid, the origin of the plate.
    sums.moment += cx * sums.y - cy * sums.x;
    sign = std::copysign(sign, w);
  }
  return {sign * (sums.x * plate.u + sums.y * plate.w), sign * sums.moment / plate.gyration};
}

}  // namespace stiction
