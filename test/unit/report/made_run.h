#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "stiction/report/page_data.h"
#include "stiction/results/run_model.h"

namespace stiction {

/// A run written by hand in a folder that vanishes: signals are functions of the sample's number.
class MadeRun {
 public:
  explicit MadeRun(std::string scene_text = "") : scene_(std::move(scene_text)) {
    std::string name = (std::filesystem::temp_directory_path() / "stiction-report-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    model.bodies = {{"world", true, {}}};
  }
  ~MadeRun() { std::filesystem::remove_all(folder_); }
  MadeRun(const MadeRun&) = delete;
  MadeRun& operator=(const MadeRun&) = delete;

  void add_signal(const std::string& name, const std::string& unit, std::function<double(int)> value) {
    infos_.push_back({name, unit, "output"});
    values_.push_back(std::move(value));
  }
  /// Position and orientation of a body that moves along x by `x`.
  void add_body(const std::string& name, const std::function<double(int)>& x) {
    model.bodies.push_back({name, false, {}});
    add_signal(name + ".position.x", "m", x);
    for (const char* part : {".position.y", ".position.z"}) add_signal(name + part, "m", [](int) { return 0.0; });
    add_signal(name + ".orientation.w", "1", [](int) { return 1.0; });
    for (const char* part : {".orientation.x", ".orientation.y", ".orientation.z"})
      add_signal(name + part, "1", [](int) { return 0.0; });
  }

  std::filesystem::path write(int samples, const RunSummary& summary) {
    const std::filesystem::path run = folder_ / "run";
    SceneText text;
    if (!scene_.empty()) text.files = {{"scene.toml", scene_}};
    for (const std::string& shape : shapes) model.contact.shapes.emplace_back().name = shape;
    auto writer = RunWriter::create(run, text, infos_, description, model);
    std::vector<double> times;
    MatX block(samples, static_cast<Eigen::Index>(infos_.size()));
    for (int i = 0; i < samples; ++i) {
      times.push_back(0.01 * i);
      for (std::size_t k = 0; k < values_.size(); ++k) block(i, static_cast<Eigen::Index>(k)) = values_[k](i);
    }
    std::vector<double> rows;
    for (const ContactSample& sample : contacts) append_contact_row(sample.t, sample.contact, rows);
    writer->write_part({times, block, rows, events}, nullptr);
    writer->finish(summary);
    return run;
  }

  RunDescription description;
  RunModel model;  ///< the world, and the bodies that were added
  std::vector<std::string> shapes;
  std::vector<ContactSample> contacts;
  std::vector<StepEvent> events;

 private:
  std::filesystem::path folder_;
  std::string scene_;
  std::vector<SignalInfo> infos_;
  std::vector<std::function<double(int)>> values_;
};

inline const Judgement& find_judgement(const PageData& page, const std::string& name) {
  for (const Judgement& judgement : page.verdict.judgements) {
    if (judgement.measure == name) return judgement;
  }
  throw std::runtime_error("no judgement of " + name);
}

/// Of a run that measured nothing bad.
inline RunSummary make_summary(RunStatus status) {
  RunSummary summary;
  summary.status = status;
  summary.steps = 100;
  summary.hash = "0123456789abcdef";
  for (const MeasureInfo& info : trust_measures) summary.measures.worst[info.name] = {};
  return summary;
}

}  // namespace stiction
