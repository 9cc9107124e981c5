#include "apps/cli/live_view.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstring>

#include "stiction/report/column_writer.h"
#include "stiction/report/encode_page.h"
#include "stiction/report/report_page.h"

#include "apps/cli/console.h"

namespace stiction::cli {
namespace {

// First byte of a record.
constexpr char sample_mark = 1, end_mark = 2;

template <class Number>
void append(std::string& bytes, Number number) {
  const std::size_t before = bytes.size();
  bytes.resize(before + sizeof(number));
  std::memcpy(bytes.data() + before, &number, sizeof(number));
}

// mark, t (float64), count and values (uint32, float32), count and rows of contacts (uint32, 26 float32 each), events
// as JSON [[t, kind, name], ...]
std::string encode_sample(const LiveSample& sample, const std::vector<StepEvent>& events) {
  std::string bytes(1, sample_mark);
  append(bytes, sample.t);
  append(bytes, static_cast<std::uint32_t>(sample.values.size()));
  for (const double value : sample.values) append(bytes, static_cast<float>(value));
  std::vector<double> rows;
  for (const ContactRecord& contact : sample.contacts) append_contact_row(sample.t, contact, rows);
  append(bytes, static_cast<std::uint32_t>(sample.contacts.size()));
  for (const double number : rows) append(bytes, static_cast<float>(number));
  nlohmann::json list = nlohmann::json::array();
  for (const StepEvent& event : events) list.push_back({event.t, event.kind, event.name});
  return bytes + list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void LiveView::start() {
  const auto run = RunReader::open(folder_);
  const PageData page = collect_page(*run, folder_.filename().string());
  server_ = std::make_unique<LiveServer>(make_live_report(encode_page(page), run->contact_shapes()));
  print_error(fmt::format("live view: {}\n", server_->address()));
  if (has_screen()) browser_.emplace(server_->address());
}

void LiveView::add(const LiveSample& sample) {
  if (!server_) start();
  events_.insert(events_.end(), sample.events.begin(), sample.events.end());
  const auto now = Clock::now();
  if (now - last_sent_ < std::chrono::milliseconds(10)) return;
  last_sent_ = now;
  if (browser_) browser_->check();
  server_->send(encode_sample(sample, events_));
  events_.clear();
}

void LiveView::finish() {
  if (!server_) return;
  const auto run = RunReader::open(folder_);
  const std::string whole = encode_page(collect_page(*run, folder_.filename().string()));
  server_->send(std::string(1, end_mark) + compress(whole), true);
  const bool seen = server_->was_seen();
  server_.reset();
  if (browser_) browser_->check();
  if (!seen) {
    print_error(fmt::format("the run ended before the live view was opened: stiction view {} -o report.html --open\n",
                            folder_.string()));
  }
}

}  // namespace stiction::cli
