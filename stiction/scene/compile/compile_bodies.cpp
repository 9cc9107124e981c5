#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/scene/compile/compile_draft.h"

namespace stiction {
namespace {

/// Less than an electron, and what goes with a radius of 1e-15 m: below lie only slips of the pen.
constexpr double smallest_mass = 1e-30, smallest_moment = 1e-60;

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
      return "holds a number that is not finite";
    case InertiaFault::not_symmetric:
      return "is not symmetric";
    case InertiaFault::not_positive:
      return "has a principal moment that is not positive";
    case InertiaFault::triangle_inequality:
      return "violates the triangle inequality: the sum of two principal moments must not be less than the third";
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

/// Sum over the shapes; `mass` spreads itself over their volume if it is given.
std::optional<MassProperties> sum_shapes(Draft& draft, const BodySpec& body, const std::string& path) {
  if (body.shapes.empty()) return {};
  MassProperties sum;
  for (const auto& [name, shape] : body.shapes) {
    if (!is_bounded(shape.shape)) continue;
    const std::optional<double> density = body.mass ? std::optional(1.0) : find_density(draft, body, shape);
    if (body.mass && (body.density || shape.density)) {
      draft.fault(path + ".mass", "both a mass and a density are given", "leave one of them out");
    }
    if (!density) return {};
    const Transform X_BS{calc_matrix(shape.orientation), shape.position};
    sum = calc_sum(sum, calc_transformed(calc_mass_properties(shape.shape, *density), X_BS));
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

MassProperties draft_mass(Draft& draft, const BodySpec& body, const std::string& path) {
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
                  "moves the centre of mass away from the shapes' centroid, about which their "
                  "inertia was computed",
                  "give the inertia about this centre of mass too");
    }
    mass.com = *body.center_of_mass;
  }
  if (body.inertia) mass.inertia = expand_inertia(*body.inertia);
  if (mass.mass > 0 && mass.mass < smallest_mass) {
    draft.fault(
        path + (body.mass ? ".mass" : ""),
        fmt::format("has less than {} kg: its inverse would swamp all other numbers", format_number(smallest_mass)));
  }
  const double largest_moment = mass.inertia.cwiseAbs().maxCoeff();
  if (largest_moment > 0 && largest_moment < smallest_moment) {
    draft.fault(path + (body.inertia ? ".inertia" : ""),
                fmt::format("has no moment of inertia above {} kg m^2: too little to compute with",
                            format_number(smallest_moment)));
  }
  // Bodies that follow a given motion, or none, need no mass.
  if (mass.mass == 0 && !body.fixed && !body.motion) {
    draft.fault(path, "needs a mass",
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
      draft.fault(path, "the name is taken", "give every body a name of its own; \"world\" is reserved");
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
