#include "stiction/results/shape_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

#include "stiction/base/fault.h"
#include "stiction/geometry/shape/tessellation.h"

namespace stiction {
namespace {

using Json = nlohmann::json;

constexpr const char* type_names[] = {
    "halfspace",    "sphere",   "box",  "cylinder",      "capsule",         "cone",      "ellipsoid", "torus",
    "superquadric", "polytope", "cell", "hollow_sphere", "hollow_cylinder", "parametric"};
static_assert(std::size(type_names) == std::variant_size_v<Shape>);

// The fields of each kind, once for both directions.
template <class V>
void visit_fields(HalfSpace& s, V& v) {
  v("normal", s.normal), v("offset", s.offset);
}
template <class V>
void visit_fields(Sphere& s, V& v) {
  v("radius", s.radius);
}
template <class V>
void visit_fields(Box& s, V& v) {
  v("size", s.size);
}
template <class V>
void visit_fields(Cylinder& s, V& v) {
  v("radius", s.radius), v("length", s.length), v("axis", s.axis);
}
template <class V>
void visit_fields(Capsule& s, V& v) {
  v("radius", s.radius), v("length", s.length), v("axis", s.axis);
}
template <class V>
void visit_fields(Cone& s, V& v) {
  v("radius", s.radius), v("height", s.height), v("axis", s.axis), v("top_radius", s.top_radius);
}
template <class V>
void visit_fields(Ellipsoid& s, V& v) {
  v("semi_axes", s.semi_axes);
}
template <class V>
void visit_fields(Torus& s, V& v) {
  v("radius", s.radius), v("tube_radius", s.tube_radius), v("axis", s.axis);
}
template <class V>
void visit_fields(Superquadric& s, V& v) {
  v("semi_axes", s.semi_axes), v("e1", s.e1), v("e2", s.e2);
}
template <class V>
void visit_fields(Polytope& s, V& v) {
  v("vertices", s.vertices);  // the rest follows from them
}
template <class V>
void visit_fields(Quadric& s, V& v) {
  v("A", s.A), v("b", s.b), v("c", s.c);
}
template <class V>
void visit_fields(MassProperties& s, V& v) {
  v("mass", s.mass), v("com", s.com), v("inertia", s.inertia);
}
template <class V>
void visit_fields(Cell& s, V& v) {
  v("constraints", s.constraints), v("n_convex", s.n_convex), v("lower", s.lower), v("upper", s.upper);
  v("convex", s.convex), v("convex_inside", s.convex_inside), v("inside", s.inside);
  v("unit_density", s.unit_density);
}
template <class V>
void visit_fields(HollowSphere& s, V& v) {
  v("radius", s.radius);
}
template <class V>
void visit_fields(HollowCylinder& s, V& v) {
  v("radius", s.radius), v("axis", s.axis);
}

/// Writes fields into a JSON object.
struct FieldWriter {
  Json object = Json::object();

  template <class T>
  void operator()(const char* key, T& field) {
    object[key] = encode(field);
  }

 private:
  template <class T>
  static Json encode(T& field) {
    if constexpr (std::is_arithmetic_v<T>) {
      return field;
    } else if constexpr (requires { field.data(), field.rows(); }) {  // column after column
      return std::vector<double>(field.data(), field.data() + field.size());
    } else if constexpr (requires { field.push_back(field.front()); }) {
      Json list = Json::array();
      for (auto& item : field) list.push_back(encode(item));
      return list;
    } else {
      FieldWriter writer;
      visit_fields(field, writer);
      return std::move(writer.object);
    }
  }
};

/// Reads them back; at() and get() throw where something is missing or of another kind.
struct FieldReader {
  const Json& object;

  template <class T>
  void operator()(const char* key, T& field) {
    decode(object.at(key), field);
  }

 private:
  template <class T>
  static void decode(const Json& json, T& field) {
    if constexpr (std::is_arithmetic_v<T>) {
      field = json.get<T>();
    } else if constexpr (requires { field.data(), field.rows(); }) {
      const auto numbers = json.get<std::vector<double>>();
      if (static_cast<Eigen::Index>(numbers.size()) != field.size())
        throw IoError("damaged: a list has another length");
      std::copy(numbers.begin(), numbers.end(), field.data());
    } else if constexpr (requires { field.push_back(field.front()); }) {
      field.clear();
      for (const Json& item : json) decode(item, field.emplace_back());
    } else {
      FieldReader reader{json};
      visit_fields(field, reader);
    }
  }
};

Polytope make_hull(const std::vector<Vec3>& points) {
  auto made = make_polytope(points);
  if (const auto* fault = std::get_if<std::string>(&made)) throw IoError("damaged: the hull of a polytope: " + *fault);
  return std::get<Polytope>(std::move(made));
}

/// What does not stand in the text, and what must not be trusted in a text that may come from anywhere.
void finish(Shape& shape) {
  if (auto* polytope = std::get_if<Polytope>(&shape)) *polytope = make_hull(polytope->vertices);
  const auto* cell = std::get_if<Cell>(&shape);
  if (cell && (cell->n_convex < 0 || cell->n_convex > static_cast<int>(cell->constraints.size())))
    throw IoError("damaged: the surfaces of a cell");
}

/// Shape number i of the variant, empty.
template <std::size_t i = 0>
Shape make_empty(std::size_t wanted) {
  if constexpr (i < std::variant_size_v<Shape>) {
    return i == wanted ? Shape(std::in_place_index<i>) : make_empty<i + 1>(wanted);
  } else {
    throw IoError("damaged: an unknown kind of shape");
  }
}

}  // namespace

std::string encode_shape(const Shape& shape) {
  if (std::holds_alternative<Parametric>(shape)) {
    constexpr int detail = 32;
    return encode_shape(make_hull(calc_tessellation(shape, detail, 1).vertices));
  }
  FieldWriter writer;
  Shape fields = shape;
  std::visit(
      [&](auto& kind) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(kind)>, Parametric>) visit_fields(kind, writer);
      },
      fields);
  writer.object["type"] = type_names[shape.index()];
  return writer.object.dump();
}

Shape decode_shape(const std::string& text) {
  try {
    const Json object = Json::parse(text);
    const auto type = object.at("type").get<std::string>();
    const auto* name = std::find(std::begin(type_names), std::end(type_names), type);
    Shape shape = make_empty(static_cast<std::size_t>(name - type_names));
    FieldReader reader{object};
    std::visit(
        [&](auto& kind) {
          if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, Parametric>) {
            throw IoError("damaged: a parametric shape");
          } else {
            visit_fields(kind, reader);
          }
        },
        shape);
    finish(shape);
    return shape;
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("damaged: \"{}\" is not a shape: {}", text.substr(0, 60), error.what()));
  }
}

}  // namespace stiction
