#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness::cli {

/// One `--arg` of `harness exec`:
///
///   i32:-5 u64:0xff f32:1.5 f16:inf …   a scalar of that element type; "0x" = its bits
///   hex:0011aabb                        bytes as they lie in memory, for a structure
///   in:FILE                             a buffer that holds the file
///   out:FILE:BYTES                      a buffer of poison, written to the file afterwards
///   inout:IN:OUT                        a buffer that holds IN, written to OUT afterwards
///   zero:BYTES                          a buffer of zeros
struct ExecArgument {
  bool isBuffer = false;
  std::string scalar;     ///< bytes, little endian
  std::string inputFile;  ///< empty: none
  std::string outputFile; ///< empty: not kept
  std::uint64_t size = 0; ///< bytes, of a buffer without input
  bool zero = false;      ///< such a buffer starts as zeros, not as poison

  /// Throws Error(Usage) that says what is wrong with it.
  static ExecArgument parse(std::string_view text);
};

} // namespace harness::cli
