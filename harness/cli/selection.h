#pragma once

#include "harness/store/store.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace harness::cli {

struct ExecutorChoice;

/// The options that choose cells, as several commands share them.
struct Selection {
  std::string nvcc;
  std::vector<std::string> cases, archs, opts;

  void addTo(CLI::App& command);
  /// Throws Error(Usage) for a version that is none.
  QueryFilter filter() const;
};

/// What of a selection no cell of the database has, a line each with what it has instead.
std::vector<std::string> unknownParts(const Selection& selection, Store& store, const std::string& database);

/// Adds `--executor sass,ptx,gpu`, `--repeat N` and `--device-limit SECONDS`.
void addExecutorOptions(CLI::App& command, ExecutorChoice& choice, const std::string& byDefault);

/// Adds `--recompile N`.
void addRecompileOption(CLI::App& command, unsigned& attempts);

/// Adds `--db FILE` (or HARNESS_DB), default harness.db in the current directory.
void addDatabaseOption(CLI::App& command, std::string& database);

/// What a command that is to be pasted needs besides to find `database`: " --db FILE", quoted for a shell;
/// nothing where it would be taken anyway.
std::string databaseArgument(const std::string& database);

/// Opens a database to read it. Throws Error(Usage) with the command that makes one.
Store openToRead(const std::string& database);

/// Runs of a database, newest first: from `last` on, or from its newest. Never empty: throws Error(Usage) if
/// it holds no such run.
std::vector<RunRecord> runsUpTo(std::optional<RowId> last, Store& store, const std::string& database);

/// Columns of the terminal on stdout, 0 if it is none.
std::size_t outputWidth();

} // namespace harness::cli
