#include <gtest/gtest.h>

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

const std::string ball = "[time]\nstep = 0.01\n\n[body.ball]\nmass = 2\nposition = [0, 0, 1]\n";

TEST(Override, ReplacesAndAdds) {
  const Scene scene =
      read_text(ball, {"time.step=0.5", "time.duration = 3", "body.ball.velocity=[1, 2, 3]", "body.box.mass=4"});
  EXPECT_EQ(scene.time.step, 0.5);
  EXPECT_EQ(scene.method.step, 0.5);
  EXPECT_EQ(scene.time.duration, 3);
  EXPECT_EQ(*scene.bodies[0].value.velocity, Vec3(1, 2, 3));
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.bodies[1].name, "box");
}

TEST(Override, TextNeedsNoQuotes) {
  const Scene scene = read_text(ball, {"time.step=20 us", "method.integrator=rk2", "title=\"quoted\""});
  EXPECT_EQ(scene.time.step, 20e-6);
  EXPECT_EQ(scene.method.integrator, "rk2");
  EXPECT_EQ(scene.title, "quoted");
}

TEST(Override, ReplacesByAnotherType) {
  const Scene scene = read_text(ball, {"body.ball.inertia=1", "body.ball.inertia=[1, 2, 2]",
                                       "body.ball.shape={ type = \"sphere\", radius = 1 }"});
  EXPECT_EQ(std::get<Vec3>(*scene.bodies[0].value.inertia), Vec3(1, 2, 2));
  EXPECT_EQ(scene.bodies[0].value.shapes.size(), 1u);
}

TEST(Override, QuotedParts) {
  const Scene scene = read_text(ball, {"contact.\"ball/floor\".friction=0.5"});
  ASSERT_EQ(scene.contacts.size(), 1u);
  EXPECT_EQ(scene.contacts[0].value.b, "floor");
}

TEST(Override, SameChecksAndAPlaceInItsText) {
  const std::vector<Fault> faults = list_faults(ball, {"time.step=20 kg"});
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].place.file, "--set time.step=20 kg");
  EXPECT_EQ(faults[0].place.line, 1);
  EXPECT_EQ(faults[0].place.column, 11);
  EXPECT_EQ(faults[0].place.length, 5);
  EXPECT_EQ(faults[0].place.line_text, "time.step=20 kg");
  EXPECT_EQ(faults[0].message, "expected a time [s], got \"20 kg\", a mass");
  EXPECT_EQ(only_fault(ball, {"body.ball.position=[0, \"1 s\", 0]"}),
            "1:24 body.ball.position: expected a length [m], got \"1 s\", a time");
  EXPECT_EQ(only_fault(ball, {"time.stepp=1"}), "1:6 time: there is no key \"stepp\"");
}

TEST(Override, PlaceIsRemembered) {
  const Scene scene = read_text(ball, {"body.ball.mass=3"});
  EXPECT_EQ(scene.source.find("body.ball.mass").file, "--set body.ball.mass=3");
  EXPECT_EQ(scene.source.find("body.ball.position").file, "scene.toml");
}

TEST(Override, APairWithoutQuotesIsToldToHaveThem) {
  try {
    (void)read_text(ball, {"contact.rod/floor.friction=1"});
    FAIL() << "it was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.faults().at(0).hint, "quote the pair: --set 'contact.\"rod/floor\".friction=1'");
  }
}

TEST(Override, Faults) {
  EXPECT_EQ(only_fault(ball, {"time.step"}), "1:1 : expected key.path=value on one line");
  EXPECT_EQ(only_fault(ball, {""}), "1:1 : expected key.path=value on one line");
  EXPECT_EQ(only_fault(ball, {"title=a\nstep=1"}), "1:1 : expected key.path=value on one line");
  EXPECT_EQ(only_fault(ball, {"=1"}), "1:1 : \"\" is not a key");
  EXPECT_EQ(only_fault(ball, {"[time]#=1"}), "1:1 : \"[time]#\" is not a key");
  EXPECT_EQ(only_fault(ball, {"time..step=1"}), "1:1 : \"time..step\" is not a key");
  EXPECT_EQ(only_fault(ball, {"time.step.x=1"}), "1:6 time.step: is 0.01, not a table: it has no \"x\"");
  EXPECT_EQ(only_fault(ball, {"include=a.toml"}), "1:1 include: cannot be set with --set");
  EXPECT_EQ(only_fault(ball, {std::string("a\0=1", 4)}), "1:2 : the text contains a NUL byte");
  EXPECT_EQ(only_fault(ball, {"x=" + std::string(65, '[')}), "1:67 : brackets are nested deeper than 64");
}

}  // namespace
}  // namespace stiction
