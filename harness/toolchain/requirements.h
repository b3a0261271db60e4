#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace harness {

/// A pip requirement file in the one form that is taken: every line `PACKAGE==VERSION` with at least one
/// `--hash=sha256:…`, comments apart. An option line (another index, another file) is refused.
struct Requirements {
  std::filesystem::path file;
  std::map<std::string, std::string> pins; ///< package → version

  /// Throws Error(Usage) naming the file and line.
  static Requirements parse(std::string_view text, const std::filesystem::path& file);

  /// `<directory>/<name>.txt`. Throws Error(Usage) that lists what there is if there is no such file.
  static Requirements load(const std::filesystem::path& directory, std::string_view name);
};

} // namespace harness
