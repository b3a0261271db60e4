#pragma once

#include "harness/base/subprocess.h"

#include <sys/types.h>
#include <unistd.h>

#include <utility>

namespace harness {

/// Closes itself.
class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

private:
  int fd_ = -1;
};

/// A program that runs, in its own process group.
struct SpawnedProcess {
  pid_t pid = -1;
  FileDescriptor in;       ///< what it reads, if it was asked for
  FileDescriptor out, err; ///< what it writes
};

struct SpawnOptions {
  bool input = false; ///< false: its stdin is /dev/null
  /// The thread that starts it outlives it, and its end kills the program. False for one that several threads
  /// use in turn, which must end by itself when its stdin does.
  bool endsWithThread = true;
};

/// Waits for it, without an end.
int waitFor(pid_t pid);

/// Enters how a process ended, of the status that waiting for it gave: Exited or Signalled.
void setEnd(ProcessResult& result, int status);

/// Starts `spec`'s program under its limits of processor time, memory and files; the rest of them, and
/// `spec.input`, are the caller's. Throws Error(Environment) when it cannot be started.
SpawnedProcess spawn(const ProcessSpec& spec, const SpawnOptions& options);

} // namespace harness
