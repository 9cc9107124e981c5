#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/cut_shape.h"
#include "stiction/scene/compile/compile_draft.h"

namespace stiction {
namespace {

/// Less than an electron, the radius of a proton and the moment that goes with them: smaller values are mistakes, and
/// volumes of smaller bodies underflow.
constexpr double smallest_mass = 1e-30, smallest_moment = 1e-60, smallest_size = 1e-15;
/// More than the sun and its distance from the earth; their products, up to m r^2, stay far from overflow.
constexpr double largest_mass = 1e31, largest_size = 1e12;
/// The speed of light [m/s], and as many [rad/s].
constexpr double largest_speed = 299792458;

/// Inertia as a full matrix. One number is the moment about every axis: for a planar body the moment about the world's
/// z then, however the body is turned, and the others no planar motion feels.
Mat3 expand_inertia(const InertiaSpec& spec) {
  if (const auto* full = std::get_if<Mat3>(&spec)) return *full;
  if (const auto* principal = std::get_if<Vec3>(&spec)) return principal->asDiagonal();
  return std::get<double>(spec) * Mat3::Identity();
}

const char* describe(InertiaFault fault) {
  switch (fault) {
    case InertiaFault::not_finite:
      return "has a number that is not finite";
    case InertiaFault::not_symmetric:
      return "is not symmetric";
    case InertiaFault::not_positive:
      return "has a principal moment that is not positive";
    case InertiaFault::triangle_inequality:
      return "violates the triangle inequality: each principal moment is at most the sum of the other two";
    case InertiaFault::none:
      break;
  }
  return "";
}

/// The density in force for a shape: its own, else the body's, else the material's.
std::optional<double> find_density(const Draft& draft, const BodySpec& body, const ShapeSpec& shape) {
  if (shape.density) return shape.density;
  if (body.density) return body.density;
  if (body.material) {
    for (const auto& material : draft.scene.materials) {
      if (material.name == *body.material) return material.value.density;
    }
  }
  return {};
}

/// A part without what earlier ones have of it; what cannot be cut counts as a whole (notices.cpp tells).
MassProperties calc_part_mass(const BodySpec& body, std::size_t index, double density) {
  const ShapeSpec& part = body.shapes[index].value;
  const auto pose_of = [](const ShapeSpec& shape) { return Transform{calc_matrix(shape.orientation), shape.position}; };
  std::vector<OtherPart> earlier;
  for (std::size_t i = 0; i < index; ++i)
    if (const ShapeSpec& other = body.shapes[i].value; is_bounded(other.shape))
      earlier.push_back({&other.shape, pose_of(part).inverse() * pose_of(other)});
  const CutResult cut = cut_shape(part.shape, earlier);
  if (cut.status == CutStatus::whole || cut.status == CutStatus::not_possible)
    return calc_transformed(calc_mass_properties(part.shape, density), pose_of(part));
  MassProperties mass = calc_transformed(cut.shape.unit_density, pose_of(part));
  mass.mass *= density, mass.inertia *= density;
  return mass;
}

/// Sum over the shapes; `mass` spreads itself over their volume if it is given.
std::optional<MassProperties> sum_shapes(Draft& draft, const BodySpec& body, const std::string& path) {
  if (body.shapes.empty()) return {};
  MassProperties sum;
  for (std::size_t i = 0; i < body.shapes.size(); ++i) {
    const ShapeSpec& shape = body.shapes[i].value;
    if (!is_bounded(shape.shape)) continue;
    const std::optional<double> density = body.mass ? std::optional(1.0) : find_density(draft, body, shape);
    if (body.mass && (body.density || shape.density)) {
      draft.fault(path + ".mass", "mass and density are both given", "remove one of them");
    }
    if (!density) return {};
    sum = calc_sum(sum, calc_part_mass(body, i, *density));
  }
  if (sum.mass == 0) return {};
  if (body.mass) {
    sum.inertia *= *body.mass / sum.mass;
    sum.mass = *body.mass;
  }
  return sum;
}

void check_given_inertia(Draft& draft, const BodySpec& body, const std::string& path) {
  if (!body.inertia || draft.is_faulty(path)) return;
  const InertiaFault fault = find_inertia_fault(expand_inertia(*body.inertia));
  if (fault != InertiaFault::none) draft.fault(path, describe(fault));
}

/// Values that would overflow or underflow, or that no body of mechanics has. True if there is one.
bool check_magnitudes(Draft& draft, const BodySpec& body, const std::string& path) {
  const std::size_t before = draft.faults.size();
  const std::string hint = "is the unit right? A plain number is in SI units";
  const auto check = [&](double size, double largest, const std::string& key, const char* what, const char* unit) {
    if (size <= largest) return;
    draft.fault(path + key,
                fmt::format("{} of {} {}: at most {} {} can be simulated", what, format_number(size), unit,
                            format_number(largest), unit),
                hint);
  };
  if (body.mass) check(*body.mass, largest_mass, ".mass", "a mass", "kg");
  if (body.position) check(body.position->cwiseAbs().maxCoeff(), largest_size, ".position", "a distance", "m");
  if (body.velocity) check(body.velocity->cwiseAbs().maxCoeff(), largest_speed, ".velocity", "a speed", "m/s");
  if (body.angular_velocity)
    check(body.angular_velocity->cwiseAbs().maxCoeff(), largest_speed, ".angular_velocity", "a speed", "rad/s");
  for (const auto& [name, shape] : body.shapes) {
    if (!is_bounded(shape.shape)) continue;
    const Bounds bounds = calc_bounds(shape.shape, {});
    const std::string key = name.empty() ? ".shape" : ".shape." + name;
    check(std::max(bounds.upper.cwiseAbs().maxCoeff(), bounds.lower.cwiseAbs().maxCoeff()), largest_size, key, "a size",
          "m");
    const double thinnest = (bounds.upper - bounds.lower).minCoeff();
    if (thinnest > 0 && thinnest < smallest_size) {  // a point has none
      draft.fault(path + key,
                  fmt::format("a size of {} m: at least {} m can be simulated", format_number(thinnest),
                              format_number(smallest_size)),
                  hint);
    }
  }
  return draft.faults.size() > before;
}

MassProperties draft_mass(Draft& draft, const BodySpec& body, const std::string& path) {
  if (check_magnitudes(draft, body, path)) return {};
  const std::optional<MassProperties> from_shapes = sum_shapes(draft, body, path);
  MassProperties mass = from_shapes.value_or(MassProperties{});
  if (body.mass) {
    if (!(*body.mass > 0) || !std::isfinite(*body.mass)) {
      draft.fault(path + ".mass", fmt::format("must be > 0 kg, got {}", format_number(*body.mass)));
    }
    mass.mass = *body.mass;
  }
  if (body.center_of_mass) {
    if (from_shapes && !body.inertia) {
      draft.fault(path + ".center_of_mass",
                  "the centre of mass is not the centroid of the shapes, about which the inertia was computed",
                  "give inertia about this centre of mass too");
    }
    mass.com = *body.center_of_mass;
  }
  if (body.inertia) mass.inertia = expand_inertia(*body.inertia);
  if (mass.mass > 0 && mass.mass < smallest_mass) {
    draft.fault(path + (body.mass ? ".mass" : ""),
                fmt::format("is less than {} kg: too small to compute with", format_number(smallest_mass)));
  }
  if (!body.mass && mass.mass > largest_mass) {
    draft.fault(path,
                fmt::format("has a mass of {:.3g} kg by its density: at most {} kg can be simulated", mass.mass,
                            format_number(largest_mass)),
                "check density and size: plain numbers are in kg/m^3 and m");
  }
  const double largest_moment = mass.inertia.cwiseAbs().maxCoeff();
  if (largest_moment > 0 && largest_moment < smallest_moment) {
    draft.fault(path + (body.inertia ? ".inertia" : ""),
                fmt::format("all moments of inertia are below {} kg m^2: too small to compute with",
                            format_number(smallest_moment)));
  }
  // Bodies that follow a given motion, or none, need no mass.
  if (mass.mass == 0 && !body.fixed && !body.motion) {
    draft.fault(path, "a mass is missing",
                "give mass, or density (here, in the shape or in the material) with a shape; or fixed = true");
  }
  return mass;
}

bool is_material_faulty(const Draft& draft, const BodySpec& body) {
  return body.material && draft.is_faulty("material." + *body.material);
}

}  // namespace

void draft_bodies(Draft& draft) {
  draft.bodies.push_back({.spec = nullptr, .name = "world", .mass = {}});
  draft.body_index["world"] = 0;
  std::vector<std::string> materials;
  for (const auto& material : draft.scene.materials) materials.push_back(material.name);
  for (const auto& [name, spec] : draft.scene.bodies) {
    const std::string path = "body." + name;
    if (!draft.body_index.emplace(name, static_cast<int>(draft.bodies.size())).second)
      draft.fault(path, "the name is already used", "give every body its own name; \"world\" is reserved");
    if (spec.material && !draft.may_lack_names() && !is_material_faulty(draft, spec) &&
        std::find(materials.begin(), materials.end(), *spec.material) == materials.end()) {
      draft.fault(path + ".material", fmt::format("there is no material \"{}\"", *spec.material),
                  suggest(*spec.material, materials, "material"));
    }
    if (spec.fixed && spec.motion) {
      draft.fault(path + ".motion", "the body is fixed and cannot follow a motion", "remove fixed = true");
    }
    const bool faulty = draft.is_faulty(path) || is_material_faulty(draft, spec);
    draft.bodies.push_back(
        {.spec = &spec, .name = name, .mass = faulty ? MassProperties{} : draft_mass(draft, spec, path)});
    check_given_inertia(draft, spec, path + ".inertia");
  }
  if (draft.scene.bodies.empty() && draft.faults.empty())
    draft.fault("", "the scene has no body", "add a table [body.NAME]");
}

}  // namespace stiction
