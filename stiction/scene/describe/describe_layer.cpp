#include <fmt/format.h>

#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

double calc_smallest_eigenvalue(const Mat3& matrix) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(matrix, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

void check_layer(ReadContext& context, const Node& node, LayerSpec& spec) {
  const Node *stiffness = find_member(node, "stiffness"), *damping = find_member(node, "damping");
  const double scale = spec.stiffness.cwiseAbs().maxCoeff();
  if (stiffness && !(calc_smallest_eigenvalue(spec.stiffness) > 1e-12 * scale))
    context.fail(*stiffness, "stiffness must be positive definite: a layer carries load in every direction",
                 "write one number, or [normal, tangential, tangential], all above 0");
  if (damping && calc_smallest_eigenvalue(spec.damping) < -1e-12 * spec.damping.cwiseAbs().maxCoeff())
    context.fail(*damping, "damping must be positive semidefinite: a damper creates no energy",
                 "write one number, or [normal, tangential, tangential]");
  const bool is_linear = spec.exponent == 1 && spec.dissipation == 0;
  if (is_linear) return;
  if (stiffness && (spec.stiffness(0, 1) != 0 || spec.stiffness(0, 2) != 0))
    context.fail(*stiffness, "a nonlinear normal law is not coupled to the tangential ones",
                 "write stiffness = [normal, tangential, tangential]");
  if (damping && !spec.damping.row(0).isZero(0))
    context.fail(*damping, "a nonlinear normal law is damped by dissipation",
                 "write damping = [0, tangential, tangential], and dissipation");
}

}  // namespace

const Description<LayerSpec>& describe_layer() {
  static const Description<LayerSpec> description = [] {
    using L = LayerSpec;
    Description<L> d("layer",
                     "A compliant layer over a rigid core, in `[contact.\"A/B\"]` or `[material.NAME]`, for "
                     "`geometric_implicit`. delta is the deflection at a contact point along its normal n and the "
                     "tangential directions t and o; matrices have their rows in this order.");
    d.add(
         "stiffness", &L::stiffness, matrix3(dimension::stiffness),
         "Stiffness K: one number, three for n, t, o, or a full symmetric matrix. In N/m^p along n where exponent = p.")
        .must_be_given()
        .by_default("")
        .by_formula("lambda = K delta + C d(delta)/dt", "compliant-implicit-2007, eqs 10-15");
    d.add("damping", &L::damping, matrix3(dimension::damping), "Damping C, likewise.").by_default("0");
    d.add("thickness", &L::thickness, quantity(dimension::length, above(0, "for rigid contact remove the layer; without thickness the core is never reached")),
          "Largest normal deflection delta_n^0: there the rigid core is reached, and acts as rigid contact does.")
        .by_default("none: the core is never reached")
        .by_formula("0 <= lambda_r orthogonal to delta_n^0 - delta_n >= 0", "compliant-implicit-2007, eq. 13");
    d.add("exponent", &L::exponent, quantity(dimension::number, at_least(1)),
          "Exponent p of the normal deflection; 1.5 is Hertz's.")
        .by_formula("lambda_n = k delta_n^p (1 + a d(delta_n)/dt)");
    d.add("dissipation", &L::dissipation, quantity(Dimension{.length = -1, .time = 1}, at_least(0)),
          "Factor a of the normal damping of Hunt and Crossley.");
    d.set_check(check_layer);
    d.set_example(
        "[contact.\"ball/floor\"]\nfriction = 0.4\n"
        "layer = { stiffness = [36000, 8000, 8000], damping = [380, 180, 180], thickness = \"5 mm\" }\n");
    return d;
  }();
  return description;
}

}  // namespace stiction
