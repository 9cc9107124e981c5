#include "stiction/stepping/rigid/position_correction.h"

#include <algorithm>

#include "stiction/base/index.h"
#include "stiction/base/infinity.h"
#include "stiction/multibody/coordinate.h"

namespace stiction {

PositionCorrection::PositionCorrection(IslandWork& work) : work_(work), model_(work.model) {}

/// Is a joint beyond its limit by more than allowed?
bool PositionCorrection::has_deep_limit(const IslandState& state, double allowed) {
  if (work_.rows.island().coordinates.empty()) return false;
  update_positions(model_.system, state.q, work_.kinematics);
  return std::any_of(work_.rows.island().coordinates.begin(), work_.rows.island().coordinates.end(), [&](int k) {
    const GuardedCoordinate& coordinate = model_.coordinates[at(k)];
    const double x = calc_coordinate_position(model_.system, work_.kinematics, state.q, work_.free.z(), coordinate.ref);
    return x < coordinate.limit.lower - allowed || x > coordinate.limit.upper + allowed;
  });
}

bool PositionCorrection::pose_round(const IslandState& state, const AllowedOverlap& allowed) {
  posed_t_ = state.t;
  std::vector<Contact>& found = solved_.contacts;
  found = work_.search.find(state).contacts;
  if (model_.has_layers) {
    // Layers are pressed in; overlaps are those of their cores.
    for (Contact& contact : found) contact.gap = model_.calc_core_gap(contact);
    std::erase_if(found, [](const Contact& contact) { return contact.gap == infinity; });
  }
  const auto is_deep = [&](const Contact& c) {
    return c.gap < -allowed.overlap && c.gap < -allowed.part * model_.calc_size(c);
  };
  const bool overlaps = std::any_of(found.begin(), found.end(), is_deep);
  if (!overlaps && !has_deep_limit(state, allowed.overlap)) return false;
  StepRows& rows = work_.rows;
  Kinematics& kinematics = work_.kinematics;
  const VecX& z = work_.free.z();
  update_positions(model_.system, state.q, kinematics);
  rows.A().update({model_.system, kinematics, state.t, state.q, state.v, z});
  rows.J().clear();
  for (std::size_t i = 0; i < found.size(); ++i) rows.J().add_contact(static_cast<int>(i), found[i], kinematics);
  add_limits(model_, state.q, z, infinity, kinematics, rows);
  const auto is_closed = [&](const RowBlock& block) {
    return block.kind == RowKind::contact ? is_deep(found[at(block.index)]) : block.gap < -allowed.overlap;
  };
  if (std::none_of(rows.blocks().begin(), rows.blocks().end(), is_closed)) return false;
  const int d = rows.dimension();
  q_.setZero(d * rows.size());
  for (int i = 0; i < rows.size(); ++i) {
    RowBlock& block = rows.J().block(i);
    block.mu = 0;
    q_[d * i] = block.gap;
  }
  return true;
}

void PositionCorrection::solve_round(const AllowedOverlap& allowed) {
  displacement_.setZero(work_.rows.island().nv);
  work_.posed = {posed_t_, 0, &displacement_, &displacement_, &displacement_, &solved_.contacts, true};
  if (allowed.roughly) {
    work_.audit.iterations += work_.solver.solve_roughly(work_.rows, q_, 0.1 * allowed.overlap, solved_.r);
  } else {
    work_.note(work_.solver.solve_cold(work_.rows, q_, 0, solved_.r));
  }
}

bool PositionCorrection::refuse_far_motions(double allowed) {
  StepRows& rows = work_.rows;
  const int d = rows.dimension();
  rows.multiply(solved_.r, solved_.u_end);
  displacement_.setZero(rows.island().nv);
  rows.add_impulses(solved_.r, displacement_);
  update_velocities(model_.system, displacement_, work_.kinematics);
  bool any = false;
  for (const std::vector<int>& group : rows.find_groups()) {
    double overlaps = 0, deepest = 0, left = 0, farthest = 0;
    for (const int i : group) {
      const RowBlock& block = rows.blocks()[at(i)];
      overlaps += std::max(0.0, -block.gap);
      deepest = std::max(deepest, -block.gap);
      left = std::max(left, -block.gap - solved_.u_end[d * i]);
      if (block.kind != RowKind::contact) continue;
      const Contact& contact = solved_.contacts[at(block.index)];
      for (const int shape : {contact.shape_a, contact.shape_b})
        farthest =
            std::max(farthest, model_.shape(shape).moves ? model_.calc_distance(shape, work_.kinematics, 1) : 0.0);
    }
    const bool is_halved = left <= std::max(allowed, 0.5 * deepest);
    if (farthest <= model_.tolerances.longest_correction * overlaps && is_halved) continue;
    for (const int i : group) solved_.r.segment(d * i, d).setZero();
    any = true;
  }
  return any;
}

PositionCorrection::Outcome PositionCorrection::apply(IslandState& state, double allowed) {
  const bool refused = refuse_far_motions(allowed);
  if (refused) ++work_.audit.unconverged;
  work_.search.allow_displacement(work_.kinematics);
  Kinematics& kinematics = work_.kinematics;
  const double potential = calc_potential_energy(model_.system, kinematics);
  displacement_.setZero(work_.rows.island().nv);
  work_.rows.add_impulses(solved_.r, displacement_);
  add_displacement(kinematics.plan, displacement_, state.q);
  update_positions(model_.system, state.q, kinematics);
  state.ledger[ledger_projection] += calc_potential_energy(model_.system, kinematics) - potential;
  return refused ? Outcome::refused : Outcome::moved;
}

}  // namespace stiction
