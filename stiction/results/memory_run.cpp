#include "stiction/results/memory_run.h"

#include "stiction/results/select_signals.h"

namespace stiction {

void MemoryRun::write_part(const RunPart& part, const Checkpoint*) {
  times_.resize(closed_);
  times_.insert(times_.end(), part.times.begin(), part.times.end());
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const auto column = part.samples.col(static_cast<Eigen::Index>(i));
    samples_[i].resize(closed_);
    samples_[i].insert(samples_[i].end(), column.begin(), column.end());
  }
  contacts_.resize(closed_contacts_);
  for (std::size_t i = 0; i < part.contacts.size(); i += contact_row_size)
    contacts_.push_back(read_contact_row(part.contacts.data() + i));
  events_.insert(events_.end(), part.events.begin(), part.events.end());
}

void MemoryRun::close_part() {
  closed_ = times_.size();
  closed_contacts_ = contacts_.size();
}

const std::vector<double>& MemoryRun::samples(const std::string& signal) const {
  if (signal == "time") return times_;
  if (const auto found = find_signal(signals_, signal)) return samples_[*found];
  throw make_unknown_signal_error(signal, signals_);
}

}  // namespace stiction
