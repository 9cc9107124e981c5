#include "stiction/multibody/cluster.h"

#include <numeric>

#include "stiction/base/check.h"

namespace stiction {
namespace {

/// Disjoint sets of bodies, by the body whose joint moves freely.
class Groups {
 public:
  explicit Groups(int n) : parent_(static_cast<std::size_t>(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[static_cast<std::size_t>(i)] != i) i = parent_[static_cast<std::size_t>(i)];
    return i;
  }
  /// The smaller index stands for both.
  void join(int i, int j) {
    const int a = find(i), b = find(j);
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

bool moves_freely(const Joint& joint) {
  return joint.nv > 0 && !joint.prescribed();
}

}  // namespace

ClusterMap::ClusterMap(const System& system)
    : of_v(static_cast<std::size_t>(system.nv), -1),
      local(static_cast<std::size_t>(system.nv), -1),
      of_body(static_cast<std::size_t>(system.n_bodies()), -1),
      of_constraint(system.constraints.size(), -1) {
  // The nearest body inboard, itself included, whose joint moves freely; 0 for none.
  std::vector<int> mover(static_cast<std::size_t>(system.n_bodies()), 0);
  Groups groups(system.n_bodies());
  for (int b = 1; b < system.n_bodies(); ++b) {
    const Joint& joint = system.joints[static_cast<std::size_t>(b)];
    const int inboard = mover[static_cast<std::size_t>(joint.parent)];
    mover[static_cast<std::size_t>(b)] = moves_freely(joint) ? b : inboard;
    // A prescribed joint that is carried by a free one passes the carrier's motion on.
    if (moves_freely(joint) && inboard > 0) groups.join(b, inboard);
  }
  const auto movers_of = [&](const Constraint& constraint) {
    std::vector<int> bodies = {mover[static_cast<std::size_t>(constraint.frames.body_a)],
                               mover[static_cast<std::size_t>(constraint.frames.body_b)]};
    for (const ConstraintRow& row : constraint.rows) {
      const auto* coupler = std::get_if<RowCoupler>(&row);
      if (!coupler) continue;
      for (const CoordinateRef& ref : coupler->coordinates) {
        const NamedJoint& joint = system.named_joints[static_cast<std::size_t>(ref.joint)];
        bodies.push_back(mover[static_cast<std::size_t>(joint.child)]);
        if (joint.form == JointForm::constraint) bodies.push_back(mover[static_cast<std::size_t>(joint.parent)]);
      }
    }
    std::erase(bodies, 0);
    return bodies;
  };
  for (const Constraint& constraint : system.constraints) {
    const std::vector<int> bodies = movers_of(constraint);
    for (const int body : bodies) groups.join(bodies.front(), body);
  }
  // Clusters in the order of their first body.
  std::vector<int> cluster_of(static_cast<std::size_t>(system.n_bodies()), -1);
  for (int b = 1; b < system.n_bodies(); ++b) {
    const int by = mover[static_cast<std::size_t>(b)];
    if (by == 0) continue;
    int& cluster = cluster_of[static_cast<std::size_t>(groups.find(by))];
    if (cluster < 0) {
      cluster = size();
      members.emplace_back();
    }
    of_body[static_cast<std::size_t>(b)] = cluster;
    if (by != b) continue;
    const Joint& joint = system.joints[static_cast<std::size_t>(b)];
    for (int i = joint.v_start; i < joint.v_start + joint.nv; ++i) {
      std::vector<int>& entries = members[static_cast<std::size_t>(cluster)];
      of_v[static_cast<std::size_t>(i)] = cluster;
      local[static_cast<std::size_t>(i)] = static_cast<int>(entries.size());
      entries.push_back(i);
    }
  }
  for (std::size_t c = 0; c < system.constraints.size(); ++c) {
    const std::vector<int> bodies = movers_of(system.constraints[c]);
    if (!bodies.empty()) of_constraint[c] = of_body[static_cast<std::size_t>(bodies.front())];
  }
}

}  // namespace stiction
