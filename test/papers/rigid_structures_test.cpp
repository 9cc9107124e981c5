// Rigid contact of structures: against statics, an independent integration, and resting as such.
#include <gtest/gtest.h>

#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

using test::max_abs;
using test::run_example;

double max_drift(const RunResult& run, const std::string& name) {
  double largest = 0;
  for (const char* axis : {"x", "y", "z"}) {
    const auto& p = run.signal(name + ".position." + axis);
    for (const double x : p) largest = std::max(largest, std::abs(x - p.front()));
  }
  return largest;
}

// Friction of 0.6 holds what needs tan(20 deg) = 0.36 at most: nothing moves. The bar for towers is 1e-6 m.
TEST(RigidStructures, AHouseOfCardsStands) {
  const RunResult run = run_example("card_house", {"time.duration=1"});
  for (const char* card : {"left_1", "left_2", "right_1", "right_2", "roof", "top_1", "top_2"})
    EXPECT_LT(max_drift(run, card), 1e-9) << card;
}

// At tan(20 deg) / 2 = 0.18 and less, not even a tent without load is in balance: the house falls.
TEST(RigidStructures, AHouseOfCardsFallsWithoutFriction) {
  const RunResult run = run_example("card_house", {"time.duration=0.5", "contact.default.friction=0.1"});
  EXPECT_GT(max_drift(run, "top_1"), 0.02);
}

// Virtual work: M dtheta_2 = F . d(tip), with the velocity ratio of a four-bar linkage
//     dtheta_4 / dtheta_2 = (a / c) sin(theta_2 - theta_3) / sin(theta_4 - theta_3).
TEST(RigidStructures, APressPressesAsVirtualWorkSays) {
  const RunResult run = run_example("press");
  const double theta_2 = run.signal("drive.position").back(), theta_3 = theta_2 + run.signal("pin.position").back();
  const Vec3 pivot(0.4, 0.25, 0), crank = 0.1 * Vec3(std::cos(theta_2), std::sin(theta_2), 0);
  const Vec3 pin = Vec3(0, 0.25, 0) + crank + 0.35 * Vec3(std::cos(theta_3), std::sin(theta_3), 0);
  const Vec3 arm = pin - pivot;
  const double theta_4 = std::atan2(arm.y(), arm.x());
  const double ratio = 0.1 / arm.norm() * std::sin(theta_2 - theta_3) / std::sin(theta_4 - theta_3);
  Vec3 force = Vec3::Zero(), at = Vec3::Zero();
  for (const ContactSample& sample : run.contacts) {
    const std::string& first = run.contact_shapes[static_cast<std::size_t>(sample.contact.shape_a)];
    if (sample.t != run.times.back() || first == "floor") continue;
    force = sample.contact.impulse / 2.5e-4, at = sample.contact.position;
  }
  // Torque of the contact on the rocker, about its pivot, against -2 N m on the crank.
  const double torque = (at - pivot).cross(force).z();
  EXPECT_NEAR(torque * ratio, 2.0, 1e-6);
  EXPECT_LT(max_drift(run, "block"), 1e-9);
}

// An independent model of the stone: rolling without slip, angular momentum about the mass centre, body axes, RK4.
// With n the upward normal, E = diag(a^2, b^2, c^2), r from the mass centre to the contact:
//     r = -E n / sqrt(n'En) - g,   I w' + m r x (w' x r) = -w x I w + m r x (-w x r' - w x (w x r) + gravity n)
struct RollingStone {
  Vec3 n, w;
  static Vec3 calc_contact(const Vec3& n, const Vec3& dn, Vec3& rate) {
    const Vec3 squares(0.04, 0.0009, 0.0004);
    const double s = std::sqrt(n.dot(squares.cwiseProduct(n)));
    rate = -squares.cwiseProduct(dn) / s + squares.cwiseProduct(n) * n.dot(squares.cwiseProduct(dn)) / (s * s * s);
    return -squares.cwiseProduct(n) / s - Vec3(0, 0, -0.01);
  }
  RollingStone calc_rate() const {
    Mat3 inertia;
    inertia << 0.0002, -0.00002, 0, -0.00002, 0.0016, 0, 0, 0, 0.0017;
    const Vec3 dn = n.cross(w);
    Vec3 dr;
    const Vec3 r = calc_contact(n, dn, dr);
    const Mat3 A = inertia + r.squaredNorm() * Mat3::Identity() - r * r.transpose();
    const Vec3 b = -w.cross(inertia * w) + r.cross(-w.cross(dr) - w.cross(w.cross(r)) + 9.81 * n);
    return {dn, A.inverse() * b};
  }
  void advance(double h) {
    const auto moved = [&](const RollingStone& k, double s) { return RollingStone{n + s * k.n, w + s * k.w}; };
    const RollingStone k1 = calc_rate(), k2 = moved(k1, h / 2).calc_rate(), k3 = moved(k2, h / 2).calc_rate(),
                       k4 = moved(k3, h).calc_rate();
    n += h / 6 * (k1.n + 2 * k2.n + 2 * k3.n + k4.n);
    w += h / 6 * (k1.w + 2 * k2.w + 2 * k3.w + k4.w);
  }
};

/// The time at which the spin turns back, between two samples.
double find_reversal(const std::string& step) {
  const RunResult run = run_example("rattleback", {"time.step=" + step, "time.output=0.001"});
  const auto& spin = run.signal("stone.angular_velocity.z");
  std::size_t i = 1;
  while (i + 1 < spin.size() && spin[i] < 0) ++i;
  // A point that rolls does no work: what the scheme takes is of the third order, and it gives none.
  EXPECT_LT(run.signal("energy.total")[i], (1 + 1e-6) * run.signal("energy.total").front());
  return run.times[i - 1] + (run.times[i] - run.times[i - 1]) * spin[i - 1] / (spin[i - 1] - spin[i]);
}

// The spin reverses when the independent model says: rolling over a curved surface is of second order in the step at
// least.
TEST(RigidStructures, ARattlebackTurnsBack) {
  const double tilt = 0.5 * std::numbers::pi / 180;
  RollingStone stone{Vec3(0, std::sin(tilt), std::cos(tilt)), Vec3(0, -5 * std::sin(tilt), -5 * std::cos(tilt))};
  double expected = 0, before = 0;
  for (; stone.w.dot(stone.n) < 0 && expected < 10; expected += 1e-4) {
    before = stone.w.dot(stone.n);
    stone.advance(1e-4);
  }
  const double after = stone.w.dot(stone.n);
  expected -= 1e-4 * after / (after - before);
  EXPECT_NEAR(expected, 5.82, 0.005);  // another program's, of the same equations
  const double coarse = find_reversal("1e-3"), middle = find_reversal("5e-4"), fine = find_reversal("1.25e-4");
  EXPECT_LT(std::abs(middle - expected), 0.3 * std::abs(coarse - expected));
  EXPECT_LT(std::abs(fine - expected), 0.0625 * std::abs(middle - expected));
  EXPECT_NEAR(fine, expected, 1e-4 * expected);
}

// A heap comes to rest without sinking into itself.
TEST(RigidStructures, AHeapComesToRest) {
  const RunResult run = run_example(
      "pile",
      {"time.duration=1.5", "body.ball.copies={count=[3,3,4], spacing=[0.06,0.06,0.06], jitter=0.004}",
       "body.cube.copies={count=[3,3,1], spacing=[0.06,0.06,0.06], jitter=0.002}",
       "body.cube.position=[0.03,0.03,0.28]", "body.bin.shape.right.offset=-0.18", "body.bin.shape.back.offset=-0.18"});
  const auto& penetration = run.signal("audit.penetration");
  EXPECT_LT(penetration.back(), 1e-6);
  // 45 bodies of 65 and 27 g: potential energy of about 5 J turned into heat; balls may go on spinning.
  EXPECT_LT(run.signal("energy.kinetic").back(), 1e-3);
}

// What overlaps is moved apart before the run, and not thrown.
TEST(RigidStructures, SettlingMovesApart) {
  const RunResult run =
      run_example("tower", {"method.settle=true", "body.box3.position=[0,0,0.249]", "time.duration=0.1"});
  EXPECT_LT(max_abs(run.signal("box10.velocity.z")), 0.2);
  EXPECT_LT(run.signal("audit.penetration").back(), 1e-9);
}

// 343 spheres of 50 mm fall into a box: more contacts than are factorised. While they fall nothing is pushed into
// anything by more than 1e-6 m and no energy comes from anywhere; when they lie, every step is solved, and the floor
// carries the weight less what friction on the walls takes (Janssen): at least half of it in so wide a box, and with
// the walls' upward friction all of it.
TEST(RigidStructures, ALargeHeapComesToRest) {
  const RunResult run = test::run_text(
      "heap",
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 2.5\nstep = 0.005\noutput = 0.05\n[method]\ntype = "
      "\"cone\"\n"
      "impacts = 0\nsolver_tolerance = 1e-6\n[contact.default]\nfriction = 0.5\nrestitution = 0\n"
      "[body.bin]\nfixed = true\n[body.bin.shape.floor]\ntype = \"halfspace\"\nnormal = [0, 0, 1]\n"
      "[body.bin.shape.left]\ntype = \"halfspace\"\nnormal = [1, 0, 0]\n"
      "[body.bin.shape.right]\ntype = \"halfspace\"\nnormal = [-1, 0, 0]\noffset = -0.42\n"
      "[body.bin.shape.front]\ntype = \"halfspace\"\nnormal = [0, 1, 0]\n"
      "[body.bin.shape.back]\ntype = \"halfspace\"\nnormal = [0, -1, 0]\noffset = -0.42\n"
      "[body.ball]\ndensity = 1000\nposition = [0.03, 0.03, 0.03]\nshape = { type = \"sphere\", radius = 0.025 }\n"
      "copies = { count = [7, 7, 7], spacing = [0.06, 0.06, 0.06], jitter = 0.004 }\n");
  EXPECT_GT(run.summary.audit.at("contacts"), 700);
  EXPECT_LT(run.summary.audit.at("penetration"), 1e-6);
  const auto& total = run.signal("energy.total");
  for (std::size_t i = 1; i < total.size(); ++i) EXPECT_LT(total[i], total[i - 1] + 1e-6 * total[0]);
  // At rest a step is solved, though a ball that slips late may leave some unsolved: 0 to 20 of the last 200 steps,
  // with five other jitters.
  std::vector<double> residuals = run.signal("audit.residual");
  residuals.erase(residuals.begin(), residuals.end() - 20);
  std::nth_element(residuals.begin(), residuals.begin() + 10, residuals.end());
  EXPECT_LT(residuals[10], 1e-6);
  const double mass = 343 * 1000 * 4.0 / 3 * std::numbers::pi * std::pow(0.025, 3);
  double floor = 0, bin = 0;
  for (const ContactSample& contact : run.contacts) {
    if (contact.t < run.times.back() - 1e-9 ||
        run.contact_shapes[static_cast<std::size_t>(contact.contact.shape_a)].find("bin") != 0)
      continue;
    bin += contact.contact.impulse.z() / 0.005;
    if (run.contact_shapes[static_cast<std::size_t>(contact.contact.shape_a)] == "bin.floor")
      floor += contact.contact.impulse.z() / 0.005;
  }
  EXPECT_NEAR(bin, mass * 9.81, 1e-3 * mass * 9.81);
  EXPECT_GT(floor, 0.5 * mass * 9.81);
}

// A capsule askew by half a degree in the groove of two others: more contacts bear than the motion determines, and some
// bear nothing though they touch. Every step is solved to the tolerance, 1e-10; `strict` would stop it else.
TEST(RigidStructures, CapsulesOnOneAnotherAreSolved) {
  const std::string shape = "shape = { type = \"capsule\", axis = [1, 0, 0], radius = 0.02, length = 0.1 }\n";
  const RunResult run = test::run_text(
      "capsules",
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 2\nstep = 0.005\n[method]\ntype = \"cone\"\nstrict = true\n"
      "solver_tolerance = 1e-10\n[contact.default]\nfriction = 0.5\nrestitution = 0\n"
      "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n"
      "[body.a]\nmass = 1\nposition = [0, 0, 0.02]\n" +
          shape + "[body.b]\nmass = 1\nposition = [0, 0.0401, 0.02]\n" + shape +
          "[body.c]\nmass = 1\nposition = [0.01, 0.02, 0.06]\n" + shape +
          "orientation = { axis = [0, 0, 1], angle = \"0.5 deg\" }\n");
  EXPECT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_LE(run.summary.audit.at("residual"), 1e-10);
}

// A cube of 30 mm that tumbles over the floor at 40 rad/s turns by 0.2 rad in a step of 5 ms, and its corners do not
// move as gaps linearised at the midpoint say: what overlaps by more than 1e-4 of its size (half the diagonal, 26 mm;
// RigidTolerances::deep_overlap_part) is moved apart. To be lifted by the 9e-6 m that it would else overlap takes m g
// 9e-6 m = 1e-4 of its 0.027 J: no more comes from anywhere.
TEST(RigidStructures, WhatTumblesDoesNotOverlap) {
  const RunResult run = test::run_text(
      "tumbles",
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.5\nstep = 0.005\n[method]\ntype = \"cone\"\n"
      "[contact.default]\nfriction = 0.5\nrestitution = 0\n"
      "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n"
      "[body.cube]\nmass = 0.03\nposition = [0, 0, 0.03]\nangular_velocity = [3, 40, 5]\nvelocity = [1, 0, 0]\n"
      "shape = { type = \"box\", size = [0.03, 0.03, 0.03] }\n");
  EXPECT_LE(run.summary.audit.at("penetration"), 1e-4 * 0.015 * std::sqrt(3.0));
  const auto& total = run.signal("energy.total");
  for (std::size_t i = 1; i < total.size(); ++i) EXPECT_LT(total[i], total[i - 1] + 1e-4 * total[0]);
}

}  // namespace
}  // namespace stiction
