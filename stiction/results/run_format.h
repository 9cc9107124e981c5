#pragma once

#include <filesystem>
#include <string>

#include "stiction/results/run_model.h"
#include "stiction/results/run_store.h"
#include "stiction/results/sqlite.h"

namespace stiction {

/// What the writer and the reader of run.sqlite share. docs/run-format.md explains every table.
inline constexpr int run_format_version = 7;
inline constexpr const char* run_format_name = "stiction run";

/// Keys are (part, signal), in this order: chunks are appended at the end of the table, however many signals there are.
inline constexpr const char* run_schema = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE parameter(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE warning(position INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE scene_file(position INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE scene_override(position INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE time_base(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE signal(id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL,
                    time_base INTEGER NOT NULL REFERENCES time_base(id), UNIQUE(name, time_base));
CREATE TABLE part(id INTEGER PRIMARY KEY, samples INTEGER NOT NULL);
CREATE TABLE chunk(part INTEGER NOT NULL REFERENCES part(id), signal INTEGER NOT NULL REFERENCES signal(id),
                   data BLOB NOT NULL, PRIMARY KEY(part, signal)) WITHOUT ROWID;
CREATE TABLE event(id INTEGER PRIMARY KEY, part INTEGER NOT NULL REFERENCES part(id), t REAL NOT NULL,
                   kind TEXT NOT NULL, name TEXT NOT NULL);
CREATE TABLE body(id INTEGER PRIMARY KEY, name TEXT NOT NULL, fixed INTEGER NOT NULL,
                  x REAL, y REAL, z REAL, qw REAL, qx REAL, qy REAL, qz REAL);
CREATE TABLE shape(id INTEGER PRIMARY KEY, body INTEGER NOT NULL REFERENCES body(id), name TEXT NOT NULL,
                   x REAL, y REAL, z REAL, qw REAL, qx REAL, qy REAL, qz REAL, geometry TEXT NOT NULL);
CREATE TABLE joint(id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL,
                   parent INTEGER NOT NULL REFERENCES body(id), child INTEGER NOT NULL REFERENCES body(id),
                   x REAL, y REAL, z REAL, qw REAL, qx REAL, qy REAL, qz REAL);
CREATE TABLE spring(id INTEGER PRIMARY KEY, name TEXT NOT NULL, a INTEGER NOT NULL REFERENCES body(id),
                    b INTEGER NOT NULL REFERENCES body(id), ax REAL, ay REAL, az REAL, bx REAL, by REAL, bz REAL);
CREATE TABLE contact_shape(id INTEGER PRIMARY KEY, name TEXT NOT NULL, body INTEGER NOT NULL REFERENCES body(id),
                           material TEXT NOT NULL, moves_freely INTEGER NOT NULL);
CREATE TABLE contact_rule(id INTEGER PRIMARY KEY, name TEXT NOT NULL, a TEXT NOT NULL, b TEXT NOT NULL,
                          touches INTEGER NOT NULL, friction REAL, restitution REAL);
CREATE TABLE joined(a INTEGER NOT NULL REFERENCES body(id), b INTEGER NOT NULL REFERENCES body(id));
CREATE TABLE contact(part INTEGER PRIMARY KEY REFERENCES part(id), rows INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE checkpoint(part INTEGER PRIMARY KEY REFERENCES part(id), samples INTEGER NOT NULL,
                        contacts INTEGER NOT NULL, events INTEGER NOT NULL, data BLOB NOT NULL, checksum TEXT NOT NULL);
CREATE TABLE measure(name TEXT PRIMARY KEY, value REAL, time REAL, place TEXT NOT NULL, scale REAL,
                     unit TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE summary(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
)sql";

inline std::filesystem::path run_file(const std::filesystem::path& folder) {
  return folder / "run.sqlite";
}

/// IoError that names the folder unless it holds a run of this format. Opens it.
Database open_run(const std::filesystem::path& folder, DatabaseAccess access);
/// False for a file that has no tables yet: its writer was stopped before it began.
bool has_tables(Database& database);

/// The summary as rows of its table; none means that the run has not ended.
void write_summary(Database& database, const RunSummary& summary);
/// The measures as rows of their table, which they replace; the caller has a transaction open.
void write_measures(Database& database, const RunMeasures& measures);
RunMeasures read_measures(Database& database);
/// The description as rows of `setting`, `parameter` and `warning`; likewise.
void write_description(Database& database, const RunDescription& description);
RunDescription read_description(Database& database);
/// The bodies, shapes, joints, springs and contact tables of the run as rows of theirs; likewise.
void write_model(Database& database, const RunModel& model);
RunModel read_model(Database& database);
/// False if there is none.
bool read_summary(Database& database, RunSummary& summary);

}  // namespace stiction
