#include "stiction/geometry/shape/parametric_form.h"
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

/// The limits of a parameter.
ValueType<Eigen::Vector2d> parameter_range() {
  return {"array of 2 numbers, or angles",
          {},
          [](ReadContext& context, const Node& node) -> std::optional<Eigen::Vector2d> {
            const auto limits = read_quantities(context, node, 2, {dim::angle});
            if (!limits) return {};
            return Eigen::Vector2d((*limits)[0], (*limits)[1]);
          },
          {},
          [](const Eigen::Vector2d& limits, bool) -> std::optional<Node> { return make_numbers(limits.data(), 2); }};
}

using FormConstants = std::vector<std::pair<std::string, double>>;
ValueType<FormConstants> form_constants() {
  return {"table of numbers, or lengths",
          {},
          [](ReadContext& context, const Node& node) -> std::optional<FormConstants> {
            if (!node.is_table()) {
              context.fail(node, "expected a table of numbers", "write { a = 0.2, b = \"30 mm\" }");
              return {};
            }
            FormConstants list;
            for (const Member& member : node.members) {
              const ReadContext::Scope scope(context, member.key);
              if (const auto value = read_quantity(context, member.value, dim::length))
                list.emplace_back(member.key, *value);
            }
            return list;
          },
          {},
          [](const FormConstants& list, bool) -> std::optional<Node> {
            if (list.empty()) return {};
            Node table;
            for (const auto& [name, value] : list) table.members.push_back({name, {}, make_number(value)});
            return table;
          }};
}

const Description<ParametricForm>& describe_parametric_form() {
  static const Description<ParametricForm> description = [] {
    using F = ParametricForm;
    Description<F> d(
        "[body.NAME.shape.surface]",
        "A closed, smooth, strictly convex surface by formulas of its coordinates, of two parameters u and v. Opposite "
        "sides of the rectangle of parameters meet, or are points. Derivatives are exact; mass properties are by "
        "quadrature.");
    const char* language =
        "numbers, u, v, the names under parameters, _pi, _e, + - * / ^, sin cos tan sinh cosh tanh "
        "exp ln sqrt.";
    d.add("x", &F::x, text(), std::string("x in m: ") + language).must_be_given();
    d.add("y", &F::y, text(), "y in m, likewise.").must_be_given();
    d.add("z", &F::z, text(), "z in m, likewise.").must_be_given();
    d.add("u", &F::u, parameter_range(), "From, to: [0, \"360 deg\"].").must_be_given();
    d.add("v", &F::v, parameter_range(), "From, to.").must_be_given();
    d.add("parameters", &F::constants, form_constants(), "Numbers that the formulas name: { a = \"30 mm\" }.");
    d.set_example(
        "[body.egg.shape]\ntype = \"parametric\"\n[body.egg.shape.surface]\n"
        "x = \"a*cos(u)*cos(v)*(1 + 0.2*sin(v))\"\ny = \"a*sin(u)*cos(v)*(1 + 0.2*sin(v))\"\n"
        "z = \"b*sin(v)\"\n"
        "u = [0, \"360 deg\"]\nv = [\"-90 deg\", \"90 deg\"]\nparameters = { a = \"20 mm\", b = \"30 mm\" }\n");
    return d;
  }();
  return description;
}

}  // namespace

const TableInfo& describe_parametric() {
  return describe_parametric_form().info();
}

ValueType<std::shared_ptr<const ParametricSurface>> parametric_surface() {
  using Surface = std::shared_ptr<const ParametricSurface>;
  return {"table, see " + describe_parametric().heading,
          {},
          [](ReadContext& context, const Node& node) -> std::optional<Surface> {
            const std::size_t faults = context.fault_count();
            const ParametricForm form = describe_parametric_form().read(context, node);
            if (context.fault_count() > faults) return {};
            auto made = make_parametric(form);
            if (const auto* fault = std::get_if<std::string>(&made)) {
              context.fail(node, *fault,
                           "the surface must be closed, smooth and strictly convex; there are shapes torus, box, "
                           "cylinder, cone and cell, and bodies of several parts");
              return {};
            }
            return std::get<Parametric>(std::move(made)).surface;
          },
          {},
          [](const Surface& surface, bool all) -> std::optional<Node> {
            const ParametricForm* form = surface ? find_form(*surface) : nullptr;
            return form ? std::optional(describe_parametric_form().write(*form, all)) : std::nullopt;
          }};
}

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
