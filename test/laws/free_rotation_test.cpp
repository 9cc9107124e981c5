// Bodies that turn freely keep their energy and angular momentum in every rigid formulation; torque acts to second
// order.
#include <gtest/gtest.h>

#include "stiction/multibody/dynamics.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/stepping/stepper.h"

#include "support/examples.h"

namespace stiction {
namespace {

class FreeRotationOf : public testing::TestWithParam<const char*> {
 public:
  /// A book that flips about its middle axis, |w| = 29 rad/s, its centre of mass beside its origin.
  static System make_book(const std::string& formulation, double h, const std::string& more = "") {
    const std::string text = R"(
[world]
gravity = [0, 0, 0]
[time]
step = )" + std::to_string(h) +
                             R"(
[method]
type = ")" + formulation + R"("
[body.book]
mass = 1.2
inertia = [0.00272, 0.00592, 0.00832]
center_of_mass = [0.02, -0.01, 0.03]
shape = { type = "box", size = [0.24, 0.16, 0.04] }
angular_velocity = [0.3, 29, 3]
velocity = [0.1, 0, 0]
[contact.default]
friction = 0.5
)" + more;
    return compile(read_scene(SceneText{{{"book.toml", text}}, {}}));
  }

  static State run(const System& system, const std::string& formulation, double h, int steps) {
    MethodSettings settings;
    settings.type = formulation;
    settings.step = h;
    const auto stepper = make_stepper(system, settings);
    State state = system.initial;
    for (int i = 0; i < steps; ++i) EXPECT_EQ(stepper->step(state, 1e9).status, StepStatus::ok);
    return state;
  }

  struct Conserved {
    double energy = 0;
    Vec6 momentum = Vec6::Zero();
  };
  static Conserved measure(const System& system, const State& state) {
    Kinematics kinematics(system);
    update_positions(system, state.q, kinematics);
    update_velocities(system, state.v, kinematics);
    return {calc_kinetic_energy(system, kinematics), calc_momentum(system, kinematics)};
  }
};

TEST_P(FreeRotationOf, KeepsEnergyAndAngularMomentum) {
  // |w| h = 0.3 over 1e5 steps, and 1: the motion between kicks is exact, so that rounding alone is left.
  for (const auto& [h, steps] : {std::pair(0.3 / 29.2, 100'000), std::pair(1 / 29.2, 20'000)}) {
    const System system = make_book(GetParam(), h);
    const Conserved before = measure(system, system.initial);
    const Conserved after = measure(system, run(system, GetParam(), h, steps));
    EXPECT_LT(std::abs(after.energy - before.energy), 1e-9 * before.energy) << h;
    // About the world's origin: it has come 100 m, so that the moment of its momentum is rounded by as much more.
    EXPECT_LT((after.momentum - before.momentum).norm(), 1e-9 * before.momentum.head<3>().norm()) << h;
  }
}

TEST_P(FreeRotationOf, TorqueActsToSecondOrder) {
  const char* const torque = R"(
[force.twist]
body = "book"
torque = [0.02, 0.01, -0.03]
)";
  // Differences of end states at h, h/2, h/4 fall by 4.
  std::vector<VecX> ends;
  for (const int steps : {400, 800, 1600}) {
    const double h = 0.4 / steps;
    const System system = make_book(GetParam(), h, torque);
    ends.push_back(run(system, GetParam(), h, steps).q.head<4>());
  }
  const double ratio = (ends[0] - ends[1]).norm() / (ends[1] - ends[2]).norm();
  EXPECT_GT(ratio, 3.8);
  EXPECT_LT(ratio, 4.2);
}

// Closed form: with restitution bodies without contact move by the mean of their velocities, exact under gravity; so
// does the centre of mass of one that spins about it, its origin beside it. To rounding over 200 steps of 0.3 rad.
TEST_P(FreeRotationOf, ItsCentreOfMassFallsOnAParabola) {
  const double h = 0.01;
  const int steps = 200;
  const std::string text = std::string(R"(
[world]
gravity = [0, 0, -9.81]
[time]
step = 0.01
[method]
type = ")") + GetParam() + R"("
[body.book]
mass = 1.2
inertia = [0.00272, 0.00592, 0.00832]
center_of_mass = [0.02, -0.01, 0.03]
shape = { type = "box", size = [0.24, 0.16, 0.04] }
angular_velocity = [0.3, 29, 3]
velocity = [0.1, 0, 5]
[contact.default]
restitution = 0.5
)";
  const System system = compile(read_scene(SceneText{{{"book.toml", text}}, {}}));
  const Vec3 c(0.02, -0.01, 0.03);
  const State end = run(system, GetParam(), h, steps);
  const double t = h * steps;
  const Vec3 exact = c + t * (Vec3(0.1, 0, 5) + Vec3(0.3, 29, 3).cross(c)) - 0.5 * 9.81 * t * t * Vec3::UnitZ();
  Kinematics kinematics(system);
  update_positions(system, end.q, kinematics);
  const int book = system.n_bodies() - 1;
  EXPECT_LT((kinematics.X_WB[static_cast<std::size_t>(book)] * c - exact).norm(), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Formulations, FreeRotationOf,
                         testing::Values("cone", "stewart_trinkle", "berard", "anitescu_potra", "geometric_implicit"));

}  // namespace
}  // namespace stiction
