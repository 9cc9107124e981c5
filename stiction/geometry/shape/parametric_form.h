#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// The formulas of a surface: x, y, z [m] of the parameters u and v, each from a lower to an upper limit.
struct ParametricForm {
  std::string x, y, z;
  Eigen::Vector2d u = Eigen::Vector2d::Zero(), v = Eigen::Vector2d::Zero();
  std::vector<std::pair<std::string, double>> constants;  ///< that the formulas name
};

/// A parametric surface from such formulas over a rectangle of parameters, with exact derivatives
/// (math/formula_jet.h). The surface must be closed - opposite sides of the rectangle meet, or a side is one point, a
/// pole - smooth and strictly convex, as ParametricSurface asks: its closest points are by Newton's method on (u, v)
/// (shape/parametric.h). Closed, regular, of positive curvature and of the total curvature 4 pi, it is the boundary of
/// a convex body (Hadamard's theorem). Which side is outside does not matter.
/// At a pole the tangents are not independent. Within 1e-8 of the range of a pole the patch is that of coordinates in
/// its tangent plane; its curvature is that of three meridians there, and off by 1e-8 of itself, which concerns only
/// the rate of Newton's method. Points and normals are exact.
/// ASSUMES that what holds at 64 x 32 points holds between them.
/// Returns the shape, or what is wrong with the form, and where.
std::variant<Parametric, std::string> make_parametric(const ParametricForm& form);

/// The formulas of a surface that make_parametric has made; null for another's.
const ParametricForm* find_form(const ParametricSurface& surface);

}  // namespace stiction
