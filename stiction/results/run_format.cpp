#include "stiction/results/run_format.h"

#include <fmt/format.h>

#include "stiction/base/fault.h"
#include "stiction/results/judgement.h"

namespace stiction {
namespace {

constexpr RunStatus all_statuses[] = {RunStatus::running, RunStatus::completed,   RunStatus::diverged,
                                      RunStatus::limit,   RunStatus::interrupted, RunStatus::failed};

std::string read_meta(Database& database, const char* key) {
  Statement statement(database, "SELECT value FROM meta WHERE key = ?");
  statement.bind(1, std::string_view(key));
  return statement.step() ? statement.text(0) : "";
}

bool has_table(Database& database, std::string_view name) {
  Statement statement(database, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  return statement.bind(1, name).step();
}

// SQLite itself takes a last page that is cut short for one that ends in zeros.
void check_size(Database& database) {
  Statement pages(database, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
  std::error_code ignored;
  const auto found = static_cast<std::int64_t>(std::filesystem::file_size(database.file(), ignored));
  if (pages.step() && found < pages.integer(0)) {
    throw IoError(
        fmt::format("{}: damaged: it has {} bytes, expected {}", database.file().string(), found, pages.integer(0)));
  }
}

void check_format(Database& database) {
  const std::string file = database.file().string();
  check_size(database);
  if (!has_tables(database))
    throw IoError(fmt::format("{}: empty: the run was stopped before its first step; run the scene again", file));
  if (!has_table(database, "meta") || read_meta(database, "format") != run_format_name) {
    throw IoError(fmt::format("{}: not the database of a run", file));
  }
  const std::string version = read_meta(database, "format_version");
  if (version != std::to_string(run_format_version)) {
    throw IoError(
        fmt::format("{}: written in format {} (stiction {}); this program reads format {}: run the scene again, "
                    "or use the program that wrote it",
                    file, version, read_meta(database, "program_version"), run_format_version));
  }
}

RunStatus status_of(const std::string& text, const Database& database) {
  for (const RunStatus status : all_statuses) {
    if (text == name_of(status)) return status;
  }
  throw IoError(fmt::format("{}: damaged: unknown status \"{}\"", database.file().string(), text));
}

// How each number of the summary is kept: its key and where it goes.
struct RealField {
  const char* key;
  double RunSummary::*member;
};
constexpr RealField real_fields[] = {{"time", &RunSummary::time},
                                     {"wall_seconds", &RunSummary::wall_seconds},
                                     {"energy.first", &RunSummary::energy_first},
                                     {"energy.last", &RunSummary::energy_last},
                                     {"energy.worst_residual", &RunSummary::energy_worst_residual}};
constexpr std::string_view audit_prefix = "audit.";

}  // namespace

const char* name_of(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::completed:
      return "completed";
    case RunStatus::diverged:
      return "diverged";
    case RunStatus::limit:
      return "limit";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::failed:
      return "failed";
  }
  return "";
}

bool has_tables(Database& database) {
  Statement statement(database, "SELECT count(*) FROM sqlite_master");
  return statement.step() && statement.integer(0) > 0;
}

bool holds_run(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(run_file(folder))) return false;
  Database database(run_file(folder), DatabaseAccess::read_only);
  return has_tables(database);
}

Database open_run(const std::filesystem::path& folder, DatabaseAccess access) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored)) {
    throw IoError(fmt::format("{}: no such folder", folder.string()));
  }
  if (!std::filesystem::exists(run_file(folder), ignored)) {
    throw IoError(fmt::format("{}: not a run folder (it has no run.sqlite)", folder.string()));
  }
  Database database(run_file(folder), access);
  check_format(database);
  return database;
}

void write_summary(Database& database, const RunSummary& summary) {
  Transaction transaction(database);
  database.execute("DELETE FROM summary");
  Statement insert(database, "INSERT INTO summary(key, value) VALUES (?, ?)");
  const auto put = [&insert](std::string_view key, auto value) { insert.bind(1, key).bind(2, value).run(); };
  put("status", std::string_view(name_of(summary.status)));
  put("message", std::string_view(summary.message));
  put("hash", std::string_view(summary.hash));
  put("verdict", std::string_view(word_of(judge(summary, read_description(database)).trust)));
  put("steps", summary.steps);
  put("evaluations", summary.evaluations);
  for (const RealField& field : real_fields) put(field.key, summary.*field.member);
  for (const auto& [name, worst] : summary.audit) {
    const std::string key = std::string(audit_prefix) + name;
    put(key, worst);
  }
  write_measures(database, summary.measures);
  transaction.commit();
}

bool read_summary(Database& database, RunSummary& summary) {
  bool found = false;
  summary.measures = read_measures(database);
  Statement rows(database, "SELECT key, value FROM summary");
  while (rows.step()) {
    found = true;
    const std::string key = rows.text(0);
    if (key == "status") summary.status = status_of(rows.text(1), database);
    if (key == "message") summary.message = rows.text(1);
    if (key == "hash") summary.hash = rows.text(1);
    if (key == "steps") summary.steps = rows.integer(1);
    if (key == "evaluations") summary.evaluations = rows.integer(1);
    for (const RealField& field : real_fields) {
      if (key == field.key) summary.*field.member = rows.real(1);
    }
    if (key.starts_with(audit_prefix)) summary.audit[key.substr(audit_prefix.size())] = rows.real(1);
  }
  return found;
}

}  // namespace stiction
