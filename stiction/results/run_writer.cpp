#include <fmt/format.h>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/base/version.h"
#include "stiction/results/checkpoint_blob.h"
#include "stiction/results/run_format.h"

namespace stiction {
namespace {

Blob blob_of(const double* data, std::size_t count) {
  return {data, sizeof(double) * count};
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError(fmt::format("{}: the folder cannot be made ({})", folder.string(), error.message()));
}

void insert_scene(Database& database, const SceneText& scene) {
  Statement file(database, "INSERT INTO scene_file(position, name, text) VALUES (?, ?, ?)");
  for (std::size_t i = 0; i < scene.files.size(); ++i) {
    file.bind(1, static_cast<std::int64_t>(i)).bind(2, scene.files[i].name).bind(3, scene.files[i].text).run();
  }
  Statement override_text(database, "INSERT INTO scene_override(position, text) VALUES (?, ?)");
  for (std::size_t i = 0; i < scene.overrides.size(); ++i) {
    override_text.bind(1, static_cast<std::int64_t>(i)).bind(2, scene.overrides[i]).run();
  }
}

// The times of the base stand first, as signal 0; the given signals follow in their order.
void insert_signals(Database& database, const std::vector<SignalInfo>& signals) {
  const std::string base = signals.empty() ? "output" : signals.front().time_base;
  Statement(database, "INSERT INTO time_base(id, name) VALUES (0, ?)").bind(1, base).run();
  Statement insert(database, "INSERT INTO signal(id, name, unit, time_base) VALUES (?, ?, ?, 0)");
  const auto put = [&insert](std::int64_t id, std::string_view name, std::string_view unit) {
    insert.bind(1, id).bind(2, name).bind(3, unit).run();
  };
  put(0, "time", "s");
  for (std::size_t i = 0; i < signals.size(); ++i) {
    STICTION_CHECK(signals[i].time_base == base);
    put(static_cast<std::int64_t>(i) + 1, signals[i].name, signals[i].unit);
  }
}

void insert_pairs(Database& database, const char* sql, const RunSettings& pairs) {
  Statement insert(database, sql);
  for (const auto& [key, value] : pairs) insert.bind(1, key).bind(2, value).run();
}

std::int64_t read_integer(Database& database, const char* sql) {
  Statement statement(database, sql);
  return statement.step() ? statement.integer(0) : 0;
}

class SqliteRunWriter final : public RunWriter {
 public:
  SqliteRunWriter(std::unique_ptr<FolderLock> lock, Database database)
      : lock_(std::move(lock)),
        database_(std::move(database)),
        signal_count_(read_integer(database_, "SELECT count(*) - 1 FROM signal")),
        next_part_(read_integer(database_, "SELECT count(*) FROM part")),
        insert_part_(database_, "INSERT INTO part(id, samples) VALUES (?, ?)"),
        insert_chunk_(database_, "INSERT INTO chunk(part, signal, data) VALUES (?, ?, ?)"),
        insert_event_(database_, "INSERT INTO event(part, t, kind, name) VALUES (?, ?, ?, ?)"),
        insert_contact_(database_, "INSERT INTO contact(part, rows, data) VALUES (?, ?, ?)") {
    // A transaction's pages stay in memory until its end, so that readers wait for its commit only.
    database_.execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768");
  }

  void write_chunk(const std::vector<double>& times, const SampleBlock& samples, const std::vector<StepEvent>& events,
                   const Checkpoint& checkpoint) override {
    write_part(times, samples, events, &checkpoint);
  }

  void write_tail(const std::vector<double>& times, const SampleBlock& samples,
                  const std::vector<StepEvent>& events) override {
    write_part(times, samples, events, nullptr);
  }

  void finish(const RunSummary& summary) override { write_summary(database_, summary); }
  void add_contacts(const std::vector<double>& rows) override {
    contacts_.insert(contacts_.end(), rows.begin(), rows.end());
  }

 private:
  void write_part(const std::vector<double>& times, const SampleBlock& samples, const std::vector<StepEvent>& events,
                  const Checkpoint* checkpoint) {
    STICTION_CHECK(samples.rows() == static_cast<Eigen::Index>(times.size()));
    STICTION_CHECK(samples.cols() == signal_count_);
    Transaction transaction(database_);
    insert_part_.bind(1, next_part_).bind(2, static_cast<std::int64_t>(times.size())).run();
    insert_samples(0, times.data(), times.size());
    for (Eigen::Index i = 0; i < samples.cols(); ++i) insert_samples(i + 1, samples.col(i).data(), times.size());
    for (const StepEvent& event : events) {
      insert_event_.bind(1, next_part_).bind(2, event.t).bind(3, event.kind).bind(4, event.name).run();
    }
    insert_contacts();
    if (checkpoint) insert_checkpoint(*checkpoint);
    transaction.commit();
    contacts_.clear();
    ++next_part_;
  }

  void insert_samples(std::int64_t signal, const double* data, std::size_t count) {
    insert_chunk_.bind(1, next_part_).bind(2, signal).bind(3, blob_of(data, count)).run();
  }

  void insert_contacts() {
    if (contacts_.empty()) return;
    insert_contact_.bind(1, next_part_).bind(2, static_cast<std::int64_t>(contacts_.size()) / contact_row_size);
    insert_contact_.bind(3, blob_of(contacts_.data(), contacts_.size())).run();
  }

  // Only the last one is kept.
  void insert_checkpoint(const Checkpoint& checkpoint) {
    const std::string bytes = encode_checkpoint(checkpoint);
    const std::string checksum = calc_checksum(bytes);
    database_.execute("DELETE FROM checkpoint");
    Statement insert(database_, "INSERT INTO checkpoint(part, data, checksum) VALUES (?, ?, ?)");
    insert.bind(1, next_part_).bind(2, Blob{bytes.data(), bytes.size()}).bind(3, checksum).run();
  }

  std::unique_ptr<FolderLock> lock_;
  Database database_;
  std::int64_t signal_count_;
  std::int64_t next_part_;
  Statement insert_part_, insert_chunk_, insert_event_, insert_contact_;
  std::vector<double> contacts_;  ///< of the next part
};

}  // namespace

std::unique_ptr<RunWriter> RunWriter::create(const std::filesystem::path& folder, const SceneText& scene,
                                             const std::vector<SignalInfo>& signals, const RunSettings& settings,
                                             const std::vector<std::string>& contact_shapes) {
  make_folder(folder);
  auto lock = std::make_unique<FolderLock>(folder);
  Database database(run_file(folder), DatabaseAccess::create);
  database.execute("PRAGMA journal_mode = DELETE");
  {
    // All tables or none: a reader never sees half of them.
    Transaction transaction(database);
    if (has_tables(database)) {
      throw IoError(fmt::format("{}: already holds a run; choose another folder or remove it first", folder.string()));
    }
    database.execute(run_schema);
    insert_pairs(database, "INSERT INTO meta(key, value) VALUES (?, ?)",
                 {{"format", run_format_name},
                  {"format_version", std::to_string(run_format_version)},
                  {"program_version", version}});
    insert_pairs(database, "INSERT INTO setting(key, value) VALUES (?, ?)", settings);
    insert_scene(database, scene);
    insert_signals(database, signals);
    Statement shape(database, "INSERT INTO contact_shape(id, name) VALUES (?, ?)");
    for (std::size_t i = 0; i < contact_shapes.size(); ++i)
      shape.bind(1, static_cast<std::int64_t>(i)).bind(2, contact_shapes[i]).run();
    transaction.commit();
  }
  return std::make_unique<SqliteRunWriter>(std::move(lock), std::move(database));
}

std::unique_ptr<RunWriter> RunWriter::reopen(const std::filesystem::path& folder) {
  return reopen(folder, std::make_unique<FolderLock>(folder));
}

std::unique_ptr<RunWriter> RunWriter::reopen(const std::filesystem::path& folder, std::unique_ptr<FolderLock> lock) {
  Database database = open_run(folder, DatabaseAccess::write);
  RunSummary summary;
  if (read_summary(database, summary) && summary.status == RunStatus::completed) {
    throw IoError(fmt::format("{}: the run is complete, there is nothing to go on with", folder.string()));
  }
  {
    Transaction transaction(database);
    const std::int64_t last = read_integer(database, "SELECT ifnull(max(part), -1) FROM checkpoint");
    for (const char* sql : {"DELETE FROM chunk WHERE part > ?", "DELETE FROM event WHERE part > ?",
                            "DELETE FROM contact WHERE part > ?", "DELETE FROM part WHERE id > ?"}) {
      Statement(database, sql).bind(1, last).run();
    }
    database.execute("DELETE FROM summary");
    transaction.commit();
  }
  return std::make_unique<SqliteRunWriter>(std::move(lock), std::move(database));
}

}  // namespace stiction
