#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

/// A quaternion of any length but zero, made unit.
ValueType<Quaternion> quaternion() {
  return {"4 numbers [w, x, y, z]",
          "not zero",
          [](ReadContext& context, const Node& node) -> std::optional<Quaternion> {
            const auto values = read_quantities(context, node, 4, {dimension::number});
            if (!values) return {};
            return make_unit_quaternion(context, node, values->data());
          },
          {},
          [](const Quaternion& q, bool) {
            const double wxyz[] = {q.w, q.x, q.y, q.z};
            return std::optional(make_numbers(wxyz, 4));
          }};
}

Quaternion make_rotation(const RotationForm& form) {
  if (form.quaternion) return *form.quaternion;
  return make_axis_angle(form.axis.value_or(Vec3::UnitZ()), form.angle.value_or(0));
}

void check_rotation(ReadContext& context, const Node& node, RotationForm&) {
  const bool quaternion_given = find_member(node, "quaternion") != nullptr;
  const bool axis_given = find_member(node, "axis") != nullptr, angle_given = find_member(node, "angle") != nullptr;
  if (quaternion_given ? axis_given || angle_given : !axis_given || !angle_given) {
    context.fail(node, "expected either a quaternion, or an axis and an angle",
                 "write { axis = [0, 0, 1], angle = \"30 deg\" }");
    return;
  }
  const Node* angle = find_member(node, "angle");
  if (angle && angle->is_number() && std::abs(angle->number) > 2 * std::numbers::pi)
    context.fail(*angle, fmt::format("expected at most one turn, 2 pi rad, got {} rad", show(*angle)),
                 fmt::format("degrees are written \"{} deg\"", show(*angle)));
}

}  // namespace

std::optional<Quaternion> make_unit_quaternion(ReadContext& context, const Node& node, const double* wxyz) {
  const double scale = std::max({std::abs(wxyz[0]), std::abs(wxyz[1]), std::abs(wxyz[2]), std::abs(wxyz[3])});
  if (scale == 0) {
    context.fail(node, "expected a quaternion [w, x, y, z], got one of length zero");
    return {};
  }
  const Quaternion given{wxyz[0], wxyz[1], wxyz[2], wxyz[3]};
  if (is_unit(Eigen::Vector4d(given.w, given.x, given.y, given.z).norm())) return given;
  return calc_normalized({wxyz[0] / scale, wxyz[1] / scale, wxyz[2] / scale, wxyz[3] / scale});
}

const Description<RotationForm>& describe_rotation() {
  static const Description<RotationForm> description = [] {
    using R = RotationForm;
    Description<R> d("Orientation",
                     "A rotation: a quaternion, or an axis and an angle; or an array of such tables, "
                     "applied in order, each about the fixed axes of the frame in which the orientation is given.");
    d.add("quaternion", &R::quaternion, quaternion(), "Unit quaternion, scalar first; any length but zero.");
    d.add("axis", &R::axis, axis(), "Axis of rotation.");
    d.add("angle", &R::angle, quantity(dimension::angle),
          "Angle of rotation, right-handed; at most one turn as a plain number.");
    d.set_check(check_rotation);
    return d;
  }();
  return description;
}

ValueType<Quaternion> orientation() {
  const auto read = [](ReadContext& context, const Node& node) -> std::optional<Quaternion> {
    if (!node.is_array()) {
      if (node.is_table()) return make_rotation(describe_rotation().read(context, node));
      context.fail(node, "expected an orientation, got " + show(node),
                   "write { axis = [0, 0, 1], angle = \"30 deg\" }");
      return {};
    }
    if (!node.is_array_of(Node::Kind::table)) {
      context.fail(node, "expected an orientation, got an array",
                   node.items.size() == 4
                       ? "write { quaternion = [w, x, y, z] }"
                       : "write [{ axis = [1, 0, 0], angle = \"90 deg\" }, ...]: rotations in their order");
      return {};
    }
    // Each about the fixed axes: a later rotation multiplies from the left.
    Quaternion product;
    for (const Node& item : node.items) product = make_rotation(describe_rotation().read(context, item)) * product;
    return calc_normalized(product);
  };
  return {"orientation",
          {},
          read,
          [](const Quaternion& q) { return q.w == 1 ? "no rotation" : ""; },
          [](const Quaternion& q, bool) {
            return std::optional(describe_rotation().write({.quaternion = q, .axis = {}, .angle = {}}, false));
          }};
}

}  // namespace stiction
