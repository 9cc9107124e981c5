#pragma once

#include <cmath>

#include "stiction/contact/contact_finder.h"
#include "stiction/multibody/cluster.h"
#include "stiction/stepping/rigid/contact_memory.h"
#include "stiction/stepping/rigid/formulation.h"
#include "stiction/stepping/rigid/policy.h"
#include "stiction/stepping/rigid/solved_measure.h"
#include "stiction/stepping/rigid/tolerances.h"

namespace stiction {

/// A joint coordinate that has a limit or friction. With u its velocity at the start of a step, the step has Coulomb
/// friction with the bound
///     T = T_C + (T_S - T_C) s_dw,   s_dw = s = exp(-(u / v_S)^2)           (gonthier-thesis-2007, eqs 3.30, 3.37)  (1)
/// or, with a dwell time, s_dw by joint_dwell.h; times (T_C + k L) / T_C where friction grows with the load L of the
/// joint (joint_load.h). DEPARTURE: T is that of the start of the step: it lags by h.
struct GuardedCoordinate {
  CoordinateRef ref;
  JointLimit limit;
  double friction = 0;           ///< T_C [N m, N]
  double static_friction = 0;    ///< T_S, where it is above
  double stribeck_velocity = 1;  ///< v_S [rad/s, m/s]
  double dwell_time = 0;         ///< tau_dw [s]
  int dwell_entry = -1;          ///< where in z s_dw stands; -1: it is s
  double load_factor = 0;        ///< k: mu r [m], mu [-]; 0: the load does not count
  int load_entry = -1;           ///< where in z L stands
  double load_time = 1e-3;       ///< [s]
  bool slides = false;           ///< the coordinate is a length
  int force_entry = -1;          ///< where in z the mean force of its rows over the last step stands

  bool feels_load() const { return load_factor > 0; }
  bool has_friction() const { return friction > 0 || feels_load(); }
  bool has_static_friction() const { return friction > 0 && static_friction > friction; }
  double calc_sticking(double velocity) const {  ///< s
    const double ratio = velocity / stribeck_velocity;
    return std::exp(-ratio * ratio);
  }
  /// For u and z at the start of a step.
  double calc_bound(double velocity, const VecX& z) const {
    double bound = friction;
    if (has_static_friction())
      bound += (static_friction - friction) * (dwell_entry < 0 ? calc_sticking(velocity) : z[dwell_entry]);
    return feels_load() ? bound + load_factor * z[load_entry] * (friction > 0 ? bound / friction : 1) : bound;
  }
};

/// What a rigid stepper knows of a system and does not change: shared by all islands and threads.
struct RigidModel {
  RigidModel(const System& of_system, const MethodSettings& with, const RigidTolerances& by = {},
             const FailurePolicy& failing = {});

  const System& system;
  MethodSettings settings;
  RigidTolerances tolerances;
  FailurePolicy policy;
  SolvedMeasure solved;
  std::unique_ptr<const Formulation> formulation;
  TreePlan plan;
  ClusterMap clusters;
  std::vector<GuardedCoordinate> coordinates;

  struct Shape {
    int body = 0, cluster = -1;
    double size = 0;     ///< half the diagonal; 0 without an end [m]
    double arm = 0;      ///< from the body's origin to the farthest point, at most [m]
    bool moves = false;  ///< forces decide about its motion
    bool planar = false;
    bool is_belt = false;
  };
  std::vector<Shape> shapes;

  /// What belongs to a cluster whatever it touches.
  struct Cluster {
    std::vector<int> bodies;       ///< that it moves, ascending
    std::vector<int> drivers;      ///< prescribed bodies that carry it, or that act on it, ascending
    std::vector<int> shapes;       ///< of its bodies, ascending
    std::vector<int> coordinates;  ///< guarded ones
    std::vector<int> constraints, forces;
    int linked = 0;               ///< the first cluster with which force elements connect it
    bool may_rebound = false;     ///< a law with restitution names it
    bool is_ball = false;         ///< its masses are the same at all configurations
    bool feels_velocity = false;  ///< its forces depend on velocities: gyroscopic moments, dampers, Coriolis terms
    bool is_damped = false;       ///< by dampers or motors that feel velocities
    bool is_jointed = false;      ///< bodies that move on others: Coriolis forces couple them
  };
  std::vector<Cluster> parts;
  std::vector<int> fixed_shapes;  ///< of bodies that no cluster moves, driven ones too
  int free_velocities = 0;        ///< those that are not prescribed
  bool has_layers = false;        ///< some contacts have compliant layers
  bool has_static_friction = false;
  bool has_load_friction = false;  ///< that of some joint grows with its load
  bool has_joint_dwell = false;    ///< static friction of some joint has a dwell time

  const RigidLaw& law(const Contact& contact) const {
    return system.contact.rules[static_cast<std::size_t>(contact.rule)].law;
  }
  PairLayers find_layers(const Contact& contact) const {
    return has_layers ? system.contact.find_layers(contact.shape_a, contact.shape_b, contact.rule) : PairLayers{};
  }
  MemoryLayout memory_layout() const { return {has_layers, has_static_friction}; }
  bool is_layered(const Contact& contact) const { return find_layers(contact).count > 0; }
  /// The gap of the cores: that of the surfaces and the thickness of their layers [m].
  double calc_core_gap(const Contact& contact) const;
  const Shape& shape(int index) const { return shapes[static_cast<std::size_t>(index)]; }
  bool is_located(const Contact& contact) const { return formulation->is_located(law(contact)); }
  /// Of the smaller shape that has an end.
  double calc_size(const Contact& contact) const;
  double calc_closed_gap(const Contact& contact) const { return tolerances.closed_gap_part * calc_size(contact); }
  /// How far a point of a shape comes within h, at most.
  double calc_distance(int shape, const Kinematics& kinematics, double h) const;
  /// How far a shape is expected to come within h: twice that, and free fall; 0 of what stands still.
  double calc_reach(int shape, const Kinematics& kinematics, double h) const;
  /// Velocity of B's point against A's, and of turning.
  SpatialPair calc_motion(const Contact& contact, const Kinematics& kinematics) const;
  double calc_normal_speed(const Contact& contact, const Kinematics& kinematics) const;
};

}  // namespace stiction
