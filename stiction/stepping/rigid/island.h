#pragma once

#include "stiction/stepping/rigid/contact_memory.h"
#include "stiction/stepping/rigid/rigid_model.h"
#include "stiction/stepping/rigid/sleeping.h"

namespace stiction {

/// A set of clusters (multibody/cluster.h) that can act on one another within one step: by contacts within reach, or by
/// force elements. Fixed and prescribed bodies connect nothing. An island is advanced from t to t + h by itself: its
/// times of impact, sub-steps, solver and tolerances depend on nothing outside of it, so that its motion is bit for bit
/// that of a scene in which there is nothing else.
///
/// Coordinates of an island are numbered anew: of free joints first, cluster by cluster, then of prescribed joints.
/// Bodies, shapes and clusters keep their numbers.
struct Island {
  struct Cluster {
    int index = 0;    ///< in RigidModel::parts
    int v_start = 0;  ///< of its entries of the island's v, in the order of ClusterMap::members
    int size = 0;
  };
  std::vector<Cluster> clusters;                      ///< ascending
  std::vector<BodyPlace> bodies;                      ///< that move, parents first, with their places in q and v
  std::vector<int> shapes;                            ///< of these bodies, ascending
  std::vector<int> asleep;                            ///< bodies, ascending
  std::vector<int> coordinates, constraints, forces;  ///< ascending
  std::vector<Contact> contacts;                      ///< at the start, within reach of the whole step, ascending
  std::vector<FoundPair> pairs;                       ///< their pairs, ascending
  std::vector<ContactMemory> memory;                  ///< ascending
  int nq = 0, nv = 0;
  int dimension = 3;  ///< of contact rows: 2 in the plane, 4 where a law has spin
  bool has_prescribed = false, has_belts = false, feels_velocity = false, is_damped = false, is_jointed = false;

  void clear();
  /// Entries of v that are not prescribed.
  int count_free_velocities() const { return clusters.empty() ? 0 : clusters.back().v_start + clusters.back().size; }
};

/// Where the clusters of an island stand in its v. Clusters have their numbers of RigidModel::parts.
class ClusterLayout {
 public:
  explicit ClusterLayout(const RigidModel& model) : slot_(model.parts.size(), 0) {}
  void begin(const Island& island);
  const Island& island() const { return *island_; }
  int slot(int cluster) const { return slot_[static_cast<std::size_t>(cluster)]; }  ///< in Island::clusters
  int v_start(int cluster) const { return place(cluster).v_start; }
  int size(int cluster) const { return place(cluster).size; }
  /// The cluster of an entry of v; -1: prescribed.
  int cluster_of_v(int i) const { return cluster_of_v_[static_cast<std::size_t>(i)]; }

 private:
  const Island::Cluster& place(int cluster) const { return island_->clusters[static_cast<std::size_t>(slot(cluster))]; }

  const Island* island_ = nullptr;
  std::vector<int> slot_, cluster_of_v_;
};

/// Cuts a scene into islands.
class IslandFinder {
 public:
  explicit IslandFinder(const RigidModel& model);

  /// From the contacts within reach (FoundContacts of the whole scene) and what is remembered of contacts. Islands
  /// stand in the order of their first clusters.
  void update(const FoundContacts& found, const std::vector<ContactMemory>& memory, const Sleeping& sleeping);
  int size() const { return count_; }
  const std::vector<Island>& list() const { return islands_; }  ///< the first size() are in use

 private:
  int find_island(int shape_a, int shape_b);
  void add_cluster(int cluster, Island& island);
  void add_drivers(Island& island);
  void number(const Sleeping& sleeping, Island& island);

  const RigidModel& model_;
  std::vector<int> root_, island_of_;  ///< of clusters
  std::vector<char> is_listed_;        ///< bodies
  std::vector<int> drivers_;
  std::vector<Island> islands_;  ///< the first count_ are in use
  int count_ = 0;
};

}  // namespace stiction
