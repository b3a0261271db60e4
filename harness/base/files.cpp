#include "harness/base/files.h"

#include "harness/base/error.h"
#include "harness/base/subprocess.h"

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
  auto fail = [&] { failUsage("'{0}' is longer than the limit of {1} bytes", path.string(), limit); };
  if (fs::is_regular_file(path, ec) && fs::file_size(path, ec) > limit && !ec) fail();
  std::string bytes;
  char chunk[1 << 16];
  while (in.read(chunk, sizeof chunk) || in.gcount() > 0) {
    throwIfInterrupted();
    bytes.append(chunk, static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > limit) fail();
  }
  return bytes;
}

namespace {

[[noreturn]] void failToWrite(const fs::path& path, int error) {
  failEnvironment("cannot write '{0}': {1}", path.string(), std::strerror(error));
}

/// 0, or errno of what went wrong.
int writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

/// A device, a pipe, a socket: nothing that a file may take the place of.
bool isSpecial(const fs::path& path) {
  std::error_code ec;
  fs::file_status status = fs::status(path, ec);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// What a link leads to, whether it is there or not.
fs::path behindLinks(fs::path path) {
  constexpr int kMaxLinks = 40; // as the kernel
  std::error_code ec;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(path, ec); ++i)
    path = path.parent_path() / fs::read_symlink(path, ec);
  return path;
}

void writeInPlace(const fs::path& path, std::string_view bytes) {
  int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) failToWrite(path, errno);
  int error = writeAll(fd, bytes);
  if (close(fd) != 0 && error == 0) error = errno;
  if (error != 0) failToWrite(path, error);
}

} // namespace

void writeFileAtomically(const fs::path& path, std::string_view bytes) {
  if (isSpecial(path)) return writeInPlace(path, bytes);
  fs::path target = behindLinks(path);
  std::string temporary = target.string() + ".tmp.XXXXXX";
  int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) failToWrite(path, errno);
  int error = writeAll(fd, bytes);
  if (fchmod(fd, 0644) != 0 && error == 0) error = errno;
  if (close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary.c_str());
    failToWrite(path, error);
  }
}

void requireWritable(const fs::path& path) {
  std::error_code ec;
  if (fs::is_directory(path, ec)) failToWrite(path, EISDIR);
  bool special = isSpecial(path);
  fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (access(special ? path.c_str() : folder.c_str(), W_OK) != 0) failToWrite(path, errno);
  if (!special && !fs::is_directory(folder, ec)) failToWrite(path, ENOTDIR);
}

fs::path defaultCacheDir() {
  if (const char* dir = std::getenv("HARNESS_CACHE_DIR"); dir && *dir) return dir;
  if (const char* dir = std::getenv("XDG_CACHE_HOME"); dir && *dir)
    return fs::path(dir) / "cuda-miscompile-harness";
  if (const char* home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".cache" / "cuda-miscompile-harness";
  failEnvironment("no cache directory: set HARNESS_CACHE_DIR or HOME");
}

fs::path besideThisProgram(std::string_view name) {
  return fs::read_symlink("/proc/self/exe").parent_path() / name;
}

TempDir::TempDir(std::string_view prefix, const fs::path& parent) {
  std::error_code ec;
  fs::path base = parent.empty() ? fs::temp_directory_path(ec) : parent;
  if (ec) {
    const char* variable = std::getenv("TMPDIR");
    failEnvironment("there is no directory for temporary files: set TMPDIR, now '{0}', to one that exists",
                    variable ? variable : "");
  }
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
