#include "harness/store/connection.h"

#include "harness/base/error.h"
#include "harness/store/migrations.h"

#include <llvm/Support/Endian.h>
#include <sqlite3.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

namespace harness {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kHeaderSize = 100;
constexpr std::size_t kApplicationIdAt = 68; ///< sqlite.org/fileformat2.html, section 1.3

/// No string of ours comes near it: a bound on what a malformed file can make us allocate.
constexpr int kLongestValue = 64 << 20;

bool isMissing(const fs::path& path) {
  std::error_code ec;
  std::uintmax_t size = fs::file_size(path, ec);
  return ec == std::errc::no_such_file_or_directory || (!ec && size == 0);
}

/// A database in a directory where nobody may write has no WAL to take into account, and SQLite could not
/// make its shared memory beside it: it is read as the immutable file it is.
bool mustReadAsImmutable(const fs::path& path) {
  fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code ec;
  std::uintmax_t walSize = fs::file_size(path.string() + "-wal", ec);
  return access(directory.c_str(), W_OK) != 0 && (ec || walSize == 0);
}

std::string uriOf(const fs::path& path, std::string_view query) {
  std::string uri = "file:";
  for (char c : path.string()) {
    if (c == '%' || c == '?' || c == '#')
      uri += llvm::formatv("%{0:X-2}", static_cast<unsigned>(c)).str();
    else
      uri += c;
  }
  return uri + std::string(query);
}

void setUp(SQLite::Database& database) {
  database.setBusyTimeout(static_cast<int>(Connection::kPatience.count()));
  sqlite3_limit(database.getHandle(), SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; "
                "PRAGMA synchronous = NORMAL");
}

} // namespace

Cursor::~Cursor() {
  statement_.tryReset();
  statement_.clearBindings();
}

std::optional<RowId> Cursor::optionalId(int column) const {
  SQLite::Column value = statement_.getColumn(column);
  if (value.isNull()) return std::nullopt;
  return value.getInt64();
}

void Cursor::bindOne(std::string_view value) {
  statement_.bind(next_++, std::string(value));
}

void Cursor::bindOne(const std::optional<RowId>& value) {
  if (value)
    statement_.bind(next_++, *value);
  else
    statement_.bind(next_++);
}

Connection::Connection(const fs::path& path, bool writable) : path_(path), writable_(writable) {
  std::error_code ec;
  if (fs::is_directory(path_, ec))
    failUsage("the database '{0}' is a directory: name a file in it", path_.string());
  if (fs::exists(path_, ec) && !fs::is_regular_file(path_, ec))
    failUsage("the database '{0}' is no ordinary file", path_.string());
  if (!isMissing(path_)) checkHeader(); // before a lock file is made beside what is not ours
  if (writable_) {
    lock_.emplace(path_, kPatience);
    if (isMissing(path_)) guarded([&] { create(); });
  } else if (isMissing(path_)) {
    failUsage("there is no database '{0}' yet: `harness run --db {0}` makes it", path_.string());
  }
  guarded([&] {
    open();
    checkSchema();
  });
}

/// Looks without SQLite, which would leave files beside a database that is not ours.
void Connection::checkHeader() const {
  std::ifstream in(path_, std::ios::binary);
  if (!in)
    failEnvironment("cannot read the database '{0}': {1}", path_.string(),
                    std::generic_category().message(errno));
  char header[kHeaderSize] = {};
  in.read(header, sizeof header);
  if (in.gcount() != kHeaderSize || std::string_view(header, kMagic.size()) != kMagic)
    failUsage("'{0}' is no database of the harness, nor any SQLite database: name another file with --db",
              path_.string());
  if (llvm::support::endian::read32be(header + kApplicationIdAt) != kApplicationId)
    failUsage("'{0}' is an SQLite database, but not one of the harness: name another file with --db",
              path_.string());
}

/// Made beside its place and renamed, so that there is never half a database. We hold the writer's lock.
void Connection::create() const {
  std::string fresh = path_.string() + ".new";
  std::error_code ec;
  for (const char* leftOver : {"", "-journal", "-wal", "-shm"})
    fs::remove(fresh + leftOver, ec);
  {
    SQLite::Database database(fresh, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    setUp(database);
    migrate(database, embeddedMigrations());
    database.exec("PRAGMA journal_mode = WAL");
  }
  fs::rename(fresh, path_, ec);
  if (ec) failEnvironment("cannot make the database '{0}': {1}", path_.string(), ec.message());
}

void Connection::open() {
  if (writable_)
    database_.emplace(path_.string(), SQLite::OPEN_READWRITE);
  else
    database_.emplace(uriOf(path_, mustReadAsImmutable(path_) ? "?immutable=1" : ""),
                      SQLite::OPEN_READONLY | SQLite::OPEN_URI);
  setUp(*database_);
  int version = schemaVersion(*database_);
  int ours = static_cast<int>(embeddedMigrations().size());
  if (version > ours)
    failUsage("the database '{0}' is of version {1}, and this harness knows versions up to {2}: use a newer "
              "harness, or "
              "another file with --db",
              path_.string(), version, ours);
  if (version < ours && !writable_)
    failUsage("the database '{0}' is of version {1}, and this harness reads version {2}: a `harness run --db "
              "{0}` brings "
              "it up to date",
              path_.string(), version, ours);
  if (!writable_) return;
  database_->exec("PRAGMA journal_mode = WAL");
  migrate(*database_, embeddedMigrations());
}

/// A file from elsewhere may hold views, triggers or other tables under our names.
void Connection::checkSchema() {
  SQLite::Database wanted(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  migrate(wanted, embeddedMigrations());
  if (describeSchema(*database_) != describeSchema(wanted))
    failDamaged("its tables are not those of version " + std::to_string(embeddedMigrations().size()));
}

Cursor Connection::prepare(const std::string& sql) {
  auto found = statements_.find(sql);
  if (found == statements_.end()) found = statements_.try_emplace(sql, *database_, sql).first;
  return Cursor(found->second);
}

void Connection::failDamaged(const std::string& what) const {
  failUsage("the database '{0}' is damaged: {1}; restore it from a copy, or name another file with --db",
            path_.string(), what);
}

void Connection::fail(const SQLite::Exception& exception) const {
  std::string path = path_.string();
  switch (exception.getErrorCode()) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    failEnvironment(
        "the database '{0}' is held by another process: wait for it to end, or name another file with --db",
        path);
  case SQLITE_FULL:
  case SQLITE_IOERR:
    failEnvironment(
        "cannot write to the database '{0}': {1}; what was recorded before is kept: make room and run again",
        path, exception.getErrorCode() == SQLITE_FULL ? "the disk is full" : exception.what());
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
  case SQLITE_AUTH:
    failEnvironment("cannot open the database '{0}': {1}; check that the file and its directory may be {2}",
                    path, exception.what(), writable_ ? "written" : "read");
  case SQLITE_NOMEM: failEnvironment("out of memory while using the database '{0}'", path);
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
  case SQLITE_TOOBIG:
  case SQLITE_MISMATCH:
  case SQLITE_CONSTRAINT: failDamaged(exception.what());
  default: throw Error(ErrorKind::Internal, "database '" + path + "': " + exception.what());
  }
}

} // namespace harness
