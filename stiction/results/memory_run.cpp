#include "stiction/results/memory_run.h"

#include "stiction/results/select_signals.h"

namespace stiction {

void MemoryRun::write_chunk(const std::vector<double>& times, const SampleBlock& samples,
                            const std::vector<StepEvent>& events, const Checkpoint&) {
  write_tail(times, samples, events);
}

void MemoryRun::write_tail(const std::vector<double>& times, const SampleBlock& samples,
                           const std::vector<StepEvent>& events) {
  times_.insert(times_.end(), times.begin(), times.end());
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const auto column = samples.col(static_cast<Eigen::Index>(i));
    samples_[i].insert(samples_[i].end(), column.begin(), column.end());
  }
  events_.insert(events_.end(), events.begin(), events.end());
}

void MemoryRun::add_contacts(const std::vector<double>& rows) {
  for (std::size_t i = 0; i < rows.size(); i += contact_row_size)
    contacts_.push_back(read_contact_row(rows.data() + i));
}

const std::vector<double>& MemoryRun::samples(const std::string& signal) const {
  if (signal == "time") return times_;
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    if (signals_[i].name == signal) return samples_[i];
  }
  throw make_unknown_signal_error(signal, signals_);
}

}  // namespace stiction
