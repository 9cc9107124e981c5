// Compliant contact through the Stepper's interface, on a system made by hand: a ball that rolls on a plane.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/multibody/equations.h"
#include "stiction/stepping/stepper.h"

#include "allocation_counter.h"

namespace stiction {
namespace {

System make_ball_on_plane() {
  System system;
  system.gravity = Vec3(0, 0, -9.81);
  system.bodies.resize(2);
  system.joints.resize(2);
  MassProperties mass;
  mass.mass = 2;
  mass.inertia = 0.008 * Mat3::Identity();
  system.bodies[1].name = "ball";
  system.bodies[1].mass = mass;
  Joint& joint = system.joints[1];
  joint.kind = JointFree{};
  joint.nq = 7, joint.nv = 6;
  system.nq = 7, system.nv = 6;

  ContactModel& model = system.contact;
  model.in_use = true;
  model.shapes.resize(2);
  model.shapes[0].shape = HalfSpace{};
  model.shapes[0].name = "plane";
  model.shapes[1].shape = Sphere{0.1};
  model.shapes[1].name = "ball";
  model.shapes[1].body = 1;
  model.rules.push_back({"default", "", "", true, {}, CompliantLaw{}});
  NormalPower normal;
  normal.stiffness = 1e6;
  normal.restitution = 0.5;
  model.rules[0].compliant->normal = normal;
  model.rules[0].compliant->friction = FrictionBristle{0.45, 0.4, 5e3, 50, 0, 0.1, 0.1, 1e-3};
  CompliantSlot slot;
  slot.shape_b = 1;
  slot.z_start = system.nz;
  slot.touch_mode = 0, slot.stick_mode = 1;
  slot.layout = calc_state_layout(*model.rules[0].compliant);
  model.slots.push_back(slot);
  system.nz += slot.layout.size();
  system.n_modes = 1;

  State& state = system.initial;
  state.q = VecX::Zero(7), state.v = VecX::Zero(6), state.z = VecX::Zero(system.nz);
  // At its static depth, (m g / k)^(2/3).
  state.q[0] = 1, state.q[6] = 0.1 - std::pow(2 * 9.81 / 1e6, 2.0 / 3);
  state.v[3] = 1, state.v[1] = 10;
  state.modes = {1, 0};
  Equations(system).switch_contact(0, state);
  state.z.head(ledger_size).setZero();
  return system;
}

TEST(CompliantStep, SettledStepsNeverAllocate) {
  const System system = make_ball_on_plane();
  for (const char* integrator : {"rk4", "semi_implicit_euler", "dormand_prince"}) {
    MethodSettings settings;
    settings.type = "compliant";
    settings.integrator = integrator;
    settings.step = 1e-5;
    settings.max_step = 1e-3;
    const auto stepper = make_stepper(system, settings);
    State state = system.initial;
    // Until it rolls without events.
    while (state.t < 0.3) ASSERT_EQ(stepper->step(state, state.t + 1e-3).status, StepStatus::ok);
    const long before = test::count_allocations();
    for (int i = 0; i < 1000; ++i) {
      const StepReport report = stepper->step(state, state.t + 1e-3);
      ASSERT_TRUE(report.events.empty());
    }
    EXPECT_EQ(test::count_allocations(), before) << integrator;
    // It rolls on as it began, and its weight is borne: an adaptive method's 1e-10 m are 4e-6 N at 4e4 N/m.
    EXPECT_NEAR(state.v[3], 1, 1e-6);
    ASSERT_EQ(stepper->contacts().size(), 1u);
    EXPECT_NEAR(stepper->contacts()[0].impulse.z() / settings.step, 2 * 9.81, 1e-5);
    EXPECT_EQ(stepper->contacts()[0].mode, ContactMode::stick);
  }
}

}  // namespace
}  // namespace stiction
