// Impacts under the rigid methods: blows that go on within a step, limits, energy, the two hypotheses; closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/scene/compile/compile.h"
#include "stiction/stepping/stepper.h"

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_text;

struct Case {
  const char* method;
  const char* option;
};
std::string name_case(const testing::TestParamInfo<Case>& row) {
  return std::string(row.param.method) + (*row.param.option ? "_with_option" : "");
}

class RigidImpacts : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Methods, RigidImpacts,
                         testing::Values(Case{"cone", ""}, Case{"cone", "impacts = 0"}, Case{"stewart_trinkle", ""},
                                         Case{"stewart_trinkle", "nonlinear = true"}, Case{"berard", ""},
                                         Case{"anitescu_potra", ""}),
                         name_case);

// Three balls of 1 kg, gaps of 0.1 and 1 mm, the first at 4 m/s, plastic: the second had no speed of its own with which
// to look for the third. In the end all move at 4/3 m/s (momentum), and none went into another.
TEST_P(RigidImpacts, ABlowIsPassedOnWithinAStep) {
  for (const std::string gap : {"0.1001", "0.101"}) {
    for (const std::string step : {"0.001", "0.005"}) {
      const RunResult run = run_text(
          std::string("blow") + GetParam().method,
          "[time]\nduration = 0.02\nstep = " + step + "\n[method]\ntype = \"" + GetParam().method + "\"\n" +
              GetParam().option +
              "\n[contact.default]\nfriction = 0\nrestitution = 0\n"
              "[body.a]\nmass = 1\nposition = [-0.1001, 0, 0]\nvelocity = [4, 0, 0]\n"
              "shape = { type = \"sphere\", radius = 0.05 }\n"
              "[body.b]\nmass = 1\nshape = { type = \"sphere\", radius = 0.05 }\n[body.c]\nmass = 1\nposition = [" +
              gap + ", 0, 0]\nshape = { type = \"sphere\", radius = 0.05 }\n");
      for (const char* ball : {"a", "b", "c"})
        EXPECT_NEAR(run.signal(std::string(ball) + ".velocity.x").back(), 4.0 / 3, 1e-9) << ball << gap << step;
      EXPECT_LT(run.summary.audit.at("penetration"), 1e-12);
    }
  }
}

// A ball falls 0.5 m onto a slider of its own mass that lies on its joint limit: as if that lay on a floor.
TEST_P(RigidImpacts, ALimitHoldsAgainstABlow) {
  for (const double e : {0.0, 1.0}) {
    const RunResult run =
        run_text(std::string("blow_on_limit") + GetParam().method,
                 std::string("[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.6\nstep = 0.001\noutput = 0.001\n"
                             "[method]\ntype = \"") +
                     GetParam().method + "\"\n" + GetParam().option +
                     "\n[body.slider]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"
                     "shape = { type = \"box\", size = [0.2, 0.2, 0.1] }\n"
                     "[joint.guide]\ntype = \"prismatic\"\nchild = \"slider\"\naxis = [0, 0, 1]\nlower = 0\n"
                     "[body.ball]\nmass = 1\nposition = [0, 0, 0.65]\nshape = { type = \"sphere\", radius = 0.1 }\n"
                     "[contact.\"ball/slider\"]\nfriction = 0\nrestitution = " +
                     std::to_string(e) + "\n");
    for (const double z : run.signal("guide.position")) EXPECT_NEAR(z, 0, 1e-9);
    const auto& z = run.signal("ball.position.z");
    double top = 0;
    for (std::size_t i = 330; i < z.size(); ++i) top = std::max(top, z[i]);
    // The flight of 0.319 s down and 0.281 s up ends 0.5 - g 0.0386^2 / 2 above.
    const double fall = std::sqrt(2 * 0.5 / 9.81), left = 0.6 - 2 * fall;
    const bool located = std::string(GetParam().option) != "impacts = 0";
    EXPECT_NEAR(top, 0.15 + e * (0.5 - 0.5 * 9.81 * left * left), located || e == 0 ? 1e-6 : 0.02);
  }
}

std::string describe_rod(const std::string& method, const std::string& hypothesis, double e, double mu, double inertia,
                         double speed, double angle) {
  return "[world]\ngravity = [0, -9.81, 0]\n[time]\nduration = 0.5\nstep = 0.001\noutput = 0.001\n[method]\ntype = \"" +
         method +
         "\"\n[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 1, 0] }\n"
         "[body.rod]\nplanar = true\nmass = 1\nposition = [0, 0.35, 0]\ninertia = " +
         std::to_string(inertia) + "\nvelocity = [" + std::to_string(speed) +
         ", -1, 0]\norientation = { axis = [0, 0, 1], angle = \"" + std::to_string(angle) +
         " deg\" }\nshape = { type = \"capsule\", axis = [1, 0, 0], length = 0.5, radius = 0.01 }\n"
         "[contact.default]\nfriction = " +
         std::to_string(mu) + "\nrestitution = " + std::to_string(e) + "\nhypothesis = \"" + hypothesis + "\"\n";
}

// Rods that hit the floor obliquely, with friction: Newton's law as it stands would feed up to a quarter of the energy
// (Kane, Levinson 1985). None may be fed, and the audit, which counts what impacts do, agrees.
TEST(RigidEnergy, NoImpactFeedsEnergy) {
  int lowered = 0;
  for (const std::string hypothesis : {"newton", "poisson"}) {
    for (const double e : {0.5, 1.0}) {
      for (const double mu : {0.3, 1.0}) {
        for (const double speed : {-2.0, 0.5, 2.0}) {
          for (const double angle : {20.0, 45.0, 65.0}) {
            const RunResult run = run_text("oblique_rod", describe_rod("cone", hypothesis, e, mu, 0.002, speed, angle));
            const auto& total = run.signal("energy.total");
            for (std::size_t i = 1; i < total.size(); ++i) {
              // Gaps that are mended after rolling over a round end: some 1e-6 m, times m g.
              ASSERT_LT(total[i], total[i - 1] + 3e-5) << hypothesis << e << " " << mu << " " << speed << " " << angle;
            }
            EXPECT_LT(run.summary.audit.at("dissipation"), 1e-10);  // what the solver may leave
            // A step in which sliding turns over or ends is booked by its mean velocity: some mu g h of 0.01 m/s, at 1
            // mm/s.
            const auto& friction = run.signal("energy.friction");
            for (std::size_t i = 1; i < friction.size(); ++i) ASSERT_GT(friction[i] - friction[i - 1], -1e-5);
            // Restitution that had to be lowered for it is told.
            if (hypothesis == "newton" && run.summary.audit.at("restitution_lost") > 1e-3) ++lowered;
          }
        }
      }
    }
  }
  EXPECT_GT(lowered, 0);  // or none of the rods was of the kind that needs it
}

// The same without locating impacts, where e acts on the velocity at the start of a step. The impulses feed nothing,
// but positions go by the velocity after the step: gravity's work is then m g h dv / 2 off, dv the change of the
// centre's velocity. Where restitution is given up, dv is that of an edge coming to rest, some cm/s: below 1e-4 J. The
// rod at -2 m/s and 65 degrees rebounds with e = 1: at most with the speed of its fall, sqrt(1 + 2 g 0.35), both ways.
TEST(RigidEnergy, NoUnlocatedImpactFeedsEnergy) {
  for (const std::string method : {"cone", "stewart_trinkle"}) {
    for (const double e : {0.5, 1.0}) {
      for (const double speed : {-2.0, -0.5, 0.5, 2.0}) {
        for (const double angle : {45.0, 65.0}) {
          std::string text = describe_rod(method, "newton", e, 1.0, 0.002, speed, angle);
          text.replace(text.find("[body.floor]"), 0, "impacts = 0\n");
          const RunResult run = run_text("unlocated_rod", text);
          const auto& total = run.signal("energy.total");
          const double rebound = 0.5 * 9.81e-3 * 2 * std::sqrt(1 + 2 * 9.81 * 0.35);
          const double allowed = speed == -2 && angle == 65 && e == 1 ? rebound : 1e-4;
          for (std::size_t i = 1; i < total.size(); ++i)
            ASSERT_LT(total[i], total[i - 1] + allowed) << method << e << " " << speed << " " << angle << " " << i;
        }
      }
    }
  }
}

// A rod that Newton's law would feed hits the floor at the instant at which a ball does, 3 m away: neither pays for the
// other. The rod keeps at most what it had, the ball its e.
TEST(RigidEnergy, BodiesApartDoNotShareAnImpact) {
  for (const double e : {0.0, 1.0}) {
    // The lower end of the rod and the ball are both 0.1 m above the floor, and fall at 1 m/s.
    const double low = 0.25 * std::sin(45 * 3.141592653589793 / 180) + 0.01;
    const RunResult run = run_text(
        "apart",
        "[time]\nduration = 0.15\nstep = 0.001\noutput = 0.001\n[method]\ntype = \"cone\"\n[body.floor]\nfixed = "
        "true\nshape = { type = \"halfspace\", normal = [0, 1, 0] }\n[body.rod]\nplanar = true\nmass = 1\ninertia "
        "= 0.002\nposition = [0, " +
            std::to_string(low + 0.1) +
            ", 0]\nvelocity = [0.5, -1, 0]\norientation = { axis = [0, 0, 1], angle = \"45 deg\" }\nshape = { type = "
            "\"capsule\", axis = [1, 0, 0], length = 0.5, radius = 0.01 }\n[body.ball]\nplanar = true\nmass = "
            "1\nposition = [3, 0.2, 0]\nvelocity = [0, -1, 0]\nshape = { type = \"sphere\", radius = 0.1 }\n"
            "[contact.default]\nfriction = 1\nrestitution = 1\n[contact.\"ball/floor\"]\nfriction = "
            "0\nrestitution = " +
            std::to_string(e) + "\n");
    EXPECT_NEAR(run.signal("ball.velocity.y").back(), e, 1e-9);
    const double vx = run.signal("rod.velocity.x").back(), vy = run.signal("rod.velocity.y").back(),
                 w = run.signal("rod.angular_velocity.z").back();
    EXPECT_GT(vy, -1);  // it has hit
    EXPECT_LT(0.5 * (vx * vx + vy * vy) + 0.5 * 0.002 * w * w, 0.5 * (0.25 + 1) + 1e-9);
  }
}

// Heights of rebounds hold with any number of bodies: nine balls that land together are one moment, and sixteen boxes
// at rest elsewhere are sixteen small groups, no heap. theta between 1/2 and 1 flies by parabolas, too.
TEST(RigidEnergy, RestitutionHoldsWhateverElseIsThere) {
  const std::string nine = "copies = { count = [3, 3, 1], spacing = [1, 1, 1] }\n";
  const std::string boxes =
      "[body.rest]\nmass = 1\nposition = [2, 2, 0.1]\nshape = { type = \"box\", size = [0.2, 0.2, 0.2] }\ncopies = { "
      "count "
      "= [4, 4, 1], spacing = [0.4, 0.4, 0.4] }\n";
  struct Setting {
    std::string method, of_ball, others, ball;
  };
  for (const Setting& setting : {Setting{"type = \"cone\"\n", nine, "", "ball1"},
                                 {"type = \"cone\"\n", "", boxes, "ball"},
                                 {"type = \"cone\"\ntheta = 0.75\n", "", "", "ball"},
                                 {"type = \"anitescu_potra\"\n", nine, "", "ball1"}}) {
    const RunResult run = run_text(
        "rebounds",
        "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 1\nstep = 0.001\noutput = 0.001\n[method]\n" +
            setting.method +
            "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n[body.ball]\nmass = "
            "1\nposition = [0, 0, 0.6]\nshape = { type = \"sphere\", radius = 0.1 }\n" +
            setting.of_ball + setting.others + "[contact.default]\nfriction = 0.3\nrestitution = 0.5\n");
    const auto& z = run.signal(setting.ball + ".position.z");
    std::vector<double> tops;
    for (std::size_t i = 1; i + 1 < z.size(); ++i) {
      if (z[i] > z[i - 1] && z[i] >= z[i + 1] && z[i] > 0.1 + 1e-6) tops.push_back(z[i] - 0.1);
    }
    ASSERT_GE(tops.size(), 3u) << setting.method << setting.others;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(tops[k], 0.5 * std::pow(0.25, k + 1), 1.3e-6) << setting.method << k;
  }
}

// Contacts found after a blow take nothing of the others' names: the ball that is hit has a wall behind it, and every
// contact that bears is recorded where its two bodies are.
TEST(RigidEnergy, RecordsStayWithTheirBodies) {
  for (const std::string method :
       {"type = \"stewart_trinkle\"", "type = \"anitescu_potra\"", "type = \"cone\"\nimpacts = 0"}) {
    const RunResult run = run_text(
        "wall_behind",
        "[time]\nduration = 0.005\nstep = 0.001\noutput = 0.001\n[method]\n" + method +
            "\n[contact.default]\nfriction = 0.2\nrestitution = 0\n[body.w]\nfixed = true\nposition = [0.1527, 0, "
            "0]\nshape = { "
            "type = \"box\", size = [0.2, 0.2, 0.2] }\n[body.b]\nmass = 1\nshape = { type = \"sphere\", radius = 0.05 "
            "}\n[body.a]\nmass = 1\nposition = [-0.1001, 0, 0]\nvelocity = [4, 0, 0]\nshape = { type = \"sphere\", "
            "radius = "
            "0.05 }\n");
    int bearing = 0;
    for (const ContactSample& sample : run.contacts) {
      if (sample.contact.impulse.norm() == 0) continue;
      ++bearing;
      const bool wall = run.contact_shapes[static_cast<std::size_t>(sample.contact.shape_a)] == "w";
      // Between the balls at about -0.05 m, at the wall at 0.0527 m.
      EXPECT_NEAR(sample.contact.position.x(), wall ? 0.0527 : -0.05, 0.01) << method << " at " << sample.t;
    }
    EXPECT_GE(bearing, 2);
    ASSERT_FALSE(run.events.empty());
    EXPECT_EQ(run.events.front().name, "b/a");
  }
}

// A ball that rises towards a ceiling with e = 0, above a floor with e = 0.5: it does not go into the ceiling on its
// parabola, though (2) looks at the velocity at the end of a step.
TEST(RigidEnergy, ParabolasEndAtContacts) {
  for (int k = 0; k < 40; ++k) {
    const double speed = std::sqrt(2 * 9.81 * 0.4) + 0.001 + k * 0.0015;
    const RunResult run = run_text(
        "ceiling",
        "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.5\nstep = 0.005\n[method]\ntype = \"stewart_trinkle\"\n"
        "[body.room]\nfixed = true\n[body.room.shape.floor]\ntype = \"halfspace\"\nnormal = [0, 0, 1]\n"
        "[body.room.shape.ceiling]\ntype = \"halfspace\"\nnormal = [0, 0, -1]\noffset = -0.7\n[body.ball]\nmass = "
        "1\nposition = [0, 0, 0.2]\nvelocity = [0, 0, " +
            std::to_string(speed) +
            "]\nshape = { type = \"sphere\", radius = 0.1 }\n[contact.\"ball/room.floor\"]\nfriction = 0\nrestitution "
            "= "
            "0.5\n[contact.\"ball/room.ceiling\"]\nfriction = 0\nrestitution = 0\n");
    EXPECT_LT(run.summary.audit.at("penetration"), 1e-9) << speed;
  }
}

// A ball falls at v upon another that lies on the floor; floor e = 1, balls e = 0. Newton: the floor's contact was
// closed, and stays so. Poisson: the floor's impulse of the first phase, m v, comes again, and lifts both at v/2.
TEST(RigidEnergy, PoissonRestoresWhatBore) {
  const auto run = [](const std::string& hypothesis) {
    const auto ball = [](const std::string& name, const std::string& z) {
      return "[body." + name + "]\nmass = 1\nposition = [0, 0, " + z +
             "]\nshape = { type = \"sphere\", radius = 0.1 }\n";
    };
    const std::string law = "\nhypothesis = \"" + hypothesis + "\"\nfriction = 0\n";
    return run_text("two_balls",
                    "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.21\nstep = 0.001\noutput = "
                    "0.001\n[method]\ntype = \"cone\"\n[body.floor]\nfixed = true\nshape = { type = "
                    "\"halfspace\", normal = [0, 0, 1] }\n" +
                        ball("low", "0.1") + ball("high", "0.5") + "[contact.\"low/floor\"]\nrestitution = 1" + law +
                        "[contact.\"high/low\"]\nrestitution = 0" + law + "[contact.\"high/floor\"]\nrestitution = 0" +
                        law);
  };
  const double fall = std::sqrt(2 * 0.2 / 9.81), speed = 9.81 * fall;
  const RunResult newton = run("newton"), poisson = run("poisson");
  for (const char* ball : {"low", "high"}) {
    const std::string signal = std::string(ball) + ".velocity.z";
    EXPECT_NEAR(newton.signal(signal).back(), 0, 1e-9) << ball;
    EXPECT_NEAR(poisson.signal(signal).back(), speed / 2 - 9.81 * (0.21 - fall), 1e-6) << ball;
  }
}

// A ball rests on a table that goes up and down by A = 5 mm at 5 Hz, half of g at most. With theta = 1 the gap is exact
// at the end of every step; with theta = 1/2 the ball's velocity is off by h^2/12 of the third derivative, A w^3, at
// the start of a step, which makes h/2 of that a gap.
TEST(RigidEnergy, ADrivenTableKeepsItsLoad) {
  for (const std::string method : {"cone", "stewart_trinkle", "anitescu_potra"}) {
    const RunResult run = run_text(
        "driven_table",
        "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.5\nstep = 0.001\noutput = 0.001\n[method]\ntype = \"" +
            method +
            "\"\n[body.table]\nshape = { type = \"box\", size = [1, 1, 0.1] }\nmotion = { position = [0, 0, { sine = { "
            "offset = "
            "-0.05, amplitude = 0.005, frequency = 5 } }] }\n"
            "[body.ball]\nmass = 1\nposition = [0, 0, 0.1]\nvelocity = [0, 0, 0.15707963267948966]\nshape = { type = "
            "\"sphere\", radius = 0.1 }\n[contact.default]\nfriction = 0\n");
    const double w = 2 * 3.14159265358979 * 5, bound = 1e-9 / 24 * 0.005 * w * w * w;
    for (const double z : run.signal("audit.penetration")) EXPECT_LT(z, method == "cone" ? 1.1 * bound : 1e-12);
    const auto &ball = run.signal("ball.position.z"), &table = run.signal("table.position.z");
    for (std::size_t i = 0; i < ball.size(); ++i) EXPECT_NEAR(ball[i] - table[i], 0.15, 1.1 * bound);
  }
}

// cone is of second order while contacts slide and roll and joints turn, though forces depend on velocities: the
// difference between steps h, h/2 and h/4 falls by four. (recipe_4_2: a double pendulum on a sliding block, as a tree.)
TEST(RigidOrder, ConeIsOfSecondOrderWithContacts) {
  for (const char* example : {"recipe_4_2", "recipe_4_3"}) {
    for (const std::string form : {"tree", "constraint"}) {
      const auto end = [&](double step) {
        return test::run_example(example, {"method.type=cone", "method.joints=" + form, "time.duration=0.5",
                                           "time.step=" + std::to_string(step), "time.output=0.5"});
      };
      const RunResult coarse = end(4e-3), middle = end(2e-3), fine = end(1e-3);
      const auto differ = [](const RunResult& a, const RunResult& b) {
        return std::hypot(a.signal("b.position.x").back() - b.signal("b.position.x").back(),
                          a.signal("b.position.y").back() - b.signal("b.position.y").back());
      };
      EXPECT_NEAR(std::log2(differ(coarse, middle) / differ(middle, fine)), 2, 0.15) << example << " " << form;
    }
  }
}

// A particle thrown upwards, with no word about the formulation: contact tables mean cone. It comes to rest on the
// floor, its orientation as given.
TEST(RigidParticle, FallsAndRests) {
  const RunResult run = run_text(
      "particle",
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 1\nstep = 0.001\n[body.floor]\nfixed = true\n"
      "shape = { type = \"halfspace\", normal = [0, 0, 1] }\n[body.p]\nparticle = true\nmass = 2\nposition = [0, 0, "
      "0.1]\nvelocity = [1, 0, 2]\nshape = { type = \"sphere\", radius = 0.1 }\n[contact.default]\nfriction = 0\n"
      "restitution = 0\n");
  EXPECT_NEAR(run.signal("p.position.z").back(), 0.1, 1e-9);
  EXPECT_NEAR(run.signal("p.position.x").back(), 1, 1e-9);
  const auto& z = run.signal("p.position.z");
  EXPECT_NEAR(*std::max_element(z.begin(), z.end()), 0.1 + 2 * 2 / (2 * 9.81), 1e-6);
  EXPECT_EQ(run.summary.audit.at("unknowns"), 3 + 1);
}

// A ball knocks a stack and flies off: what has parted bears nothing at all, and is released in the step of its impact.
// Every normal impulse is one that matters (1e-9 of the ball's momentum, 0.9 N s), or none.
TEST(RigidRecords, WhatHasPartedBearsNothing) {
  std::string text =
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 1.2\nstep = 0.005\noutput = 0.005\n[method]\ntype = "
      "\"cone\"\n[contact.default]\nfriction = 0.5\nrestitution = 0.8\n[body.floor]\nfixed = true\n"
      "shape = { type = \"halfspace\", normal = [0, 0, 1] }\n"
      "[body.ball]\nmass = 0.2\nposition = [-2, 0, 1.0]\nvelocity = [2.2, 0, 3.5]\n"
      "shape = { type = \"sphere\", radius = 0.05 }\n";
  for (int i = 1; i <= 3; ++i)
    text += "[body.b" + std::to_string(i) + "]\nmass = 1\nposition = [0, 0, " + std::to_string(0.1 * i - 0.05) +
            "]\nshape = { type = \"box\", size = [0.1, 0.1, 0.1] }\n";
  const RunResult run = run_text("knock", text);
  ASSERT_EQ(run.summary.status, RunStatus::completed);
  int parted = 0;
  for (const ContactSample& sample : run.contacts) {
    if (sample.contact.gap < 1e-4) continue;
    ++parted;
    const double impulse = sample.contact.impulse.norm();
    EXPECT_TRUE(impulse == 0 || impulse > 1e-9) << sample.t << " s: " << impulse;
  }
  EXPECT_GT(parted, 0);
  const auto find = [&](const std::string& kind) {
    for (const StepEvent& event : run.events) {
      if (event.kind == kind && event.name.find("ball") != std::string::npos) return event.t;
    }
    return -1.0;
  };
  EXPECT_GT(find("impact"), 0.8);
  EXPECT_LT(find("release") - find("impact"), 0.005);
}

// Impacts that are not located (none may be, or a heap is somewhere in the scene: 17 boxes on one another have 68
// contacts) still act when the gap closes: a ball that falls 1 m rises to e^2, e^4 and e^6 of it within 0.5 %, and not
// above where it came from, but for (g h / e v)^2 = 8e-5 at e = 0.25, what a step of second order may err by.
TEST(RigidImpactMoments, CountWhereTheyAreNotLocated) {
  const std::string ball =
      "[body.ball]\nmass = 1\nposition = [2, 0, 1.1]\nshape = { type = \"sphere\", radius = 0.1 }\n";
  std::string tower;
  for (int k = 0; k < 17; ++k)
    tower += fmt::format("[body.box{}]\nmass = 1\nposition = [0, 0, {}]\n", k, 0.05 + 0.1 * k) +
             "shape = { type = \"box\", size = [0.1, 0.1, 0.1] }\n";
  for (const std::string method : {"cone", "stewart_trinkle", "anitescu_potra", "heap"}) {
    for (const double e : {0.25, 0.5, 0.9, 1.0}) {
      const bool heap = method == "heap";
      if (heap && e != 0.5) continue;
      const RunResult run = run_text(
          method, fmt::format("[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = {}\n", heap ? 1.3 : 2.9) +
                      "step = 0.001\noutput = 0.001\n[method]\n" +
                      (heap ? std::string("type = \"cone\"\n") : "type = \"" + method + "\"\nimpacts = 0\n") +
                      "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n"
                      "[contact.default]\nfriction = 0.5\nrestitution = 0\n[contact.\"ball/floor\"]\nfriction = 0.5\n" +
                      fmt::format("restitution = {}\n", e) + ball + (heap ? tower : ""));
      ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
      const auto& z = run.signal("ball.position.z");
      std::vector<double> peaks;
      for (std::size_t i = 1; i + 1 < z.size(); ++i)
        if (z[i] > z[i - 1] && z[i] >= z[i + 1]) peaks.push_back(z[i] - 0.1);
      ASSERT_GE(peaks.size(), 3u) << method << " " << e;
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(peaks[k] / std::pow(e, 2 * static_cast<double>(k + 1)), 1, 5e-3) << method << " " << e << " " << k;
      for (const double peak : peaks) EXPECT_LT(peak, e * e * (1 + 1e-4)) << method << " " << e;
    }
  }
}

// A ball runs into a row of seven boxes, another falls on a stack: points of pairs come and go while impacts are
// located. A step looks for 2 impacts = 16 moments at most, with 60 trials each and one before, and goes on then.
// The ball meets the row at 0.963 s, the drop its box at 0.983 s; most trial steps, 33, are taken in the steps to
// 0.985 and 1.01 s, with which the run ends.
TEST(RigidImpactMoments, AreNotLookedForWithoutEnd) {
  const std::string box = "shape = { type = \"box\", size = [0.1, 0.1, 0.1] }\n";
  const Scene scene = read_scene(SceneText{
      {{"moments.toml",
        "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 1.01\nstep = 0.005\n[method]\ntype = \"cone\"\n"
        "[contact.default]\nfriction = 0.5\nrestitution = 0\n"
        "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n"
        "[body.s]\nmass = 3\nposition = [0, 0, 0.05]\ncopies = { count = [4,1,1], spacing = [0.1,1,1] }\n" +
            box +
            "[body.u]\nmass = 1\nposition = [0.05, 0, 0.15]\ncopies = { count = [3,1,1], spacing = [0.1,1,1] }\n" +
            box + "[body.far]\nmass = 1\nposition = [0.6, 0, 0.05]\n" + box +
            "[body.far2]\nmass = 1\nposition = [0.6, 0, 0.15]\n" + box +
            "[body.ball]\nmass = 3\nposition = [-3, 0, 0.06]\nvelocity = [3,0,0]\nangular_velocity = [0,50,0]\n"
            "shape = { type = \"sphere\", radius = 0.06 }\n"
            "[body.drop]\nmass = 1\nposition = [0.6, 0, 5]\nshape = { type = \"sphere\", radius = 0.06 }\n"}},
      {}});
  const System system = compile(scene);
  const auto stepper = make_stepper(system, scene.method);
  State state = system.initial;
  int most = 0, impacts = 0;
  while (state.t < scene.time.duration - 1e-9) {
    const StepReport report = stepper->step(state, state.t + scene.time.step);
    ASSERT_EQ(report.status, StepStatus::ok);
    most = std::max(most, report.evaluations);
    for (const StepEvent& event : report.events) impacts += event.kind == "impact" ? 1 : 0;
  }
  EXPECT_GT(most, 2);     // or no moment was looked for
  EXPECT_GT(impacts, 5);  // or it is not the scene that this is about
  EXPECT_LE(most, 16 * (60 + 1) + 8 + 2);
}

// Section 3.4 of stewart-trinkle-2000: iterations end within the tolerance, what they took is told, and a run that may
// take one only says what to do.
TEST(RigidNonlinear, IterationsAreReported) {
  const RunResult run = test::run_example("falling_rod", {"method.type=stewart_trinkle", "method.nonlinear=true"});
  EXPECT_GE(run.summary.audit.at("nonlinear_iterations"), 2);
  EXPECT_LT(run.summary.audit.at("nonlinear_change"), 1e-12);  // the default tolerance
  EXPECT_EQ(run.summary.audit.at("unconverged"), 0);
  const RunResult stopped = test::run_example("falling_rod", {"method.type=stewart_trinkle", "method.nonlinear=true",
                                                              "method.nonlinear_iterations=1", "method.strict=true"});
  EXPECT_EQ(stopped.summary.status, RunStatus::failed);
  EXPECT_NE(stopped.summary.message.find("method.nonlinear_iterations"), std::string::npos) << stopped.summary.message;
}

}  // namespace
}  // namespace stiction
