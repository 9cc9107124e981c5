// The table "What each method has" of docs/scene-format.md, cell by cell: what a method has changes the motion of a
// scene that asks for it; what it has not is refused with the reason of the table, or warned of with it and changes
// nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "stiction/base/fault.h"
#include "stiction/run/simulation.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/notices.h"
#include "stiction/scene/describe/features.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

/// A scene without a feature and with it: texts for METHOD, BODY and CONTACT of the frame below, or, with joints, after
/// it.
struct Probe {
  Feature feature;
  std::string body, contact_without, contact_with;
  std::string method_without = "", method_with = "";
};

const std::string slides = "particle = true\nposition = [0, 0, 0.1]\nvelocity = [1, 0.5, 0]\n";
const std::string rests = "particle = true\nposition = [0, 0, 0.1]\n";
const std::string pushed = rests + "[force.push]\nbody = \"ball\"\nforce = [10, 0, 0]\n";
const std::string spins = "position = [0, 0, 0.1]\nvelocity = [1, 0, 0]\nangular_velocity = [0, 0, 20]\n";
/// On its end: friction and the normal impulse act on each other.
const std::string falls =
    "position = [0, 0, 0.12]\norientation = { axis = [0, 1, 0], angle = \"30 deg\" }\nvelocity = [1, 0, -1]\n"
    "shape = { type = \"capsule\", radius = 0.02, length = 0.2 }\n";
const std::string spring = "normal = { law = \"linear\", stiffness = 2e5, damping = 600 }\n";
const std::string hertz = "normal = { law = \"hertz\", stiffness = 2e7, restitution = 0.9 }\n";

/// A joint with a body of its own, beside the ball.
std::string on_joint(const std::string& joint, const std::string& more = "") {
  return slides +
         "[body.arm]\nmass = 1\ninertia = 0.1\n[joint.j]\ntype = \"revolute\"\nchild = \"arm\"\n"
         "axis = [0, 0, 1]\nat = [3, 0, 0]\nchild_at = [0.1, 0, 0]\nvelocity = 1\n" +
         joint + more;
}

std::vector<Probe> list_probes() {
  using F = Feature;
  const std::string weak = spring + "friction = 0.1";
  const auto bristles = [](const std::string& more) {
    return spring + "friction = { law = \"bristle\", kinetic = 0.4" + more + " }";
  };
  std::vector<Probe> probes = {
      {F::coulomb_friction, slides, spring, spring + "friction = 0.4"},
      {F::static_friction, pushed, bristles(""), bristles(", static = 0.6, dwell_time = 0")},
      {F::dwell_time, pushed, bristles(", static = 0.6, dwell_time = 0"), bristles(", static = 0.6, dwell_time = 10")},
      {F::presliding, pushed, bristles(", static = 0.6"), bristles(", static = 0.6, presliding = \"1 mm\"")},
      {F::viscous_contact, slides, bristles(""), bristles(", viscous = 0.2")},
      {F::friction_ellipse, slides, spring + "friction = 0.4",
       spring + "friction = 0.4\nellipse = [1, 0.5]\ndirection = [1, 0, 0]"},
      {F::spin_moment, spins, spring + "friction = 0.4", spring + "friction = 0.4\nellipse = [1, 1, 0.05]"},
      {F::average_plane, spins, spring + "friction = 0.4", spring + "friction = 0.4\nplane = 1"},
      {F::patches, slides, weak,
       "normal = { law = \"volume\", stiffness = 1e8, restitution = 0.5 }\npatch = \"volume\"\nfriction = 0.1"},
      {F::formulas, slides, weak, "normal = { law = \"formula\", force = \"1e5 * x + 600 * v\" }\nfriction = 0.1"},
      {F::layers, slides, weak, weak + "\nlayer = { stiffness = 2e5, damping = 600 }"},
      {F::hypothesis, falls, hertz + "friction = 0.4\nhypothesis = \"newton\"",
       hertz + "friction = 0.4\nhypothesis = \"poisson\""},
      {F::belts, rests, weak, weak},
      {F::sleeping, rests, weak, weak, "", "sleep = 0.05\nsleep_speed = 0.1"},
      {F::nonlinear, falls, weak, weak, "", "nonlinear = true"},
      {F::error_control, slides, weak, weak, "", "integrator = \"dormand_prince\""},
  };
  // Of joints: the contact stays.
  const auto add = [&](Feature feature, const std::string& without, const std::string& with) {
    probes.push_back({feature, on_joint(without), weak, weak});
    probes.push_back({feature, on_joint(with), weak, weak});
  };
  add(F::joint_limits, "", "upper = 0.05");
  add(F::joint_friction, "", "friction = 0.2");
  const std::string stribeck = "friction = 0.2\nstribeck_velocity = 1";
  add(F::joint_static_friction, stribeck, stribeck + "\nstatic_friction = 0.6");
  const std::string rises = "friction = 0.2\nstatic_friction = 0.6\nstribeck_velocity = 1\ninitial_dwell = 0\n";
  add(F::joint_dwell_time, rises + "dwell_time = 0", rises + "dwell_time = 0.05");
  add(F::joint_load_friction, "", "load_friction = 0.5");
  add(F::force_elements, "", "viscous = 0.3");
  add(F::controllers, "",
      "[controller.c]\ntype = \"joint\"\njoint = \"j\"\nposition = 0.5\nproportional = 3\nsample_time = 0.01");
  return probes;
}

std::string make_text(const std::string& type, const std::string& method, const std::string& body,
                      const std::string& contact, const std::string& floor = "") {
  const bool fixed_step = uses_integrator(type) && method.find("integrator") == std::string::npos;
  const char* shape = body.find("shape") == std::string::npos ? "shape = { type = \"sphere\", radius = 0.1 }\n" : "";
  return fmt::format(
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.1\nstep = 2e-4\n[method]\ntype = \"{}\"\n{}{}\n"
      "[body.floor]\nfixed = true\nshape = {{ type = \"halfspace\"{} }}\n[body.ball]\nmass = 2\n{}{}\n"
      "[contact.\"ball/floor\"]\n{}\n",
      type, fixed_step ? "integrator = \"rk4\"\n" : "", method, floor, shape, body, contact);
}

/// What came of a scene: its fault, or its warnings and notes and where it ended.
struct Outcome {
  std::string fault, notices;
  VecX end;
  int asleep = 0, steps = 0;
};
Outcome run_probe(const std::string& text) {
  Outcome outcome;
  try {
    Simulation simulation = Simulation::from_text(text);
    for (const Notice& notice : list_notices(simulation.scene(), simulation.system())) {
      // Of keys of [method] that have no effect there are notes, else warnings.
      const bool is_of_key = notice.text.starts_with("method.");
      if (notice.kind == Notice::Kind::warning || is_of_key) outcome.notices += notice.text + "\n";
    }
    while (simulation.time() < 0.1 - 1e-9) {
      const StepReport report = simulation.step();
      ++outcome.steps;
      if (report.status != StepStatus::ok) {
        ADD_FAILURE() << report.message << "\n" << text;
        break;
      }
      outcome.asleep = std::max(outcome.asleep, report.contact.asleep);
    }
    const State& state = simulation.state();
    outcome.end.resize(state.q.size() + state.v.size());
    outcome.end << state.q, state.v;
  } catch (const InputError& error) {
    outcome.fault = error.what();
  }
  return outcome;
}

bool differs(const Outcome& a, const Outcome& b) {
  if (a.asleep != b.asleep || a.steps != b.steps) return true;
  return a.end.size() != b.end.size() || (a.end - b.end).cwiseAbs().maxCoeff() > 1e-9;
}

class FeatureMatrix : public testing::TestWithParam<std::string> {
 protected:
  void judge(Feature feature, const std::string& without, const std::string& with) const {
    const std::string& type = GetParam();
    const Outcome before = run_probe(without), after = run_probe(with);
    ASSERT_EQ(before.fault, "") << without;
    if (has_feature(feature, type)) {
      EXPECT_EQ(after.fault, "") << with;
      // "always": there is nothing to choose.
      if (feature == Feature::nonlinear && type == "geometric_implicit") return;
      EXPECT_TRUE(differs(before, after)) << type << ": does nothing\n" << with;
      return;
    }
    const std::string reason = format_refusal(feature, type);
    if (!after.fault.empty()) {
      EXPECT_NE(after.fault.find(reason), std::string::npos) << after.fault;
      return;
    }
    // The tables of contact as a whole are told of where there is no contact.
    const bool is_told = after.notices.find(reason) != std::string::npos ||
                         (type == "smooth" && after.notices.find("has no contact") != std::string::npos);
    EXPECT_TRUE(is_told) << type << ": silently ignored\n" << with << after.notices;
    EXPECT_FALSE(differs(before, after)) << type << ": acts\n" << with;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, FeatureMatrix,
                         testing::Values("smooth", "compliant", "cone", "geometric_implicit", "stewart_trinkle",
                                         "berard", "anitescu_potra"),
                         [](const auto& method) { return method.param; });

TEST_P(FeatureMatrix, EachCellActsOrSaysWhyNot) {
  const std::string& type = GetParam();
  const std::vector<Probe> probes = list_probes();
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const Probe& probe = probes[i];
    std::string without = make_text(type, probe.method_without, probe.body, probe.contact_without);
    std::string with = make_text(type, probe.method_with, probe.body, probe.contact_with);
    if (probe.feature == Feature::belts) {
      // Methods without contact have driven bodies.
      if (type == "smooth") continue;
      with = make_text(type, "", probe.body, probe.contact_with, ", surface_velocity = [0.5, 0, 0]");
    }
    if (i + 1 < probes.size() && probes[i + 1].feature == probe.feature) {
      with = make_text(type, "", probes[i + 1].body, probe.contact_with);
      ++i;
    }
    judge(probe.feature, without, with);
  }
}

// Restitution stands in the table itself, or, for `compliant`, in its normal law, which rigid methods take, too.
TEST_P(FeatureMatrix, RestitutionActsByTheNormalLaw) {
  const std::string& type = GetParam();
  const auto law = [](const std::string& e) {
    return "normal = { law = \"hertz\", stiffness = 2e7, " + e + " }\nfriction = 0.4";
  };
  const std::string body = "particle = true\nposition = [0, 0, 0.11]\nvelocity = [1, 0, -2]\n";
  const std::string without = make_text(type, "", body, law("restitution = 0.9"));
  judge(Feature::restitution, without, make_text(type, "", body, law("restitution = 0.5")));
  judge(Feature::restitution_slope, without, make_text(type, "", body, law("restitution_slope = 0.2")));
}

// Friction against a slide in a direction between the edges of a pyramid: against it where the cone is exact.
TEST_P(FeatureMatrix, TheExactConeKeepsTheDirection) {
  const std::string& type = GetParam();
  if (type == "smooth") return;  // no contact at all
  const std::string body = "particle = true\nposition = [0, 0, 0.1]\nvelocity = [1, 0.3, 0]\n";
  const std::string contact = spring + "friction = { law = \"coulomb\", kinetic = 0.4 }";
  Simulation simulation =
      Simulation::from_text(make_text(type, type == "compliant" ? "" : "directions = 4", body, contact));
  (void)simulation.step_to(0.1);
  const Vec3 v = simulation.velocity("ball").linear;
  const double turned = std::abs(v.y() / v.x() - 0.3);
  if (has_feature(Feature::exact_cone, type)) {
    EXPECT_LT(turned, 1e-6);
  } else {
    EXPECT_GT(turned, 1e-3);
  }
}

}  // namespace
}  // namespace stiction
