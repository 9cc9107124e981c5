#include "stiction/stepping/rigid/island_work.h"

#include <algorithm>

#include "stiction/base/index.h"

namespace stiction {
namespace {

RigidSolverSettings make_solver_settings(const RigidModel& model) {
  return {.form = model.formulation->friction(),
          .directions = model.settings.directions,
          .solved = model.solved,
          .aim = 1e-2 * model.solved.exact};
}

}  // namespace

IslandWork::IslandWork(const RigidModel& of)
    : model(of),
      rows(model),
      search(model, profile),
      tracker(model, search),
      free(model),
      solver(make_solver_settings(model)),
      kinematics(model.system) {}

void IslandWork::begin(const Island& island, const IslandState& start, const State& whole, const Kinematics& at_start,
                       const std::vector<double>& reach, const Sleeping& sleeping) {
  rows.begin(island);
  search.begin(island, {start, at_start, reach}, sleeping);
  tracker.begin(island);
  free.begin(island, whole.z, whole.modes);
  select_bodies(model.plan, island.bodies, kinematics.plan);
  jam = {};
  audit = {};
}

void IslandWork::note(const RigidSolver::Result& result) {
  audit.residual = std::max(audit.residual, result.residual);
  audit.iterations += result.iterations;
  audit.contacts = rows.size();
  audit.unknowns = std::max(audit.unknowns, rows.island().count_free_velocities() + rows.A().constraints().count() +
                                                solver.count_unknowns(rows));
  audit.undetermined.merge(result.undetermined);
  if (!result.converged) ++audit.unconverged;
}

void IslandWork::calc_end_velocities(const VecX& u_free, const VecX& q, SolvedContacts& solved) {
  const int d = rows.dimension();
  rows.multiply(solved.r, solved.u_end);
  double largest = 0;
  for (int i = 0; i < rows.size(); ++i) largest = std::max(largest, solved.r[d * i]);
  for (int i = 0; i < rows.size(); ++i) {
    const bool is_negligible = solved.r[d * i] < model.tolerances.negligible_part * largest;
    if (rows.blocks()[at(i)].kind == RowKind::joint_friction || !is_negligible) continue;
    if (solved.u_end[d * i] + rows.J().calc_give(i, solved.r) + q[d * i] > model.tolerances.opening_speed)
      solved.r.segment(d * i, d).setZero();
  }
  solved.u_end += u_free;
}

}  // namespace stiction
