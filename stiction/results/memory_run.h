#pragma once

#include <string>
#include <vector>

#include "stiction/results/run_store.h"

namespace stiction {

/// A run that stays in memory: takes what a stored run would take, and forgets checkpoints.
class MemoryRun final : public RunWriter {
 public:
  explicit MemoryRun(const std::vector<SignalInfo>& signals) : signals_(signals), samples_(signals.size()) {}

  void write_part(const RunPart& part, const Checkpoint* checkpoint) override;
  void close_part() override;
  void finish(const RunSummary&) override {}
  void set_measures(const RunMeasures&) override {}

  const std::vector<double>& times() const { return times_; }
  const std::vector<StepEvent>& events() const { return events_; }
  const std::vector<ContactSample>& contacts() const { return contacts_; }
  /// Of one signal, or "time"; InputError with the nearest name if there is no such signal.
  const std::vector<double>& samples(const std::string& signal) const;

 private:
  std::vector<SignalInfo> signals_;
  std::vector<double> times_;
  std::vector<std::vector<double>> samples_;  ///< by signal
  std::vector<StepEvent> events_;
  std::vector<ContactSample> contacts_;
  std::size_t closed_ = 0, closed_contacts_ = 0;  ///< samples and contacts of the parts that are complete
};

}  // namespace stiction
