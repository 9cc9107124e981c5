#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stiction/multibody/kinematics.h"
#include "stiction/scene/scene.h"

namespace stiction {

/// How far a constraint may be open at the start: what is less is projected away [m, rad].
inline constexpr double closing_tolerance = 1e-3;

/// Working notes of compile(): the scene with its names resolved, before the tree is built. Body index 0 is the world;
/// body i stands for scene.bodies[i - 1].

struct BodyDraft {
  const BodySpec* spec = nullptr;
  std::string name;
  MassProperties mass;
  int joint = -1;  ///< the joint draft that carries it, or -1
  int index = 0;   ///< in the System; parents first, the world is 0
};

struct JointDraft {
  const JointSpec* spec = nullptr;
  std::string name;
  JointKind kind = JointWeld{};
  JointForm form = JointForm::tree;
  int parent = 0, child = 0;                         ///< body drafts
  bool closes_loop = false;                          ///< the child is carried by another joint: constraint only
  Transform X_PF, X_MB;                              ///< found while the bodies are placed
  std::vector<double> q, v;                          ///< initial
  std::vector<std::optional<TimeFunction>> drivers;  ///< one a coordinate
  std::vector<std::string> driver_names;
};

struct Draft {
  explicit Draft(const Scene& the_scene);

  const Scene& scene;
  std::vector<Fault> faults;  ///< those of reading first
  std::vector<BodyDraft> bodies;
  std::vector<JointDraft> joints;
  std::map<std::string, int> body_index, joint_index;  ///< by name
  std::map<std::string, std::string> originals;        ///< of copied bodies, by the copy's name
  std::map<std::string, std::string> reporters;        ///< by original: the copy whose faults are reported
  std::vector<int> order;                              ///< body drafts, parents first

  BodyDraft& body(int i) { return bodies[static_cast<std::size_t>(i)]; }
  JointDraft& joint(int i) { return joints[static_cast<std::size_t>(i)]; }
  /// Is there a fault at `path` or below it? What rests on a faulty thing is not judged.
  bool is_faulty(const std::string& path) const;
  /// For an element that is faulty otherwise: is there the body or joint that it names? (Nothing is said of a field
  /// that could not be read.)
  void check_body(const std::string& name, const std::string& path);
  void check_joint(const std::string& name, const std::string& path);
  /// May a name be missing only because a table with a wrong name was not read?
  bool may_lack_names() const;
  /// The path of what the user wrote: that of the original for a copied body ("body.ball17.mass" -> "body.ball.mass").
  std::string find_original_path(const std::string& path) const;
  /// Note a fault at the place of `path` in the user's text. Of the copies of a body only the first faulty one reports.
  void fault(const std::string& path, const std::string& message, const std::string& hint = {});
  /// Body draft of that name (the world included), or -1, with a fault at `path` unless the name stands at a fault.
  int find_body(const std::string& name, const std::string& path);
  /// "elbow" or "slide.angle" -> joint draft and component; a fault at `path` and nothing if there is none.
  std::optional<CoordinateRef> find_coordinate(const std::string& name, const std::string& path);
  /// Throws InputError if there are faults.
  void stop_if_faulty() const;
};

/// "did you mean "x"?", or the list of what there is.
std::string suggest(const std::string& word, const std::vector<std::string>& candidates, const std::string& what);

/// The steps of compile(), in order. Each notes its faults, passes over what is faulty already, and leaves the draft
/// usable for the next where it can.
void draft_bodies(Draft& draft);          ///< compile_bodies.cpp: names, mass properties
void draft_joints(Draft& draft);          ///< compile_joints.cpp: kinds, parents, forms, drivers, order
void check_initial_motion(Draft& draft);  ///< compile_tree.cpp: what bodies say of their motion beside their joints
/// compile_tree.cpp: bodies, tree joints and initial state. With `assembly` every joint is a tree joint, whatever its
/// form: so initial poses and velocities are found. Otherwise poses and velocities of bodies whose joint is a
/// constraint are taken from `assembled`.
System build_tree(Draft& draft, bool assembly, const System* assembled);
void add_named_joints(Draft& draft, System& system);  ///< compile_tree.cpp: both forms, with their constraints
/// Leave out the rows that no motion in the plane can change, where both bodies (draft indices) are planar or fixed.
void reduce_to_plane(Draft& draft, const Kinematics& start, int a, int b, const std::string& path,
                     Constraint& constraint);
void check_motions(Draft& draft, const System& system);  ///< compile_motions.cpp: prescribed positions do not jump
/// Without a system (since the tree could not be built) the next two only judge what does not need one.
void add_constraints(Draft& draft, System* system);  ///< compile_constraints.cpp
void add_forces(Draft& draft, System* system);       ///< compile_forces.cpp: springs, motors, applied forces
/// compile_joint_forces.cpp: viscous friction of joints; their limits and friction as forces, where they are no rows.
void add_viscous_friction(Draft& draft, System& system);
void add_joint_forces(Draft& draft, System& system);
void add_controllers(Draft& draft, System* system);  ///< compile_controllers.cpp
void check_pairs(Draft& draft);                      ///< compile.cpp: names in contact tables
/// compile_contacts.cpp: shapes, laws, and whether they overlap at the start; for formulations with contact.
void add_contacts(Draft& draft, System& system);
/// compile_contacts.cpp: shapes that can touch although the scene says nothing of contact are a fault.
void check_contact_is_meant(Draft& draft, const System& system);
/// compile_compliant.cpp: laws, slots and their memory; shapes and rules must be there.
void add_compliant_contacts(Draft& draft, System& system);
/// compile_layers.cpp: compliant layers of tables and materials, and what they store; shapes and rules must be there.
void add_layers(Draft& draft, System& system);
/// What rigid methods take of a table's friction.
double find_kinetic_coefficient(const ContactSpec& spec);

}  // namespace stiction
