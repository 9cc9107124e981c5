#include <type_traits>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/shape/parametric_form.h"
#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

namespace dim = dimension;

Shape make_shape(const std::string& type) {
  if (type == "box") return Box{};
  if (type == "cylinder") return Cylinder{};
  if (type == "capsule") return Capsule{};
  if (type == "cone") return Cone{};
  if (type == "ellipsoid") return Ellipsoid{};
  if (type == "halfspace") return HalfSpace{};
  if (type == "torus") return Torus{};
  if (type == "superquadric") return Superquadric{};
  if (type == "polytope") return Polytope{};
  if (type == "cell") return Cell{};
  if (type == "hollow_sphere") return HollowSphere{};
  if (type == "hollow_cylinder") return HollowCylinder{};
  if (type == "parametric") return Parametric{};
  if (type == "point") return Sphere{0};
  return Sphere{};
}

std::string find_shape_type(const ShapeSpec& spec) {
  if (const auto* sphere = std::get_if<Sphere>(&spec.shape); sphere && sphere->radius == 0) return "point";
  const auto* parametric = std::get_if<Parametric>(&spec.shape);
  if (parametric && parametric->surface && !find_form(*parametric->surface))
    throw InputError("a parametric shape, made by a program, cannot be written as text");
  for (const TypeInfo& type : describe_shape().info().types)
    if (make_shape(type.name).index() == spec.shape.index() && type.name != "point") return type.name;
  STICTION_CHECK(false);
}

/// Access to a member that several kinds of shape have: `get` is tried on whichever the shape is.
template <class T, class Get>
auto in_shape(Get get) {
  return [get](ShapeSpec& spec) -> T& {
    T* member = std::visit(
        [&](auto& shape) -> T* {
          if constexpr (std::is_invocable_v<Get, decltype(shape)>) return &get(shape);
          return nullptr;
        },
        spec.shape);
    STICTION_CHECK(member != nullptr);
    return *member;
  };
}
constexpr auto radius = [](auto& shape) -> decltype((shape.radius)) { return shape.radius; };
constexpr auto length = [](auto& shape) -> decltype((shape.length)) { return shape.length; };
constexpr auto height = [](auto& shape) -> decltype((shape.height)) { return shape.height; };
constexpr auto shape_axis = [](auto& shape) -> decltype((shape.axis)) { return shape.axis; };
constexpr auto size = [](auto& shape) -> decltype((shape.size)) { return shape.size; };
constexpr auto semi_axes = [](auto& shape) -> decltype((shape.semi_axes)) { return shape.semi_axes; };

constexpr auto normal = [](auto& shape) -> decltype((shape.normal)) { return shape.normal; };
constexpr auto offset = [](auto& shape) -> decltype((shape.offset)) { return shape.offset; };
constexpr auto top_radius = [](auto& shape) -> decltype((shape.top_radius)) { return shape.top_radius; };
constexpr auto tube_radius = [](auto& shape) -> decltype((shape.tube_radius)) { return shape.tube_radius; };
constexpr auto e1 = [](auto& shape) -> decltype((shape.e1)) { return shape.e1; };
constexpr auto e2 = [](auto& shape) -> decltype((shape.e2)) { return shape.e2; };
constexpr auto vertices = [](auto& shape) -> decltype((shape.vertices)) { return shape.vertices; };
constexpr auto surface = [](auto& shape) -> decltype((shape.surface)) { return shape.surface; };
constexpr auto constraints = [](auto& shape) -> decltype((shape.constraints)) { return shape.constraints; };

/// What concerns several fields of a shape; the hull of a polytope and the box of a cell are made here.
void check_shape(ReadContext& context, const Node& node, ShapeSpec& spec) {
  if (const auto* cone = std::get_if<Cone>(&spec.shape)) {
    if (cone->radius > 0 && !(cone->top_radius < cone->radius)) {
      context.fail(node, "top_radius must be less than radius", "reverse the axis, or use a cylinder");
    }
  }
  if (const auto* torus = std::get_if<Torus>(&spec.shape)) {
    if (torus->radius > 0 && !(torus->tube_radius < torus->radius)) {
      context.fail(node, "tube_radius must be less than radius", "a torus must have a hole");
    }
  }
  if (const auto* quadric = std::get_if<Superquadric>(&spec.shape)) {
    for (const double e : {quadric->e1, quadric->e2}) {
      if (!(e >= 0.1 && e <= 1.9)) {
        context.fail(node, "e1 and e2 must lie between 0.1 and 1.9",
                     "use a box or cylinder instead of a smaller exponent, a polytope or cone instead of a larger one");
        break;
      }
    }
  }
  auto* polytope = std::get_if<Polytope>(&spec.shape);
  if (polytope && !polytope->vertices.empty()) {
    auto made = make_polytope(polytope->vertices);
    if (const auto* fault = std::get_if<std::string>(&made)) {
      context.fail(node, *fault, "the points must enclose a volume");
    } else {
      *polytope = std::get<Polytope>(std::move(made));
    }
  }
  auto* cell = std::get_if<Cell>(&spec.shape);
  if (cell && !cell->constraints.empty()) {
    auto made = make_cell(cell->constraints);
    if (const auto* fault = std::get_if<std::string>(&made)) {
      context.fail(node, *fault,
                   "add surfaces until the cell is bounded, and check that some point lies inside all of them");
    } else {
      *cell = std::get<Cell>(std::move(made));
    }
  }
}

}  // namespace

const Description<ShapeSpec>& describe_shape() {
  static const Description<ShapeSpec> description = [] {
    using S = ShapeSpec;
    Description<S> d(
        "[body.NAME.shape]",
        "The shape of a body: one, written shape = { type = ..., ... }, or several, each in a table "
        "[body.NAME.shape.PART]. The mass properties are computed from the density, or from the mass of the body.");
    d.set_types(
        {{"sphere", "A ball about its centre."},
         {"point", "A single point, a ball of radius 0. It has no mass."},
         {"box", "A cuboid about its centre, with edges along the axes."},
         {"cylinder", "A circular cylinder about its centre."},
         {"capsule", "A cylinder with hemispherical ends, about its centre."},
         {"cone", "A circular cone or frustum. The origin is the centre of its base; it tapers along the axis."},
         {"ellipsoid", "An ellipsoid about its centre, semi-axes along the axes."},
         {"halfspace", "All points with normal . x <= offset: an infinite floor or wall. It has no mass."},
         {"torus", "A ring about its centre."},
         {"superquadric",
          "(|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) <= 1: between box, ellipsoid and double cone."},
         {"polytope", "The convex hull of points."},
         {"cell", "The intersection of the insides of a list of surfaces; grooves and bores are possible."},
         {"hollow_sphere", "All space outside a ball: a spherical cavity. It has no mass."},
         {"hollow_cylinder", "All space outside an infinite cylinder: a pipe or a bore. It has no mass."},
         {"parametric", "A strictly convex body whose surface is given by formulas of two parameters."}},
        find_shape_type, [](const std::string& type) {
          S spec;
          spec.shape = make_shape(type);
          return spec;
        });
    d.set_hint_of_other_types(
        "a body is given by the equations of its surface; of a mesh write the corners as a polytope, their convex "
        "hull, a concave one as several parts, and formulas as parametric");
    d.add_for({"sphere", "cylinder", "capsule", "cone", "torus", "hollow_sphere", "hollow_cylinder"}, "radius",
              in_shape<double>(radius), quantity(dim::length, above(0)),
              "Radius; of a cone, that of its base; of a torus, that of the circle in the middle of its tube.")
        .must_be_given();
    d.add_for({"cylinder", "capsule"}, "length", in_shape<double>(length), quantity(dim::length, above(0)),
              "Length along the axis; of a capsule, between the centres of its half-spheres.")
        .must_be_given();
    d.add_for({"cone"}, "height", in_shape<double>(height), quantity(dim::length, above(0)),
              "Distance from the base to the apex, or to the top of a frustum.")
        .must_be_given();
    d.add_for({"cone"}, "top_radius", in_shape<double>(top_radius), quantity(dim::length, at_least(0)),
              "Radius at the top of a frustum.");
    d.add_for({"torus"}, "tube_radius", in_shape<double>(tube_radius), quantity(dim::length, above(0)),
              "Radius of the tube, less than the radius.")
        .must_be_given();
    d.add_for({"cylinder", "capsule", "cone", "torus", "hollow_cylinder"}, "axis", in_shape<Vec3>(shape_axis), axis(),
              "Direction of the axis.");
    d.add_for({"box"}, "size", in_shape<Vec3>(size), vector(dim::length, above(0)), "Full edge lengths.")
        .must_be_given();
    d.add_for({"ellipsoid", "superquadric"}, "semi_axes", in_shape<Vec3>(semi_axes), vector(dim::length, above(0)),
              "Half lengths along x, y, z.")
        .must_be_given();
    d.add_for({"superquadric"}, "e1", in_shape<double>(e1), quantity(dim::number, above(0)),
              "Exponent from pole to pole, 0.1 to 1.9; 1 is round.");
    d.add_for({"superquadric"}, "e2", in_shape<double>(e2), quantity(dim::number, above(0)),
              "Exponent around the z axis, 0.1 to 1.9; 1 is round.");
    d.add_for({"halfspace"}, "normal", in_shape<Vec3>(normal), unit_normal(), "Outward normal.");
    d.add_for({"halfspace"}, "offset", in_shape<double>(offset), quantity(dim::length),
              "Distance of the plane from the origin along the normal.");
    d.add_for({"polytope"}, "vertices", in_shape<std::vector<Vec3>>(vertices), point_list(dim::length, 4),
              "Points of which the shape is the convex hull.")
        .must_be_given();
    d.add_for({"cell"}, "surfaces", in_shape<std::vector<Quadric>>(constraints), surfaces(),
              "The surfaces that bound the cell.")
        .must_be_given();
    d.add_for({"parametric"}, "surface", in_shape<std::shared_ptr<const ParametricSurface>>(surface),
              parametric_surface(), "The formulas.")
        .must_be_given();
    d.add("position", &S::position, vector(dim::length), "Position of the shape's origin in the body.");
    d.add("orientation", &S::orientation, orientation(), "Orientation of the shape in the body.");
    d.add("density", &S::density, quantity(dim::density, above(0)), "Density of this part.").by_default("the body's");
    d.add("surface_velocity", &S::surface_velocity, vector_function_of_time(dim::velocity),
          "Velocity of the surface relative to the body, body axes: a conveyor belt. Only the tangential part acts.")
        .by_default("none");
    d.set_check(check_shape);
    d.set_example(
        "[body.hammer.shape.head]\ntype = \"cylinder\"\nradius = \"15 mm\"\nlength = \"80 mm\"\naxis = [1, 0, 0]\n"
        "position = [0, 0, 0.3]\ndensity = 7850\n\n"
        "[body.hammer.shape.handle]\ntype = \"box\"\nsize = [0.02, 0.02, 0.3]\nposition = [0, 0, 0.15]\ndensity = "
        "700\n");
    return d;
  }();
  return description;
}

}  // namespace stiction
