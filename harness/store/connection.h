#pragma once

#include "harness/store/writer_lock.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

namespace harness {

using RowId = std::int64_t;

/// One use of a prepared statement: bind, step, read. Resets it when done, so that the next use starts clean.
class Cursor {
public:
  explicit Cursor(SQLite::Statement& statement) : statement_(statement) {}
  ~Cursor();
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// Binds the next parameters, in order.
  template <typename... Values> Cursor& bind(const Values&... values) {
    (bindOne(values), ...);
    return *this;
  }
  /// True if there is a (further) row.
  bool step() { return statement_.executeStep(); }
  /// For statements that give no rows.
  void run() { statement_.exec(); }

  std::int64_t integer(int column) const { return statement_.getColumn(column).getInt64(); }
  std::uint64_t count(int column) const { return static_cast<std::uint64_t>(integer(column)); }
  double real(int column) const { return statement_.getColumn(column).getDouble(); }
  std::string text(int column) const { return statement_.getColumn(column).getString(); }
  std::optional<RowId> optionalId(int column) const;

private:
  void bindOne(std::string_view value);
  void bindOne(const std::string& value) { bindOne(std::string_view(value)); }
  void bindOne(double value) { statement_.bind(next_++, value); }
  void bindOne(const std::optional<RowId>& value);
  template <typename Integer>
    requires std::is_integral_v<Integer>
  void bindOne(Integer value) {
    statement_.bind(next_++, static_cast<std::int64_t>(value));
  }

  SQLite::Statement& statement_;
  int next_ = 1;
};

/// An open database of ours: found, locked, checked, migrated; and the statements prepared on it.
class Connection {
public:
  /// How long a database that someone else holds is waited for.
  static constexpr std::chrono::milliseconds kPatience{1000};

  /// As Store's constructor.
  Connection(const std::filesystem::path& path, bool writable);

  SQLite::Database& database() { return *database_; }

  /// `sql`, prepared at its first use.
  Cursor prepare(const std::string& sql);
  /// As `prepare`, runs it, and gives the id of the inserted row.
  template <typename... Values> RowId insert(const std::string& sql, const Values&... values) {
    prepare(sql).bind(values...).run();
    return database_->getLastInsertRowid();
  }

  /// Calls `work`, and turns what SQLite throws into an Error that names the file and what to do.
  template <typename Work> auto guarded(Work&& work) -> decltype(work()) {
    try {
      return work();
    } catch (const SQLite::Exception& exception) {
      fail(exception);
    }
  }

  /// Throws Error(Usage): `what` cannot be in a database that only we wrote to.
  [[noreturn]] void failDamaged(const std::string& what) const;

private:
  [[noreturn]] void fail(const SQLite::Exception& exception) const;
  void checkHeader() const;
  void create() const;
  void open();
  void checkSchema();

  std::filesystem::path path_;
  bool writable_;
  std::optional<WriterLock> lock_;
  std::optional<SQLite::Database> database_;
  std::unordered_map<std::string, SQLite::Statement> statements_; ///< by their SQL
};

} // namespace harness
