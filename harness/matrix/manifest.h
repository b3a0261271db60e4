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
#include <string_view>
#include <vector>

namespace harness {

// A case manifest, `case.json`, whose folder's name is the case's id. Keys, * = required:
//
//   title*      one line for people
//   source*     a .cu or .ptx file; paths are relative to the manifest's folder and may lead out of it
//   include     list of include directories
//   define      list of macros, "NAME" or "NAME=VALUE"
//   kernel*     the entry's name, or a name expression
//   shapes      [{"name": "edges", "rows": 130, "cols": 160}, …]: each names variables for the sizes below,
//   and
//               the kernel runs once on each
//   grid*       [x, y, z], one to three sizes; block* the same
//   shared      dynamic shared memory in bytes, a size
//   buffers*    {"name": {…}}, in the order in which outputs are recorded:
//     type*     u8 i8 u16 i16 u32 i32 u64 i64 f16 bf16 f32 f64 e4m3 e5m2
//     count*    elements, a size
//     output    true if the kernel writes it. An output without `init` starts as poison
//     init      "zero" (the default of an input), "edges", {"fill": V}, {"iota": {"start": 0, "step": 1}},
//               {"values": [V, …]}, {"random": {"seed": 1, "min": 0, "max": 1}}, {"file": "weights.bin"};
//               see parity/buffer.h. V is a number or a string: "0x7fc0" (bits), "nan", "-inf"
//     record    bytes of what repeats in an output, a size: differences are counted by offset in it
//     compare   {"ulp": N} for a float output whose contract is weaker than bytes
//   args*       the kernel's arguments in order: a buffer's name, a scalar {"u32": "rows"}, {"f32": 1.5}, or
//               {"struct": [MEMBER, …]}, a structure by value: its members in order, each written as an
//               argument, as a list of one type {"i32": [3, "cols"]}, or as {"zero": BYTES}; they lie as C
//               lays them out. "align" beside "struct": bytes, where that is more than the members' (float4)
//   reference   a .cpp that implements harness/reference.h
//   expect      [{"nvcc": "<13.1", "ptxas": …, "arch": …, "opt": …, "verdict": …, "blame": …, "why": …}, …]:
//               versions as `--nvcc` takes them, archs and opts as globs, each one or a list; verdict* as in
//               parity/verdict.h; the first that matches a cell holds for it
//
// A size is a whole number or an expression over the shape's variables (expression.h).

/// Limits that every manifest must keep: the machine's, and those that keep a slip from filling the memory.
struct CaseLimits {
  static constexpr std::uint64_t kBufferBytes = std::uint64_t{1} << 30;
  static constexpr std::uint64_t kTotalBytes = std::uint64_t{4} << 30; ///< all buffers of one shape
  static constexpr std::uint64_t kGrid[3] = {2147483647, 65535, 65535};
  static constexpr std::uint64_t kBlock[3] = {1024, 1024, 64};
  static constexpr std::uint64_t kThreadsPerBlock = 1024;
  static constexpr std::uint64_t kShared = 227 * 1024; ///< bytes, the most any arch gives one block
  static constexpr std::uint64_t kRecord = 4096;       ///< bytes
  static constexpr std::size_t kArgs = 256, kBuffers = 256, kShapes = 256;
  static constexpr std::size_t kArgBytes = 32764; ///< of one argument: all that a kernel may have
};

/// One buffer on one shape.
struct BufferSpec {
  std::string name;
  ElementType type = ElementType::U8;
  std::uint64_t count = 0; ///< elements
  BufferInit init = InitZero{};
  bool output = false;
  bool poisoned = false;    ///< starts as poison in place of `init`: an output that names no `init`
  std::uint64_t record = 0; ///< bytes; 0 = none
  CompareRule compare;

  std::uint64_t byteSize() const { return count * sizeOf(type); }
};

/// One argument on one shape: a buffer, or the bytes of a scalar or a structure.
struct ArgSpec {
  /// A member of a structure that is the address of a buffer.
  struct Pointer {
    std::size_t offset = 0; ///< bytes, in `value`, which is 0 there
    std::string buffer;
  };

  std::string buffer;            ///< empty for a scalar and a structure
  std::string value;             ///< little-endian bytes; what pads a structure is 0
  std::vector<Pointer> pointers; ///< of a structure

  /// As the kernel takes it, bytes.
  std::size_t size() const { return buffer.empty() ? value.size() : kPointerBytes; }
  bool pointsTo(std::string_view name) const;

  static constexpr std::size_t kPointerBytes = 8;
};

/// A case on one of its shapes: everything evaluated.
struct CaseShape {
  std::string name; ///< "" if the manifest names none
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared = 0;
  std::vector<BufferSpec> buffers; ///< in the manifest's order
  std::vector<ArgSpec> args;

  /// What each buffer holds at launch, in the order of `buffers`.
  std::vector<std::string> initialContents(std::uint8_t poison) const;
};

/// What is expected of some cells. Empty lists match everything.
struct Expectation {
  std::optional<VersionRange> nvcc, ptxas;
  std::vector<std::string> arch; ///< globs
  std::vector<std::string> opt;  ///< globs
  std::string verdict;           ///< a name of parity/verdict.h
  std::string blame;             ///< the same; "unknown" if not stated
  std::string why;
};

/// A case manifest, read and checked.
struct CaseManifest {
  std::string id; ///< the folder's name
  std::filesystem::path directory;
  std::string title;
  KernelSource source; ///< absolute paths
  std::string kernel;
  std::vector<CaseShape> shapes; ///< at least one
  std::optional<std::filesystem::path> reference;
  std::vector<Expectation> expect;
  std::string
      hash; ///< of everything that decides inputs, launch and comparison: not of title or expectations

  /// Reads `<directory>/case.json`, or the file itself. Throws Error(Usage) with file, JSON pointer (line for
  /// syntax errors) and the nearest known name.
  static CaseManifest load(const std::filesystem::path& path);
};

/// All cases below `roots` (repros/, cu/): every folder with a case.json, by id. Throws Error(Usage) if two
/// share an id, or a root is no directory.
std::vector<CaseManifest> loadCases(const std::vector<std::filesystem::path>& roots);

/// The first expectation that matches a cell, or null: pass is expected. `nvcc` is the front end's build.
const Expectation* expectationFor(const CaseManifest& manifest, const Version& nvcc, const Version& ptxas,
                                  std::string_view arch, std::string_view opt);

} // namespace harness
