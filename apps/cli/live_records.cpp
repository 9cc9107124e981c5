#include "apps/cli/live_records.h"

#include <algorithm>

namespace stiction::cli {
namespace {

constexpr std::size_t most_records = 8000, most_bytes = std::size_t{128} << 20;

}  // namespace

void LiveRecords::add(std::string record, bool kept) {
  {
    const std::lock_guard lock(mutex_);
    size_ += record.size();
    records_.push_back({++newest_, kept, std::make_shared<const std::string>(std::move(record))});
    if (records_.size() > most_records || (size_ > most_bytes && records_.size() > 200)) thin();
  }
  changed_.notify_all();
}

void LiveRecords::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

std::vector<LiveRecords::Bytes> LiveRecords::take(std::uint64_t& last) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || newest_ > last; });
  std::vector<Bytes> taken;
  for (const Record& record : records_) {
    if (record.number > last) taken.push_back(record.bytes);
  }
  last = newest_;
  return taken;
}

// Every other record goes; the newest stays.
void LiveRecords::thin() {
  std::size_t place = 0;
  std::erase_if(records_,
                [&](const Record& record) { return ++place % 2 == 1 && !record.kept && record.number != newest_; });
  size_ = 0;
  for (const Record& record : records_) size_ += record.bytes->size();
}

}  // namespace stiction::cli
