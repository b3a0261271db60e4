#include "harness/store/executions.h"

namespace harness {

void Executions::record(const ExecutionRecord& execution) {
  std::optional<RowId> device;
  if (!execution.device.empty()) device = texts_.intern(execution.device);
  connection_
      .prepare("INSERT OR IGNORE INTO execution (key, executor, executor_version, schedule, image_hash, "
               "shape, poison, "
               "seed, end, message, output_hash, changed_input, thread_instructions, seconds, divergences, "
               "approximations, observations, undefined, device, repeats, outcomes) "
               "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(execution.key, texts_.intern(execution.executor), texts_.intern(execution.executorVersion),
            texts_.intern(execution.schedule), execution.imageHash, texts_.intern(execution.shape),
            execution.poison, execution.seed, texts_.intern(execution.end), texts_.intern(execution.message),
            execution.outputHash, texts_.intern(execution.changedInput), execution.threadInstructions,
            execution.seconds, execution.divergences, execution.approximations, execution.observations,
            execution.undefined, device, execution.repeats, execution.outcomes)
      .run();
}

std::optional<ExecutionRecord> Executions::find(const std::string& key) {
  Cursor cursor = connection_.prepare(
      "SELECT executor, executor_version, schedule, image_hash, shape, poison, seed, "
      "end, message, output_hash, "
      "changed_input, thread_instructions, seconds, divergences, approximations, "
      "observations, undefined, coalesce(device, 0), repeats, outcomes FROM execution WHERE key = ?");
  if (!cursor.bind(key).step()) return std::nullopt;
  return ExecutionRecord{key,
                         texts_.value(cursor.integer(0)),
                         texts_.value(cursor.integer(1)),
                         texts_.value(cursor.integer(2)),
                         cursor.text(3),
                         texts_.value(cursor.integer(4)),
                         static_cast<unsigned>(cursor.integer(5)),
                         cursor.count(6),
                         texts_.value(cursor.integer(7)),
                         texts_.value(cursor.integer(8)),
                         cursor.text(9),
                         texts_.value(cursor.integer(10)),
                         cursor.count(11),
                         cursor.real(12),
                         cursor.count(13),
                         cursor.count(14),
                         cursor.text(15),
                         cursor.text(16),
                         cursor.integer(17) ? texts_.value(cursor.integer(17)) : "",
                         static_cast<unsigned>(cursor.integer(18)),
                         cursor.text(19)};
}

std::uint64_t Executions::count() {
  Cursor cursor = connection_.prepare("SELECT count(*) FROM execution");
  cursor.step();
  return cursor.count(0);
}

} // namespace harness
