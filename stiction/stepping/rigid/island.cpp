#include "stiction/stepping/rigid/island.h"

#include <algorithm>
#include <numeric>

#include "stiction/base/disjoint_sets.h"
#include "stiction/base/index.h"

namespace stiction {

void Island::clear() {
  clusters.clear();
  bodies.clear();
  shapes.clear();
  asleep.clear();
  coordinates.clear();
  constraints.clear();
  forces.clear();
  contacts.clear();
  pairs.clear();
  memory.clear();
  nq = nv = 0;
  dimension = 3;
  has_prescribed = has_belts = feels_velocity = is_damped = is_jointed = false;
}

void ClusterLayout::begin(const Island& island) {
  island_ = &island;
  cluster_of_v_.assign(at(island.nv), -1);
  for (std::size_t slot = 0; slot < island.clusters.size(); ++slot) {
    const auto& [cluster, start, size] = island.clusters[slot];
    slot_[at(cluster)] = static_cast<int>(slot);
    std::fill_n(cluster_of_v_.begin() + start, size, cluster);
  }
}

IslandFinder::IslandFinder(const RigidModel& model)
    : model_(model),
      root_(model.parts.size()),
      island_of_(model.parts.size()),
      is_listed_(model.system.bodies.size()) {}

/// Of a pair of shapes, of which one moves freely at least.
int IslandFinder::find_island(int shape_a, int shape_b) {
  const int a = model_.shape(shape_a).cluster, b = model_.shape(shape_b).cluster;
  return island_of_[at(find_root(root_, a >= 0 ? a : b))];
}

void IslandFinder::add_cluster(int cluster, Island& island) {
  const RigidModel::Cluster& part = model_.parts[at(cluster)];
  const auto append = [](const std::vector<int>& from, std::vector<int>& to) {
    to.insert(to.end(), from.begin(), from.end());
  };
  island.clusters.push_back({.index = cluster, .v_start = 0, .size = model_.clusters.dimension(cluster)});
  append(part.shapes, island.shapes);
  append(part.coordinates, island.coordinates);
  append(part.constraints, island.constraints);
  append(part.forces, island.forces);
  island.feels_velocity = island.feels_velocity || part.feels_velocity;
  island.is_damped = island.is_damped || part.is_damped;
  island.is_jointed = island.is_jointed || part.is_jointed;
}

/// Prescribed bodies that carry, push or touch what is in the island, and those that carry these.
void IslandFinder::add_drivers(Island& island) {
  drivers_.clear();
  const auto add = [&](int body) {
    for (; body != 0 && model_.clusters.of_body[at(body)] < 0 && !is_listed_[at(body)];
         body = model_.plan.joints[at(body)].parent) {
      const JointPlan& joint = model_.plan.joints[at(body)];
      if (joint.nv == 0 && !joint.parent_moves) break;
      is_listed_[at(body)] = 1;
      drivers_.push_back(body);
    }
  };
  for (const Island::Cluster& cluster : island.clusters) {
    for (const int body : model_.parts[at(cluster.index)].drivers) add(body);
  }
  for (const FoundPair& pair : island.pairs) {
    add(model_.shape(pair.a).body);
    add(model_.shape(pair.b).body);
  }
  std::sort(drivers_.begin(), drivers_.end());
  for (const int body : drivers_) {
    is_listed_[at(body)] = 0;
    island.bodies.push_back({.body = body});
  }
}

/// Places in q and v, and what follows from the list of pairs.
void IslandFinder::number(const Sleeping& sleeping, Island& island) {
  add_drivers(island);
  for (Island::Cluster& cluster : island.clusters) {
    for (const int body : model_.parts[at(cluster.index)].bodies) island.bodies.push_back({.body = body});
  }
  std::size_t next = drivers_.size();
  for (Island::Cluster& cluster : island.clusters) {
    cluster.v_start = island.nv;
    for (std::size_t i = 0; i < model_.parts[at(cluster.index)].bodies.size(); ++i, ++next) {
      BodyPlace& place = island.bodies[next];
      const JointPlan& joint = model_.plan.joints[at(place.body)];
      if (sleeping.is_asleep(place.body)) island.asleep.push_back(place.body);
      if (joint.prescribed) continue;
      place.q_start = island.nq, place.v_start = island.nv;
      island.nq += joint.nq, island.nv += joint.nv;
    }
  }
  for (BodyPlace& place : island.bodies) {
    const JointPlan& joint = model_.plan.joints[at(place.body)];
    if (!joint.prescribed) continue;
    place.q_start = island.nq, place.v_start = island.nv;
    island.nq += joint.nq, island.nv += joint.nv;
    island.has_prescribed = true;
  }
  std::sort(island.shapes.begin(), island.shapes.end());
  std::sort(island.coordinates.begin(), island.coordinates.end());
  std::sort(island.constraints.begin(), island.constraints.end());
  std::sort(island.forces.begin(), island.forces.end());
  const bool planar = std::all_of(island.shapes.begin(), island.shapes.end(),
                                  [&](int shape) { return model_.shape(shape).planar || !model_.shape(shape).moves; });
  const bool spins = std::any_of(island.pairs.begin(), island.pairs.end(), [&](const FoundPair& pair) {
    const ContactRule& rule = model_.system.contact.rules[at(pair.rule)];
    return std::max(rule.law.friction, rule.law.static_friction) > 0 && rule.law.spin_radius > 0;
  });
  island.dimension = planar ? 2 : spins ? 4 : 3;
  island.has_belts = std::any_of(island.pairs.begin(), island.pairs.end(), [&](const FoundPair& pair) {
    return model_.shape(pair.a).is_belt || model_.shape(pair.b).is_belt;
  });
}

void IslandFinder::update(const FoundContacts& found, const std::vector<ContactMemory>& memory,
                          const Sleeping& sleeping) {
  for (std::size_t c = 0; c < root_.size(); ++c) root_[c] = model_.parts[c].linked;
  for (const FoundPair& pair : found.pairs) {
    const int a = model_.shape(pair.a).cluster, b = model_.shape(pair.b).cluster;
    if (a < 0 || b < 0) continue;
    const int x = find_root(root_, a), y = find_root(root_, b);
    root_[at(std::max(x, y))] = std::min(x, y);
  }
  // By their first clusters, which are their roots.
  count_ = 0;
  for (int c = 0; c < static_cast<int>(root_.size()); ++c) {
    const int root = find_root(root_, c);
    if (root == c) {
      if (at(count_) == islands_.size()) islands_.emplace_back();
      islands_[at(count_)].clear();
      island_of_[at(c)] = count_++;
    }
    add_cluster(c, islands_[at(island_of_[at(root)])]);
  }
  for (const FoundPair& pair : found.pairs) {
    Island& island = islands_[at(find_island(pair.a, pair.b))];
    FoundPair own = pair;
    own.begin = static_cast<int>(island.contacts.size());
    island.contacts.insert(island.contacts.end(), found.contacts.begin() + pair.begin,
                           found.contacts.begin() + pair.end);
    own.end = static_cast<int>(island.contacts.size());
    island.pairs.push_back(own);
  }
  for (const ContactMemory& entry : memory)
    islands_[at(find_island(entry.place.shape_a, entry.place.shape_b))].memory.push_back(entry);
  for (int i = 0; i < count_; ++i) number(sleeping, islands_[at(i)]);
}

}  // namespace stiction
