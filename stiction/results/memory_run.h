#pragma once

#include <string>
#include <vector>

#include "stiction/results/run_store.h"

namespace stiction {

/// A run that stays in memory: takes what a stored run would take, and forgets checkpoints.
class MemoryRun final : public RunWriter {
 public:
  explicit MemoryRun(const std::vector<SignalInfo>& signals) : signals_(signals), samples_(signals.size()) {}

  void write_chunk(const std::vector<double>& times, const SampleBlock& samples, const std::vector<StepEvent>& events,
                   const Checkpoint& checkpoint) override;
  void write_tail(const std::vector<double>& times, const SampleBlock& samples,
                  const std::vector<StepEvent>& events) override;
  void finish(const RunSummary&) override {}
  void add_contacts(const std::vector<double>& rows) override;

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
};

}  // namespace stiction
