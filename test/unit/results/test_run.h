#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/results/run_model.h"
#include "stiction/results/run_store.h"

namespace stiction {

/// A folder of its own for a test, gone at its end.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// A run of made-up numbers with awkward bits: sample s of signal i is a function of s and i alone, so that any piece
/// of it can be checked. Part p holds `rows` samples.
struct TestRun {
  int signals = 3;
  int rows = 8;

  std::vector<SignalInfo> infos() const;
  double sample(int index, int signal) const;
  double time(int index) const;
  std::vector<double> times(int part) const;
  MatX samples(int part) const;
  std::vector<StepEvent> events(int part) const;
  Checkpoint checkpoint(int part) const;  ///< step = samples written up to its end
  void write_part(RunWriter& writer, int part) const;
};

/// A run that says nothing of its bodies.
inline std::unique_ptr<RunWriter> create_run(const std::filesystem::path& folder, const SceneText& scene,
                                             const std::vector<SignalInfo>& signals,
                                             const RunDescription& description = {}) {
  return RunWriter::create(folder, scene, signals, description, {});
}

SceneText make_test_scene();
RunSummary make_test_summary(RunStatus status);

/// All content of a run as text, but for the time it took: equal texts are equal runs.
std::string dump_run(const std::filesystem::path& folder);

bool contains(const std::string& text, const std::string& piece);

/// The message of the error of this type that the action throws; empty, and a failure, if it throws none.
template <class Error, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

/// True if both are the same bits.
bool same_bits(double a, double b);
bool same_bits(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace stiction
