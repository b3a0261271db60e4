#pragma once

#include <chrono>
#include <filesystem>

namespace harness {

/// The right to write to a database, held by one process at a time: a lock on `<database>.lock`. It goes with
/// the process, however that ends; the file stays and means nothing by itself. Readers need none.
class WriterLock {
public:
  /// Waits up to `patience`. Throws Error(Environment) naming the file and the process that holds it.
  WriterLock(const std::filesystem::path& database, std::chrono::milliseconds patience);
  ~WriterLock();
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

private:
  int fd_ = -1;
};

} // namespace harness
