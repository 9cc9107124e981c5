#pragma once

#include <limits>
#include <string>
#include <vector>

#include "stiction/contact/contact_model.h"
#include "stiction/geometry/shape/mass_properties.h"
#include "stiction/geometry/shape/placed_shape.h"
#include "stiction/multibody/constraint.h"
#include "stiction/multibody/controller.h"
#include "stiction/multibody/force.h"
#include "stiction/multibody/joint.h"
#include "stiction/multibody/joint_form.h"
#include "stiction/multibody/state.h"

namespace stiction {

struct Body {
  std::string name;
  MassProperties mass;
  Solid shapes;  ///< its parts
};

/// Limits and friction are rows of the rigid formulations, and forces in the others (force.h).
struct JointLimit {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// A joint as the user named it, in either form. Its coordinates are found through multibody/coordinate.h.
struct NamedJoint {
  std::string name;
  JointForm form = JointForm::tree;
  JointKind kind = JointWeld{};
  int parent = 0, child = 0;  ///< body indices
  Transform X_PF, X_MB;       ///< as in Joint
  int constraint = -1;        ///< constraint form: index into System::constraints
  int turns_start = -1;       ///< constraint form: where in z its angles are followed, so that whole turns are counted
  std::vector<JointLimit> limits;  ///< one a coordinate (nq == nv), or empty
  std::vector<double> friction;    ///< Coulomb friction force or torque, one a coordinate, or empty
  /// That at rest, and the velocity v_S with which it falls to `friction`, likewise; rigid formulations.
  std::vector<double> static_friction, stribeck_velocity;
  double dwell_time = 0;         ///< tau_dw of static friction [s]; rigid formulations
  std::vector<int> dwell_entry;  ///< and where in z s_dw stands, one a coordinate; empty: it has no delay
  /// Friction that grows with the reaction, (8) of force.h, likewise: its factor, and where in z the load L stands.
  std::vector<double> load_factor;
  std::vector<int> load_entry;
  double load_time = 1e-3;  ///< [s]
  /// Rigid formulations: where in z the mean forces of limits and friction over the last step stand, one a coordinate;
  /// -1: there are none.
  int row_force_start = -1;
};

/// The first entries of State::z are the energy ledger [J].
/// Friction and impact are parts of what is dissipated.
enum Ledger : int {
  ledger_input = 0,
  ledger_dissipated = 1,
  ledger_projection = 2,
  ledger_friction = 3,
  ledger_impact = 4,
  ledger_size = 5
};

/// A mechanical system: constant once compiled. Body 0 is the world. Bodies stand parents first; joints[i] is the
/// inboard joint of bodies[i].
struct System {
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<NamedJoint> named_joints;
  std::vector<Force> forces;
  std::vector<Constraint> constraints;
  std::vector<Controller> controllers;  ///< each has a HeldForce among the forces
  ContactModel contact;                 ///< empty where the formulation knows no contact
  Vec3 gravity = Vec3::Zero();          ///< [m/s^2]
  Vec3 up = Vec3::UnitZ();              ///< against gravity; the scene's up axis where there is none
  int nq = 0, nv = 0, nz = ledger_size;
  int layer_energy = -1;  ///< where in z the energy stands that compliant layers of rigid methods store; -1: none
  int n_modes = 0;
  State initial;  ///< at t = 0, assembled: constraints hold, prescribed motions are on their paths

  int n_bodies() const { return static_cast<int>(bodies.size()); }
};

/// Has a joint limits that must not give way? As forces they do (force.h, JointStop).
bool has_rigid_limits(const System& system);
/// Index of the body of that name, or -1.
int find_body(const System& system, const std::string& name);
/// The body to which coordinate i of q (or of v) belongs.
int find_body_of_q(const System& system, int i);
int find_body_of_v(const System& system, int i);

}  // namespace stiction
