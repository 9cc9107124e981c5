#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "stiction/multibody/equations.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/stepping/rigid/stepper_rigid.h"

#include "test/ablation/scenes.h"

// Rigid steps with each stage of the failure policy and each tolerance switched off, halved and doubled: what is lost?
//
//     ablate [--steps N] [--only PART_OF_A_NAME] [--scenes PART_OF_A_NAME]
//
// One row a variant (Markdown), sums and worst values over all scenes. A row that equals the first loses nothing.

namespace stiction::ablation {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int unlimited = 1 << 30;

struct Knobs {
  RigidTolerances tolerances;
  FailurePolicy policy;
  std::optional<int> located_contacts;  ///< instead of the scene's
};

struct Variant {
  std::string name;
  Knobs knobs;
};

void add_tolerance(const char* name, double RigidTolerances::*field, double off, std::vector<Variant>& list) {
  const double usual = RigidTolerances{}.*field;
  const std::pair<const char*, double> values[] = {{"off", off}, {"half", 0.5 * usual}, {"double", 2 * usual}};
  for (const auto& [word, value] : values) {
    Variant& variant = list.emplace_back();
    variant.name = fmt::format("{} {}", name, word);
    variant.knobs.tolerances.*field = value;
  }
}

void add_stage(const char* name, int FailurePolicy::*field, int off, std::vector<Variant>& list) {
  const int usual = FailurePolicy{}.*field;
  const std::pair<const char*, int> values[] = {{"off", off}, {"half", usual / 2}, {"double", 2 * usual}};
  for (const auto& [word, value] : values) {
    Variant& variant = list.emplace_back();
    variant.name = fmt::format("{} {}", name, word);
    variant.knobs.policy.*field = value;
  }
}

std::vector<Variant> list_variants() {
  using T = RigidTolerances;
  using P = FailurePolicy;
  const T usual;
  std::vector<Variant> list = {{"as it is", {}}};
  add_stage("active_set", &P::active_set, 0, list);
  add_stage("force_iterations", &P::force_iterations, 0, list);
  add_stage("trial_steps", &P::trial_steps, 0, list);
  add_stage("turning_parts", &P::turning_parts, 1, list);
  add_stage("passing_steps", &P::passing_steps, 0, list);
  for (const auto& [word, value] : {std::pair("off", unlimited), std::pair("half", 30), std::pair("double", 120)}) {
    Variant& variant = list.emplace_back();
    variant.name = fmt::format("located_contacts {}", word);
    variant.knobs.located_contacts = value;
  }
  add_stage("restitution", &P::restitution, 0, list);
  add_stage("halved_parts", &P::halved_parts, 0, list);
  add_stage("correction", &P::correction, 0, list);
  add_tolerance("closed_gap_part", &T::closed_gap_part, 0, list);
  add_tolerance("bracket_part", &T::bracket_part, 0, list);
  add_tolerance("same_impact_part", &T::same_impact_part, 0, list);
  add_tolerance("tolerated_gap", &T::tolerated_gap, 0, list);
  add_tolerance("closed_limit", &T::closed_limit, 0, list);
  add_tolerance("passing_part", &T::passing_part, never, list);
  add_tolerance("most_turn", &T::most_turn, never, list);
  add_tolerance("passing_turn", &T::passing_turn, never, list);
  add_tolerance("linear_turn", &T::linear_turn, never, list);
  add_tolerance("rounding_speed", &T::rounding_speed, 0, list);
  add_tolerance("same_place_part", &T::same_place_part, 0, list);
  add_tolerance("smooth_path_part", &T::smooth_path_part, 0, list);
  add_tolerance("fixed_point_part", &T::fixed_point_part, 0, list);
  add_tolerance("smallest_impact", &T::smallest_impact, 0, list);
  add_tolerance("slip_speed", &T::slip_speed, 0, list);
  add_tolerance("violation_speed", &T::violation_speed, 0, list);
  add_tolerance("opening_speed", &T::opening_speed, never, list);
  add_tolerance("negligible_part", &T::negligible_part, 0, list);
  add_tolerance("slack_speed", &T::slack_speed, 0, list);
  add_tolerance("loaded_slack_speed", &T::loaded_slack_speed, usual.slack_speed, list);
  add_tolerance("force_change", &T::force_change, never, list);
  add_tolerance("lost_force_change", &T::lost_force_change, never, list);
  add_tolerance("rounding_overlap", &T::rounding_overlap, 0, list);
  add_tolerance("deep_overlap_part", &T::deep_overlap_part, never, list);
  add_tolerance("deep_overlap", &T::deep_overlap, never, list);
  add_tolerance("longest_correction", &T::longest_correction, never, list);
  add_tolerance("good_start", &T::good_start, 0, list);
  add_tolerance("correction_part", &T::correction_part, 1, list);
  return list;
}

/// Of one scene.
struct Loss {
  int unsolved = 0, first_order = 0;  ///< steps; parts of steps
  double overlap = 0;                 ///< deepest, of the smallest body's size
  double residual = 0;                ///< |energy that is missing in the ledger|, of the energy moved, at worst
  long iterations = 0, trials = 0;
  VecX end;  ///< coordinates
};

double calc_smallest_size(const RigidModel& model) {
  double size = never;
  for (const RigidModel::Shape& shape : model.shapes)
    if (shape.moves && shape.size > 0) size = std::min(size, shape.size);
  return size;
}

Loss run(const AblationScene& scene, const Knobs& knobs) {
  Loss loss;
  const System system = compile(scene.scene);
  MethodSettings settings = scene.scene.method;
  settings.step = scene.scene.time.step;
  settings.located_contacts = knobs.located_contacts.value_or(settings.located_contacts);
  StepperRigid stepper(system, settings, knobs.tolerances, knobs.policy);
  const double size = calc_smallest_size(RigidModel(system, settings));
  Equations equations(system);
  State state = system.initial;
  const auto calc_energy = [&] {
    equations.evaluate(state);
    return equations.kinetic_energy() + equations.potential_energy() + equations.stored_energy();
  };
  const double start = calc_energy();
  double moved = 0, worst = 0;
  for (int i = 0; i < scene.steps && state.t < scene.scene.time.duration; ++i) {
    const StepReport report = stepper.step(state, scene.scene.time.duration);
    if (report.status != StepStatus::ok) {
      ++loss.unsolved;
      break;
    }
    loss.unsolved += report.contact.unconverged > 0 ? 1 : 0;
    loss.first_order += report.contact.first_order;
    loss.overlap = std::max(loss.overlap, report.contact.penetration / size);
    loss.iterations += report.contact.iterations;
    loss.trials += report.evaluations;
    const double energy = calc_energy(), input = state.z[ledger_input], taken = state.z[ledger_dissipated];
    moved = std::max({moved, equations.kinetic_energy(), std::abs(energy - start), std::abs(input)});
    worst = std::max(worst, std::abs(energy - start - input + taken - state.z[ledger_projection]));
  }
  loss.residual = worst / std::max(moved, 1e-9);
  loss.end = state.q;
  return loss;
}

/// One row: sums and worst values over all scenes, and in how many they are worse, or anything else, than usual.
void print(const std::string& name, const std::vector<Loss>& usual, const std::vector<Loss>& losses) {
  constexpr double worse = 2, rounding = 1e-9;
  Loss sum;
  int deeper = 0, leaks = 0;
  std::vector<double> changes;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const Loss& loss = losses[i];
    sum.unsolved += loss.unsolved;
    sum.first_order += loss.first_order;
    sum.iterations += loss.iterations;
    sum.trials += loss.trials;
    sum.overlap = std::max(sum.overlap, loss.overlap);
    deeper += loss.overlap > rounding + worse * usual[i].overlap ? 1 : 0;
    leaks += loss.residual > rounding + worse * usual[i].residual ? 1 : 0;
    if (loss.end != usual[i].end) changes.push_back((loss.end - usual[i].end).cwiseAbs().maxCoeff());
  }
  std::sort(changes.begin(), changes.end());
  fmt::print("| {} | {} | {} | {:.0e} | {} | {} | {} | {} | {} | {:.0e} |\n", name, sum.unsolved, sum.first_order,
             sum.overlap, deeper, leaks, sum.iterations, sum.trials, changes.size(),
             changes.empty() ? 0 : changes[changes.size() / 2]);
  std::fflush(stdout);
}

int ablate(int steps, const std::string& only, const std::string& which) {
  std::vector<AblationScene> scenes = list_scenes(steps);
  std::erase_if(scenes, [&](const AblationScene& scene) { return scene.name.find(which) == std::string::npos; });
  fmt::print("{} scenes\n\n", scenes.size());
  fmt::print(
      "| variant | unsolved | first order | overlap / size | deeper in | leaks in | iterations | trials | changed | by "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<Loss> usual;
  for (const Variant& variant : list_variants()) {
    if (!usual.empty() && variant.name.find(only) == std::string::npos) continue;
    std::vector<Loss> losses;
    for (const AblationScene& scene : scenes) losses.push_back(run(scene, variant.knobs));
    if (usual.empty()) usual = losses;
    print(variant.name, usual, losses);
  }
  return 0;
}

}  // namespace
}  // namespace stiction::ablation

int main(int count, char** words) {
  int steps = std::numeric_limits<int>::max();
  std::string only, which;
  for (int i = 1; i < count; i += 2) {
    const std::string name = words[i];
    const char* value = i + 1 < count ? words[i + 1] : nullptr;
    const bool is_steps = value && name == "--steps" &&
                          std::from_chars(value, value + std::strlen(value), steps).ec == std::errc() && steps > 0;
    if (value && name == "--only") {
      only = value;
    } else if (value && name == "--scenes") {
      which = value;
    } else if (!is_steps) {
      fmt::print(stderr, "usage: ablate [--steps N] [--only PART_OF_A_NAME] [--scenes PART_OF_A_NAME]\n");
      return 2;
    }
  }
  return stiction::ablation::ablate(steps, only, which);
}
