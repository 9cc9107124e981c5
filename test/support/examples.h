#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "stiction/results/verdict.h"
#include "stiction/run/simulate.h"
#include "stiction/scene/read/read_scene.h"

namespace stiction::test {

/// The scenes in examples/, as the command line offers them.
inline std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(STICTION_EXAMPLES)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline Scene load_example(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_scene(load_scene_text(std::filesystem::path(STICTION_EXAMPLES) / (name + ".toml"), overrides));
}

/// Those with rigid contact, or those without contact.
inline std::vector<std::string> example_names(bool contact) {
  std::vector<std::string> names = example_names();
  std::erase_if(names, [&](const std::string& name) {
    const std::string type = load_example(name).method.type;
    return type == "compliant" || has_contact(type) != contact;
  });
  return names;
}
/// Those with compliant contact.
inline std::vector<std::string> compliant_example_names() {
  std::vector<std::string> names = example_names();
  std::erase_if(names, [&](const std::string& name) { return load_example(name).method.type != "compliant"; });
  return names;
}

/// An example simulated in memory, with overrides as on the command line ("time.step=1e-3").
inline RunResult run_example(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return simulate(load_example(name, overrides));
}

/// A scene given as text, simulated in memory; messages call it `name`.
inline RunResult run_text(const std::string& name, const std::string& text) {
  return simulate(read_scene(SceneText{{{name + ".toml", text}}, {}}));
}

/// The verdict on a run, in words, and its reasons: "look closer; first_order: ...".
inline std::string describe_verdict(const RunResult& run) {
  const Verdict verdict = judge(run.summary, run.description);
  std::string text = words_of(verdict.trust);
  for (const Judgement& reason : verdict.reasons()) text += "; " + format_judgement(reason);
  return text;
}
/// Is the verdict the one that the scene expects ([expect], else "trustworthy")?
inline bool is_as_expected(const RunResult& run) {
  return words_of(judge(run.summary, run.description).trust) == run.description.expected;
}

inline double max_abs(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace stiction::test
