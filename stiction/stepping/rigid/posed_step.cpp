#include "stiction/stepping/rigid/posed_step.h"

#include <fmt/format.h>

#include <numeric>

#include "stiction/base/index.h"
#include "stiction/math/dense_least_norm.h"

namespace stiction {
namespace {

std::vector<std::string> name_velocities(const System& system, const Island& island, int count) {
  static const char* const spatial[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  std::vector<std::string> names(at(count));
  for (const BodyPlace& place : island.bodies) {
    if (place.v_start >= count) continue;  // prescribed
    const Joint& joint = system.joints[at(place.body)];
    for (int k = 0; k < joint.nv; ++k) {
      const bool is_scalar = joint.nq == joint.nv;
      const std::string part = is_scalar ? coordinate_name(joint.kind, k).name : spatial[k];
      names[at(place.v_start + k)] = system.bodies[at(place.body)].name + (part.empty() ? "" : "." + part);
    }
  }
  return names;
}

std::string name_coordinate(const RigidModel& model, const RowBlock& block) {
  const CoordinateRef ref = model.coordinates[at(block.index)].ref;
  const NamedJoint& joint = model.system.named_joints[at(ref.joint)];
  const std::string part = coordinate_name(joint.kind, ref.component).name;
  const char* what = block.kind == RowKind::joint_friction ? "friction"
                     : block.sign > 0                      ? "lower limit"
                                                           : "upper limit";
  return fmt::format("{}{} {}", joint.name, part.empty() ? "" : "." + part, what);
}

std::string name_contact(const RigidModel& model, const Contact& contact) {
  const auto name = [&](int shape) { return model.system.contact.shapes[at(shape)].name; };
  // A pair that touches with its closest points only has no number for them.
  const std::string number = contact.point < 0 ? "" : fmt::format(" {}", contact.point);
  return fmt::format("{}/{}{}", name(contact.shape_a), name(contact.shape_b), number);
}

/// The rows of the problem, in blocks of the rows of the step; those that stand for nothing are left out.
class RowList {
 public:
  RowList(const IslandWork& work, const std::vector<int>& blocks, PosedStep& posed)
      : work_(work), d_(work.rows.dimension()), posed_(posed) {
    for (std::size_t i = 0; i < blocks.size(); ++i) add(static_cast<int>(i), blocks[i]);
  }
  int size() const { return static_cast<int>(place_.size()); }
  /// Of a vector in blocks of the problem.
  VecX pick(const VecX& all) const {
    VecX picked(size());
    for (int k = 0; k < size(); ++k) picked[k] = all[place_[at(k)]];
    return picked;
  }
  /// Row k, in blocks of the problem.
  int place(int k) const { return place_[at(k)]; }
  int block(int k) const { return block_[at(k)]; }

 private:
  void add(int i, int index) {
    static const char* const axes[] = {"n", "t", "o", "spin"};
    const RowBlock& block = work_.rows.blocks()[at(index)];
    if (block.kind != RowKind::contact) {
      const int component = block.kind == RowKind::limit ? 0 : 1;
      return append(d_ * i + component, index, name_coordinate(work_.model, block));
    }
    const std::string contact = name_contact(work_.model, (*work_.posed.contacts)[at(block.index)]);
    for (int k = 0; k < d_; ++k) {
      if (k == 3 && block.ellipsoid[2] == 0) continue;
      append(d_ * i + k, index, fmt::format("{} {}", contact, axes[k]));
    }
  }
  void append(int place, int block, std::string name) {
    place_.push_back(place);
    block_.push_back(block);
    posed_.rows.push_back(std::move(name));
  }

  const IslandWork& work_;
  int d_;
  PosedStep& posed_;
  std::vector<int> place_, block_;
};

/// c_n, beta_k, sigma of (1) in rigid_solver.h.
void name_unknowns(const IslandWork& work, const std::vector<int>& blocks, PosedStep& posed) {
  for (const int index : blocks) {
    const RowBlock& block = work.rows.blocks()[at(index)];
    if (block.kind != RowKind::contact) {
      posed.unknowns.push_back(name_coordinate(work.model, block));
      continue;
    }
    const std::string contact = name_contact(work.model, (*work.posed.contacts)[at(block.index)]);
    const int count = work.solver.count_unknowns(block, work.rows.dimension());
    posed.unknowns.push_back(contact + " c_n");
    for (int k = 1; k < count - 1; ++k) posed.unknowns.push_back(fmt::format("{} beta_{}", contact, k));
    if (count > 1) posed.unknowns.push_back(contact + " sigma");
  }
}

void add_masses(const IslandWork& work, int count, PosedStep& posed) {
  posed.M.setZero(count, count);
  for (const Island::Cluster& cluster : work.rows.island().clusters)
    posed.M.block(cluster.v_start, cluster.v_start, cluster.size, cluster.size) = work.rows.A().M(cluster.index);
  const ClusterConstraints::Rows rows = work.rows.A().constraints().collect();
  posed.G = rows.G.leftCols(count);
  posed.phi = rows.phi;
  for (const int constraint : rows.constraints)
    posed.constraints.push_back(work.model.system.constraints[at(constraint)].name);
}

}  // namespace

PosedStep take_apart(IslandWork& work, const std::vector<int>* given, const SolvedProblem& solved) {
  StepRows& rows = work.rows;
  const int d = rows.dimension(), count = rows.island().count_free_velocities();
  std::vector<int> blocks(given ? *given : std::vector<int>(at(rows.size())));
  if (!given) std::iota(blocks.begin(), blocks.end(), 0);
  PosedStep posed;
  posed.t_s = work.posed.t_s;
  posed.h = work.posed.h;
  posed.moves_positions = work.posed.moves_positions;
  posed.velocities = name_velocities(work.model.system, rows.island(), count);
  add_masses(work, count, posed);
  const RowList list(work, blocks, posed);
  posed.J.setZero(list.size(), count);
  posed.mu.setZero(list.size());
  VecX unit = VecX::Zero(rows.island().nv);
  for (int k = 0; k < list.size(); ++k) {
    for (int j = 0; j < count; ++j) {
      unit[j] = 1;
      posed.J(k, j) = rows.J().multiply(list.block(k), unit)[list.place(k) % d];
      unit[j] = 0;
    }
    posed.mu[k] = rows.blocks()[at(list.block(k))].mu;
  }
  VecX r = VecX::Zero(d * static_cast<int>(blocks.size()));
  MatX W(r.size(), r.size());
  if (const auto* cone = std::get_if<ConeProblem>(&solved.problem)) {
    r = solved.solution;
    W = cone->W.calc_dense();
    posed.q = list.pick(cone->q);
    posed.unknowns = posed.rows;
  } else if (r.size() > 0) {
    // The solver of pyramids has formed W of all rows.
    r = work.solver.edges() * solved.solution;
    W = rows.W().calc_dense();
    name_unknowns(work, blocks, posed);
    posed.E.resize(list.size(), solved.solution.size());
    for (int k = 0; k < list.size(); ++k) posed.E.row(k) = work.solver.edges().row(list.place(k));
  }
  posed.r = list.pick(r);
  posed.W.resize(list.size(), list.size());
  for (int k = 0; k < list.size(); ++k)
    for (int j = 0; j < list.size(); ++j) posed.W(k, j) = W(list.place(k), list.place(j));
  VecX all = VecX::Zero(d * rows.size()), v_end = *work.posed.v_kept;
  for (std::size_t i = 0; i < blocks.size(); ++i) all.segment(d * blocks[i], d) = r.segment(d * static_cast<int>(i), d);
  if (all.size() > 0) rows.add_impulses(all, v_end);
  posed.v_start = work.posed.v_start->head(count);
  posed.v_free = work.posed.v_free->head(count);
  posed.v_kept = work.posed.v_kept->head(count);
  posed.v_end = v_end.head(count);
  // What prescribed joints change of v is in both.
  VecX left = posed.M * (posed.v_end - posed.v_free) - posed.J.transpose() * posed.r;
  if (posed.G.rows() > 0) {
    posed.lambda = solve_dense_least_norm(posed.G.transpose(), left);
    left -= posed.G.transpose() * posed.lambda;
  }
  posed.misfit = left.size() > 0 ? left.cwiseAbs().maxCoeff() : 0;
  return posed;
}

}  // namespace stiction
