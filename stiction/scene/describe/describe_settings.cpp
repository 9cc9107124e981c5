#include <fmt/format.h>

#include "stiction/scene/describe/describe.h"
#include "stiction/stepping/ode/integrators.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

namespace dim = dimension;

namespace {

std::vector<std::string> list_integrators() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) names.push_back(info.name);
  return names;
}

/// Name, kind of step and description of each.
std::string describe_integrators() {
  std::string text;
  for (const IntegratorInfo& info : integrators()) {
    text += fmt::format("{}`{}` ({}): {}", text.empty() ? "" : " ", info.name,
                        info.adaptive ? "adaptive" : "fixed step", info.description);
  }
  return text;
}

}  // namespace

const Description<WorldSpec>& describe_world() {
  static const Description<WorldSpec> description = [] {
    using W = WorldSpec;
    Description<W> d("[world]", "What surrounds the bodies.");
    d.add("gravity", &W::gravity, vector(dim::acceleration), "Acceleration of free fall.");
    d.add("up", &W::up, axis(), "The direction called up: signals such as tilt refer to it.")
        .by_default("against gravity; without gravity [0, 0, 1]");
    d.set_example("[world]\ngravity = [0, 0, -9.81]\n");
    return d;
  }();
  return description;
}

const Description<TimeSpec>& describe_time() {
  static const Description<TimeSpec> description = [] {
    using T = TimeSpec;
    Description<T> d("[time]", "How long, and in which steps.");
    d.add("duration", &T::duration, quantity(dim::time, above(0)), "Simulated time; a run starts at time 0.");
    d.add("step", &T::step, quantity(dim::time, above(0)),
          "Step of the integrators with a fixed step; at most the duration.");
    d.add("output", &T::output, quantity(dim::time, above(0)), "Recording interval, a whole number of steps.")
        .by_default("the step, or about duration/1000 if that is longer");
    d.set_example("[time]\nduration = 4.5\nstep = \"20 us\"\noutput = \"1 ms\"\n");
    return d;
  }();
  return description;
}

const Description<MethodSettings>& describe_method() {
  static const Description<MethodSettings> description = [] {
    using M = MethodSettings;
    Description<M> d("[method]", "Which formulation of the dynamics, and how it is integrated.");
    d.add("type", &M::type, word(formulation_names()),
          "The formulation. `smooth`: no contact, constraints at the acceleration level, any integrator. `compliant`: "
          "the same "
          "with contact forces by the laws of the contact tables. Rigid contact "
          "by complementarity, fixed steps: `cone`: exact friction cone, of second order between impacts; "
          "`stewart_trinkle`: impulses and velocities with polyhedral friction, gaps linearised at q + h v; "
          "`anitescu_potra`: the same at the velocity level, positions stabilised.")
        .by_default("smooth; cone where there are contact tables");
    d.add("integrator", &M::integrator, word(list_integrators()), describe_integrators());
    d.add("joints", &M::joints, joint_form(),
          "How joints are modelled unless a joint says otherwise: coordinates of a tree, or constraints between free "
          "bodies.");
    d.add("relative_tolerance", &M::relative_tolerance, quantity(dim::number, above(0)),
          "Error allowed in a step, adaptive integrators.");
    d.add("absolute_tolerance", &M::absolute_tolerance, quantity(dim::number, above(0)),
          "Error allowed in a step, in SI units of each coordinate, adaptive integrators.");
    d.add("max_step", &M::max_step, quantity(dim::time, at_least(0)),
          "Longest step of adaptive integrators; 0 stands for the recording interval.");
    d.add("event_tolerance", &M::event_tolerance, quantity(dim::time, above(0)), "Time to which events are located.");
    d.add("projection_tolerance", &M::projection_tolerance, quantity(dim::number, above(0)),
          "Violation of constraints that may remain after a step, in m and rad.");
    d.add("theta", &M::theta, quantity(dim::number, at_least(0.5)),
          "`cone`: 0.5 is of second order in smooth phases, 1 is the implicit Euler method; between 0.5 and 1.");
    d.add("directions", &M::directions, whole_number(2),
          "`stewart_trinkle`, `anitescu_potra`: directions of the friction pyramid in space, an even number; in the "
          "plane there are 2.");
    d.add(
        "nonlinear", &M::nonlinear, flag(),
        "`stewart_trinkle`: contacts, masses and forces are evaluated anew at the end of the step until it changes no "
        "more.");
    d.add("nonlinear_tolerance", &M::nonlinear_tolerance, quantity(dim::number, above(0)),
          "Change of the velocities at which that iteration ends, in m/s and rad/s.");
    d.add("nonlinear_iterations", &M::nonlinear_iterations, whole_number(1), "How often at most.");
    d.add("solver_tolerance", &M::solver_tolerance, quantity(dim::number, above(0)),
          "Residual to which the contact problem of each step is solved.");
    d.add("impacts", &M::impacts, whole_number(0),
          "Impacts that are located within a step; where there are more, the rest of the step is taken at once.");
    d.add("settle", &M::settle, flag(),
          "Bodies that overlap as the scene stands are moved apart before the first step, by the smallest motion.");
    d.add(
        "sleep", &M::sleep, quantity(dim::time, at_least(0)),
        "Rigid formulations: bodies on which nothing acts but gravity and contact, and which lean on something fixed, "
        "sleep when they, and all that they lean on, have been at rest that long, and wake when something pushes them; "
        "0: never. Saves time in scenes that come to rest.");
    d.add("sleep_speed", &M::sleep_speed, quantity(dim::velocity, above(0)),
          "Up to this speed of its fastest point a body counts as at rest, if its contacts do not slip.");
    d.add("strict", &M::strict, flag(), "Stop where a contact problem is not solved to its tolerance.");
    d.set_example("[method]\ntype = \"smooth\"\nintegrator = \"dormand_prince\"\nrelative_tolerance = 1e-9\n");
    return d;
  }();
  return description;
}

const Description<RecordSpec>& describe_record() {
  static const Description<RecordSpec> description = [] {
    Description<RecordSpec> d("[record]", "What is stored of a run.");
    d.add("signals", &RecordSpec::signals, texts(),
          "Names of signals, such as \"ball.position.z\"; * stands for any run of characters, ? for one.");
    d.set_example("[record]\nsignals = [\"ball.*\", \"energy.*\"]\n");
    return d;
  }();
  return description;
}

const Description<MaterialSpec>& describe_material() {
  static const Description<MaterialSpec> description = [] {
    Description<MaterialSpec> d("[material.NAME]", "A material that bodies refer to.");
    d.add("density", &MaterialSpec::density, quantity(dim::density, above(0)), "Density of bodies of this material.");
    d.set_example("[material.steel]\ndensity = 7850\n");
    return d;
  }();
  return description;
}

}  // namespace stiction
