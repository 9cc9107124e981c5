// Compliant point contact against gonthier-thesis-2007, section 5.1, and closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

using test::load_example;
using test::max_abs;
using test::run_example;

constexpr double degree = std::numbers::pi / 180, g = 9.81;

// Figs 5.1 and 5.2: the ball leaves with e v for every e, within 1e-4, and its ledger closes.
TEST(CompliantImpact, EveryRestitutionComesOut) {
  for (const double e : {0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
    const RunResult run = run_example("impact", {fmt::format("contact.\"ball/plane\".normal.restitution={}", e)});
    EXPECT_NEAR(run.signal("ball.velocity.z").back() / e, 1, 1e-4) << e;
    EXPECT_LT(run.summary.energy_worst_residual, 1e-6 * run.summary.energy_first);
  }
  // e = 1 - 0.2 v; the table replaces the one of the scene.
  for (const double v : {0.5, 1.0, 2.0, 4.0}) {
    const RunResult run =
        run_example("impact", {"contact.\"ball/plane\".normal={law=\"hertz\", stiffness=3.4e10, restitution_slope=0.2}",
                               fmt::format("body.ball.velocity=[0,0,{}]", -v)});
    EXPECT_NEAR(run.signal("ball.velocity.z").back() / (v * (1 - 0.2 * v)), 1, 1e-4) << v;
  }
}

// The force loop of Fig. 5.2 as signals. Without damping it is the line f = k depth^(3/2), and all of m v^2 / 2 is in
// the spring where the ball turns: k depth^(5/2) / (5/2). With damping the loop's area is what the impact took, and the
// force is never tension.
TEST(CompliantImpact, ForceLoopsAreSignals) {
  const auto run_with = [](double e) {
    return run_example("impact", {fmt::format("contact.\"ball/plane\".normal.restitution={}", e)});
  };
  const double k = 3.4e10, m = 0.454;
  const RunResult elastic = run_with(1);
  const auto& force = elastic.signal("contact.ball/plane.force");
  const auto& depth = elastic.signal("contact.ball/plane.depth");
  const double deepest = *std::max_element(depth.begin(), depth.end());
  EXPECT_NEAR(deepest, std::pow(2.5 * 0.5 * m / k, 0.4), 1e-3 * deepest);  // m/s squared = 1; between two samples
  for (std::size_t i = 0; i < force.size(); ++i) {
    EXPECT_NEAR(force[i], k * std::pow(depth[i], 1.5), 1e-9 * k * std::pow(deepest, 1.5));
  }
  const RunResult damped = run_with(0.5);
  const auto &f = damped.signal("contact.ball/plane.force"), &d = damped.signal("contact.ball/plane.depth");
  double area = 0;
  for (std::size_t i = 1; i < f.size(); ++i) area += 0.5 * (f[i] + f[i - 1]) * (d[i] - d[i - 1]);
  // Trapezoids between 161 samples: (1/161)^2 of it, 7e-6.
  EXPECT_NEAR(area, 0.5 * m * (1 - 0.25), 1e-5);
  EXPECT_GE(*std::min_element(f.begin(), f.end()), 0);
}

// Hunt and Crossley's own factor (Fig. 5.1): e comes out too high below 1, and right at 1.
TEST(CompliantImpact, ApproximationsMissTheirRestitution) {
  const auto leave = [](const char* rule, double e) {
    const RunResult run =
        run_example("impact", {fmt::format("contact.\"ball/plane\".normal.restitution={}", e),
                               fmt::format("contact.\"ball/plane\".normal.damping_rule=\"{}\"", rule)});
    return run.signal("ball.velocity.z").back() / e;
  };
  EXPECT_GT(leave("hunt_crossley", 0.5), 1.1);
  EXPECT_GT(leave("lankarani_nikravesh", 0.5), 1.2);
  EXPECT_NEAR(leave("hunt_crossley", 0.99), 1, 1e-3);
}

/// Of a run with one contact: the largest tangential force between two times.
double find_peak(const RunResult& run, double step, double from, double to) {
  double peak = 0;
  for (const ContactSample& sample : run.contacts) {
    const ContactRecord& c = sample.contact;
    const Vec3 tangential = c.impulse - c.normal.dot(c.impulse) * c.normal;
    if (sample.t >= from && sample.t <= to) peak = std::max(peak, tangential.norm() / step);
  }
  return peak;
}

// Figs 5.4-5.6. The first peak is the stiction limit, 0.15 m g = 1.5 N; later ones are lower at higher speeds, as there
// is less time to dwell; x and y move alike. The period of sticking at the slowest speed is near that of a spring which
// is pulled from kinetic to static friction and back.
TEST(StickSlip, PeaksByThePlatesSpeed) {
  double later = 2;
  for (const double v : {0.05, 0.1, 0.15}) {
    const double c = v * std::sqrt(0.5);
    const std::string belt = fmt::format("[{0},{0},0]", c);
    const RunResult run = run_example("stick_slip", {fmt::format("body.plate.shape.surface_velocity={}", belt),
                                                     fmt::format("body.block.velocity={}", belt), "time.output=0.002"});
    ASSERT_EQ(run.summary.status, RunStatus::completed);
    const double t_break = 0.75 / v;
    // Breakaway is within the recording interval of the peak: the spring gains k v dt = 6e-4 N in 2 ms.
    EXPECT_NEAR(find_peak(run, 1e-3, 0, 1.05 * t_break), 1.5, 1.5e-3) << v;
    const double second = find_peak(run, 1e-3, 1.5 * t_break, 60);
    EXPECT_LT(second, later - 1e-3) << v;
    later = second;
    const auto &x = run.signal("block.position.x"), &y = run.signal("block.position.y");
    for (std::size_t i = 0; i < x.size(); i += 50) EXPECT_NEAR(x[i], y[i], 1e-6);
    // The belt's work, less what is stored, is what friction takes.
    EXPECT_LT(run.summary.energy_worst_residual, 1e-6 * run.signal("energy.input").back());
  }
  EXPECT_LT(later, 1.45);
}

/// Velocity down the slope.
double along(const RunResult& run, std::size_t i) {
  return std::cos(20 * degree) * run.signal("ball.velocity.x")[i] -
         std::sin(20 * degree) * run.signal("ball.velocity.z")[i];
}

// Figs 5.7, 5.8: rolling in the end, v = R w, 5/7 g sin 20 down and a constant velocity across, which is 5/7 of what it
// had: that much is left of a sliding ball's velocity when friction has made it roll.
TEST(BallOnSlope, BouncesThenRolls) {
  const RunResult run = run_example("ball_on_slope");
  const std::size_t last = run.times.size() - 1, before = last - 1000;
  EXPECT_NEAR((along(run, last) - along(run, before)) / 1.0, 5.0 / 7 * g * std::sin(20 * degree), 1e-6);
  EXPECT_NEAR(along(run, last) - 0.1 * run.signal("ball.angular_velocity.y")[last], 0, 1e-6);
  EXPECT_NEAR(run.signal("ball.velocity.y")[last], 0.5 * 5 / 7, 1e-6);
  EXPECT_NEAR(run.signal("ball.velocity.y")[before], 0.5 * 5 / 7, 1e-6);
  const auto impacts =
      std::count_if(run.events.begin(), run.events.end(), [](const auto& e) { return e.kind == "impact"; });
  EXPECT_GT(impacts, 4);
  EXPECT_EQ(run.events.front().kind, "impact");
  // The first: free fall to the plane, 0.5 m from the centre: 2 cos 20 - sin 20 t - g cos 20 t^2 / 2 = 0.5
  const double c = std::cos(20 * degree), s = std::sin(20 * degree);
  EXPECT_NEAR(run.events.front().t, (-s + std::sqrt(s * s + 2 * g * c * (2 * c - 0.5))) / (g * c), 1e-8);
  EXPECT_LT(run.summary.energy_worst_residual, 1e-6 * run.summary.energy_first);
}

// Fixed steps and other adaptive methods come to the same place. Explicit steps of 5 us do not resolve the bristles
// under the load of an impact, but their force saturates, and what remains is below 1e-4 of the way.
TEST(BallOnSlope, IntegratorsAgree) {
  const auto end = [](const char* integrator, const char* step) {
    const RunResult run =
        run_example("ball_on_slope", {fmt::format("method.integrator={}", integrator),
                                      fmt::format("time.step={}", step), "time.duration=2", "time.output=0.01"});
    return Vec3(run.signal("ball.position.x").back(), run.signal("ball.position.y").back(),
                run.signal("ball.position.z").back());
  };
  const Vec3 stiff = end("cvode_bdf", "5e-6");
  EXPECT_LT((end("rk4", "5e-6") - stiff).norm(), 1e-4);
  EXPECT_LT((end("semi_implicit_euler", "5e-6") - stiff).norm(), 1e-3);
}

// Figs 5.9-5.13. Once it rolls the energy is constant but for what the law's own dampers take while the load changes;
// with that booked, to 1e-6; without, it loses less than 1e-5 of it a second.
TEST(BallInCylinder, RollsToAndFro) {
  for (const char* name : {"ball_in_cylinder_2d", "ball_in_cylinder_3d"}) {
    const RunResult run = run_example(name);
    const auto &total = run.signal("energy.total"), &dissipated = run.signal("energy.dissipated");
    const std::size_t first = 400, last = total.size() - 1;  // from 2 s on
    for (std::size_t i = first; i <= last; ++i)
      ASSERT_NEAR(total[i] + dissipated[i], total[first] + dissipated[first], 1e-6 * total[first]) << name;
    EXPECT_LT(total[first] - total[last], 8 * 1e-5 * total[first]);
    // Rolling: the contact point of the ball is at rest, v + w x r = 0 with r from the centre to it.
    for (std::size_t i = first; i <= last; i += 100) {
      const auto vector = [&](const char* what) {
        return Vec3(run.signal(fmt::format("ball.{}.x", what))[i], run.signal(fmt::format("ball.{}.y", what))[i],
                    run.signal(fmt::format("ball.{}.z", what))[i]);
      };
      const Vec3 p = vector("position") - Vec3(0, 0, 1), radial = Vec3(p.x(), 0, p.z()).normalized();
      const Vec3 slip = vector("velocity") + vector("angular_velocity").cross(0.1 * radial);
      // Along the normal the depth follows the load; along the surface it does not slip but by what bristles give way.
      EXPECT_LT((slip - slip.dot(radial) * radial).norm(), 1e-5) << name;
    }
  }
}

// The period of small rolling oscillations: 2 pi sqrt(7/5 (1 - 0.1) / g), from a start at 3 degrees at rest.
TEST(BallInCylinder, PeriodOfSmallOscillations) {
  const double a = 3 * degree, r = 0.9;
  const RunResult run = run_example("ball_in_cylinder_2d",
                                    {fmt::format("body.ball.position=[{},0,{}]", r * std::sin(a), 1 - r * std::cos(a)),
                                     "time.output=1e-3", "contact.\"ball/cylinder\".normal.stiffness=1e8"});
  const auto& x = run.signal("ball.position.x");
  std::vector<double> crossings;
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[i - 1] > 0 && x[i] <= 0) crossings.push_back(run.times[i - 1] + 1e-3 * x[i - 1] / (x[i - 1] - x[i]));
  ASSERT_GE(crossings.size(), 3u);
  // Finite amplitude lengthens it by a^2/16 = 1.7e-4, corrected here; the depth of the contact by 1e-5.
  const double period = 2 * std::numbers::pi * std::sqrt(1.4 * r / g) * (1 + a * a / 16);
  EXPECT_NEAR((crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1) / period, 1, 1e-4);
}

// Figs 5.15-5.19: it bounces, oscillates, and sticks for good between 6.5 and 7 s with the second joint near -65
// degrees and the first off centre. (The printed 2.2 degrees are not reproduced; it is 1.4 here.)
TEST(PendulumOnFloor, ComesToRestSticking) {
  const RunResult run = run_example("pendulum_on_floor");
  EXPECT_NEAR(run.signal("elbow.position").back() / degree, -65, 1);
  EXPECT_GT(std::abs(run.signal("shoulder.position").back()) / degree, 0.5);
  EXPECT_LT(std::abs(run.signal("shoulder.velocity").back()), 1e-6);
  double stuck = 0;
  for (const StepEvent& event : run.events)
    if (event.kind == "stick") stuck = event.t;
  EXPECT_GT(stuck, 6.5);
  EXPECT_LT(stuck, 7);
  EXPECT_NE(run.events.back().kind, "slip");
  EXPECT_LT(run.summary.energy_worst_residual, 1e-6 * 12);  // of the energy lost
}

/// An impact of the tip of two links by forces in the plane of (tangential, normal) velocities alone, with the inverse
/// mass seen there: no mechanism, no engine. k and the restitution's damping as in the scene, Coulomb friction.
double lose_energy(const Eigen::Matrix2d& inverse_mass, Eigen::Vector2d u, double e, double d, double mu) {
  const double k = 1e9, a = d / (e * -u[1]), h = 2e-8;
  double x = 0, work = 0;
  while (true) {
    const double fn = std::max(0.0, k * x * std::sqrt(x) * (1 - a * u[1]));
    // Stiff bristles: the force that would stop the tip at once, within the cone.
    const double stop = -(u[0] / h + inverse_mass(0, 1) * fn) / inverse_mass(0, 0);
    const Eigen::Vector2d f(std::clamp(stop, -mu * fn, mu * fn), fn);
    const Eigen::Vector2d u_new = u + h * inverse_mass * f;
    work += h * f.dot(0.5 * (u + u_new));
    u = u_new;
    x -= h * u[1];
    if (x <= 0) return -work;
  }
}

// Figs 5.20, 5.21: energy lost against friction and restitution, both cases, from an independent impact in velocities.
TEST(AhmedBenchmark, EnergyLoss) {
  for (const char* name : {"ahmed_a", "ahmed_b"}) {
    const bool case_a = std::string(name) == "ahmed_a";
    const double p1 = (case_a ? 18 : 0) * degree, p2 = p1 + (case_a ? 12 : 20.7) * degree;
    // Mass matrix in absolute angles p1, p2: m l^2/4 + J, m l^2, coupling m l^2/2 cos(p2 - p1).
    Eigen::Matrix2d M, J;
    const double c = std::cos(p2 - p1);
    M << 2 * 0.25 + 1.0 / 6 + 2, 2 * 0.5 * c, 2 * 0.5 * c, 2 * 0.25 + 1.0 / 6;
    J << std::cos(p1), std::cos(p2), std::sin(p1), std::sin(p2);
    const Eigen::Vector2d v(-1, -2);
    const Eigen::Matrix2d W = J * M.inverse() * J.transpose();
    const double kinetic = 0.5 * v.dot(M * v);
    for (const auto& [e, d] : {std::pair(0.5, 0.71637526663568751403), std::pair(0.9, 0.1498337556167772944)}) {
      for (const double mu : {0.0, 0.2, 0.5, 1.0}) {
        const std::string law = fmt::format(
            "{{law=\"bristle\", static={0}, kinetic={0}, stiffness=1e5, damping=1e5, stribeck_velocity=0.1, "
            "dwell_time=0.75}}",
            mu);
        const RunResult run = run_example(
            name, {fmt::format("contact.\"lower/floor\".normal.restitution={}", e),
                   fmt::format("contact.\"lower/floor\".friction={}", mu == 0 ? "0" : law), "time.duration=4e-3"});
        const double loss = 1 - run.signal("energy.kinetic").back() / run.signal("energy.kinetic").front();
        const double expected = lose_energy(W, J * v, e, d, mu) / kinetic;
        // The impact lasts 1 ms, in which the links turn by 1e-3 rad: the configuration is the same to that.
        EXPECT_NEAR(loss, expected, 3e-3) << name << " " << e << " " << mu;
        if (mu == 0) {
          // Closed form: u_n^2 (1 - e^2) / (2 W_nn)
          const double u = (J * v)[1];
          EXPECT_NEAR(expected, 0.5 * u * u * (1 - e * e) / W(1, 1) / kinetic, 1e-4);
        }
      }
    }
  }
}

// A block on a slope of 15 degrees, 1,000 s: it moves less than the pre-sliding displacement while the bristles take
// the load, and then not at all: below 1e-12 m/s.
TEST(Sticking, DoesNotCreepFor1000Seconds) {
  const RunResult run = run_example("block_on_slope", {"time.duration=1000", "time.output=10"});
  const double c = std::cos(15 * degree), s = std::sin(15 * degree);
  const auto slide = [&](std::size_t i) {
    return c * run.signal("block.position.x")[i] - s * run.signal("block.position.z")[i];
  };
  const std::size_t last = run.times.size() - 1;
  // Closed form: sigma_0 z = tan 15; the centre also tips by m g sin 15 (0.05 m)^2 / (4 k (0.1 m)^2) = 8e-6 m at most.
  EXPECT_NEAR(slide(last) - slide(0), std::tan(15 * degree) / 5000, 8e-6);
  EXPECT_LT(slide(last) - slide(0), 1e-4);
  EXPECT_LT(std::abs(slide(last) - slide(2)) / (run.times[last] - run.times[2]), 1e-15);
  for (const char* axis : {"x", "y", "z"})
    EXPECT_LT(std::abs(run.signal(fmt::format("block.velocity.{}", axis)).back()), 1e-12);
}

// Held twenty times as hard as needed: no motion either.
TEST(Sticking, APinchedBodyDoesNotCreep) {
  const RunResult run = run_example("pinch");
  const auto& z = run.signal("block.position.z");
  const std::size_t last = z.size() - 1, settled = last / 2;
  EXPECT_LT(std::abs(z[last] - z[settled]) / (run.times[last] - run.times[settled]), 1e-12);
  // Closed form: each finger bears m g / 2 with bristles of stiffness F sigma_0 = F 0.5 / 0.1 mm, after at most what it
  // sank while the fingers were closing.
  EXPECT_NEAR(-z[last], 0.5 * g / (196.2 * 5000), 1e-6);
}

// The same scene under three formulations by one changed line: the block rests at the same place but for what
// compliance gives way.
TEST(Sticking, FormulationsAgree) {
  const double compliant = run_example("block_on_slope").signal("block.position.x").back();
  for (const char* type : {"cone", "stewart_trinkle"}) {
    const RunResult run = run_example("block_on_slope", {fmt::format("method.type={}", type), "time.duration=1"});
    EXPECT_NEAR(run.signal("block.position.x").back(), compliant, 2e-4) << type;
  }
}

// Section 5.1.4: the plate's reaction under force/moment accommodation. Closed forms: pressed at a commanded 2 mm/s
// against 10 N a mm/s it is 20 N; dragged at a commanded 5 mm/s, with mu_S = 0.16 as its Stribeck velocity is far above
// that, 3.2 N, by which the arm gives way: 4.68 mm/s.
TEST(ArmOnPlate, PressesAndDrags) {
  const RunResult run = run_example("arm_on_plate");
  const auto force_at = [&](double t) {
    for (const ContactSample& sample : run.contacts)
      if (std::abs(sample.t - t) < 1e-6) return Vec3(sample.contact.impulse / 50e-6);
    return Vec3(Vec3::Zero());
  };
  // The command is a spline through points 0.25 s apart: constant to 1e-3 a second away from where it changes.
  EXPECT_NEAR(force_at(2).z(), 20, 0.01);
  EXPECT_NEAR(force_at(4.5).z(), 20, 0.02);
  // mu = mu_C + (mu_S - mu_C) s_dw, s_dw = s = exp(-(v/v_S)^2)
  const double v = 4.68e-3, mu = 0.1 + 0.06 * std::exp(-v * v / 0.01);
  EXPECT_NEAR(force_at(4.5).y(), -20 * mu, 0.01);
  const auto& y = run.signal("hand.position.y");
  const std::size_t i = 450;
  EXPECT_NEAR((y[i + 10] - y[i - 10]) / (run.times[i + 10] - run.times[i - 10]), v, 2e-5);
  // Touched after 2 mm at 2 mm/s, left when it is commanded up.
  EXPECT_NEAR(run.events.front().t, 1, 2e-3);
  EXPECT_NEAR(run.events.back().t, 6.05, 0.1);
  EXPECT_EQ(run.events.back().kind, "release");
}

// contact-kinematics-2003, Fig. 5, the order of events: grey hits the floor; black hits grey, which is pressed further
// in; they roll over each other; black reaches the floor; they part. And points that are followed are those of the
// solver.
TEST(TwoEllipsoids, OrderOfEventsAndFollowedPoints) {
  const RunResult run = run_example("two_ellipsoids");
  const auto first = [&](const char* kind, const char* name) {
    const auto found = std::find_if(run.events.begin(), run.events.end(),
                                    [&](const StepEvent& e) { return e.kind == kind && e.name == name; });
    return found == run.events.end() ? NAN : found->t;
  };
  double parted = 0;
  for (const StepEvent& event : run.events)
    if (event.kind == "release" && event.name == "grey/black") parted = event.t;
  const double b = first("impact", "floor/grey"), hit = first("impact", "grey/black"),
               e = first("impact", "floor/black");
  // Free fall of 0.1 m.
  EXPECT_NEAR(b, std::sqrt(2 * 0.1 / g), 1e-9);
  EXPECT_LT(b, hit);
  EXPECT_LT(hit, first("release", "floor/grey"));
  EXPECT_LT(hit, parted);
  EXPECT_LT(parted, e);
  // Pressed in deeper by black than it was by its own fall.
  double alone = 0, pressed = 0;
  for (const ContactSample& sample : run.contacts) {
    if (sample.contact.shape_a != 0 || sample.contact.shape_b != 1) continue;
    double& deepest = sample.t < hit ? alone : pressed;
    deepest = std::max(deepest, -sample.contact.gap);
  }
  EXPECT_GT(pressed, alone);
  // In the end they move away from each other.
  const double x = run.signal("black.position.x").back() - run.signal("grey.position.x").back();
  EXPECT_GT(x, 1);
  // The exact solver in every evaluation instead: the same motion to the tolerance of the integrator (1e-8 a step),
  // which impacts amplify.
  const RunResult exact = run_example("two_ellipsoids", {"contact.default.points=exact", "time.duration=0.8"});
  const RunResult followed = run_example("two_ellipsoids", {"time.duration=0.8"});
  for (const char* name : {"grey.position.z", "black.position.x", "black.position.z"})
    EXPECT_NEAR(exact.signal(name).back(), followed.signal(name).back(), 1e-6) << name;
}

// A cylinder that lies exactly along a plane: its deepest point is one end or the other, the force jumps, and error
// control halves its steps for ever. The run says so soon, instead of going on for days; fixed steps pass.
TEST(CompliantLimits, ACrawlIsToldAndFixedStepsPass) {
  const auto run_with = [](const std::string& integrator) {
    return test::run_text("crawl_" + integrator, R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 0.2
step = 1e-4
output = 1e-2
[method]
type = "compliant"
integrator = ")" + integrator + R"("
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.can]
mass = 0.5
position = [0, 0, 0.0501]
orientation = { axis = [1, 0, 0], angle = "90 deg" }
shape = { type = "cylinder", radius = 0.05, length = 0.1 }
[contact."can/floor"]
normal = { law = "hertz", stiffness = 1e7, restitution = 0.5 }
friction = 0.4
)");
  };
  const RunResult crawls = run_with("dormand_prince");
  EXPECT_EQ(crawls.summary.status, RunStatus::failed);
  EXPECT_NE(crawls.summary.message.find("comes to a crawl"), std::string::npos) << crawls.summary.message;
  EXPECT_EQ(run_with("rk4").summary.status, RunStatus::completed);
}

}  // namespace
}  // namespace stiction
