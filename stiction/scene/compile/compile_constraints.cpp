#include <fmt/format.h>

#include <algorithm>

#include "stiction/multibody/coordinate.h"
#include "stiction/scene/compile/compile_draft.h"

namespace stiction {
namespace {

/// What the constraints of a scene are made of: both bodies' indices and initial poses.
struct Pair {
  int draft_a = 0, draft_b = 0;
  int a = 0, b = 0;
  Transform X_WA, X_WB;
};

std::optional<Pair> find_pair(Draft& draft, const Kinematics* start, const ConstraintSpec& spec,
                              const std::string& path) {
  Pair pair;
  pair.draft_a = draft.find_body(spec.a, path + ".a");
  pair.draft_b = draft.find_body(spec.b, path + ".b");
  if (pair.draft_a < 0 || pair.draft_b < 0) return {};
  if (pair.draft_a == pair.draft_b) {
    draft.fault(path + ".b", "a and b are the same body");
    return {};
  }
  if (!start) return {};
  pair.a = draft.body(pair.draft_a).index;
  pair.b = draft.body(pair.draft_b).index;
  pair.X_WA = start->X_WB[static_cast<std::size_t>(pair.a)], pair.X_WB = start->X_WB[static_cast<std::size_t>(pair.b)];
  return pair;
}

/// Rows along world axes at the start, so that those of planar pairs separate; axis constraints have z along the axis.
Constraint make_pair_constraint(const Named<ConstraintSpec>& named, const Pair& pair) {
  const ConstraintSpec& spec = named.value;
  Constraint constraint{.name = named.name, .frames = {}, .rows = {}};
  FramePair& frames = constraint.frames;
  frames.body_a = pair.a, frames.body_b = pair.b;
  const Vec3 at_W = pair.X_WA * spec.at_a;
  frames.X_aA = {pair.X_WA.R.transpose(), spec.at_a};
  frames.X_bB = {pair.X_WB.R.transpose(), spec.at_b.value_or(pair.X_WB.inverse() * at_W)};
  if (spec.type == "point" || spec.type == "weld") constraint.rows = {RowPoint{0}, RowPoint{1}, RowPoint{2}};
  if (spec.type == "weld")
    constraint.rows.insert(constraint.rows.end(), {RowNormal{0, 1}, RowNormal{1, 2}, RowNormal{2, 0}});
  if (spec.type == "axis") {
    const Vec3 axis_W = pair.X_WA.R * spec.axis_a.normalized();
    const Vec3 axis_b = spec.axis_b ? spec.axis_b->normalized() : Vec3(pair.X_WB.R.transpose() * axis_W);
    frames.X_aA.R = make_frame_with_z(spec.axis_a.normalized(), pair.X_WA.R.transpose() * Vec3::UnitZ());
    frames.X_bB.R = make_frame_with_z(axis_b, pair.X_WB.R.transpose() * Vec3::UnitZ());
    constraint.rows = {RowNormal{0, 2}, RowNormal{1, 2}};
  }
  if (spec.type == "distance") {
    frames.X_bB.p = spec.at_b.value_or(Vec3::Zero());
    const double now = (pair.X_WB * frames.X_bB.p - at_W).norm();
    constraint.rows = {RowDistance{spec.length.value_or(now)}};
  }
  return constraint;
}

/// The coordinates of a coupler, or nothing where it is faulty.
std::optional<std::vector<CoordinateRef>> find_coupled(Draft& draft, const ConstraintSpec& spec,
                                                       const std::string& path) {
  std::vector<CoordinateRef> coordinates;
  for (const std::string& joint : spec.joints) {
    const auto ref = draft.find_coordinate(joint, path + ".joints");
    if (!ref) continue;
    const bool twice = std::any_of(coordinates.begin(), coordinates.end(), [&](const CoordinateRef& other) {
      return other.joint == ref->joint && other.component == ref->component;
    });
    if (twice) {
      draft.fault(path + ".joints", fmt::format("contains \"{}\" twice", joint),
                  "a coupler needs different coordinates");
      continue;
    }
    coordinates.push_back(*ref);
  }
  if (spec.joints.size() != spec.ratios.size() || spec.joints.size() < 2) {
    draft.fault(path + ".ratios", fmt::format("a coupler needs as many ratios as joints, at least 2: got {} and {}",
                                              spec.ratios.size(), spec.joints.size()));
    return {};
  }
  if (std::all_of(spec.ratios.begin(), spec.ratios.end(), [](double ratio) { return ratio == 0; })) {
    draft.fault(path + ".ratios", "are all 0: the coupler has no effect", "give at least one ratio that is not 0");
    return {};
  }
  if (coordinates.size() != spec.joints.size()) return {};
  return coordinates;
}

void add_coupler(Draft& draft, System* system, const Kinematics* start, const Named<ConstraintSpec>& named) {
  const ConstraintSpec& spec = named.value;
  const auto coordinates = find_coupled(draft, spec, "constraint." + named.name);
  if (!coordinates || !system) return;
  const State& s = system->initial;
  double sum = 0;
  for (std::size_t k = 0; k < coordinates->size(); ++k) {
    sum += spec.ratios[k] * calc_coordinate(*system, *start, s.q, s.v, s.z, (*coordinates)[k]).position;
  }
  RowCoupler row{
      .coordinates = *coordinates, .ratios = spec.ratios, .offset = make_constant(spec.offset.value_or(sum))};
  system->constraints.push_back({.name = named.name, .frames = {}, .rows = {std::move(row)}});
}

}  // namespace

void add_constraints(Draft& draft, System* system) {
  std::optional<Kinematics> placed;
  if (system) {
    placed.emplace(*system);
    update_positions(*system, system->initial.q, *placed);
    update_velocities(*system, system->initial.v, *placed);
  }
  const Kinematics* start = placed ? &*placed : nullptr;
  for (const auto& named : draft.scene.constraints) {
    const std::string path = "constraint." + named.name;
    if (draft.is_faulty(path)) {
      for (const std::string& joint : named.value.joints) draft.check_joint(joint, path + ".joints");
      if (named.value.type != "coupler") {
        draft.check_body(named.value.a, path + ".a");
        draft.check_body(named.value.b, path + ".b");
      }
      continue;
    }
    if (named.value.type == "coupler") {
      add_coupler(draft, system, start, named);
      continue;
    }
    const auto pair = find_pair(draft, start, named.value, "constraint." + named.name);
    if (!pair) continue;
    Constraint constraint = make_pair_constraint(named, *pair);
    const auto* distance = std::get_if<RowDistance>(&constraint.rows.front());
    if (distance && !(distance->length > 0)) {
      draft.fault("constraint." + named.name, "the distance is 0",
                  "use type = \"point\", or give at_a and at_b that lie apart");
      continue;
    }
    reduce_to_plane(draft, *start, pair->draft_a, pair->draft_b, "constraint." + named.name, constraint);
    system->constraints.push_back(std::move(constraint));
  }
}

}  // namespace stiction
