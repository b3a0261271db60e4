#pragma once

#include "harness/base/version.h"
#include "harness/matrix/cell.h"
#include "harness/matrix/matrix_file.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// `I/N`: the I-th of N parts of a matrix, from 1. The parts are disjoint, and together they are the matrix.
struct Shard {
  unsigned index = 1, count = 1;

  /// Throws Error(Usage) that shows the notation.
  static Shard parse(std::string_view text);
};

/// What of a matrix is wanted; empty = all. Globs, any of which may match.
struct PlanFilter {
  std::vector<std::string> cases, archs, opts;
  std::optional<VersionRange> nvcc; ///< over the front end's build in the toolchain's name
};

/// The cells of a matrix, each once, ordered by product, case, toolchain, arch, opt. Cells that share PTX
/// fall into one shard. Throws Error(Usage) when a glob of the matrix matches none of `caseIds`, one of
/// the filter matches nothing of the matrix, or the filter leaves nothing.
std::vector<CellName> planCells(const MatrixFile& matrix, const std::vector<std::string>& caseIds,
                                const PlanFilter& filter, Shard shard);

/// The cells that the matrix adds for cases that fail, as far as the filter wants them and they are not among
/// `planned`. None if it has no `expand`.
std::vector<CellName> planExpansion(const MatrixFile& matrix, const std::vector<std::string>& failingCases,
                                    const PlanFilter& filter, const std::vector<CellName>& planned);

} // namespace harness
