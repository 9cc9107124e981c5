#include "stiction/results/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <limits>

#include "stiction/base/fault.h"

namespace stiction {
namespace {

// What a result code means to somebody who never heard of SQLite.
std::string explain(int code, sqlite3* handle) {
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return "is not a run database";
    case SQLITE_CORRUPT:
      return "is damaged";
    case SQLITE_FULL:
      return "cannot be written: the disk is full";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "cannot be written: no permission";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "is held by another program";
    case SQLITE_CANTOPEN:
      return "cannot be opened";
    default:
      return fmt::format("failed ({})", handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
  }
}

int flags_of(DatabaseAccess access) {
  return SQLITE_OPEN_READWRITE | (access == DatabaseAccess::create ? SQLITE_OPEN_CREATE : 0);
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Database::Database(const std::filesystem::path& file, DatabaseAccess access, int busy_milliseconds) : file_(file) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags_of(access), nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(handle, busy_milliseconds);
  // The file may come from anywhere: run no code that hides in its schema, look twice at its pages.
  execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  if (access == DatabaseAccess::read_only) execute("PRAGMA query_only = ON");
}

void Database::execute(const char* sql) {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void Database::fail(int code) const {
  throw IoError(fmt::format("{}: {}", file_.string(), explain(code, handle_.get())));
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement::Statement(Database& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  check(code);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_->fail(code);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  check(sqlite3_bind_double(statement_.get(), parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
  // An empty view may hold a null pointer, which SQLite would take for NULL.
  const char* data = text.empty() ? "" : text.data();
  check(sqlite3_bind_text64(statement_.get(), parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int parameter, Blob blob) {
  const void* data = blob.size == 0 ? "" : blob.data;
  check(sqlite3_bind_blob64(statement_.get(), parameter, data, blob.size, SQLITE_STATIC));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  sqlite3_reset(statement_.get());
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}

void Statement::run() {
  while (step()) continue;
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  const bool null = sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
  return null ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return data ? std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))) : "";
}

Blob Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(statement_.get(), column);
  return {data, data ? static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)) : 0};
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  // A failing rollback is no news: the next one to open the file rolls back from the journal.
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace stiction
