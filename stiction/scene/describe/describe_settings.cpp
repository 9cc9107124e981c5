#include <fmt/format.h>

#include "stiction/results/verdict.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/scene/describe/method_keys.h"
#include "stiction/scene/describe/topics.h"
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

std::vector<std::string> list_verdicts() {
  std::vector<std::string> names;
  for (const TrustName& name : trust_names) names.emplace_back(name.words);
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

/// Name and sentence of each.
std::string describe_formulations() {
  std::string text = "The formulation.";
  for (const TypeInfo& info : list_formulations()) text += fmt::format(" `{}`: {}", info.name, info.sentence);
  return text;
}

}  // namespace

const std::vector<TypeInfo>& list_formulations() {
  const char* const step =
      "v+ = v + h M^-1 f + M^-1 (G' lambda + J' r),  0 <= r_n orthogonal to u_n+ + gap/h >= 0, friction by r_t and "
      "u_t+";
  static const std::vector<TypeInfo> list = {
      {"smooth", "No contact. Constraints at the acceleration level, any integrator.",
       "M dv/dt = f + G' lambda,  d2phi/dt2 = 0", "featherstone-2008, ch. 7 and 8"},
      {"compliant", "As `smooth`, with contact forces by the laws of the contact tables.",
       "M dv/dt = f + G' lambda + J' f_contact(x, dx/dt)", "gonthier-thesis-2007, ch. 3; contact-kinematics-2003"},
      {"cone",
       "Rigid contact with the exact friction cone, fixed steps, of second order between impacts (theta = 0.5). The "
       "recommended method for contact.",
       step, "Moreau 1988; Jean 1999"},
      {"stewart_trinkle",
       "Rigid contact with a friction pyramid, fixed steps, of first order. Gaps are linearised at q + h v.", step,
       "stewart-trinkle-2000, eqs 13-20"},
      {"berard",
       "Rigid contact with a friction pyramid, fixed steps, of first order. Contacts and joints are linearised at q.",
       step, "cooking-complementarity-2006, eqs 25-35"},
      {"anitescu_potra",
       "Rigid contact with a friction pyramid at the velocity level, fixed steps, of first order. Positions are "
       "corrected after the step.",
       step, "stewart-trinkle-2000, section 3.3"},
      {"geometric_implicit",
       "Rigid contact with the exact friction cone, also with compliant layers over rigid cores; contact geometry, "
       "masses and forces at the end of the step, solved together. Of first order; fixed steps, or chosen by "
       "their error (`max_step`).",
       "M v+ = M v + h f + J' r,  0 <= r_n orthogonal to gap(q+) >= 0,  all at q+ = q + h v+",
       "compliant-implicit-2007, eqs 4-15"},
  };
  return list;
}

const Description<WorldSpec>& describe_world() {
  static const Description<WorldSpec> description = [] {
    using W = WorldSpec;
    Description<W> d("[world]", "The surroundings of the bodies.");
    d.add("gravity", &W::gravity, vector(dim::acceleration), "Acceleration due to gravity.");
    d.add("up", &W::up, axis(), "The upward direction, to which signals such as tilt refer.")
        .by_default("opposite to gravity; without gravity [0, 0, 1]");
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
    d.add("output", &T::output, quantity(dim::time, above(0)),
          "Recording interval. With fixed steps a sample is that of the first step which ends at the recording time or "
          "after it.")
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
    // With who uses the key, where that is not every method.
    const auto add = [&](std::string_view key, auto member, auto value, const std::string& sentence) -> FieldInfo& {
      const std::string_view users = find_users_of_key(key);
      return d.add(key, member, value, users.empty() ? sentence : fmt::format("{} Used by: {}.", sentence, users));
    };
    add("type", &M::type, word(formulation_names()), describe_formulations())
        .by_default("\"cone\" if there are contact tables, else \"smooth\"");
    add("integrator", &M::integrator, word(list_integrators()), describe_integrators());
    add("joints", &M::joints, joint_form(),
        "How joints are modelled, unless a joint gives its own `form`: as coordinates of a tree, or as constraints "
        "between free bodies.");
    add("relative_tolerance", &M::relative_tolerance, quantity(dim::number, above(0)),
        "Relative error allowed in a step.");
    add("absolute_tolerance", &M::absolute_tolerance, quantity(dim::number, above(0)),
        "Absolute error allowed in a step, in SI units of each coordinate.");
    add("max_step", &M::max_step, quantity(dim::time, at_least(0)),
        "Longest step of integrators with error control; 0: the recording interval. `geometric_implicit`: with one, "
        "steps are chosen by an estimate of their error, up to this, instead of `time.step`; 0: fixed steps.");
    add("event_tolerance", &M::event_tolerance, quantity(dim::time, above(0)),
        "Accuracy with which the times of events are found.");
    add("projection_tolerance", &M::projection_tolerance, quantity(dim::number, above(0)),
        "Violation of constraints allowed after a step, in m and rad.");
    add("theta", &M::theta, quantity(dim::number, between(0.5, 1)),
        "Parameter of the theta method. 0.5 is of second order between impacts, 1 is implicit Euler.")
        .by_formula("q+ = q + h ((1 - theta) v + theta v+)", "Jean 1999");
    add("directions", &M::directions, whole_number(2),
        "Number of edges of the friction pyramid, even. In the plane there are always 2.");
    add("nonlinear", &M::nonlinear, flag(),
        "Evaluate contacts, masses and forces at the end of the step, and iterate until the velocities converge.");
    add("nonlinear_tolerance", &M::nonlinear_tolerance, quantity(dim::number, above(0)),
        "Change of velocities at which the iteration of `nonlinear` ends, in m/s and rad/s.");
    add("nonlinear_iterations", &M::nonlinear_iterations, whole_number(1),
        "Largest number of iterations of `nonlinear`.");
    add("solver_tolerance", &M::solver_tolerance, quantity(dim::number, at_least(0)),
        "Residual to which the contact problem of each step is solved. 0: 1e-10 where that is cheap, or velocities to "
        "1e-7 of what impulses change, and in groups of more than 100 contacts to 1e-5 (docs/contact-theory.md, What "
        "counts as solved).");
    add("impacts", &M::impacts, whole_number(0),
        "Largest number of impacts located in a step. If there are more, the rest of the step is taken as a whole.");
    add("located_contacts", &M::located_contacts, whole_number(0),
        "Impacts are located in islands of up to so many loaded contacts. In larger ones a step in which an impact may "
        "come is taken to first order, and gaps are left with a slack (docs/contact-theory.md, Position correction).");
    add("settle", &M::settle, flag(),
        "Correct positions before the first step: bodies that overlap are separated by the smallest motion.");
    add("sleep", &M::sleep, quantity(dim::time, at_least(0)),
        "Bodies that have been at rest for this time sleep until something pushes them; 0: never. Only bodies that are "
        "loaded by gravity and contact alone, and supported by something fixed. Saves time in "
        "scenes that come to rest.");
    add("sleep_speed", &M::sleep_speed, quantity(dim::velocity, above(0)),
        "A body is at rest if no point of it is faster than this and its contacts do not slip.");
    add("threads", &M::threads, whole_number(1),
        "Threads, 1 to 1024, on which rigid formulations advance islands (bodies connected by contacts, joints and "
        "force elements) and compliant contact integrates patches. No result depends on it.");
    add("strict", &M::strict, flag(),
        "Stop at the first step with a cause to look closer (docs/verdict.md), and fail at the end of a run that is "
        "not trustworthy.");
    d.set_example("[method]\ntype = \"smooth\"\nintegrator = \"dormand_prince\"\nrelative_tolerance = 1e-9\n");
    return d;
  }();
  return description;
}

const Description<RecordSpec>& describe_record() {
  static const Description<RecordSpec> description = [] {
    Description<RecordSpec> d("[record]", "Which signals of a run are stored.");
    d.add("signals", &RecordSpec::signals, texts(),
          "Names of signals, such as \"ball.position.z\". `*` matches any characters, `?` one character.");
    d.set_example("[record]\nsignals = [\"ball.*\", \"energy.*\"]\n");
    return d;
  }();
  return description;
}

const Description<ExpectSpec>& describe_expect() {
  static const Description<ExpectSpec> description = [] {
    using E = ExpectSpec;
    Description<E> d("[expect]",
                     "What the verdict on a run of this scene is expected to be (docs/verdict.md); shown beside it.");
    d.add("verdict", &E::verdict, word(list_verdicts()), "Expected verdict.");
    d.add("because", &E::because, text(), "Why it is not trustworthy; must be given then.").by_default("none");
    d.set_example(
        "[expect]\nverdict = \"look closer\"\nbecause = \"more contacts are loaded than method.located_contacts\"\n");
    return d;
  }();
  return description;
}

const Description<MaterialSpec>& describe_material() {
  static const Description<MaterialSpec> description = [] {
    Description<MaterialSpec> d("[material.NAME]", "A material. Bodies and contact tables refer to it by its name.");
    d.add("density", &MaterialSpec::density, quantity(dim::density, above(0)), "Density of bodies of this material.");
    d.add("layer", &MaterialSpec::layer, table(describe_layer()),
          "A compliant layer on bodies of this material: see [layer](#layer). Where both bodies of a contact have one, "
          "the layers act in series.")
        .by_default("none: rigid");
    d.set_example("[material.steel]\ndensity = 7850\n");
    return d;
  }();
  return description;
}

}  // namespace stiction
