#pragma once

#include "harness/base/hash.h"
#include "harness/compile/compile.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace harness {

/// A source and every file it can include, read once: what is hashed is what gets compiled.
///
/// The compiler sees a copy of these files below one directory and nothing else of the user's, so a file
/// that the scan missed is an error of the compiler, never a stale cache entry. Their places in the copy
/// are the same wherever the originals lie: `src/` mirrors the source's folder, `inc<N>/` the N-th include
/// directory.
///
/// The scan over-approximates: it follows `#include`, `#include_next` and `__has_include` whatever
/// conditional or comment they stand in, to every folder where the file exists. `#include MACRO` takes all
/// files of all folders. Names found in none of them are taken for headers of the toolkit or the host.
class SourceTree {
public:
  /// Throws Error(Usage) for a missing source or include directory, and when the limits are exceeded.
  static SourceTree collect(const KernelSource& source);

  /// Place of the source in the copy.
  const std::string& source() const { return source_; }
  /// Places of the include directories in the copy, in order.
  const std::vector<std::string>& includeDirs() const { return includeDirs_; }
  /// Place in the copy (an absolute path for what was included by one) → contents.
  const std::map<std::string, std::string>& files() const { return files_; }

  void addTo(KeyHasher& key) const;
  /// Writes the copy below `directory`. Throws Error(Environment).
  void write(const std::filesystem::path& directory) const;

private:
  std::string source_;
  std::vector<std::string> includeDirs_;
  std::map<std::string, std::string> files_;
};

/// What a file asks to include.
struct IncludeRequests {
  std::vector<std::string> quoted, angled; ///< names as written
  bool computed = false;                   ///< there is an `#include MACRO`
};

IncludeRequests scanIncludes(std::string_view text);

} // namespace harness
