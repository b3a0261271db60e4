#pragma once

#include "harness/toolchain/toolchain.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace harness {

/// A file and what its bytes hash to.
struct FileHash {
  std::string path; ///< relative to the toolchain's root
  std::string sha256;

  bool operator==(const FileHash&) const = default;
};

/// What is known of one installed toolchain (or disassembler), as two files in its directory.
///
/// `toolchain.json`, schema 1:
/// ```
/// {"schema": 1, "name": "13.0.88",
///  "root": "",                     // an absolute path for an added toolkit; else the directory itself
///  "packages": {"nvidia-nvvm": "13.0.88", …},           // what pip installed
///  "mended": ["linked … to …"],                          // what was changed in it
///  "frontEnd": {"kind": "nvcc"|"nvrtc", "build", "buildString", "program", "cicc", "ciccSha256",
///               "includeDirs": […], "identity"},
///  "ptxas": {"build", "buildString", "program", "sha256", "maxPtx", "archs": […]},
///  "nvdisasm": {"build", "buildString", "program", "sha256"}}
/// ```
/// Paths are relative to the root. `frontEnd` and `ptxas` are there together, or neither; an unknown key is
/// ignored; another schema number is not read.
///
/// `files.tsv`: a line `SHA256<TAB>PATH` for every file whose bytes count, sorted by path.
struct Record {
  std::string name;
  std::filesystem::path added; ///< root of an added toolkit; empty = installed here
  std::map<std::string, std::string> packages;
  std::vector<std::string> mended;
  std::optional<Toolchain> toolchain; ///< its paths are absolute
  std::optional<Nvdisasm> nvdisasm;
  Version nvdisasmBuild;
  std::vector<FileHash> files; ///< written, but not read back by read()

  static constexpr int kSchema = 1;

  /// Writes both files into `directory`, files.tsv first: a directory with toolchain.json is complete.
  /// Paths must lie below `directory`, or below `added`.
  void write(const std::filesystem::path& directory) const;

  /// Nothing if there is no toolchain.json. Throws Error(Environment) if it cannot be understood.
  static std::optional<Record> read(const std::filesystem::path& directory);
  static std::vector<FileHash> readFiles(const std::filesystem::path& directory);
};

} // namespace harness
