#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace stiction {

/// Ownership and plain words around SQLite's C interface. Every failure is an IoError that names the file.

/// Bytes that somebody else owns.
struct Blob {
  const void* data = nullptr;
  std::size_t size = 0;  ///< [bytes]
};

enum class DatabaseAccess {
  create,    ///< makes the file if there is none
  write,     ///< an existing file
  read_only  ///< an existing file; may still roll back what a killed writer left behind
};

class Database {
 public:
  /// Waits up to `busy_milliseconds` where another program holds the file.
  Database(const std::filesystem::path& file, DatabaseAccess access, int busy_milliseconds = 30000);

  /// One or several statements without results.
  void execute(const char* sql);
  [[noreturn]] void fail(int code) const;
  sqlite3* handle() const { return handle_.get(); }
  const std::filesystem::path& file() const { return file_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A prepared statement. Parameters and columns count as in SQLite: parameters from 1, columns from 0. Texts and blobs
/// are bound by reference: they must live until the statement has run.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, Blob blob);
  /// True while there is a row. After the last one the statement is ready to be bound and run again.
  bool step();
  /// For statements without results.
  void run();
  void reset();

  std::int64_t integer(int column) const;
  double real(int column) const;  ///< SQLite keeps NaN as NULL: it comes back as NaN
  std::string text(int column) const;
  Blob blob(int column) const;  ///< valid until the next step

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  void check(int code) const;
  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// Everything until commit() happens or nothing of it.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace stiction
