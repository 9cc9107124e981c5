#pragma once

#include <gtest/gtest.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/rigid/step_rows.h"

namespace stiction::test {

// A chain of two links on a slider in space, a free box and a sphere, with a loop closed by a constraint: nothing is
// aligned with anything.
inline const char* const rows_scene = R"(
[world]
gravity = [0, 0, -9.81]
[method]
type = "cone"
[body.base]
mass = 2
inertia = [0.1, 0.2, 0.25]
shape = { type = "sphere", radius = 0.1 }
[body.link]
mass = 1
inertia = [0.02, 0.03, 0.04]
center_of_mass = [0.1, 0.05, -0.02]
shape = { type = "sphere", radius = 0.1, position = [0.3, 0, 0] }
[body.tip]
mass = 0.5
inertia = [0.01, 0.012, 0.015]
shape = { type = "sphere", radius = 0.1, position = [0.3, 0, 0] }
[body.box]
mass = 3
inertia = [0.1, 0.11, 0.12]
position = [1, 2, 3]
center_of_mass = [0.02, 0.01, 0.03]
orientation = { axis = [1, 2, 3], angle = 0.7 }
shape = { type = "box", size = [0.2, 0.2, 0.2] }
[joint.slide]
type = "prismatic"
child = "base"
axis = [1, 1, 0.5]
[joint.shoulder]
type = "universal"
parent = "base"
child = "link"
axis = [0, 0.3, 1]
position = [0.4, -0.3]
[joint.elbow]
type = "revolute"
parent = "link"
child = "tip"
at = [0.5, 0, 0]
axis = [0, 1, 0.2]
position = 0.8
[constraint.rope]
type = "distance"
a = "box"
b = "tip"
[contact.default]
friction = 0.5
)";

inline System make_rows_system(const std::string& text = rows_scene) {
  return compile(read_scene(SceneText{{{"scene.toml", text}}, {}}));
}

inline MethodSettings make_cone_settings() {
  MethodSettings settings;
  settings.type = "cone";
  return settings;
}

/// Everything as one island: its coordinates are numbered as the system's, since nothing is prescribed.
struct WholeIsland {
  explicit WholeIsland(const System& system) : model(system, make_cone_settings()), sleeping(model), finder(model) {
    FoundContacts found;
    found.pairs = {{.a = 2, .b = 3}};
    finder.update(found, {}, sleeping);
    rows.begin(finder.list().front());
  }
  RigidModel model;
  Sleeping sleeping;
  IslandFinder finder;
  StepRows rows{model};
};

/// The scene at its start, with made up velocities, and beside it dense matrices from calc_mass_matrix and
/// calc_frame_jacobian, which share nothing with the assembly by clusters.
struct RowsTest : testing::Test {
  RowsTest() {
    update_positions(system, state.q, kinematics);
    update_velocities(system, v, kinematics);
    rows.A().update(instant);
    constraints.update_positions(instant);
    constraints.factorize(kinematics, dynamics, system.nv);
    calc_mass_matrix(system, kinematics, dynamics, M);
    G = constraints.jacobian_transposed().transpose();
    const MatX Mi = M.inverse();
    A = Mi - Mi * G.transpose() * (G * Mi * G.transpose()).inverse() * G * Mi;
  }
  /// A made up contact.
  void add(int shape_a, int shape_b, const Vec3& point, const Vec3& normal) {
    Contact contact;
    contact.shape_a = shape_a, contact.shape_b = shape_b;
    contact.point_a = contact.point_b = point;
    contact.normal = normal.normalized();
    rows.J().add_contact(rows.size(), contact, kinematics);
    MatX frame_a, frame_b;
    const auto jacobian = [&](int shape, MatX& frame) {
      const int body = system.contact.shapes[static_cast<std::size_t>(shape)].body;
      const Transform& X = kinematics.X_WB[static_cast<std::size_t>(body)];
      calc_frame_jacobian(system, kinematics, body, X.inverse() * point, frame);
    };
    jacobian(shape_a, frame_a);
    jacobian(shape_b, frame_b);
    J.conservativeResize(J.rows() + 3, system.nv);
    J.bottomRows(3) = rows.blocks().back().frame.transpose() * (frame_b - frame_a).bottomRows(3);
  }
  /// Between all that moves.
  void add_three() {
    add(0, 3, Vec3(0.3, 1, 2), Vec3(1, 2, 2));
    add(1, 2, Vec3(0.5, 0.2, 0.1), Vec3(-1, 0.3, 0.2));
    add(2, 3, Vec3(0.9, 1.1, 2), Vec3(0.2, 0.1, 1));
  }
  const System system = make_rows_system();
  const State& state = system.initial;
  const VecX v = VecX::LinSpaced(system.nv, -1, 1);
  Kinematics kinematics{system};
  WholeIsland island{system};
  StepRows& rows = island.rows;
  ConstraintSet constraints{system};
  TreeDynamics dynamics{system};
  const Instant instant{system, kinematics, 0, state.q, v, state.z};
  MatX M, G, A, J;
};

}  // namespace stiction::test
