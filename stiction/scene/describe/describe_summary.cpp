#include <fmt/format.h>

#include "stiction/base/text.h"
#include "stiction/results/measure_words.h"
#include "stiction/scene/describe/topics.h"

namespace stiction {
namespace {

/// A sentence from a part of one: "samples with ..." -> "Samples with ....".
std::string as_sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text.ends_with('.') ? text : text + ".";
}

Topic measure(const MeasureInfo& info) {
  return {.name = info.name,
          .kind = "measure",
          .where = fmt::format("judged in {}", name_scope(info.scope)),
          .meaning = as_sentence(info.meaning),
          .value = *info.unit ? info.unit : "pure number",
          .limits = fmt::format("{} {}", as_sentence(format_limits(info)), as_sentence(info.origin)),
          .remedy = as_sentence(info.remedy)};
}

Topic summary_line(std::string name, std::string meaning) {
  return {.name = std::move(name), .kind = "line of the summary", .meaning = std::move(meaning)};
}

Topic warning(std::string phrase, std::string meaning, std::string remedy) {
  return {.name = std::move(phrase), .kind = "warning", .meaning = std::move(meaning), .remedy = std::move(remedy)};
}

Topic note(std::string phrase, std::string meaning, std::string remedy = {}) {
  return {.name = std::move(phrase), .kind = "note", .meaning = std::move(meaning), .remedy = std::move(remedy)};
}

Topic make_verdict_topic() {
  std::vector<std::string> names;
  for (const MeasureInfo& info : trust_measures) names.emplace_back(info.name);
  return {
      .name = "verdict",
      .kind = "line of the summary",
      .meaning = fmt::format(
          "How far a run can be trusted, from what it measured of itself: \"trustworthy\" (every measure is within "
          "its first limit), \"look closer\" (a measure exceeds its first limit, or the run has not reached its "
          "end) or \"do not trust\" (a measure exceeds its second limit, or the run failed). The verdict is that of "
          "the worst measure. Measures: {}. `stiction explain MEASURE` tells limits and remedy of each; see also "
          "docs/verdict.md.",
          join_words(names, ", ")),
      .formula =
          "share = worst value / scale; share <= first limit: trustworthy; <= second limit: look closer; "
          "else: do not trust"};
}

std::vector<Topic> make_lines() {
  return {
      make_verdict_topic(),
      summary_line("worst residual",
                   "Largest |energy.residual| of the run: what the energy balance leaves unexplained."),
      summary_line("deepest", "The contact with the deepest penetration of the run, with its depth and time."),
      summary_line("hash",
                   "A number made of all bits of the final state. The same scene gives the same one with the same "
                   "program, also when a run was interrupted and resumed."),
      summary_line("wall time", "Time that the computation took, and how many times faster than the motion it was."),
      summary_line(
          "status",
          "How the run ended: completed, limit, interrupted, diverged, failed, running or killed. A run that has "
          "not reached its end is not trustworthy yet."),
      summary_line("scene", "Reason of a verdict: the scene has something that the chosen method does not model."),
      summary_line("simulated", "Time that the motion reached, and the number of steps up to there."),
      summary_line("audit", "The measures of the verdict, each with its worst value, judgement, time and place."),
  };
}

std::vector<Topic> make_warnings() {
  return {
      warning(
          "needs steps below",
          "A damper, motor or contact decays faster than a fixed explicit step can follow: with steps above the "
          "bound the motion grows without limit instead of decaying. The bound is c / rate with c = 2 (rigid "
          "methods, first and second order), 2.51 (rk3), 2.79 (rk4), 3.31 (rk5). `cone` with theta below 1 has none: "
          "its dampers and motors are implicit.",
          "Take a time.step below the bound, less damping, or the integrator cvode_bdf."),
      warning("does not hold with method.absolute_tolerance",
              "Friction that should hold a body at rest takes the errors of velocities that the adaptive integrator "
              "allows for sliding: the body creeps.",
              "Take the method.absolute_tolerance that the warning names, or less."),
      warning("the bristles can create energy",
              "The bristle law is passive only where damping times stribeck_velocity is at least kinetic / 2.",
              "Raise damping or stribeck_velocity of the friction law."),
      warning("the contact tables are not used", "The method `smooth` has no contact: bodies pass through each other.",
              "Set method.type = \"cone\"."),
      warning("degrees are written",
              "The position or a limit of a joint, the target of a motor or the rest of a spring is a whole number of "
              "rad beyond a turn, as if degrees were meant: a plain number is in rad.",
              "Write \"90 deg\"; where rad are meant, nothing is wrong."),
      warning("does not act: method",
              "The scene asks for something that the chosen method does not have; the reason follows. The motion is "
              "that without it.",
              "Choose a method that has it (docs/scene-format.md, \"What each method has\"), or remove it."),
  };
}

std::vector<Topic> make_notes() {
  return {
      note(
          "ignores the rest of the laws",
          "A rigid method takes a coefficient of friction and a restitution of a table with compliant laws: stiffness, "
          "damping and the rest serve `compliant` only."),
      note("takes its limits as rigid",
           "limit_stiffness and limit_damping of a joint serve `smooth` and `compliant`: in rigid methods no limit "
           "gives way."),
      note("takes its friction as rigid",
           "presliding and bristle_damping of a joint serve `smooth` and `compliant`: in rigid methods it sticks or "
           "slides."),
      note("ignores restitution beside the normal law",
           "The method `compliant` takes the restitution of the normal law."),
      note("bristles with static", "The parameters of the bristle law in effect, those by default included."),
      note("the cube of the number of contacts",
           "Methods with friction pyramids solve one dense problem for all contacts.",
           "Take method.type = \"cone\" for piles and towers."),
      note("too many to check whether time.step",
           "The fastest damping of a system with many velocities is not computed: whether the step is short enough is "
           "not known.",
           "Halve time.step and compare."),
      note("contact signals are one set a body",
           "Where many pairs of bodies can touch under [contact.default], contacts are summed up body by body.",
           "Name the pairs that you want in record.signals, or give them tables of their own."),
      note("not a whole number of steps",
           "Steps are not cut for the record: a sample is that of the first step which ends at its recording time or "
           "after it.",
           "Take a time.output that is a whole number of steps."),
      note("has no effect",
           "The scene gives a key of [method] that its method does not use, at least not with the others as they are: "
           "the motion is that without it.",
           "Remove the key, or choose a method that uses it."),
      note("bodies sleep after", "Bodies at rest are not moved until something pushes them: see method.sleep."),
      note("time.step is only the first trial step",
           "An adaptive integrator chooses its steps by method.relative_tolerance and method.absolute_tolerance."),
  };
}

std::vector<Topic> make_summary_topics() {
  std::vector<Topic> topics;
  for (const MeasureInfo& info : trust_measures) topics.push_back(measure(info));
  for (const auto& list : {make_lines(), make_warnings(), make_notes()})
    topics.insert(topics.end(), list.begin(), list.end());
  return topics;
}

}  // namespace

const std::vector<Topic>& list_summary_topics() {
  static const std::vector<Topic> topics = make_summary_topics();
  return topics;
}

}  // namespace stiction
