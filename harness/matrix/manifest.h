#pragma once

#include "harness/base/version.h"
#include "harness/compile/compile.h"
#include "harness/parity/buffer.h"
#include "harness/parity/compare.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace harness {

/// One buffer on one shape.
struct BufferSpec {
  std::string name;
  ElementType type = ElementType::U8;
  std::uint64_t count = 0; ///< elements
  BufferInit init = InitZero{};
  bool output = false;
  std::uint64_t record = 0; ///< bytes; 0 = none
  CompareRule compare;

  std::uint64_t byteSize() const { return count * sizeOf(type); }
};

/// One argument on one shape: a buffer, or a scalar's bytes.
struct ArgSpec {
  std::string buffer;  ///< empty for a scalar
  std::string scalar;  ///< little-endian bytes
};

/// A case on one of its shapes: everything evaluated.
struct CaseShape {
  std::string name; ///< "" if the manifest names none
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared = 0;
  std::vector<BufferSpec> buffers;
  std::vector<ArgSpec> args;
};

/// What is expected of some cells (DESIGN section 2). Empty lists match everything.
struct Expectation {
  std::optional<VersionRange> nvcc, ptxas;
  std::vector<std::string> arch; ///< globs
  std::vector<std::string> opt;  ///< globs
  std::string verdict;
  std::string blame;
  std::string why;
};

/// A case manifest (DESIGN section 5).
struct CaseManifest {
  std::string id; ///< the folder's name
  std::filesystem::path directory;
  std::string title;
  KernelSource source; ///< absolute paths
  std::string kernel;
  std::vector<CaseShape> shapes; ///< at least one
  std::optional<std::filesystem::path> reference;
  std::vector<Expectation> expect;
  std::string hash; ///< of everything that decides inputs and launch: not of title or expectations

  /// Reads `<directory>/case.json`, or the file itself. Throws Error(Usage) with file, JSON pointer (line for
  /// syntax errors) and the nearest known name.
  static CaseManifest load(const std::filesystem::path& path);
};

/// All cases below `roots` (repros/, cu/), by id. Throws Error(Usage) if two share an id.
std::vector<CaseManifest> loadCases(const std::vector<std::filesystem::path>& roots);

} // namespace harness
