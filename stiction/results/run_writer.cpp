#include <fmt/format.h>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/base/version.h"
#include "stiction/results/checkpoint_blob.h"
#include "stiction/results/folder_lock.h"
#include "stiction/results/run_format.h"

namespace stiction {
namespace {

Blob blob_of(const double* data, std::size_t count) {
  return {data, sizeof(double) * count};
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError(fmt::format("{}: cannot create the folder ({})", folder.string(), error.message()));
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

void insert_meta(Database& database) {
  Statement insert(database, "INSERT INTO meta(key, value) VALUES (?, ?)");
  const auto put = [&insert](std::string_view key, std::string_view value) {
    insert.bind(1, key).bind(2, value).run();
  };
  put("format", run_format_name);
  const std::string format_version = std::to_string(run_format_version);
  put("format_version", format_version);
  put("program_version", version);
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
        part_(read_integer(database_, "SELECT count(*) FROM part")),
        events_(read_integer(database_, "SELECT ifnull(max(id), 0) FROM event")),
        put_part_(database_, "INSERT OR REPLACE INTO part(id, samples) VALUES (?, ?)"),
        put_chunk_(database_, "INSERT OR REPLACE INTO chunk(part, signal, data) VALUES (?, ?, ?)"),
        put_contact_(database_, "INSERT OR REPLACE INTO contact(part, rows, data) VALUES (?, ?, ?)"),
        insert_event_(database_, "INSERT INTO event(part, t, kind, name) VALUES (?, ?, ?, ?)") {
    // A transaction's pages stay in memory until its end, so that readers wait for its commit only.
    database_.execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768");
  }

  void write_part(const RunPart& part, const Checkpoint* checkpoint) override {
    const auto count = static_cast<std::int64_t>(part.times.size());
    STICTION_CHECK(part.samples.rows() == count && part.samples.cols() == signal_count_);
    Transaction transaction(database_);
    // Many checkpoints may lie between two samples.
    if (count != written_) put_samples(part);
    for (const StepEvent& event : part.events) {
      insert_event_.bind(1, part_).bind(2, event.t).bind(3, event.kind).bind(4, event.name).run();
    }
    const auto events = events_ + static_cast<std::int64_t>(part.events.size());
    const auto contacts = static_cast<std::int64_t>(part.contacts.size()) / contact_row_size;
    write_measures(database_, measures_);
    if (checkpoint) put_checkpoint(*checkpoint, count, contacts, events);
    transaction.commit();
    events_ = events;
    written_ = count;
  }

  void close_part() override {
    ++part_;
    written_ = -1;
  }

  void finish(const RunSummary& summary) override { write_summary(database_, summary); }
  void set_measures(const RunMeasures& measures) override { measures_ = measures; }

 private:
  void put_samples(const RunPart& part) {
    put_part_.bind(1, part_).bind(2, static_cast<std::int64_t>(part.times.size())).run();
    const auto put = [&](std::int64_t signal, const double* data) {
      put_chunk_.bind(1, part_).bind(2, signal).bind(3, blob_of(data, part.times.size())).run();
    };
    put(0, part.times.data());
    for (Eigen::Index i = 0; i < part.samples.cols(); ++i) put(i + 1, part.samples.col(i).data());
    if (part.contacts.empty()) return;
    put_contact_.bind(1, part_).bind(2, static_cast<std::int64_t>(part.contacts.size()) / contact_row_size);
    put_contact_.bind(3, blob_of(part.contacts.data(), part.contacts.size())).run();
  }

  // Only the last one is kept.
  void put_checkpoint(const Checkpoint& checkpoint, std::int64_t samples, std::int64_t contacts, std::int64_t events) {
    const std::string bytes = encode_checkpoint(checkpoint);
    const std::string checksum = calc_checksum(bytes);
    database_.execute("DELETE FROM checkpoint");
    Statement insert(
        database_, "INSERT INTO checkpoint(part, samples, contacts, events, data, checksum) VALUES (?, ?, ?, ?, ?, ?)");
    insert.bind(1, part_).bind(2, samples).bind(3, contacts).bind(4, events);
    insert.bind(5, Blob{bytes.data(), bytes.size()}).bind(6, checksum).run();
  }

  std::unique_ptr<FolderLock> lock_;
  Database database_;
  std::int64_t signal_count_;
  std::int64_t part_;          ///< being collected
  std::int64_t events_;        ///< stored so far
  std::int64_t written_ = -1;  ///< samples of the part that are stored; -1: none was written yet
  Statement put_part_, put_chunk_, put_contact_, insert_event_;
  RunMeasures measures_;
};

/// Back to the last checkpoint, or to the start.
void drop_what_came_after(Database& database) {
  std::int64_t part = -1, samples = 0, contacts = 0, events = 0;
  {
    Statement last(database, "SELECT part, samples, contacts, events FROM checkpoint ORDER BY part DESC LIMIT 1");
    if (last.step())
      part = last.integer(0), samples = last.integer(1), contacts = last.integer(2), events = last.integer(3);
  }
  for (const char* sql :
       {"DELETE FROM chunk WHERE part > ?", "DELETE FROM contact WHERE part > ?", "DELETE FROM part WHERE id > ?"}) {
    Statement(database, sql).bind(1, part).run();
  }
  Statement(database, "DELETE FROM event WHERE id > ?").bind(1, events).run();
  // Of its own part what was collected by then.
  Statement(database, "UPDATE part SET samples = ?2 WHERE id = ?1 AND samples > ?2")
      .bind(1, part)
      .bind(2, samples)
      .run();
  Statement(database, "UPDATE chunk SET data = substr(data, 1, ?2) WHERE part = ?1 AND length(data) > ?2")
      .bind(1, part)
      .bind(2, static_cast<std::int64_t>(sizeof(double)) * samples)
      .run();
  Statement(database, "UPDATE contact SET rows = ?2, data = substr(data, 1, ?3 * ?2) WHERE part = ?1 AND rows > ?2")
      .bind(1, part)
      .bind(2, contacts)
      .bind(3, static_cast<std::int64_t>(sizeof(double)) * contact_row_size)
      .run();
  database.execute("DELETE FROM summary; DELETE FROM contact WHERE rows = 0");
}

}  // namespace

std::unique_ptr<RunWriter> RunWriter::create(const std::filesystem::path& folder, const SceneText& scene,
                                             const std::vector<SignalInfo>& signals, const RunDescription& description,
                                             const RunModel& model) {
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
    insert_meta(database);
    write_description(database, description);
    insert_scene(database, scene);
    insert_signals(database, signals);
    write_model(database, model);
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
    throw IoError(fmt::format("{}: the run is complete; there is nothing to resume", folder.string()));
  }
  {
    Transaction transaction(database);
    drop_what_came_after(database);
    transaction.commit();
  }
  return std::make_unique<SqliteRunWriter>(std::move(lock), std::move(database));
}

}  // namespace stiction
