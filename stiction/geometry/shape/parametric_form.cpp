#include "stiction/geometry/shape/parametric_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "stiction/geometry/shape/parametric.h"
#include "stiction/math/formula_jet.h"

namespace stiction {
namespace {

constexpr int samples_u = 64, samples_v = 32;
/// Of the size, by which opposite sides of the rectangle may miss each other: pi in a scene has 15 digits.
constexpr double closed_part = 1e-9;
/// Least curvature times size. Flatter places move contact points by 1e6 times what the body turns.
constexpr double least_curvature = 1e-6;
constexpr double pole_part = 1e-8;  ///< of the range: parametric_form.h
/// Angle to a pole's normal below which the start is by the curvature there. Off by its square: from half of it to
/// double Newton's method needs the same two steps.
constexpr double near_pole = 1e-4;

std::string format_place(const Eigen::Vector2d& at) {
  return fmt::format("u = {:.6g}, v = {:.6g}", at.x(), at.y());
}

/// Where one parameter has no effect.
struct Pole {
  bool of_v = false;  ///< v = at; else u = at
  double at = 0;
  double inward = 1;  ///< sign in which that parameter leaves it
  Vec3 point = Vec3::Zero();
  Vec3 a = Vec3::Zero(), b = Vec3::Zero(), normal = Vec3::Zero();  ///< tangents and outward normal, orthonormal
  Eigen::Matrix2d second = Eigen::Matrix2d::Zero();                ///< fundamental form in a and b: negative definite
};

}  // namespace

class FormulaSurface final : public ParametricSurface {
 public:
  FormulaSurface(std::array<FormulaJet, 3> coordinates, const ParametricForm& form)
      : coordinates_(std::move(coordinates)), form_(form) {}

  Patch calc_patch(double u, double v) const override {
    for (const Pole& pole : poles_) {
      const double length = pole.of_v ? length_v() : length_u();
      if (std::abs((pole.of_v ? v : u) - pole.at) <= pole_part * length) return calc_polar_patch(pole, u, v);
    }
    return calc_regular_patch(u, v);
  }
  Eigen::Vector2d calc_parameters(const Vec3& normal) const override {
    for (const Pole& pole : poles_) {
      if ((normal - pole.normal).norm() < near_pole) return calc_near_pole(pole, normal);
    }
    const auto found = std::max_element(starts_.begin(), starts_.end(), [&](const Start& a, const Start& b) {
      return a.normal.dot(normal) < b.normal.dot(normal);
    });
    return found->parameters;
  }
  double bounding_radius() const override { return radius_; }

  const ParametricForm& form() const { return form_; }

  /// What is wrong, or nothing: then everything is known that the functions above need.
  std::optional<std::string> prepare();

 private:
  struct Start {
    Vec3 normal;
    Eigen::Vector2d parameters;
  };

  double length_u() const { return form_.u[1] - form_.u[0]; }
  double length_v() const { return form_.v[1] - form_.v[0]; }
  Patch calc_regular_patch(double u, double v) const {
    const Jet x = coordinates_[0].evaluate(u, v), y = coordinates_[1].evaluate(u, v);
    const Jet z = coordinates_[2].evaluate(u, v);
    return {{x.value, y.value, z.value}, {x.u, y.u, z.u},    {x.v, y.v, z.v},
            {x.uu, y.uu, z.uu},          {x.uv, y.uv, z.uv}, {x.vv, y.vv, z.vv}};
  }
  Vec3 calc_point(double u, double v) const { return calc_regular_patch(u, v).point; }
  /// At a parameter around the pole, `along` the other.
  Patch calc_around(const Pole& pole, double around, double along) const {
    return pole.of_v ? calc_regular_patch(around, along) : calc_regular_patch(along, around);
  }
  Patch calc_polar_patch(const Pole& pole, double u, double v) const;
  Eigen::Vector2d calc_near_pole(const Pole& pole, const Vec3& normal) const;
  /// The middle of a cell of the grid.
  Eigen::Vector2d calc_middle(int i, int j) const {
    return {form_.u[0] + length_u() * (i + 0.5) / samples_u, form_.v[0] + length_v() * (j + 0.5) / samples_v};
  }

  std::optional<std::string> measure();
  std::optional<std::string> check_sides();
  std::optional<std::string> check_pair(bool of_v);
  std::optional<std::string> add_pole(bool of_v, double at);
  std::optional<std::string> check_cells();

  std::array<FormulaJet, 3> coordinates_;
  ParametricForm form_;
  double size_ = 0, radius_ = 0;
  std::vector<Pole> poles_;
  std::vector<Start> starts_;
};

std::optional<std::string> FormulaSurface::prepare() {
  if (auto fault = measure()) return fault;
  if (auto fault = check_sides()) return fault;
  return check_cells();
}

/// Everything finite, and how large it is.
std::optional<std::string> FormulaSurface::measure() {
  Vec3 lower = Vec3::Constant(1e300), upper = -lower;
  double far = 0, apart = 0;
  std::vector<Vec3> before(samples_v + 1);
  for (int i = 0; i <= samples_u; ++i) {
    for (int j = 0; j <= samples_v; ++j) {
      const Eigen::Vector2d at(form_.u[0] + length_u() * i / samples_u, form_.v[0] + length_v() * j / samples_v);
      const Vec3 point = calc_point(at.x(), at.y());
      if (!point.allFinite()) return fmt::format("the surface is not finite at {}", format_place(at));
      lower = lower.cwiseMin(point), upper = upper.cwiseMax(point);
      far = std::max(far, point.norm());
      if (i > 0) apart = std::max(apart, (point - before[static_cast<std::size_t>(j)]).norm());
      if (j > 0) apart = std::max(apart, (point - before[static_cast<std::size_t>(j - 1)]).norm());
      before[static_cast<std::size_t>(j)] = point;
    }
  }
  size_ = 0.5 * (upper - lower).norm();
  if (!(size_ > 0)) return "the surface is a single point";
  radius_ = far + 2 * apart;  // no point is farther from a sample than the diagonal of a cell
  return {};
}

std::optional<std::string> FormulaSurface::check_sides() {
  if (auto fault = check_pair(false)) return fault;
  return check_pair(true);
}

/// The two sides on which one parameter has its limits: they meet point by point, or each is a pole.
std::optional<std::string> FormulaSurface::check_pair(bool of_v) {
  const int count = of_v ? samples_u : samples_v;
  const Eigen::Vector2d& ends = of_v ? form_.v : form_.u;
  const auto calc = [&](double end, double share) {
    return of_v ? calc_point(form_.u[0] + length_u() * share, end) : calc_point(end, form_.v[0] + length_v() * share);
  };
  bool meet = true;
  std::array<bool, 2> is_pole{true, true};
  for (int i = 0; i <= count; ++i) {
    const double share = static_cast<double>(i) / count;
    meet = meet && (calc(ends[0], share) - calc(ends[1], share)).norm() <= closed_part * size_;
    for (std::size_t k = 0; k < 2; ++k)
      is_pole[k] = is_pole[k] && (calc(ends[k], share) - calc(ends[k], 0)).norm() <= closed_part * size_;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    if (is_pole[k]) {
      if (auto fault = add_pole(of_v, ends[static_cast<Eigen::Index>(k)])) return fault;
    } else if (!meet) {
      return fmt::format("the surface is not closed at {} = {:.6g}", of_v ? "v" : "u",
                         ends[static_cast<Eigen::Index>(k)]);
    }
  }
  return {};
}

/// Curvature from three meridians: s''n = II(s', s') for each.
std::optional<std::string> FormulaSurface::add_pole(bool of_v, double at) {
  Pole pole{.of_v = of_v, .at = at};
  const Eigen::Vector2d &range = of_v ? form_.u : form_.v, &own = of_v ? form_.v : form_.u;
  pole.inward = at == own[0] ? 1 : -1;
  std::array<Vec3, 3> tangent, bend;
  for (std::size_t i = 0; i < 3; ++i) {
    const Patch patch = calc_around(pole, range[0] + (range[1] - range[0]) * static_cast<double>(i) / 3, at);
    tangent[i] = of_v ? patch.dv : patch.du;
    bend[i] = of_v ? patch.dvv : patch.duu;
    pole.point = patch.point;
  }
  const Vec3 across = tangent[0].cross(tangent[1]);
  const std::string place = fmt::format("the pole {} = {:.6g}", of_v ? "v" : "u", at);
  const double scale = tangent[0].norm() * tangent[1].norm();
  if (!(across.norm() > 1e-9 * scale) || !(std::abs(across.dot(tangent[2])) <= 1e-6 * scale * tangent[2].norm()))
    return fmt::format("the surface is not smooth at {}", place);
  pole.normal = across.normalized(), pole.a = tangent[0].normalized();
  Mat3 K;
  Vec3 r;
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = tangent[i].dot(pole.a), y = tangent[i].dot(pole.normal.cross(pole.a));
    K.row(static_cast<Eigen::Index>(i)) << x * x, 2 * x * y, y * y;
    r[static_cast<Eigen::Index>(i)] = bend[i].dot(pole.normal);
  }
  const Vec3 form = K.inverse() * r;
  if (!form.allFinite()) return fmt::format("the surface is not smooth at {}", place);
  if (!(form[0] * form[2] - form[1] * form[1] > std::pow(least_curvature / size_, 2)))
    return fmt::format("the surface is not strictly convex at {}", place);
  pole.b = pole.normal.cross(pole.a);
  pole.second << form[0], form[1], form[1], form[2];
  if (form[0] > 0) pole.normal = -pole.normal, pole.second = -pole.second;
  poles_.push_back(pole);
  return {};
}

/// In the coordinates of a and b: s = x_a a + x_b b + II(x, x) n / 2.
FormulaSurface::Patch FormulaSurface::calc_polar_patch(const Pole& pole, double u, double v) const {
  const Vec3 point = calc_point(u, v), from = point - pole.point;
  const Eigen::Vector2d slope = pole.second * Eigen::Vector2d(from.dot(pole.a), from.dot(pole.b));
  return {point,
          pole.a + slope[0] * pole.normal,
          pole.b + slope[1] * pole.normal,
          pole.second(0, 0) * pole.normal,
          pole.second(0, 1) * pole.normal,
          pole.second(1, 1) * pole.normal};
}

/// dn = -II dx: how far away, and on which meridian.
Eigen::Vector2d FormulaSurface::calc_near_pole(const Pole& pole, const Vec3& normal) const {
  const Eigen::Vector2d tilt(normal.dot(pole.a), normal.dot(pole.b)), x = -pole.second.inverse() * tilt;
  const Vec3 way = x[0] * pole.a + x[1] * pole.b;
  const Eigen::Vector2d& range = pole.of_v ? form_.u : form_.v;
  const auto tangent = [&](const Patch& patch) { return Vec3(pole.inward * (pole.of_v ? patch.dv : patch.du)); };
  double around = range[0], best = -1e300;
  for (int i = 0; i < samples_u; ++i) {
    const double trial = range[0] + (range[1] - range[0]) * i / samples_u;
    const double along = tangent(calc_around(pole, trial, pole.at)).normalized().dot(way);
    if (along > best) best = along, around = trial;
  }
  constexpr int newton_steps = 6;  // from 1/128 of a turn to rounding
  Vec3 t;
  for (int k = 0; k < newton_steps; ++k) {
    const Patch patch = calc_around(pole, around, pole.at);
    t = tangent(patch);
    const double slope = pole.inward * patch.duv.cross(way).dot(pole.normal);
    if (slope != 0) around -= t.cross(way).dot(pole.normal) / slope;
  }
  const double along = pole.at + pole.inward * way.norm() / t.norm();
  return pole.of_v ? Eigen::Vector2d(around, along) : Eigen::Vector2d(along, around);
}

/// In the middle of every cell: regular, strictly convex, outside all on one side; all normals once.
std::optional<std::string> FormulaSurface::check_cells() {
  starts_.clear();
  double volume = 0, total_curvature = 0;
  const double cell = length_u() / samples_u * length_v() / samples_v;
  std::vector<std::pair<Patch, Eigen::Vector2d>> patches;
  for (int i = 0; i < samples_u; ++i) {
    for (int j = 0; j < samples_v; ++j) {
      const Eigen::Vector2d at = calc_middle(i, j);
      const Patch patch = calc_patch(at.x(), at.y());
      const Vec3 across = patch.du.cross(patch.dv);
      const double scale = patch.du.norm() * patch.dv.norm();
      if (!(across.norm() > 1e-9 * scale)) return fmt::format("the surface is not smooth at {}", format_place(at));
      volume += patch.point.dot(across);
      patches.emplace_back(patch, at);
    }
  }
  const double side = volume < 0 ? -1 : 1;
  for (const auto& [patch, at] : patches) {
    const Vec3 across = side * patch.du.cross(patch.dv), n = across.normalized();
    const Mat3 curvature = calc_curvature(patch, n);
    const double trace = curvature.trace(), product = 0.5 * (trace * trace - curvature.squaredNorm());
    const double least = product / std::max(trace, 1e-300);  // at most twice the smaller one
    if (!(trace > 0) || !(least > least_curvature / size_))
      return fmt::format("the surface is not strictly convex at {}", format_place(at));
    total_curvature += product * across.norm() * cell;
    starts_.push_back({n, at});
  }
  // 4 pi, up to what the sum over cells leaves; twice as much where the parameters go round twice.
  if (total_curvature > 1.5 * 4 * std::numbers::pi) return "the surface covers itself more than once";
  if (total_curvature < 0.5 * 4 * std::numbers::pi) return "the surface is not closed";
  return {};
}

std::variant<Parametric, std::string> make_parametric(const ParametricForm& form) {
  if (!(form.u[0] < form.u[1]) || !(form.v[0] < form.v[1]))
    return "u and v must have a lower and a greater upper limit";
  std::array<FormulaJet, 3> coordinates;
  const std::array<const std::string*, 3> texts{&form.x, &form.y, &form.z};
  for (std::size_t i = 0; i < 3; ++i) {
    auto parsed = FormulaJet::parse(*texts[i], form.constants);
    if (const auto* fault = std::get_if<std::string>(&parsed)) return *fault;
    coordinates[i] = std::get<FormulaJet>(std::move(parsed));
  }
  auto surface = std::make_shared<FormulaSurface>(std::move(coordinates), form);
  if (auto fault = surface->prepare()) return *fault;
  return Parametric{std::move(surface)};
}

const ParametricForm* find_form(const ParametricSurface& surface) {
  const auto* made = dynamic_cast<const FormulaSurface*>(&surface);
  return made ? &made->form() : nullptr;
}

}  // namespace stiction
