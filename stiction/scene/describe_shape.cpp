#include <type_traits>

#include "stiction/base/check.h"
#include "stiction/scene/describe.h"

namespace stiction {
namespace {

namespace dim = dimension;

Shape make_shape(const std::string& type) {
  if (type == "box") return Box{};
  if (type == "cylinder") return Cylinder{};
  if (type == "capsule") return Capsule{};
  if (type == "cone") return Cone{};
  if (type == "ellipsoid") return Ellipsoid{};
  return Sphere{};
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

}  // namespace

const Description<ShapeSpec>& describe_shape() {
  static const Description<ShapeSpec> description = [] {
    using S = ShapeSpec;
    Description<S> d(
        "[body.NAME.shape]",
        "The shape of a body: one, written shape = { type = ..., ... }, or several, each a table "
        "[body.NAME.shape.PART]. Its mass properties follow from a density, or from the mass of the body.");
    d.set_types(
        {{"sphere", "A ball about its centre."},
         {"box", "A cuboid about its centre, edges along the axes."},
         {"cylinder", "A circular cylinder about its centre."},
         {"capsule", "A cylinder with half-spheres on its ends, about its centre."},
         {"cone", "A circular cone; its origin is the centre of the base, its apex lies in the direction of the axis."},
         {"ellipsoid", "An ellipsoid about its centre, semi-axes along the axes."}},
        [](const std::string& type) {
          S spec;
          spec.shape = make_shape(type);
          return spec;
        });
    d.add_for({"sphere", "cylinder", "capsule", "cone"}, "radius", in_shape<double>(radius),
              quantity(dim::length, above(0)), "Radius; of a cone, that of its base.")
        .must_be_given();
    d.add_for({"cylinder", "capsule"}, "length", in_shape<double>(length), quantity(dim::length, above(0)),
              "Length along the axis; of a capsule, between the centres of its half-spheres.")
        .must_be_given();
    d.add_for({"cone"}, "height", in_shape<double>(height), quantity(dim::length, above(0)),
              "From the base to the apex.")
        .must_be_given();
    d.add_for({"cylinder", "capsule", "cone"}, "axis", in_shape<Vec3>(shape_axis), axis(), "Direction of the axis.");
    d.add_for({"box"}, "size", in_shape<Vec3>(size), vector(dim::length, above(0)), "Full edge lengths.")
        .must_be_given();
    d.add_for({"ellipsoid"}, "semi_axes", in_shape<Vec3>(semi_axes), vector(dim::length, above(0)),
              "Half lengths along x, y, z.")
        .must_be_given();
    d.add("position", &S::position, vector(dim::length), "Place of the shape's origin in the body.");
    d.add("orientation", &S::orientation, orientation(), "Orientation of the shape in the body.");
    d.add("density", &S::density, quantity(dim::density, above(0)), "Density of this part.").by_default("the body's");
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
