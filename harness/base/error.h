#pragma once

#include <llvm/Support/FormatVariadic.h>

#include <stdexcept>
#include <string>

namespace harness {

/// What the program exits with. One list, so that scripts can rely on it.
enum class ExitCode : int {
  Ok = 0,          ///< as expected
  Regressed = 1,   ///< an unexpected mismatch, fault, hazard, timeout, ice …
  Usage = 2,       ///< bad usage or configuration
  Environment = 3, ///< the environment lacks something
  Undecided = 4,   ///< nothing regressed, but a wanted cell is undecided
  CannotTell = 125,
  Interrupted = 130,
};

/// Who has to act on an error: it decides the exit code.
enum class ErrorKind {
  Usage,       ///< a wrong option, manifest, matrix or input file: the user mends it
  Environment, ///< a missing tool, a full disk, no network, a locked database: the machine lacks it
  Interrupted, ///< the user pressed Ctrl-C
  Internal,    ///< a bug of ours
};

/// The one exception of the project. Its text says what is wrong, where, and what to do.
class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  ExitCode exitCode() const;

private:
  ErrorKind kind_;
};

/// Throws an Error of kind Usage; `format` is llvm::formatv's.
template <typename... Args> [[noreturn]] void failUsage(const char* format, Args&&... args) {
  throw Error(ErrorKind::Usage, llvm::formatv(format, std::forward<Args>(args)...).str());
}

/// Throws an Error of kind Environment; `format` is llvm::formatv's.
template <typename... Args> [[noreturn]] void failEnvironment(const char* format, Args&&... args) {
  throw Error(ErrorKind::Environment, llvm::formatv(format, std::forward<Args>(args)...).str());
}

} // namespace harness
