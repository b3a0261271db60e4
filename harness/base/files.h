#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace harness {

/// The whole file as bytes. Throws Error(Usage) naming the path when it is missing, unreadable or
/// longer than `limit` bytes.
std::string readFile(const std::filesystem::path& path, std::uint64_t limit = std::uint64_t{1} << 30);

/// Writes `bytes` so that `path` holds either its old contents or all of the new, whatever happens
/// in between: a temporary file beside it, then rename. A link stays, and what it leads to is written. What
/// is no regular file (a device, a pipe) is written to as it is. Throws Error(Environment), e.g. on a full
/// disk.
void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

/// Throws Error(Environment) if `path` is a directory, or lies in none that can be written to: to be asked
/// before long work whose result goes there.
void requireWritable(const std::filesystem::path& path);

/// `$HARNESS_CACHE_DIR`, else `$XDG_CACHE_HOME/cuda-miscompile-harness`, else the same under `~/.cache`.
std::filesystem::path defaultCacheDir();

/// Where a program lies that is built and installed with this one. That it is there is not said.
std::filesystem::path besideThisProgram(std::string_view name);

/// A fresh directory, removed with all in it when the object goes.
class TempDir {
public:
  /// Made under `parent`, or under the system's temporary directory if that is empty.
  explicit TempDir(std::string_view prefix, const std::filesystem::path& parent = {});
  ~TempDir();
  TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TempDir& operator=(TempDir&&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// Leaves the directory in place from now on (it was published by rename).
  void release() { path_.clear(); }

private:
  std::filesystem::path path_;
};

} // namespace harness
