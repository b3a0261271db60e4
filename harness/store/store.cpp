#include "harness/store/store.h"

#include "harness/store/connection.h"
#include "harness/store/dimensions.h"
#include "harness/store/executions.h"
#include "harness/store/read.h"
#include "harness/store/record.h"
#include "harness/store/text_table.h"

namespace harness {

struct Store::Impl {
  Connection connection;
  TextTable texts{connection};
  DimensionWriter dimensions{connection};

  Impl(const std::filesystem::path& path, Mode mode) : connection(path, mode == Mode::ReadWrite) {}

  /// `work` in one transaction: all of it or nothing.
  template <typename Work> void write(Work&& work) {
    connection.guarded([&] {
      try {
        SQLite::Transaction transaction(connection.database(), SQLite::TransactionBehavior::IMMEDIATE);
        work();
        transaction.commit();
      } catch (...) {
        texts.forget();
        dimensions.forget();
        throw;
      }
    });
  }

  /// `work` on the database as it is at one moment.
  template <typename Work> auto read(Work&& work) {
    return connection.guarded([&] {
      SQLite::Transaction transaction(connection.database());
      return work();
    });
  }
};

Store::Store(const std::filesystem::path& path, Mode mode) : impl_(std::make_unique<Impl>(path, mode)) {}
Store::~Store() = default;

RowId Store::beginRun(const RunRecord& run) {
  RowId id = 0;
  impl_->write([&] {
    id = impl_->connection.insert(
        "INSERT INTO run (started, finished, host, revision, arguments, cells, compiled, "
        "disassembled, executed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        run.started, run.finished, run.host, run.revision, run.arguments, run.cells, run.compiled,
        run.disassembled, run.executed);
  });
  return id;
}

void Store::finishRun(const RunRecord& run) {
  impl_->write([&] {
    impl_->connection
        .prepare("UPDATE run SET finished = ?, cells = ?, compiled = ?, disassembled = ?, executed = ? WHERE "
                 "id = ?")
        .bind(run.finished, run.cells, run.compiled, run.disassembled, run.executed, run.id)
        .run();
  });
}

void Store::recordCells(RowId run, const std::vector<CellRecord>& cells) {
  impl_->write([&] {
    Recorder recorder(impl_->connection, impl_->texts, impl_->dimensions);
    for (const CellRecord& cell : cells)
      recorder.cell(run, cell);
  });
}

void Store::recordExecutions(const std::vector<ExecutionRecord>& executions) {
  impl_->write([&] {
    Executions table(impl_->connection, impl_->texts);
    for (const ExecutionRecord& execution : executions)
      table.record(execution);
  });
}

std::optional<ExecutionRecord> Store::findExecution(const std::string& key) {
  return findExecutions({key}).front();
}

std::vector<std::optional<ExecutionRecord>> Store::findExecutions(const std::vector<std::string>& keys) {
  return impl_->read([&] {
    Executions table(impl_->connection, impl_->texts);
    std::vector<std::optional<ExecutionRecord>> found;
    for (const std::string& key : keys)
      found.push_back(table.find(key));
    return found;
  });
}

std::uint64_t Store::countExecutions() {
  return impl_->read([&] { return Executions(impl_->connection, impl_->texts).count(); });
}

std::vector<QueryRow> Store::query(const QueryFilter& filter) {
  return impl_->read([&] { return Reader(impl_->connection, impl_->texts).query(filter); });
}

std::vector<HistoryRow> Store::history(const QueryFilter& filter) {
  return impl_->read([&] { return Reader(impl_->connection, impl_->texts).history(filter); });
}

std::vector<StandingRow> Store::standings(const QueryFilter& filter) {
  return impl_->read([&] { return Reader(impl_->connection, impl_->texts).standings(filter); });
}

RecordedNames Store::names() {
  return impl_->read([&] {
    Dimensions dimensions = Dimensions::load(impl_->connection);
    auto namesOf = [](const auto& members) {
      std::vector<std::string> names;
      for (const Dimensions::Member& member : members)
        names.push_back(member.name);
      return names;
    };
    return RecordedNames{namesOf(dimensions.cases), namesOf(dimensions.toolchains), namesOf(dimensions.archs),
                         namesOf(dimensions.opts)};
  });
}

std::vector<RunRecord> Store::runs(std::size_t limit) {
  return impl_->read([&] { return Reader(impl_->connection, impl_->texts).runs(limit); });
}

std::optional<CellRecord> Store::cell(std::string_view caseId, std::string_view toolchain,
                                      std::string_view arch, std::string_view opt) {
  return impl_->read(
      [&] { return Reader(impl_->connection, impl_->texts).cell(caseId, toolchain, arch, opt); });
}

} // namespace harness
