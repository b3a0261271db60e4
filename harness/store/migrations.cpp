#include "harness/store/migrations.h"

namespace harness {

int schemaVersion(SQLite::Database& database) {
  return database.execAndGet("PRAGMA user_version").getInt();
}

void migrate(SQLite::Database& database, std::span<const Migration> migrations) {
  for (std::size_t version = static_cast<std::size_t>(schemaVersion(database)); version < migrations.size();
       ++version) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    database.exec(migrations[version].sql);
    database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
    database.exec("PRAGMA user_version = " + std::to_string(version + 1));
    transaction.commit();
  }
}

std::string describeSchema(SQLite::Database& database) {
  std::string schema;
  // sqlite_stat1 and the like are SQLite's own.
  SQLite::Statement rows(
      database, "SELECT type, name, coalesce(sql, '') FROM sqlite_schema "
                "WHERE type <> 'table' OR name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name");
  while (rows.executeStep())
    for (int column = 0; column < 3; ++column)
      schema += rows.getColumn(column).getString() + '\n';
  return schema;
}

} // namespace harness
