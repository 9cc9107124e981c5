// Islands are independent: a scene beside another moves bit for bit as alone, in any order of declaration, on any
// number of threads; many impacts in a step cost no order.
#include <gtest/gtest.h>

#include <map>

#include "stiction/multibody/dynamics.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/stepping/stepper.h"

#include "support/examples.h"

namespace stiction {
namespace {

struct NamedBody {
  std::string name, text;
};
using Bodies = std::vector<NamedBody>;

/// A box that topples onto the floor, a ball that bounces from it, a rod that falls on both: impacts, sticking,
/// slipping, gyroscopic moments.
Bodies make_few() {
  return {{"box", R"(
mass = 1
shape = { type = "box", size = [0.2, 0.1, 0.3] }
position = [0, 0, 0.2]
orientation = { axis = [1, 2, 0.3], angle = 0.4 }
angular_velocity = [1, -2, 3]
)"},
          {"ball", R"(
mass = 0.3
shape = { type = "sphere", radius = 0.05 }
position = [0.05, 0.02, 0.5]
velocity = [0.1, 0, -1]
)"},
          {"rod", R"(
mass = 0.5
shape = { type = "capsule", radius = 0.02, length = 0.3 }
position = [0.1, 0.1, 0.7]
orientation = { axis = [0, 1, 0], angle = 1.2 }
)"}};
}

/// 27 balls of different sizes that fall upon each other 100 m away, and two small and fast ones.
Bodies make_many() {
  Bodies bodies;
  for (int i = 0; i < 27; ++i) {
    const double radius = 0.03 + 0.0008 * i;
    bodies.push_back({"grain_" + std::to_string(i),
                      "mass = 0.2\nshape = { type = \"sphere\", radius = " + std::to_string(radius) +
                          " }\nposition = [" + std::to_string(100 + 0.11 * (i % 3)) + ", " +
                          std::to_string(0.115 * (i / 3 % 3)) + ", " + std::to_string(0.1 + 0.14 * (i / 9)) + "]\n"});
  }
  for (const char* name : {"mote_1", "mote_2"})
    bodies.push_back({name, std::string("mass = 1e-6\nshape = { type = \"sphere\", radius = 1e-3 }\nposition = [") +
                                (name[5] == '1' ? "120" : "121") + ", 0, 0.3]\nvelocity = [1, 20, -30]\n"});
  return bodies;
}

Bodies interleave(const Bodies& a, const Bodies& b) {
  Bodies mixed;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i < b.size()) mixed.push_back(b[i]);
    if (i < a.size()) mixed.push_back(a[i]);
  }
  return mixed;
}

Bodies join(Bodies a, const Bodies& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Settings {
  std::string type;
  double step = 1e-3;
  int threads = 1;
};

System compile_bodies(const Bodies& bodies, const Settings& settings, double restitution) {
  std::string text = "[method]\ntype = \"" + settings.type + "\"\n[time]\nstep = " + std::to_string(settings.step) +
                     "\n[world]\ngravity = [0, 0, -9.81]\n[body.floor]\nfixed = true\n"
                     "shape = { type = \"halfspace\" }\n";
  for (const NamedBody& body : bodies) text += "[body." + body.name + "]\n" + body.text;
  text += "[contact.default]\nfriction = 0.4\nrestitution = " + std::to_string(restitution) + "\n";
  return compile(read_scene(SceneText{{{"scene.toml", text}}, {}}));
}

struct EndOfRun {
  std::map<std::string, VecX> bodies;  ///< q and v of each
  ContactAudit audit;
};

EndOfRun run_bodies(const System& system, const Settings& settings, int steps) {
  MethodSettings method;
  method.type = settings.type;
  method.step = settings.step;
  method.threads = settings.threads;
  const auto stepper = make_stepper(system, method);
  State state = system.initial;
  EndOfRun run;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper->step(state, 1e9);
    EXPECT_EQ(report.status, StepStatus::ok) << report.message;
    run.audit.first_order += report.contact.first_order;
  }
  for (int b = 1; b < system.n_bodies(); ++b) {
    const Joint& joint = system.joints[static_cast<std::size_t>(b)];
    VecX& numbers = run.bodies[system.bodies[static_cast<std::size_t>(b)].name];
    numbers.resize(joint.nq + joint.nv);
    numbers << state.q.segment(joint.q_start, joint.nq), state.v.segment(joint.v_start, joint.nv);
  }
  return run;
}

class Islands : public testing::TestWithParam<const char*> {};

TEST_P(Islands, AreBitForBitIndependent) {
  constexpr double restitution = 0.5;
  constexpr int steps = 400;
  const Settings one{GetParam()};
  const Bodies few = make_few(), many = make_many();
  const EndOfRun alone = run_bodies(compile_bodies(few, one, restitution), one, steps);
  const EndOfRun other = run_bodies(compile_bodies(many, one, restitution), one, steps);
  const auto expect_same = [&](const Bodies& bodies, int threads) {
    Settings settings = one;
    settings.threads = threads;
    const EndOfRun both = run_bodies(compile_bodies(bodies, settings, restitution), settings, steps);
    for (const EndOfRun* part : {&alone, &other}) {
      for (const auto& [name, numbers] : part->bodies) EXPECT_EQ(both.bodies.at(name), numbers) << name << threads;
    }
  };
  expect_same(join(few, many), 1);
  expect_same(join(many, few), 2);
  expect_same(interleave(few, many), 4);
}

INSTANTIATE_TEST_SUITE_P(Formulations, Islands,
                         testing::Values("cone", "stewart_trinkle", "berard", "anitescu_potra", "geometric_implicit"));

// A ball drops on a slab that 20 cubes carry at 160 points: its impact is located where so many loaded contacts may be,
// and counted as of first order where not. By the definition of method.located_contacts; 160 + 1 contacts at the most.
// Steps in which no open contact can close, at its speed and in free fall, keep their order whatever the number: of the
// 20 steps of the default, those in which the gap is below v h + g h^2 / 2 with gap = 1 mm - g t^2 / 2 and v = g t are
// the 15th, in which it hits (t = 14.28 ms), and no other.
TEST(LargeIslands, LocateImpactsAsAskedFor) {
  Bodies bodies;
  for (int i = 0; i < 20; ++i)
    bodies.push_back({"cube_" + std::to_string(i),
                      "mass = 1\nshape = { type = \"box\", size = [0.1, 0.1, 0.1] }\nposition = [" +
                          std::to_string(0.2 * (i % 5)) + ", " + std::to_string(0.2 * (i / 5)) + ", 0.05]\n"});
  bodies.push_back({"slab",
                    "mass = 10\nshape = { type = \"box\", size = [1, 0.8, 0.1] }\n"
                    "position = [0.4, 0.3, 0.15]\n"});
  bodies.push_back({"ball", "mass = 1\nshape = { type = \"sphere\", radius = 0.1 }\nposition = [0.4, 0.3, 0.301]\n"});
  const Settings settings{"cone"};
  const System system = compile_bodies(bodies, settings, 0);
  std::size_t ball = 0;
  while (system.bodies[ball].name != "ball") ++ball;
  const auto count_first_order = [&](int located_contacts) {
    MethodSettings method;
    method.type = settings.type;
    method.located_contacts = located_contacts;
    const auto stepper = make_stepper(system, method);
    State state = system.initial;
    int first_order = 0, most = 0;
    for (int i = 0; i < 20; ++i) {
      const StepReport report = stepper->step(state, 1e9);
      first_order += report.contact.first_order;
      most = std::max(most, report.contact.contacts);
    }
    EXPECT_GE(most, 160);
    Kinematics kinematics(system);
    update_positions(system, state.q, kinematics);
    EXPECT_NEAR(kinematics.X_WB[ball].p.z(), 0.3, 1e-6);
    return first_order;
  };
  EXPECT_EQ(count_first_order(161), 0);
  EXPECT_EQ(count_first_order(MethodSettings().located_contacts), 1);
  EXPECT_GT(count_first_order(0), 0);
}

// 400 balls that fall from different heights: dozens hit in every step. Flights and rebounds are exact but for the time
// of impact, which is found to 1e-4 of the step: an impact that acts a gap d early is worth m g d, booked by nobody.
TEST(ManyBalls, KeepTheirLedger) {
  Bodies balls;
  for (int i = 0; i < 400; ++i)
    balls.push_back(
        {"ball_" + std::to_string(i), "mass = 1\nshape = { type = \"sphere\", radius = 0.1 }\nposition = [" +
                                          std::to_string(0.5 * (i % 20)) + ", " + std::to_string(0.5 * (i / 20)) +
                                          ", " + std::to_string(0.15 + 0.0013 * i) + "]\n"});
  const Settings settings{"cone"};
  const System system = compile_bodies(balls, settings, 0.9);
  MethodSettings method;
  method.type = settings.type;
  const auto stepper = make_stepper(system, method);
  State state = system.initial;
  Kinematics kinematics(system);
  const auto calc_energy = [&] {
    update_positions(system, state.q, kinematics);
    update_velocities(system, state.v, kinematics);
    return calc_kinetic_energy(system, kinematics) + calc_potential_energy(system, kinematics);
  };
  const double before = calc_energy();
  int first_order = 0, impacts = 0;
  for (int i = 0; i < 1000; ++i) {
    const StepReport report = stepper->step(state, 1e9);
    first_order += report.contact.first_order;
    impacts += static_cast<int>(report.events.size());
  }
  EXPECT_GT(impacts, 1000);
  EXPECT_EQ(first_order, 0);
  const double residual =
      calc_energy() - before + state.z[ledger_dissipated] - state.z[ledger_input] - state.z[ledger_projection];
  EXPECT_LT(std::abs(residual), 1e-9 * before);
}

}  // namespace
}  // namespace stiction
