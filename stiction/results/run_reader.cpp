#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/base/text.h"
#include "stiction/results/checkpoint_blob.h"
#include "stiction/results/folder_lock.h"
#include "stiction/results/run_format.h"
#include "stiction/results/select_signals.h"
#include "stiction/results/signal_match.h"

namespace stiction {
namespace {

class SqliteRunReader final : public RunReader {
 public:
  explicit SqliteRunReader(const std::filesystem::path& folder)
      : folder_(folder),
        database_(open_run(folder, DatabaseAccess::read_only)),
        select_chunk_(database_, "SELECT data FROM chunk WHERE part = ? AND signal = ?") {
    load_signals();
    load_parts();
  }

  const std::vector<SignalInfo>& signals() const override { return signals_; }
  bool is_being_written() const override { return FolderLock::is_held(folder_); }
  std::vector<double> times() const override { return read("time"); }
  int part_count() const override { return static_cast<int>(parts_.size()); }

  std::string program_version() const override {
    Statement row(database_, "SELECT value FROM meta WHERE key = 'program_version'");
    return row.step() ? row.text(0) : "";
  }

  RunDescription description() const override { return read_description(database_); }
  RunModel model() const override { return read_model(database_); }

  SceneText scene() const override {
    SceneText scene;
    Statement files(database_, "SELECT name, text FROM scene_file ORDER BY position");
    while (files.step()) scene.files.push_back({files.text(0), files.text(1)});
    Statement overrides(database_, "SELECT text FROM scene_override ORDER BY position");
    while (overrides.step()) scene.overrides.push_back(overrides.text(0));
    return scene;
  }

  RunSummary summary() const override {
    RunSummary summary;
    if (!read_summary(database_, summary) && has_checkpoint()) {
      const State state = last_checkpoint().state;
      summary.time = state.t;
      summary.steps = state.step;
      summary.hash = calc_hash(state);
    }
    return summary;
  }

  std::vector<double> read(const std::string& signal) const override {
    const std::int64_t id = find_id(signal);
    std::vector<double> samples;
    for (int part = 0; part < part_count(); ++part) append_part(id, part, samples);
    return samples;
  }

  std::vector<double> read_part(const std::string& signal, int part) const override {
    STICTION_CHECK(part >= 0 && part < part_count());
    std::vector<double> samples;
    append_part(find_id(signal), part, samples);
    return samples;
  }

  std::vector<StepEvent> events() const override {
    std::vector<StepEvent> events;
    Statement rows(database_, "SELECT t, kind, name FROM event WHERE id <= ? ORDER BY id");
    rows.bind(1, last_event_);
    while (rows.step()) events.push_back({rows.real(0), rows.text(1), rows.text(2)});
    return events;
  }

  std::vector<std::string> contact_shapes() const override {
    std::vector<std::string> names;
    Statement rows(database_, "SELECT name FROM contact_shape ORDER BY id");
    while (rows.step()) names.push_back(rows.text(0));
    return names;
  }

  std::vector<ContactSample> contacts(int part) const override {
    std::vector<ContactSample> samples;
    Statement row(database_, "SELECT rows, data FROM contact WHERE part = ?");
    row.bind(1, static_cast<std::int64_t>(part));
    if (!row.step()) return samples;
    const Blob blob = row.blob(1);
    const std::size_t row_bytes = contact_row_size * sizeof(double);
    if (blob.size % row_bytes != 0 || static_cast<std::int64_t>(blob.size / row_bytes) != row.integer(0))
      fail(fmt::format("the contacts of part {} have {} bytes, expected {} rows", part, blob.size, row.integer(0)));
    std::vector<double> numbers(blob.size / sizeof(double));
    std::memcpy(numbers.data(), blob.data, blob.size);
    const auto seen = static_cast<std::size_t>(parts_[static_cast<std::size_t>(part)].contacts) * contact_row_size;
    for (std::size_t i = 0; i < std::min(seen, numbers.size()); i += contact_row_size)
      samples.push_back(read_contact_row(numbers.data() + i));
    return samples;
  }

  bool has_checkpoint() const override { return Statement(database_, "SELECT 1 FROM checkpoint").step(); }

  Checkpoint last_checkpoint() const override {
    Statement row(database_, "SELECT data, checksum FROM checkpoint ORDER BY part DESC LIMIT 1");
    if (!row.step()) throw IoError(fmt::format("{}: has no checkpoint yet", place()));
    const Blob blob = row.blob(0);
    const std::string bytes(static_cast<const char*>(blob.data), blob.size);
    if (calc_checksum(bytes) != row.text(1)) fail("the checkpoint does not match its checksum");
    return decode_checkpoint(bytes, place());
  }

 private:
  std::string place() const { return database_.file().string(); }
  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(fmt::format("{}: is damaged: {}", place(), what));
  }

  void load_signals() {
    Statement rows(database_,
                   "SELECT signal.id, signal.name, signal.unit, time_base.name FROM signal JOIN time_base "
                   "ON time_base.id = signal.time_base ORDER BY signal.id");
    while (rows.step()) {
      const std::string name = rows.text(1);
      ids_[name] = rows.integer(0);
      if (name != "time") signals_.push_back({name, rows.text(2), rows.text(3)});
    }
    if (!ids_.contains("time")) fail("it has no times");
  }

  void load_parts() {
    // In one statement: the last part may grow meanwhile.
    Statement rows(database_,
                   "SELECT part.id, samples, ifnull(rows, 0), (SELECT ifnull(max(id), 0) FROM event) FROM part "
                   "LEFT JOIN contact ON contact.part = part.id ORDER BY part.id");
    while (rows.step()) {
      if (rows.integer(0) != part_count()) fail(fmt::format("part {} of the samples is missing", part_count()));
      parts_.push_back({rows.integer(1), rows.integer(2)});
      last_event_ = rows.integer(3);
    }
  }

  std::int64_t find_id(const std::string& signal) const {
    auto found = ids_.find(signal);
    if (found == ids_.end()) found = ids_.find(swap_pair(signal));
    if (found == ids_.end()) throw make_unknown_signal_error(signal, signals_);
    return found->second;
  }

  void append_part(std::int64_t id, int part, std::vector<double>& samples) const {
    select_chunk_.reset();
    select_chunk_.bind(1, static_cast<std::int64_t>(part)).bind(2, id);
    if (!select_chunk_.step()) fail(fmt::format("part {} of signal {} is missing", part, id));
    const Blob blob = select_chunk_.blob(0);
    const auto expected = static_cast<std::size_t>(parts_[static_cast<std::size_t>(part)].samples);
    // The last part may have grown since the run was opened.
    const bool may_grow = part + 1 == part_count();
    if (blob.size % sizeof(double) != 0 || blob.size / sizeof(double) < expected ||
        (blob.size / sizeof(double) > expected && !may_grow)) {
      fail(fmt::format("part {} of signal {} has {} bytes, expected {} samples", part, id, blob.size, expected));
    }
    const std::size_t before = samples.size();
    samples.resize(before + expected);
    if (expected > 0) std::memcpy(samples.data() + before, blob.data, sizeof(double) * expected);
    // A statement that is not reset would keep writers out.
    select_chunk_.reset();
  }

  std::filesystem::path folder_;
  mutable Database database_;
  mutable Statement select_chunk_;
  std::vector<SignalInfo> signals_;
  std::unordered_map<std::string, std::int64_t> ids_;
  struct Part {
    std::int64_t samples = 0, contacts = 0;
  };
  std::vector<Part> parts_;  ///< as they were when the run was opened
  std::int64_t last_event_ = 0;
};

}  // namespace

std::unique_ptr<RunReader> RunReader::open(const std::filesystem::path& folder) {
  return std::make_unique<SqliteRunReader>(folder);
}

}  // namespace stiction
