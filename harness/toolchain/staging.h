#pragma once

#include "harness/base/files.h"

#include <filesystem>
#include <string>

namespace harness {

/// The right to change `<directory>/<name>`, held by one process at a time. The lock is the kernel's (flock
/// on
/// `.lock-<name>`), so a killed holder holds nothing.
class NameLock {
public:
  /// Waits for another holder; Ctrl-C ends the wait. Throws Error(Environment) if the file cannot be made.
  NameLock(const std::filesystem::path& directory, const std::string& name);
  /// Does not wait: see held().
  static NameLock tryLock(const std::filesystem::path& directory, const std::string& name);
  ~NameLock();
  NameLock(NameLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  NameLock& operator=(NameLock&&) = delete;
  bool held() const { return fd_ >= 0; }

private:
  NameLock() = default;
  int fd_ = -1;
};

/// A place beside `<directory>/<name>` to build it up, with the lock of that name. What killed installs left
/// behind, of whatever name, is removed on the way.
class Staging {
public:
  Staging(const std::filesystem::path& directory, const std::string& name);
  const std::filesystem::path& path() const { return content_; }

  /// Puts what was built in the place of what may be there.
  void publish();
  /// Takes away what is there.
  void removePublished();

private:
  std::filesystem::path target_;
  NameLock lock_;
  TempDir temporary_;
  std::filesystem::path content_;
};

} // namespace harness
