#include "stiction/stepping/rigid/step_rows.h"

#include <gtest/gtest.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"

namespace stiction {
namespace {

// A chain of two links on a slider in space, a free box and a sphere, with a loop closed by a constraint: nothing is
// aligned with anything.
const char* const scene_text = R"(
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

System make_system() {
  SceneText text;
  text.files = {{"scene.toml", scene_text}};
  return compile(read_scene(text));
}

MethodSettings make_settings() {
  MethodSettings settings;
  settings.type = "cone";
  return settings;
}

/// Everything as one island: its coordinates are numbered as the system's, since nothing is prescribed.
struct WholeIsland {
  explicit WholeIsland(const System& system) : model(system, make_settings()), sleeping(model), finder(model) {
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

/// The scene at its start, with made up velocities.
struct StepRowsTest : testing::Test {
  StepRowsTest() {
    update_positions(system, state.q, kinematics);
    update_velocities(system, v, kinematics);
    rows.update_configuration(kinematics, instant);
    constraints.update_positions(instant);
    constraints.factorize(kinematics, dynamics, system.nv);
  }
  const System system = make_system();
  const State& state = system.initial;
  const VecX v = VecX::LinSpaced(system.nv, -1, 1);
  Kinematics kinematics{system};
  WholeIsland island{system};
  StepRows& rows = island.rows;
  ConstraintSet constraints{system};
  TreeDynamics dynamics{system};
  const Instant instant{system, kinematics, 0, state.q, v, state.z};
};

// Closed form with dense matrices: W = J A J' with A = M^-1 - M^-1 G'(G M^-1 G')^-1 G M^-1, all from calc_mass_matrix
// and calc_frame_jacobian, which share nothing with the assembly by clusters.
TEST_F(StepRowsTest, DelassusMatrixEqualsTheDenseOne) {
  ASSERT_EQ(rows.dimension(), 3);

  // Made up contacts between all that moves, and with the world.
  std::vector<Contact> contacts;
  const auto add = [&](int shape_a, int shape_b, const Vec3& point, const Vec3& normal) {
    Contact contact;
    contact.shape_a = shape_a, contact.shape_b = shape_b;
    contact.point_a = contact.point_b = point;
    contact.normal = normal.normalized();
    contacts.push_back(contact);
  };
  add(0, 3, Vec3(0.3, 1, 2), Vec3(1, 2, 2));
  add(1, 2, Vec3(0.5, 0.2, 0.1), Vec3(-1, 0.3, 0.2));
  add(2, 3, Vec3(0.9, 1.1, 2), Vec3(0.2, 0.1, 1));
  for (std::size_t i = 0; i < contacts.size(); ++i) rows.add_contact(static_cast<int>(i), contacts[i], kinematics);

  const int nv = system.nv, n = 3 * static_cast<int>(contacts.size());
  MatX M, J = MatX::Zero(n, nv), frame_a, frame_b;
  calc_mass_matrix(system, kinematics, dynamics, M);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto jacobian = [&](int shape, MatX& frame) {
      const int body = system.contact.shapes[static_cast<std::size_t>(shape)].body;
      const Transform& X = kinematics.X_WB[static_cast<std::size_t>(body)];
      calc_frame_jacobian(system, kinematics, body, X.inverse() * contacts[i].point_a, frame);
    };
    jacobian(contacts[i].shape_a, frame_a);
    jacobian(contacts[i].shape_b, frame_b);
    J.middleRows(3 * static_cast<int>(i), 3) = rows.blocks()[i].frame.transpose() * (frame_b - frame_a).bottomRows(3);
  }
  const MatX G = constraints.jacobian_transposed().transpose(), Mi = M.inverse();
  ASSERT_EQ(G.rows(), 1);
  const MatX A = Mi - Mi * G.transpose() * (G * Mi * G.transpose()).inverse() * G * Mi;
  const MatX expected = J * A * J.transpose();
  EXPECT_LT((rows.W().calc_dense() - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());

  // The rope makes one cluster of 10 coordinates: that is no body.
  EXPECT_FALSE(rows.has_body_form({0, 1, 2}));

  // Velocities along the rows, and those that impulses make.
  VecX u;
  rows.calc_velocities(instant, u);
  EXPECT_LT((u - J * v).cwiseAbs().maxCoeff(), 1e-13);
  const VecX r = VecX::LinSpaced(n, 0.3, -0.2);
  VecX after = v;
  rows.add_impulses(r, after);
  EXPECT_LT((after - v - A * J.transpose() * r).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(std::abs((G * (after - v)).value()), 1e-12);  // the constraint is not violated by impulses
}

// As contacts between bodies, the arm without the rope being one of 4 coordinates: H H' is W, which the test above has
// checked; and the product without W is that with it.
TEST(StepRows, ContactsBetweenBodies) {
  std::string text = scene_text;
  text.erase(text.find("[constraint.rope]"), text.find("[contact.default]") - text.find("[constraint.rope]"));
  const System system = compile(read_scene(SceneText{{{"scene.toml", text}}, {}}));
  const VecX& q = system.initial.q;
  const VecX v = VecX::Zero(system.nv);
  Kinematics kinematics{system};
  update_positions(system, q, kinematics);
  update_velocities(system, v, kinematics);
  WholeIsland island(system);
  StepRows& rows = island.rows;
  ASSERT_EQ(island.finder.size(), 1);
  rows.update_configuration(kinematics, {system, kinematics, 0, q, v, system.initial.z});
  Contact first, second;
  first.shape_a = 2, first.shape_b = 3;
  first.point_a = first.point_b = Vec3(0.9, 1.1, 2);
  first.normal = Vec3(0.2, 0.1, 1).normalized();
  second.shape_a = 0, second.shape_b = 3;
  second.point_a = second.point_b = Vec3(0.3, 1, 2);
  second.normal = Vec3(1, 2, 2).normalized();
  rows.add_contact(0, first, kinematics);
  rows.add_contact(1, second, kinematics);
  const VecX r = VecX::LinSpaced(6, 0.3, -0.2);
  VecX without, with;
  rows.multiply(r, without);
  const MatX W = rows.W().calc_dense();
  rows.multiply(r, with);
  EXPECT_LT((without - with).norm(), 1e-14 * with.norm());
  ASSERT_TRUE(rows.has_body_form({0, 1}));
  BodyConeProblem bodies;
  rows.calc_body_form({0, 1}, bodies);
  MatX H = MatX::Zero(6, 6 * bodies.bodies);
  for (int i = 0; i < 2; ++i) {
    const BodyConeProblem::Contact& contact = bodies.contacts[static_cast<std::size_t>(i)];
    for (std::size_t side = 0; side < 2; ++side) {
      if (contact.body[side] >= 0) H.block(3 * i, 6 * contact.body[side], 3, 6) += contact.H[side].transpose();
    }
  }
  EXPECT_LT((H * H.transpose() - W).cwiseAbs().maxCoeff(), 1e-13 * W.cwiseAbs().maxCoeff());
}

TEST_F(StepRowsTest, ConstraintsAreBroughtToTheirTarget) {
  // Half of the rate that the velocities have now, and a tenth of a second for the error in position.
  constraints.update_velocities(instant);
  const double offset = 0.5 * constraints.rate()[0];
  rows.set_constraint_offset(instant, 0.5);
  VecX kept = v;
  rows.satisfy_constraints(instant, 10, kept);
  const VecX rate = constraints.jacobian_transposed().transpose() * kept;
  EXPECT_NEAR(rate[0], offset - 10 * constraints.phi()[0], 1e-12);
}

TEST(ContactFrame, IsARightHandedFrameWithTheLawsDirection) {
  const Vec3 normal = Vec3(1, 2, -0.5).normalized(), direction(1, 0, 0);
  const Mat3 frame = make_contact_frame(normal, direction, false);
  EXPECT_LT((frame.transpose() * frame - Mat3::Identity()).norm(), 1e-14);
  EXPECT_NEAR(frame.determinant(), 1, 1e-14);
  EXPECT_NEAR(frame.col(2).dot(direction), 0, 1e-14);  // o is normal to the direction
  // Without a direction: world z, or x where the normal is along z (the directions of stewart-trinkle-2000, Table 1).
  EXPECT_LT((make_contact_frame(Vec3::UnitX(), Vec3::Zero(), false).col(1) - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((make_contact_frame(Vec3::UnitZ(), Vec3::Zero(), false).col(1) - Vec3::UnitX()).norm(), 1e-15);
}

}  // namespace
}  // namespace stiction
