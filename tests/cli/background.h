#pragma once

#include "harness/base/subprocess.h"

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace harness::test {

/// A program that runs while the test goes on.
class Background {
public:
  /// Its outputs go to `log` and its standard output to `out`, if that is a descriptor.
  Background(const ProcessSpec& spec, const std::filesystem::path& log, int out = -1);
  ~Background(); ///< kills it if it still runs

  void signal(int number) const;
  /// Waits for its end: the exit code, or 128 + the signal that killed it.
  int wait();
  /// What it printed so far.
  std::string output() const;

private:
  std::filesystem::path log_;
  pid_t pid_ = -1;
};

/// Waits until `file` is there and not empty, at most half a minute; its text.
std::string waitForFile(const std::filesystem::path& file);

/// True if the process whose number `text` is still runs (a moment after its killer ended).
bool isRunning(const std::string& text);

} // namespace harness::test
