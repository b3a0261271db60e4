#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <span>
#include <string>

namespace harness {

/// One numbered step of the schema: db/NNNN_name.sql. The n-th (from 1) takes a database from version n-1 to
/// n.
struct Migration {
  const char* name;
  const char* sql;
};

/// Those of db/, built into the program.
std::span<const Migration> embeddedMigrations();

/// "CUmc": what `PRAGMA application_id` of a database of ours says.
inline constexpr std::int32_t kApplicationId = 0x43556d63;

/// `PRAGMA user_version`: how many migrations the database has seen.
int schemaVersion(SQLite::Database& database);

/// Applies what is missing, each migration in a transaction of its own, so that a kill leaves a whole
/// version.
void migrate(SQLite::Database& database, std::span<const Migration> migrations);

/// The schema as text, in one order: equal for databases that went through the same migrations.
std::string describeSchema(SQLite::Database& database);

} // namespace harness
