#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

namespace dim = dimension;

/// A surface as it is written; what it becomes is a Quadric.
struct SurfaceForm {
  std::string type;
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;
  Vec3 center = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
  double radius = 0;
  Vec3 semi_axes = Vec3::Zero();
  Quaternion orientation;
  bool outside = false;
  Quadric quadric;
};

Quadric make_quadric(const SurfaceForm& form) {
  if (form.type == "quadric") return form.quadric;
  if (form.type == "plane") return make_plane_quadric(form.normal, form.offset);
  Mat3 A = Mat3::Identity();
  double c = -form.radius * form.radius;
  if (form.type == "cylinder") A -= form.axis * form.axis.transpose();
  if (form.type == "ellipsoid") {
    const Mat3 R = calc_matrix(form.orientation);
    A = R * form.semi_axes.cwiseAbs2().cwiseInverse().asDiagonal() * R.transpose();
    c = -1;
  }
  const Quadric f = calc_transformed(Quadric{A, Vec3::Zero(), c}, {Mat3::Identity(), form.center});
  return form.outside ? calc_complement(f) : f;
}

const Description<SurfaceForm>& describe_form() {
  static const Description<SurfaceForm> description = [] {
    using S = SurfaceForm;
    Description<S> d(
        "[[body.NAME.shape.surfaces]]",
        "A surface of a cell, written { type = ..., ... } in the list `surfaces`. The cell is the intersection of "
        "the insides of all surfaces.");
    d.set_types({{"plane", "All points with normal . x <= offset."},
                 {"sphere", "The inside of a sphere, or its outside."},
                 {"cylinder", "The inside of an infinite circular cylinder, or its outside: a bore or a groove."},
                 {"ellipsoid", "The inside of an ellipsoid, or its outside."},
                 {"quadric", "The inside of a convex quadric, or the outside of one (the negative).",
                  "x'A x + 2 b'x + c <= 0"}},
                &S::type, [](const std::string& type) {
                  S form;
                  form.type = type;
                  return form;
                });
    d.add_for({"plane"}, "normal", &S::normal, unit_normal(), "Outward normal of the cell.").must_be_given();
    d.add_for({"plane"}, "offset", &S::offset, quantity(dim::length),
              "Distance of the plane from the origin along the normal.");
    d.add_for({"sphere", "cylinder", "ellipsoid"}, "center", &S::center, vector(dim::length),
              "Centre; of a cylinder, any point on its axis.");
    d.add_for({"sphere", "cylinder"}, "radius", &S::radius, quantity(dim::length, above(0)), "Radius.").must_be_given();
    d.add_for({"cylinder"}, "axis", &S::axis, axis(), "Direction of the axis.");
    d.add_for({"ellipsoid"}, "semi_axes", &S::semi_axes, vector(dim::length, above(0)), "Half lengths along its axes.")
        .must_be_given();
    d.add_for({"ellipsoid"}, "orientation", &S::orientation, orientation(), "Orientation of its axes in the cell.");
    d.add_for({"sphere", "cylinder", "ellipsoid"}, "outside", &S::outside, flag(),
              "true: the cell lies outside the surface.");
    const auto A = [](S& form) -> Mat3& { return form.quadric.A; };
    const auto b = [](S& form) -> Vec3& { return form.quadric.b; };
    const auto c = [](S& form) -> double& { return form.quadric.c; };
    d.add_for({"quadric"}, "A", A, matrix3(Dimension{.length = -1}),
              "Symmetric matrix; a multiple of A, b and c is the same surface.")
        .must_be_given();
    d.add_for({"quadric"}, "b", b, vector(dim::number), "Half the gradient at the origin.").must_be_given();
    d.add_for({"quadric"}, "c", c, quantity(dim::length), "Value at the origin.").must_be_given();
    d.set_example(
        "[body.block.shape]\ntype = \"cell\"            # a block with a groove along x\nsurfaces = [\n"
        "  { type = \"plane\", normal = [0, 0, 1], offset = 0.1 },  { type = \"plane\", normal = [0, 0, -1], offset = "
        "0.1 },\n"
        "  { type = \"plane\", normal = [0, 1, 0], offset = 0.2 },  { type = \"plane\", normal = [0, -1, 0], offset = "
        "0.2 },\n"
        "  { type = \"plane\", normal = [1, 0, 0], offset = 0.3 },  { type = \"plane\", normal = [-1, 0, 0], offset = "
        "0.3 },\n"
        "  { type = \"cylinder\", center = [0, 0, 0.1], axis = [1, 0, 0], radius = 0.05, outside = true },\n]\n");
    return d;
  }();
  return description;
}

}  // namespace

const TableInfo& describe_surface() {
  return describe_form().info();
}

ValueType<std::vector<Quadric>> surfaces() {
  return {"list of tables, see " + describe_surface().heading,
          {},
          [](ReadContext& context, const Node& node) -> std::optional<std::vector<Quadric>> {
            if (!node.is_array() || node.items.empty()) {
              context.fail(node, "expected a list of surfaces { type = ..., ... }");
              return {};
            }
            std::vector<Quadric> list;
            const std::size_t faults = context.fault_count();
            for (std::size_t i = 0; i < node.items.size(); ++i) {
              const ReadContext::Scope scope(context, std::to_string(i + 1));
              list.push_back(make_quadric(describe_form().read(context, node.items[i])));
            }
            // Wrong surfaces make no cell.
            if (context.fault_count() > faults) return {};
            return list;
          },
          {},
          [](const std::vector<Quadric>& list, bool) -> std::optional<Node> {
            std::vector<Node> items;
            for (const Quadric& quadric : list) {
              SurfaceForm form;
              form.type = "quadric", form.quadric = quadric;
              items.push_back(describe_form().write(form, false));
            }
            return make_array(std::move(items));
          }};
}

}  // namespace stiction
