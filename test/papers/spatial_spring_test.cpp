// The spatial spring of contact-kinematics-2003, section 5: centre of stiffness, finite displacements, and the average
// tangent plane by the stiffnesses of the bodies. Closed forms of beams and balls.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/contact/contact_core.h"
#include "stiction/math/stiffness_centre.h"

#include "support/examples.h"

namespace stiction {
namespace {

constexpr double beam_length = 0.8, beam_EI = 100, beam_EA = 4e3, beam_GJ = 60;

/// Stiffness at the tip of a cantilever along x (Euler and Bernoulli), [theta; p].
Mat6 make_beam_stiffness() {
  const double L = beam_length, k = beam_EI / (L * L * L);
  Mat6 K = Mat6::Zero();
  K.diagonal() << beam_GJ / L, 4 * k * L * L, 4 * k * L * L, beam_EA / L, 12 * k, 12 * k;
  K(1, 5) = K(5, 1) = 6 * k * L;
  K(2, 4) = K(4, 2) = -6 * k * L;
  return K;
}

// A beam bends about its middle: the centre of stiffness is half its length behind the tip; there translation and
// rotation are uncoupled and its stiffness against bending is E I / L.
TEST(SpatialSpring, TheCentreOfABeamIsItsMiddle) {
  const Mat6 K = make_beam_stiffness();
  const Vec3 centre = calc_stiffness_centre(K);
  EXPECT_LT((centre - Vec3(-beam_length / 2, 0, 0)).norm(), 1e-14);
  const Mat6 there = shift_stiffness(K, centre);
  EXPECT_LT((there.topRightCorner<3, 3>().norm()), 1e-10);
  EXPECT_NEAR(there(1, 1), beam_EI / beam_length, 1e-10);
  EXPECT_NEAR(there(2, 2), beam_EI / beam_length, 1e-10);
  // Not at a point of a screw-shaped coupling, which stays.
  Mat6 screw = Mat6::Identity();
  screw.topRightCorner<3, 3>() = screw.bottomLeftCorner<3, 3>() = 0.5 * Mat3::Identity();
  EXPECT_LT(calc_stiffness_centre(screw).norm(), 1e-15);
  // Seen from any other point, it is the same centre.
  const Vec3 away(0.3, -0.2, 0.5);
  EXPECT_LT((calc_stiffness_centre(shift_stiffness(K, away)) + away - centre).norm(), 1e-12);
  EXPECT_EQ(calc_stiffness_centre(Mat6::Zero()).norm(), 0);
}

std::string format_matrix(const Mat6& K, double factor) {
  std::string text = "[";
  for (int i = 0; i < 6; ++i) {
    text += i ? ", [" : "[";
    for (int j = 0; j < 6; ++j) text += fmt::format("{}{:.17g}", j ? ", " : "", factor * K(i, j));
    text += "]";
  }
  return text + "]";
}

// A block on a massless beam under a small force P at its tip comes to rest with the deflection P L^3 / (3 E I) and the
// slope P L^2 / (2 E I), in a scene. Terms of second order are slope^2 = 2.6e-9 of it; the damped motion has died down
// to e^-20.
TEST(SpatialSpring, ABeamBendsAsInTheBook) {
  const double P = 0.01, L = beam_length, K_damping = 0.05;
  const Mat6 K = make_beam_stiffness();
  const RunResult run = test::run_text(
      "beam", fmt::format("[time]\nduration = 4\nstep = 1e-3\noutput = 0.1\n[method]\ntype = \"smooth\"\n"
                          "integrator = \"rk4\"\n[world]\ngravity = [0, 0, 0]\n[body.block]\nmass = 1\n"
                          "inertia = [0.1, 0.1, 0.1]\nposition = [{}, 0, 0]\n[spring.beam]\ntype = \"spatial\"\n"
                          "b = \"block\"\nat_a = [{}, 0, 0]\nstiffness_matrix = {}\ndamping_matrix = {}\n[force.load]\n"
                          "body = \"block\"\nforce = [0, {}, 0]\n",
                          L, L, format_matrix(K, 1), format_matrix(K, K_damping), P));
  const double deflection = P * L * L * L / (3 * beam_EI), slope = P * L * L / (2 * beam_EI);
  EXPECT_NEAR(run.signal("block.position.y").back(), deflection, 1e-7 * deflection);
  EXPECT_NEAR(run.signal("energy.stored").back(), 0.5 * P * deflection, 1e-7 * P * deflection);
  const double q_z = run.signal("block.orientation.z").back();
  EXPECT_NEAR(2 * std::asin(q_z), slope, 1e-7 * slope);
}

// A ball of 0.1 m, k_a, on one of 0.2 m, k_b, 1 cm deep in each other: of the depth x, A gives x k_b / (k_a + k_b) and
// B the rest. So far from A's own surface is the plane in which they slide: levers r_a - part x and r_b - (1 - part) x.
TEST(AveragePlane, LiesByTheStiffnessesOfTheBodies) {
  const double r_a = 0.1, r_b = 0.2, x = 0.01, k_a = 3, k_b = 1, part = k_b / (k_a + k_b), mu = 0.5;
  CompliantLaw law{NormalLinear{1e5, 0}, FrictionCoulomb{mu, 0, 1e-6}};
  law.plane = part;
  const ContactPair pair{Sphere{r_a}, Sphere{r_b}, law};
  ContactBody a, b;
  b.X_WS.p = Vec3(0, 0, r_a + r_b - x);
  ContactState state;
  state.touching = true;
  const double lever_a = r_a - part * x, lever_b = r_b - (1 - part) * x;
  b.v = Vec3(1, 0, 0);
  const ContactOutput sliding = evaluate_contact(pair, a, b, state);
  const double friction = mu * 1e5 * x;
  EXPECT_NEAR(sliding.motion.point.z(), lever_a, 1e-15);
  EXPECT_LT((sliding.wrenches.F_A.head<3>() - Vec3(0, lever_a * friction, 0)).norm(), 1e-9);
  EXPECT_LT((sliding.wrenches.F_B.head<3>() - Vec3(0, lever_b * friction, 0)).norm(), 1e-9);
  // They roll on each other where their surfaces have one velocity in that plane.
  b.v.setZero();
  a.w = Vec3(0, 2, 0);
  b.w = Vec3(0, -2 * lever_a / lever_b, 0);
  EXPECT_LT(evaluate_contact(pair, a, b, state).motion.slip.norm(), 1e-15);
}

// In a scene, whichever body the table names first.
TEST(AveragePlane, CountsFromTheBodyThatIsNamedFirst) {
  const auto end_of = [](const char* table, double plane) {
    const RunResult run = test::run_text(
        "balls",
        fmt::format(
            "[time]\nduration = 0.02\nstep = 1e-4\noutput = 1e-3\n[method]\ntype = \"compliant\"\nintegrator = "
            "\"rk4\"\n[world]\ngravity = [0, 0, 0]\n[body.low]\nmass = 1\nshape = {{ type = \"sphere\", radius "
            "= 0.1 }}\n[body.high]\nmass = 1\nposition = [0, 0, 0.19]\nvelocity = [1, 0, 0]\nshape = {{ type = "
            "\"sphere\", radius = 0.1 }}\n[contact.\"{}\"]\nplane = {}\nnormal = {{ law = \"linear\", stiffness "
            "= 1e4 }}\nfriction = {{ law = \"coulomb\", kinetic = 0.3 }}\n",
            table, plane));
    return Vec3(run.signal("low.angular_velocity.y").back(), run.signal("high.angular_velocity.y").back(),
                run.signal("high.velocity.x").back());
  };
  const Vec3 one = end_of("low/high", 0.25);
  EXPECT_LT((end_of("high/low", 0.75) - one).norm(), 1e-12);
  // The plane matters.
  EXPECT_GT((end_of("low/high", 0.75) - one).norm(), 1e-3);
}

}  // namespace
}  // namespace stiction
