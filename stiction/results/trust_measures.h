#pragma once

#include <array>
#include <limits>
#include <string_view>

namespace stiction {

/// What a run is judged by. Each is measured in every step of the run (the energies at every sample, and in every step
/// of a strict run); its worst value is kept with its time and place (extremes.h).
enum class TrustMeasure {
  finite,
  energy,
  energy_rise,
  stabilisation,
  penetration,
  passage,
  complementarity,
  cone,
  unconverged,
  first_order,
  restitution,
  uncertified,
  joint_limit,
  drift,
};
inline constexpr int measure_count = 14;

/// In which runs a measure says something.
enum class MeasureScope { every_run, contact, rigid_contact, compliant_contact, limits, constraints };

/// What a worst value is divided by; the quotient, its share, is judged.
enum class MeasureScale {
  one,              ///< nothing: a pure number
  steps,            ///< the number of steps taken
  smallest_body,    ///< half the diagonal of the smallest shape [m]; 1 m where nothing has a size
  thinnest_body,    ///< the shortest edge of a box about a shape [m]; 1 m likewise
  thinner_of_pair,  ///< the thickness of the thinner shape of a pair [m] (geometry/shape/thickness.h)
  largest_impulse,  ///< of a contact in a step [N s]
  body_impulse,     ///< that size times that impulse [N m s]
  energy,           ///< energy exchanged: the largest of kinetic energy, |input|, dissipation [J]; see Scales
  joint             ///< of a coordinate: 1 rad, or the size of the smallest body [m]
};

/// One measure: what it is, in which unit, its limits and what to do where it is beyond them.
struct MeasureInfo {
  TrustMeasure measure;
  const char* name;  ///< in JSON, on the page, in docs/verdict.md
  const char* unit;  ///< "" for those without a value
  MeasureScope scope;
  MeasureScale scale;
  double look_closer;   ///< shares beyond it ask for a closer look
  double do_not_trust;  ///< shares beyond it are not to be trusted; infinity: never
  bool at_a_step;       ///< known as it happens: `method.strict` stops there
  const char* meaning;
  const char* origin;  ///< where the limits come from
  const char* effect;  ///< what half and double of them would change
  const char* remedy;  ///< for all methods; find_remedy (verdict.h) adds what depends on the method
};

inline constexpr double never_beyond = std::numeric_limits<double>::infinity();

/// Every limit of the verdict. docs/verdict.md shows this table; a test compares them.
inline constexpr std::array<MeasureInfo, measure_count> trust_measures = {{
    {TrustMeasure::finite, "finite", "samples", MeasureScope::every_run, MeasureScale::one, 0, 0, true,
     "samples with a number that is not finite", "one such number invalidates all later values", "not applicable",
     "Take a smaller time.step, or smaller tolerances with an adaptive integrator"},
    {TrustMeasure::energy, "energy", "J", MeasureScope::every_run, MeasureScale::energy, 1e-3, 5e-2, false,
     "largest energy that does not add up: total - total at the start - input + dissipated - stabilisation",
     "methods of second and higher order stay below 8e-4 in all shipped examples; implicit Euler's own damping, of "
     "first order, reaches 3.4e-2 there",
     "half of the first asks for a look at battery_box (7.3e-4); half of the second would reject disc_soft and "
     "ellipsoid_flat (3.3e-2, 3.4e-2); double of either changes no example's verdict",
     "Halve time.step and compare; `stiction check` names the step that dampers need"},
    {TrustMeasure::energy_rise, "energy_rise", "J", MeasureScope::every_run, MeasureScale::energy, 1e-3, 1e-2, true,
     "largest rise of total energy minus input above its lowest value before: only errors can raise it",
     "1e-2 of the energy of the motion is wrong by any standard; a tenth of that deserves a look",
     "half of the first asks for a look at rocking_foot (5.7e-4); nothing else changes an example's verdict",
     "Halve time.step; fast spins of uneven bodies and stiff springs need it most"},
    {TrustMeasure::stabilisation, "stabilisation", "J", MeasureScope::every_run, MeasureScale::energy, 1e-3, 5e-2, true,
     "largest energy that bringing states back onto constraints, limits and gaps has added or taken, apart from "
     "method.settle",
     "the limits of `energy`: it is energy that no force of the scene has given",
     "half of the first asks for a look at rocking_foot (6.5e-4); nothing else changes an example's verdict",
     "Start from a state in which constraints, limits and gaps hold, and halve time.step"},
    {TrustMeasure::penetration, "penetration", "m", MeasureScope::rigid_contact, MeasureScale::thinner_of_pair, 1e-3,
     1e-2, true, "worst overlap at the end of a step beside the thinner shape of its pair, by the exact geometry",
     "1e-2 of a body can be seen in a picture; a tenth of that deserves a look",
     "no example changes its verdict (the largest share is 3.7e-5)",
     "Halve time.step; where bodies are squeezed or driven into one another, change the scene"},
    {TrustMeasure::passage, "passage", "m", MeasureScope::contact, MeasureScale::thinnest_body, 1e-2, 1e-1, true,
     "largest depth at which a body passes through another: compliant contact, where the normal of a contact reversed "
     "from one step to the next; rigid contact, on the way between the ends of a step that do not show it",
     "where a body passes through a plate, the normal reverses at half the thickness of both; where it changes sides "
     "in a gap, at the depth of its contacts",
     "no example changes its verdict (all have 0)",
     "Halve time.step where bodies are fast; in compliant contact, raise the stiffness of the normal law"},
    {TrustMeasure::complementarity, "complementarity", "N m s", MeasureScope::rigid_contact, MeasureScale::body_impulse,
     1e-2, 1e-1, false, "largest product of a gap at the end of a step and its normal impulse",
     "a body that rebounds within a step leaves a gap of e v h with its impulse, which is not an error",
     "half of the second would reject narrow_gate (9.6e-2); nothing else changes an example's verdict (the next share "
     "is 3.6e-3)",
     "Halve time.step, so that impacts are followed more closely"},
    {TrustMeasure::cone, "cone", "N s", MeasureScope::rigid_contact, MeasureScale::largest_impulse, 1e-6, 1e-3, false,
     "largest friction impulse beyond the cone", "a method.solver_tolerance of 1e-6, which piles may use",
     "no example changes its verdict (the largest share is 3.2e-10)", "Take a smaller method.solver_tolerance"},
    {TrustMeasure::unconverged, "unconverged", "problems", MeasureScope::rigid_contact, MeasureScale::steps, 0, 1e-2,
     true,
     "contact problems that were not solved to method.solver_tolerance (by default: what counts as solved, "
     "docs/contact-theory.md) or method.nonlinear_tolerance",
     "a problem that is not solved leaves wrong forces in its step; one step in a hundred is no longer rare",
     "the verdict on piles with 0.5 % to 2 % of unsolved steps changes",
     "Halve time.step; with method.nonlinear raise method.nonlinear_iterations; raise method.solver_tolerance only if "
     "audit.residual is acceptable. With high friction rigid bodies can wedge: no finite impulse solves the "
     "step; give them clearance, or take method.type = \"compliant\""},
    {TrustMeasure::first_order, "first_order", "parts", MeasureScope::rigid_contact, MeasureScale::steps, 0,
     never_beyond, true, "parts of steps with contact that were taken without locating the impacts in them",
     "the error of such a step is of first order, and restitution acts at its end", "not applicable",
     "Raise method.impacts, or halve time.step and compare; where more contacts than method.located_contacts are "
     "loaded in one group, raise that"},
    {TrustMeasure::restitution, "restitution", "", MeasureScope::rigid_contact, MeasureScale::one, 1e-3, never_beyond,
     true, "largest part of a restitution that was given up because it would have created energy",
     "coefficients of restitution are hardly known to 1e-3; rounding reaches 1e-9",
     "of 18 oblique rods with friction none changes its verdict (the smallest loss above rounding is 1.2e-2)",
     "Take hypothesis = \"stronge\" or less friction at that contact, or method.type = \"compliant\""},
    {TrustMeasure::uncertified, "uncertified", "steps", MeasureScope::contact, MeasureScale::steps, 0, 1e-2, true,
     "steps in which a contact was loaded, or bodies were within reach, although their gap is not certified",
     "the gap may be wrong there; one step in a hundred is no longer rare", "no example has any",
     "Build the shape from convex parts, or take a closed form (hollow_cylinder instead of a bore in a cell)"},
    {TrustMeasure::joint_limit, "joint_limit", "m or rad", MeasureScope::limits, MeasureScale::joint, 1e-3, 1e-2, true,
     "largest excess of a joint over its limits at the end of a step",
     "the limits of `penetration`: a limit is a contact", "no example changes its verdict",
     "Halve time.step; drivers ignore joint limits"},
    {TrustMeasure::drift, "drift", "m or rad", MeasureScope::constraints, MeasureScale::smallest_body, 1e-6, 1e-3,
     false, "largest violation of a constraint at the end of a step",
     "projection leaves 1e-12 m; rigid formulations leave errors of second order in the step",
     "half of the first asks for a look at press (8.6e-7); double would accept none of those with a reason (their "
     "shares are 4.5e-6 to 2.3e-5)",
     "Halve time.step: drift falls by four; or take joints in tree form (method.joints = \"tree\")"},
}};

constexpr const MeasureInfo& info_of(TrustMeasure measure) {
  return trust_measures[static_cast<std::size_t>(measure)];
}

}  // namespace stiction
