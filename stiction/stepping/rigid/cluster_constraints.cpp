#include "stiction/stepping/rigid/cluster_constraints.h"

#include "stiction/base/index.h"

namespace stiction {

ClusterConstraints::ClusterConstraints(const RigidModel& model) : sets_(model.parts.size()) {
  for (std::size_t c = 0; c < model.parts.size(); ++c) {
    if (!model.parts[c].constraints.empty()) sets_[c] = std::make_unique<Set>(model.system, model.parts[c].constraints);
  }
}

void ClusterConstraints::begin(const Island& island) {
  island_ = &island;
  count_ = 0;
  for_each([&](const Set& set) { count_ += set.rows.size(); });
}

void ClusterConstraints::update(const Instant& instant, TreeDynamics& dynamics) {
  for_each([&](Set& set) {
    set.rows.update_positions(instant);
    set.rows.factorize(instant.kinematics, dynamics, island_->nv);
  });
}

void ClusterConstraints::reduce(int cluster, int start, MatX& A) {
  Set& set = *sets_[at(cluster)];
  const MatX& MiGt = set.rows.inverse_mass_jacobian();
  for (int j = 0; j < A.cols(); ++j) {
    set.lambda = MiGt.row(start + j).transpose();
    set.rows.solve_in_place(set.lambda);
    A.col(j) -= MiGt.middleRows(start, A.rows()) * set.lambda;
  }
}

ClusterConstraints::Rows ClusterConstraints::collect() const {
  Rows all{.G = MatX(count_, island_->nv), .phi = VecX(count_), .constraints = {}};
  for (const Island::Cluster& cluster : island_->clusters) {
    const Set* set = sets_[at(cluster.index)].get();
    if (!set) continue;
    const auto first = static_cast<Eigen::Index>(all.constraints.size());
    all.G.middleRows(first, set->rows.size()) = set->rows.jacobian_transposed().transpose();
    all.phi.segment(first, set->rows.size()) = set->rows.phi();
    for (int i = 0; i < set->rows.size(); ++i) all.constraints.push_back(set->rows.constraint_of(i));
  }
  return all;
}

void ClusterConstraints::set_offset(const Instant& instant, double part) {
  for_each([&](Set& set) {
    set.rows.update_velocities(instant);
    set.offset = part * set.rows.rate();
  });
}

void ClusterConstraints::clear_offset() {
  for_each([](Set& set) { set.offset.setZero(set.rows.size()); });
}

void ClusterConstraints::satisfy(const Instant& instant, double gain, VecX& v) {
  for_each([&](Set& set) {
    set.rows.update_velocities(instant);
    set.lambda = set.offset - gain * set.rows.phi() - set.rows.rate();
    set.rows.solve_in_place(set.lambda);
    v.noalias() += set.rows.inverse_mass_jacobian() * set.lambda;
  });
}

}  // namespace stiction
