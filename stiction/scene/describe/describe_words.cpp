#include "stiction/scene/describe/topics.h"

namespace stiction {
namespace {

Topic signal(std::string name, std::string unit, std::string meaning, std::string formula = {}) {
  return {.name = std::move(name),
          .kind = "signal",
          .meaning = std::move(meaning),
          .formula = std::move(formula),
          .value = std::move(unit)};
}

Topic event(std::string name, std::string meaning) {
  return {.name = std::move(name), .kind = "event", .meaning = std::move(meaning)};
}

Topic verdict(std::string name, std::string meaning) {
  return {.name = std::move(name), .kind = "verdict", .meaning = std::move(meaning)};
}

Topic status(std::string name, std::string meaning) {
  return {.name = std::move(name), .kind = "status of a run", .meaning = std::move(meaning)};
}

Topic command(std::string name, std::string meaning) {
  return {.name = std::move(name), .kind = "command", .meaning = std::move(meaning)};
}

std::vector<Topic> make_signals() {
  return {
      signal("BODY.position", "m", "Position of the body's origin, world axes: .x, .y, .z."),
      signal("BODY.velocity", "m/s", "Velocity of the body's origin, world axes: .x, .y, .z."),
      signal("BODY.angular_velocity", "rad/s", "Angular velocity of the body, world axes: .x, .y, .z."),
      signal("BODY.orientation", "1", "Orientation of the body as a unit quaternion: .w, .x, .y, .z, with w >= 0."),
      signal("BODY.tilt", "rad", "Angle between the body's z axis and the direction up.", "acos(z_body . up)"),
      signal("JOINT.position", "rad or m",
             "Coordinate of the joint; of several, .angle, .displacement, .x, .y and so on."),
      signal("JOINT.velocity", "rad/s or m/s", "Rate of the joint's coordinate."),
      signal("JOINT.force", "N m or N",
             "Generalised force that springs, motors, drivers, limits and friction exert on the joint's coordinate."),
      signal("JOINT.orientation", "1", "Orientation of the child against the parent as a unit quaternion."),
      signal("JOINT.reaction.force", "N", "Force that the joint transmits to its child, world axes, at the joint."),
      signal("JOINT.reaction.torque", "N m", "Torque that the joint transmits to its child, world axes, at the joint."),
      signal(
          "contact.A/B.force", "N",
          "Normal force between A and B, the sum over their contact points. Rigid methods: the mean over the step that "
          "ends at the sample; compliant: the value at the sample."),
      signal("contact.A/B.friction", "N", "Size of the sum of the friction forces between A and B."),
      signal("contact.A/B.depth", "m", "Deepest penetration of A and B; 0 where they do not overlap."),
      signal("contact.A/B.gap", "m",
             "Signed distance of A and B, negative where they overlap. Recorded on request only: name it in "
             "record.signals."),
      signal("contact.A/B.closest_a", "m",
             "Closest point on A, .closest_b on B, apart or not (in overlap: the deepest points), world axes: .x, .y, "
             ".z. .closest_normal is the unit normal from A to B: the z axis of the contact frame at both points. "
             "Recorded on request only: \"contact.*.closest_*\" in record.signals."),
      signal("contact.A/B.impulse", "N s",
             "Normal impulse between A and B over the recording interval that ends at the sample: no impact is missed. "
             ".impulse.x, .y and .z are the impulse of the whole force on B, friction included, in world axes."),
      signal(
          "contact.A/B.peak_force", "N",
          "Largest normal force between A and B over the recording interval that ends at the sample. Compliant: of "
          "the forces at the ends of the steps. Rigid methods: the impulse of a step over its length. A rigid impact "
          "has an impulse and no force, so that its peak grows as steps are made shorter: .impulse is the physical "
          "number.",
          "rigid: max (r_n / h)"),
      signal("contact.A/B.deflection", "m",
             "Where contacts have layers: largest deflection of the compliant layers between A and B along the normal, "
             "of both together. Compliant friction: largest deflection of bristles or springs."),
      signal("contact.A/B.shear", "m", "Largest deflection of the compliant layers between A and B along the surface."),
      signal("contact.A/B.core_force", "N",
             "The part of the normal force between A and B that acts on the rigid cores under compliant layers."),
      signal(
          "contact.A/B.stick", "1",
          "Share of the contacts of A and B that stick, 0 to 1: `compliant`, and rigid methods with static friction."),
      signal("contact.A/B.dwell", "1", "Static friction with a dwell time: largest dwell state s_dw; 1: fully stuck."),
      signal("contact.A/B.volume", "m^3", "Patches with volume: the volume that A and B have in common."),
      signal("contact.A/B.normal", "1", "`compliant`: direction of the normal force on B: .x, .y, .z."),
      signal("contact.A/B.moment", "N m",
             "`compliant`: moment on B about the points of action: .x, .y, .z. Of patches with volume rolling and "
             "spin, of points that of springs and friction ellipses against spin."),
      signal("energy.kinetic", "J", "Kinetic energy of all bodies.", "v' M v / 2"),
      signal("energy.potential", "J", "Potential energy in the field of gravity.", "-sum m g . p_com"),
      signal("energy.stored", "J", "Elastic energy of springs, bushings, compliant contacts and compliant layers."),
      signal("energy.layers", "J", "The part of energy.stored that compliant layers have. Where contacts have layers."),
      signal("energy.dissipated", "J", "Energy that dampers, friction and impacts have taken since the start."),
      signal("energy.input", "J", "Work that motors, drivers and applied forces have done since the start."),
      signal("energy.stabilisation", "J",
             "Energy that the correction of positions and constraints has added since the start. It is not physical: "
             "it should be small against the other energies."),
      signal("energy.total", "J", "Kinetic, potential and stored energy.", "kinetic + potential + stored"),
      signal("energy.residual", "J",
             "What the energy balance leaves unexplained: the error of the integration. It should be small against the "
             "other energies.",
             "total - total(0) - input + dissipated - stabilisation"),
      signal("energy.friction", "J", "The part of energy.dissipated that friction has taken."),
      signal("energy.impact", "J", "The part of energy.dissipated that impacts have taken."),
      signal("momentum.linear", "kg m/s", "Linear momentum of all bodies, world axes: .x, .y, .z."),
      signal("momentum.angular", "kg m^2/s", "Angular momentum of all bodies about the world's origin: .x, .y, .z."),
  };
}

std::vector<Topic> make_audit_signals() {
  return {
      signal("audit.drift", "m or rad", "Largest violation of a constraint after a step.", "max |phi|"),
      signal("audit.drift_rate", "m/s or rad/s", "Largest violation of a constraint's rate.", "max |dphi/dt|"),
      signal("audit.quaternion", "1", "Largest deviation of a quaternion from unit length before it is normalised."),
      signal("audit.step", "s", "Longest step since the last sample."),
      signal("audit.rejected", "1", "Trial steps that the error control has rejected since the last sample."),
      signal("audit.evaluations", "1", "Evaluations of the equations of motion since the last sample."),
      signal("audit.joint_limit", "m or rad", "Largest excess of a joint over its limits at the end of a step."),
      signal(
          "audit.penetration", "m",
          "Deepest overlap of two bodies, beyond the deflection of compliant layers. Compliant contact overlaps by its "
          "law."),
      signal("audit.complementarity", "N m s",
             "How far contacts push at a distance: a rigid contact has either a gap or an impulse.", "max |gap r_n|"),
      signal("audit.cone", "N s", "Largest friction impulse beyond the friction cone.", "max(|r_t| - mu r_n, 0)"),
      signal("audit.layer", "m",
             "Largest violation of the law of a compliant layer and of its thickness, as a deflection."),
      signal("audit.dissipation", "J", "Energy that friction has fed into the bodies in a step; 0 is right."),
      signal("audit.residual", "1", "Largest residual of the contact problems that were solved."),
      signal("audit.iterations", "1", "Iterations of the contact solver since the last sample."),
      signal("audit.contacts", "1", "Largest number of contact points in a contact problem."),
      signal("audit.unknowns", "1", "Largest number of unknowns in a contact problem."),
      signal("audit.unconverged", "1", "Contact problems not solved to method.solver_tolerance since the last sample."),
      signal("audit.first_order", "1",
             "Parts of steps with contact that were taken without locating the impacts in them."),
      signal("audit.uncertified", "1", "Pairs in contact or within reach with a gap that is not certified."),
      signal("audit.restitution_lost", "1",
             "Largest part of a restitution that was given up because it would have created energy; 1: all of it."),
      signal("audit.undetermined", "1",
             "Components of contact impulses that the laws of rigid contact leave open, in steps that had to look for "
             "impulses; those of least norm were taken."),
      signal("audit.undetermined_part", "1",
             "By how much, at least, a normal impulse may differ, as part of the largest of its group."),
      signal("audit.undetermined_left", "1",
             "Groups of contacts in which no such choice was made: more than 100 contacts, or none was found."),
      signal("audit.asleep", "1", "Bodies that sleep."),
      signal("audit.nonlinear_iterations", "1", "`stewart_trinkle` with nonlinear: iterations of a step."),
      signal("audit.nonlinear_change", "m/s or rad/s", "The last change of velocities in that iteration."),
      signal("audit.worst_a", "1", "Index of the first shape of the deepest contact; -1: none overlaps."),
      signal("audit.worst_b", "1", "Index of the second shape of the deepest contact; -1: none overlaps."),
  };
}

std::vector<Topic> make_words() {
  std::vector<Topic> topics = make_signals();
  for (Topic& topic : make_audit_signals()) topics.push_back(std::move(topic));
  for (Topic& topic : std::vector<Topic>{
           event("impact",
                 "Two bodies come into contact with a speed above rounding error; or a joint, which the event then "
                 "names, reaches one of its limits."),
           event("release", "Two bodies that were in contact separate; or a joint leaves its limit."),
           event("stick", "A sliding contact comes to stick."),
           event("slip", "A sticking contact begins to slide."),
           event("core_reached", "A compliant layer is pressed in to its rigid core."),
           event("core_left", "A compliant layer is no longer pressed in to its rigid core."),
           event("taut", "A spring that acts in tension or compression only begins to act."),
           event("slack", "A spring that acts in tension or compression only ceases to act."),
           event("sleep", "A body at rest falls asleep: it is not moved until something pushes it."),
           event("wake", "A sleeping body is moved again."),
           verdict("trustworthy", "Every measure is within its first limit."),
           verdict("look closer",
                   "A measure exceeds its first limit, or was not recorded. The reasons say which, and what to do."),
           verdict("do not trust",
                   "A measure exceeds its second limit, or the run failed: the numbers of this run are unreliable."),
           command("normalise",
                   "`stiction scene normalise SCENE -o OUT` writes a scene as one file of plain SI numbers at full "
                   "precision, without includes. It reads back as the same scene, bit for bit. --all: with defaults."),
           command("scene hash",
                   "`stiction scene hash SCENE` prints a hash that is equal for scenes which say the same, in whatever "
                   "units and files."),
           status("completed", "The run reached time.duration."),
           status("limit",
                  "The run stopped at a limit that the user set (--max-steps): `stiction resume` continues it."),
           status("interrupted", "The run was stopped by Ctrl-C or a signal: `stiction resume` continues it."),
           status("diverged", "A number stopped being finite, or no step could be found. The last good state is kept."),
           status("failed",
                  "The run stopped at a constraint or a contact problem that has no solution, or `--strict` "
                  "(method.strict) stopped it."),
       })
    topics.push_back(std::move(topic));
  return topics;
}

}  // namespace

const std::vector<Topic>& list_word_topics() {
  static const std::vector<Topic> topics = make_words();
  return topics;
}

}  // namespace stiction
