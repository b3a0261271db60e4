#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// What a child may use before it is killed. A compiler can hang, eat memory or print without end.
struct ProcessLimits {
  std::chrono::milliseconds wall{600'000};
  /// Processor time of each process; 0 = unlimited. What loops for ever meets it first, also on a busy
  /// machine, where wall time says little.
  std::chrono::seconds cpu{60};
  std::uint64_t memoryBytes = std::uint64_t{8} << 30;  ///< address space of each process; 0 = unlimited
  std::uint64_t outputBytes = std::uint64_t{64} << 20; ///< stdout and stderr together
  std::uint64_t fileBytes = std::uint64_t{1} << 30;    ///< any one file it writes
};

/// A program to run, and how.
struct ProcessSpec {
  std::vector<std::string> argv; ///< argv[0] is a path, or a name looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment; ///< added to or replacing ours
  std::filesystem::path directory;                              ///< working directory; empty = ours
  std::string input;                                            ///< its stdin; empty = /dev/null
  ProcessLimits limits;
};

/// Interrupted: killed because of Ctrl-C. TimedOut, TooMuchOutput: killed at a limit.
enum class ProcessEnd { Exited, Signalled, TimedOut, TooMuchOutput, Interrupted };

/// How a program ended, and what it wrote.
struct ProcessResult {
  ProcessEnd end = ProcessEnd::Exited;
  int exitCode = 0; ///< when Exited
  int signal = 0;   ///< when Signalled
  std::string out;
  std::string err;
  double seconds = 0;

  bool ok() const { return end == ProcessEnd::Exited && exitCode == 0; }
  /// "exited with 1", "killed by signal 11 (Segmentation fault)", "timed out after 60 s" …
  std::string describe() const;
};

/// Runs a program without a shell, in its own process group, and waits for it. At a limit, or at
/// Ctrl-C, the whole group is killed: no grandchild stays. The child dies with us (SIGKILL included).
/// Throws Error(Environment) when the program cannot be started at all, and only then.
ProcessResult runProcess(const ProcessSpec& spec);

/// SHA-256 of the executable that `name` (a path, or a name looked up in PATH) stands for, links followed;
/// computed once a process. Throws Error(Environment) when there is none.
std::string programSha256(const std::string& name);

/// How many processes whose executable's base name is `name` this process has started.
std::uint64_t processesStarted(const std::string& name);

/// Makes SIGINT and SIGTERM set `interrupted()` instead of ending the process; a second one ends it.
void installInterruptHandler();
/// True once Ctrl-C or SIGTERM came, if the handler is installed.
bool interrupted();
/// Throws Error(Interrupted) if interrupted().
void throwIfInterrupted();

} // namespace harness
