// A peg that touches its hole in two points, against the classical analysis (S. N. Simunovic, 1972; D. E. Whitney,
// "Quasi-static assembly of compliantly supported rigid parts", J. Dyn. Sys. Meas. Control 104, 1982), with patches
// with volume in place of the points.
//
// A peg of radius r, tilted by t in a hole of radius R, touches the mouth on one side and the wall with its tip on the
// other if it is l deep:  2 r + l sin t = 2 R cos t. Under an axial force F at its tip and a couple M both sides press
// with M / l. It slides down as long as friction does not hold it,
//     2 mu M / l < F,   that is   mu < l / (2 r m),   m = M / (r F):   jamming                                   (1)
// and stays clamped without any load if the line between both points lies in both cones of friction,
//     mu > l / (2 r):   wedging                                                                                  (2)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/examples.h"

namespace stiction {
namespace {

constexpr double peg_radius = 10e-3, hole_radius = 10.1e-3, peg_length = 50e-3;

/// The depth of two-point contact.
double calc_insertion(double tilt) {
  return 2 * (hole_radius * std::cos(tilt) - peg_radius) / std::sin(tilt);
}

struct PegLoad {
  double force, couple, until;  ///< F [N], M [N m], and how long they act [s]
};
/// The peg at the start of its two-point contact, without gravity; the two sectors of the wall that it touches.
RunResult run_peg(double tilt, double friction, const PegLoad& load, double duration) {
  const double l = calc_insertion(tilt);
  // The tip's rim at -x touches the wall at the depth l: its centre is r cos t - R off the axis.
  const double x = peg_radius * std::cos(tilt) - hole_radius, half = 0.5 * peg_length;
  std::string text = fmt::format(
      "[time]\nduration = {}\nstep = \"10 us\"\noutput = \"0.1 ms\"\n[method]\ntype = \"compliant\"\nintegrator = "
      "\"rk3\"\n[world]\ngravity = [0, 0, 0]\n[body.peg]\ndensity = 7850\nposition = [{:.15g}, 0, "
      "{:.15g}]\norientation = "
      "{{ axis = [0, 1, 0], angle = {:.15g} }}\nshape = {{ type = \"cylinder\", radius = {}, length = {} }}\n",
      duration, x + half * std::sin(tilt), -l - peg_radius * std::sin(tilt) + half * std::cos(tilt), tilt, peg_radius,
      peg_length);
  text += fmt::format(
      "[force.load]\nbody = \"peg\"\nat = [0, 0, {}]\nforce = [0, 0, {{ table = [[0, {}], [{}, 0]], interpolation = "
      "\"hold\" }}]\ntorque = [0, {{ table = [[0, {}], [{}, 0]], interpolation = \"hold\" }}, 0]\n[body.block]\nfixed "
      "= "
      "true\n",
      -half, -load.force, load.until, load.couple, load.until);
  for (const int side : {1, -1})
    text += fmt::format(
        "[body.block.shape.{}]\ntype = \"cell\"\nsurfaces = [{{ type = \"cylinder\", radius = {}, outside = true }}, "
        "{{ "
        "type = \"plane\", normal = [{:.16f}, {:.16f}, 0] }}, {{ type = \"plane\", normal = [{:.16f}, {:.16f}, 0] }}, "
        "{{ "
        "type = \"plane\", normal = [{}, 0, 0], offset = 0.06 }}, {{ type = \"plane\", normal = [0, 0, 1] }}, {{ type "
        "= "
        "\"plane\", normal = [0, 0, -1], offset = 0.06 }}]\n",
        side > 0 ? "right" : "left", hole_radius, -side * std::sqrt(0.5), std::sqrt(0.5), -side * std::sqrt(0.5),
        -std::sqrt(0.5), side);
  text += fmt::format(
      "[contact.default]\nnormal = {{ law = \"volume\", stiffness = 1e12, restitution = 0.3, small_velocity = 0.05, "
      "accuracy = 1e-4 }}\nfriction = {{ law = \"bristle\", kinetic = {}, presliding = 5e-6, stribeck_velocity = 1e-3 "
      "}}\n",
      friction);
  return test::run_text("peg", text);
}

// Pushed in by its wrist, the peg comes to touch in two points and is set upright: at the depth l its tilt is that of
// the clearance, and what both contacts are deep: below 15 um, 1e11 N/m^3 under 2 N on some 4 mm^2.
TEST(PegInHole, IsSetUprightByItsHole) {
  const RunResult run = test::run_example("peg_in_hole");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const double tilt = run.signal("peg.tilt").back(), z = run.signal("peg.position.z").back();
  const double l = 0.5 * peg_length * std::cos(tilt) - peg_radius * std::sin(tilt) - z;
  EXPECT_GT(l, 25e-3);
  EXPECT_LT(tilt, 9e-3);  // from 10 mrad
  EXPECT_NEAR(2 * peg_radius + l * std::sin(tilt), 2 * hole_radius * std::cos(tilt), 2 * 15e-6);
}

// (1) with m = 4, over the tilts that belong to depths of 10, 20 and 30 mm and 20 % of friction on either side of the
// line. The resultants of the patches lie inside of the points, by a third of a length of depth / tilt: 25 um / 20 mrad
// each at 10 mm, so that l is up to 8 % smaller, which these 20 % leave room for. What slides has the acceleration
// (1 - mu / mu_c) F / mass: 0.16 m/s after 5 ms, a quarter of that at least. What is jammed has lost its speed but for
// swings of its contacts: a fortieth at most.
TEST(PegInHole, JamsWhereTheTwoPointDiagramSays) {
  const double m = 4, force = 20;
  for (const double tilt : {20e-3, 10e-3, 6.7e-3}) {
    const double limit = calc_insertion(tilt) / (2 * peg_radius * m);
    for (const double part : {0.8, 1.2}) {
      const RunResult run = run_peg(tilt, part * limit, {force, m * peg_radius * force, 1}, 5e-3);
      ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
      const double speed = run.signal("peg.velocity.z").back();
      if (part < 1)
        EXPECT_LT(speed, -0.04) << tilt;
      else
        EXPECT_NEAR(speed, 0, 0.004) << tilt;
    }
  }
}

// (2): loaded for 3 ms and then left alone, a peg 10 mm deep stays clamped with mu = 0.65 and comes free with 0.35; the
// line is at 0.5.
TEST(PegInHole, WedgesWhereTheTwoPointDiagramSays) {
  for (const double friction : {0.65, 0.35}) {
    const RunResult run = run_peg(20e-3, friction, {20, 4 * peg_radius * 20, 3e-3}, 8e-3);
    ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
    const auto& force = run.signal("contact.peg/block.force");
    const double loaded = force[force.size() * 3 / 8], left = force.back();
    ASSERT_GT(loaded, 1) << friction;
    if (friction > 0.5)
      EXPECT_GT(left, 0.2 * loaded);
    else
      EXPECT_LT(left, 0.02 * loaded);
  }
}

}  // namespace
}  // namespace stiction
