#pragma once

#include "harness/toolchain/names.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace harness {

/// Cells: every combination of an element of each list. None is empty or names anything twice.
struct CellProduct {
  std::vector<std::string> cases;      ///< globs over case ids
  std::vector<std::string> toolchains; ///< names, as CELL has them
  std::vector<std::string> archs;      ///< "sm_90a"
  std::vector<std::string> opts;       ///< for OptPoint::parse
};

/// A matrix file: what `run` judges.
///
///   {"cases": ["halfstore*"], "toolchains": ["13.0.88"], "archs": ["sm_75", "sm_120a"], "opts": ["O0",
///   "O3"],
///    "executors": ["sass", "ptx"],
///    "also": [{"toolchains": ["13.0.88"], "opts": ["G"]}],
///    "expand": {"archs": ["sm_75", "sm_80", "sm_120a"], "opts": ["O0", "O1", "O2", "O3", "G"]}}
///
/// The outer lists are the first product; `also` adds others, which take the lists that they lack from it.
/// `expand` is judged for the cases of which a cell fails for another reason than its source; what it lacks
/// it takes from the outer lists too, and it names no cases. `executors`, `also` and `expand` may be missing.
struct MatrixFile {
  std::filesystem::path path;
  std::vector<CellProduct> products;
  std::optional<CellProduct> expand;  ///< its `cases` are the outer ones
  std::vector<std::string> executors; ///< "sass", "ptx", "gpu"; the first two if none is named

  /// `archs`: those that may be named. Throws Error(Usage) with file and JSON pointer (line for syntax
  /// errors).
  static MatrixFile load(const std::filesystem::path& path,
                         const std::vector<std::string>& archs = releasedArchs());
};

} // namespace harness
