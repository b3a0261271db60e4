#include "harness/store/writer_lock.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

namespace harness {

namespace {

/// The process that wrote its number into the lock file, as " (process 123)"; empty if there is none to read.
std::string describeHolder(int fd) {
  char text[32] = {};
  ssize_t length = pread(fd, text, sizeof text - 1, 0);
  std::string_view number = trim(std::string_view(text, length > 0 ? static_cast<std::size_t>(length) : 0));
  if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos) return "";
  return " (process " + std::string(number) + ")";
}

} // namespace

WriterLock::WriterLock(const std::filesystem::path& database, std::chrono::milliseconds patience) {
  std::string file = database.string() + ".lock";
  fd_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd_ < 0)
    failEnvironment(
        "cannot write to the database '{0}': cannot open '{1}': {2}; use a writable directory (--db)",
        database.string(), file, std::strerror(errno));
  auto deadline = std::chrono::steady_clock::now() + patience;
  while (flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    bool heldByAnother = errno == EWOULDBLOCK || errno == EINTR;
    std::string reason = heldByAnother ? "" : std::strerror(errno);
    if (heldByAnother && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      continue;
    }
    std::string holder = describeHolder(fd_);
    close(fd_);
    if (!heldByAnother) failEnvironment("cannot lock '{0}': {1}", file, reason);
    failEnvironment(
        "another harness process{1} is writing to the database '{0}': wait for it to end, or name another "
        "file with --db",
        database.string(), holder);
  }
  std::string number = std::to_string(getpid()) + "\n";
  // For messages only, so a full disk does not matter here.
  if (ftruncate(fd_, 0) != 0 || pwrite(fd_, number.data(), number.size(), 0) < 0) return;
}

WriterLock::~WriterLock() {
  close(fd_);
}

} // namespace harness
