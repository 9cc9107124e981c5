#include "test/fuzz/physics/judge_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/results/verdict.h"

namespace stiction::fuzz {
namespace {

constexpr double allowed_rise = 0.01, allowed_overlap = 0.01;  // see judge_scene.h
constexpr double allowed_sinking = 0.5;
constexpr double allowed_motion = 1e-6;  // [m]

double find_largest(const std::vector<double>& samples) {
  double largest = 0;
  for (const double value : samples) largest = std::max(largest, std::abs(value));
  return largest;
}

void check_energy(const RunResult& run, std::vector<std::string>& faults) {
  const std::vector<double>&total = run.signal("energy.total"), &input = run.signal("energy.input");
  const double scale =
      std::max(find_largest(run.signal("energy.kinetic")), find_largest(input)) + 1e-9 * find_largest(total);
  double lowest = total.front() - input.front(), rise = 0;
  for (std::size_t i = 0; i < total.size(); ++i) {
    rise = std::max(rise, total[i] - input[i] - lowest);
    lowest = std::min(lowest, total[i] - input[i]);
  }
  if (rise > allowed_rise * scale) faults.push_back(fmt::format("energy rises by {:.2g} of {:.2g} J", rise, scale));
}

void check_places(const RandomScene& scene, const RunResult& run, std::vector<std::string>& faults) {
  const bool gives = scene.method == "compliant";
  for (const std::string& body : scene.bodies) {
    const std::vector<double>& z = run.signal(body + ".position.z");
    // Some shapes have their origin in their base.
    if (scene.bounds.empty() && !(z.back() > -(gives ? allowed_sinking : allowed_overlap) * scene.smallest))
      faults.push_back(fmt::format("{} ends at z = {:.3g} m", body, z.back()));
    // Compliant bodies sink in and settle.
    if (!scene.is_at_rest || gives) continue;
    for (const char* axis : {".position.x", ".position.y", ".position.z"}) {
      const std::vector<double>& place = run.signal(body + axis);
      const double moved = std::abs(place.back() - place.front());
      if (!(moved <= allowed_motion)) faults.push_back(fmt::format("{}{} moved by {:.2g} m", body, axis, moved));
    }
  }
}

void check_bounds(const RandomScene& scene, const RunResult& run, std::vector<std::string>& faults) {
  const double allowed = allowed_overlap * scene.smallest;
  for (const SignalBound& bound : scene.bounds) {
    const std::vector<double>& x = run.signal(bound.signal);
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    if (*least >= bound.lower - allowed && *most <= bound.upper + allowed) continue;
    faults.push_back(fmt::format("{} goes from {:.4g} to {:.4g}, bounds {:.4g} and {:.4g}", bound.signal, *least, *most,
                                 bound.lower, bound.upper));
  }
}

}  // namespace

SceneFaults judge_scene(const RandomScene& scene, const RunResult& run) {
  SceneFaults result;
  if (run.summary.status != RunStatus::completed) result.faults.push_back("unfinished: " + run.summary.message);
  check_energy(run, result.faults);
  if (scene.method != "compliant") {
    const double overlap = find_largest(run.signal("audit.penetration"));
    if (!(overlap <= allowed_overlap * scene.smallest))
      result.faults.push_back(fmt::format("overlap of {:.2g} m, smallest body {:.2g} m", overlap, scene.smallest));
  }
  check_places(scene, run, result.faults);
  check_bounds(scene, run, result.faults);
  const Verdict verdict = judge(run.summary, run.description);
  result.is_told = verdict.trust != Trust::trustworthy;
  for (const Judgement& reason : verdict.reasons())
    result.verdict += (result.verdict.empty() ? "" : "; ") + format_judgement(reason);
  return result;
}

}  // namespace stiction::fuzz
