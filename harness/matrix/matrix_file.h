#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace harness {

/// A matrix file: the product of its lists is what `run` judges. All keys but `executors` are required, none
/// of the lists may be empty or name anything twice.
///
///   {"cases": ["halfstore*"], "toolchains": ["13.0.88"], "archs": ["sm_75", "sm_120a"], "opts": ["O0",
///   "O3"],
///    "executors": ["sass", "ptx"]}
struct MatrixFile {
  std::filesystem::path path;
  std::vector<std::string> cases;      ///< globs over case ids
  std::vector<std::string> toolchains; ///< names, as CELL has them
  std::vector<std::string> archs;      ///< "sm_90a"
  std::vector<std::string> opts;       ///< for OptPoint::parse
  std::vector<std::string> executors;  ///< "sass", "ptx"; both if none is named

  /// Throws Error(Usage) with file and JSON pointer (line for syntax errors).
  static MatrixFile load(const std::filesystem::path& path);
};

} // namespace harness
