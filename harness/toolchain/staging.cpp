#include "harness/toolchain/staging.h"

#include "harness/base/error.h"
#include "harness/base/log.h"
#include "harness/base/subprocess.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace harness {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = ".staging-";
constexpr std::size_t kSuffixBytes = 7; // ".XXXXXX" of TempDir

int openLock(const fs::path& directory, const std::string& name) {
  std::error_code ec;
  fs::create_directories(directory, ec);
  fs::path file = directory / (".lock-" + name);
  int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) failEnvironment("cannot make '{0}': {1}", file.string(), std::strerror(errno));
  return fd;
}

/// Removes the staging directories whose installer is gone: those whose lock is free.
void sweep(const fs::path& directory, const std::string& ownName) {
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(directory, ec)) {
    std::string file = entry.path().filename().string();
    if (!file.starts_with(kPrefix) || file.size() <= kPrefix.size() + kSuffixBytes) continue;
    std::string name = file.substr(kPrefix.size(), file.size() - kPrefix.size() - kSuffixBytes);
    bool stale = name == ownName || NameLock::tryLock(directory, name).held();
    if (stale) fs::remove_all(entry.path(), ec);
  }
}

void moveDirectory(const fs::path& from, const fs::path& to) {
  std::error_code ec;
  fs::rename(from, to, ec);
  if (ec) failEnvironment("cannot move '{0}' to '{1}': {2}", from.string(), to.string(), ec.message());
}

} // namespace

NameLock::NameLock(const fs::path& directory, const std::string& name) : NameLock() {
  fd_ = openLock(directory, name);
  for (bool told = false; flock(fd_, LOCK_EX | LOCK_NB) != 0; told = true) {
    if (!told) Log::status("waiting for another process that installs " + name);
    throwIfInterrupted();
    usleep(100'000);
  }
}

NameLock NameLock::tryLock(const fs::path& directory, const std::string& name) {
  NameLock lock;
  int fd = openLock(directory, name);
  if (flock(fd, LOCK_EX | LOCK_NB) == 0)
    lock.fd_ = fd;
  else
    close(fd);
  return lock;
}

NameLock::~NameLock() {
  if (fd_ >= 0) close(fd_);
}

Staging::Staging(const fs::path& directory, const std::string& name)
    : target_(directory / name), lock_(directory, name),
      temporary_((sweep(directory, name), std::string(kPrefix) + name), directory),
      content_(temporary_.path() / "new") {
  fs::create_directory(content_);
}

void Staging::publish() {
  removePublished();
  moveDirectory(content_, target_);
}

void Staging::removePublished() {
  if (fs::symlink_status(target_).type() != fs::file_type::not_found)
    moveDirectory(target_, temporary_.path() / "old");
}

} // namespace harness
