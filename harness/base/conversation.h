#pragma once

#include "harness/base/spawn.h"
#include "harness/base/subprocess.h"

#include <chrono>
#include <cstddef>
#include <string_view>

namespace harness {

/// A program that is asked many things while it runs. It must end by itself when its stdin is closed. May be
/// used by several threads in turn. Throws Error(Interrupted) after Ctrl-C wherever it waits.
class Conversation {
public:
  using Clock = std::chrono::steady_clock;
  enum class Io {
    Done,
    Ended, ///< the program closed its end: `end` says what became of it
    TimedOut,
  };

  /// Of the spec's limits those of processor time, memory and files hold, and `outputBytes` for stderr, whose
  /// rest is dropped. Throws Error(Environment) when the program cannot be started.
  explicit Conversation(const ProcessSpec& spec);
  ~Conversation(); ///< kills it if it still runs
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  Io send(std::string_view bytes, Clock::time_point deadline);
  /// All of `size` bytes.
  Io receive(void* into, std::size_t size, Clock::time_point deadline);

  /// Closes its stdin, gives it `grace` to end, kills it, and says how it ended. TimedOut if it had to be
  /// killed. To be called once; nothing else may follow.
  ProcessResult end(std::chrono::milliseconds grace);

private:
  Io wait(int fd, short event, Clock::time_point deadline);
  void drainErrors();

  SpawnedProcess process_;
  std::uint64_t errorBytes_; ///< of stderr that are kept
  std::string errors_;
};

} // namespace harness
