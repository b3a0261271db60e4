#pragma once

#include <cstdint>
#include <vector>

namespace harness::ptx {

/// Where a lane of a warp holds an element of a matrix: the bits of one of its registers from `shift` on.
struct FragmentElement {
  std::uint8_t lane, reg, shift;
  std::uint8_t row, column;
};

/// How a matrix is spread over the registers of a warp.
struct Fragment {
  unsigned registers = 0; ///< of a lane, 64 bits wide if an element is, else 32
  unsigned bits = 0;      ///< of an element
  std::vector<FragmentElement> elements;
};

enum class MatrixRole : std::uint8_t { A, B, Accumulator };

/// mma of all shapes but m8n8k4 of f16, as the "Matrix Fragments for mma…" of the PTX ISA have it (9.7.14.5.2
/// to 13). `bits` of an element: 4 to 64; of .b1, whose words hold 32 elements along k: 32, and k / 32 of
/// them.
Fragment mmaFragment(MatrixRole role, unsigned rows, unsigned columns, unsigned bits);

/// mma.m8n8k4 of f16 (9.7.14.5.1): four products, each of a fourth of the warp. Rows of product p begin at 8p
/// (A, accumulators) or 4p (B). `bits`: 16, or 32 of accumulators.
Fragment quarterFragment(MatrixRole role, bool columnMajor, unsigned bits);

/// wmma. PTX leaves open which lane holds what; kernels may only move whole fragments and do the same to
/// every element. Here elements follow each other from lane to lane in the order of memory (rows, or columns
/// if `columnMajor`), each lane a run of them; and again from the first on where the registers of a warp hold
/// more than the matrix has. A fragment used with another layout than it was loaded with is transposed.
Fragment wmmaFragment(unsigned rows, unsigned columns, unsigned bits, unsigned registers, bool columnMajor);

} // namespace harness::ptx
