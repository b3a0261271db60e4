#include "harness/base/files.h"

#include "harness/base/error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace harness {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path, std::uint64_t limit) {
  std::error_code ec;
  if (fs::is_directory(path, ec)) failUsage("cannot read '{0}': it is a directory", path.string());
  std::ifstream in(path, std::ios::binary);
  if (!in) failUsage("cannot read '{0}': {1}", path.string(), std::strerror(errno));
  std::string bytes;
  char chunk[1 << 16];
  while (in.read(chunk, sizeof chunk) || in.gcount() > 0) {
    bytes.append(chunk, static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > limit) failUsage("'{0}' is longer than the limit of {1} bytes", path.string(), limit);
  }
  return bytes;
}

void writeFileAtomically(const fs::path& path, std::string_view bytes) {
  std::string temporary = path.string() + ".tmp.XXXXXX";
  int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) failEnvironment("cannot write '{0}': {1}", path.string(), std::strerror(errno));
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  int error = 0;
  while (left > 0 && error == 0) {
    ssize_t n = write(fd, at, left);
    if (n >= 0) {
      at += n;
      left -= static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (fchmod(fd, 0644) != 0 && error == 0) error = errno;
  if (close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary.c_str());
    failEnvironment("cannot write '{0}': {1}", path.string(), std::strerror(error));
  }
}

fs::path defaultCacheDir() {
  if (const char* dir = std::getenv("HARNESS_CACHE_DIR"); dir && *dir) return dir;
  if (const char* dir = std::getenv("XDG_CACHE_HOME"); dir && *dir)
    return fs::path(dir) / "cuda-miscompile-harness";
  if (const char* home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".cache" / "cuda-miscompile-harness";
  failEnvironment("no cache directory: set HARNESS_CACHE_DIR or HOME");
}

TempDir::TempDir(std::string_view prefix, const fs::path& parent) {
  fs::path base = parent.empty() ? fs::temp_directory_path() : parent;
  std::error_code ec;
  fs::create_directories(base, ec);
  std::string name = (base / (std::string(prefix) + ".XXXXXX")).string();
  if (!mkdtemp(name.data()))
    failEnvironment("cannot make a temporary directory in '{0}': {1}", base.string(), std::strerror(errno));
  path_ = name;
}

TempDir::~TempDir() {
  if (path_.empty()) return;
  std::error_code ec;
  fs::remove_all(path_, ec);
}

} // namespace harness
