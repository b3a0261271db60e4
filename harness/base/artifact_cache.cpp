#include "harness/base/artifact_cache.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace harness {

namespace fs = std::filesystem;

namespace {
void makeDirectory(const fs::path& path) {
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec) failEnvironment("cannot make the cache directory '{0}': {1}", path.string(), ec.message());
}
} // namespace

ArtifactCache::ArtifactCache(fs::path directory) : directory_(std::move(directory)) {
  for (std::string_view kind : {"artifact", "action"})
    makeDirectory(directory_ / kind);
}

fs::path ArtifactCache::entryPath(std::string_view kind, const std::string& key) const {
  if (!isSha256(key)) throw Error(ErrorKind::Internal, "bad cache key '" + key + "'");
  return directory_ / kind / key.substr(0, 2) / key;
}

fs::path ArtifactCache::artifactPath(const std::string& hash) const {
  return entryPath("artifact", hash);
}

std::optional<std::string> ArtifactCache::read(const fs::path& path) const {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::string bytes;
  struct stat info = {};
  if (fstat(fd, &info) == 0) bytes.resize(static_cast<std::size_t>(info.st_size));
  std::size_t have = 0;
  while (have < bytes.size()) {
    ssize_t n = ::read(fd, bytes.data() + have, bytes.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    have += static_cast<std::size_t>(n);
  }
  // Mark the use for prune(): file systems mounted noatime do not.
  timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  futimens(fd, times);
  close(fd);
  if (have != bytes.size()) return std::nullopt;
  return bytes;
}

std::string ArtifactCache::putArtifact(std::string_view bytes) {
  std::string hash = sha256(bytes);
  fs::path path = artifactPath(hash);
  std::error_code ec;
  if (fs::file_size(path, ec) == bytes.size() && !ec) return hash;
  makeDirectory(path.parent_path());
  writeFileAtomically(path, bytes);
  return hash;
}

std::optional<std::string> ArtifactCache::getArtifact(const std::string& hash) const {
  fs::path path = artifactPath(hash);
  std::optional<std::string> bytes = read(path);
  if (bytes && sha256(*bytes) != hash) {
    unlink(path.c_str());
    return std::nullopt;
  }
  return bytes;
}

bool ArtifactCache::hasArtifact(const std::string& hash) const {
  return fs::exists(artifactPath(hash));
}

// An action's file is the SHA-256 of its value, then the value.
void ArtifactCache::putAction(const std::string& key, std::string_view value) {
  fs::path path = entryPath("action", key);
  makeDirectory(path.parent_path());
  writeFileAtomically(path, sha256(value).append(value));
}

std::optional<std::string> ArtifactCache::getAction(const std::string& key) const {
  fs::path path = entryPath("action", key);
  std::optional<std::string> bytes = read(path);
  if (!bytes) return std::nullopt;
  std::string value = bytes->size() < kSha256Digits ? "" : bytes->substr(kSha256Digits);
  if (*bytes == sha256(value) + value) return value;
  unlink(path.c_str());
  return std::nullopt;
}

void ArtifactCache::prune(std::uint64_t limitBytes) {
  struct Entry {
    timespec used;
    std::uint64_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  for (const auto& item :
       fs::recursive_directory_iterator(directory_, fs::directory_options::skip_permission_denied)) {
    struct stat info = {};
    if (lstat(item.path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    auto size = static_cast<std::uint64_t>(info.st_blocks) * 512;
    total += size;
    entries.push_back({info.st_atim, size, item.path()});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Entry& entry : entries) {
    if (total <= limitBytes) return;
    if (unlink(entry.path.c_str()) == 0) total -= entry.size;
  }
}

} // namespace harness
