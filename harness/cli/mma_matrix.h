#pragma once

#include "harness/mma/format.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness::cli {

/// A matrix of elements as the library of tensor cores takes them: row after row.
struct Matrix {
  mma::Format format = mma::Format::F32;
  std::size_t rows = 0, columns = 0;
  std::vector<std::uint8_t> bytes;

  Matrix() = default;
  Matrix(mma::Format of, std::size_t rowCount, std::size_t columnCount)
      : format(of), rows(rowCount), columns(columnCount),
        bytes(rowCount * columnCount * mma::elementBytes(of)) {}
  std::uint64_t code(std::size_t row, std::size_t column) const;
  double value(std::size_t row, std::size_t column) const { return mma::toDouble(format, code(row, column)); }
  void put(std::size_t row, std::size_t column, std::uint64_t code);
};

/// Reads a matrix: a line a row, numbers divided by blanks or commas, "#" begins a comment. 0x… without a p
/// is an element's bits, anything else a number, which is rounded to the nearest element; `inexact` counts
/// those that were changed by it. Throws Error(Usage) with file and line.
Matrix readMatrix(const std::string& path, mma::Format format, std::size_t& inexact);
/// The same of a matrix of scales, in UE8M0 or UE4M3.
Matrix readScales(const std::string& path, bool ue8m0);

} // namespace harness::cli
