#pragma once

#include "harness/mma/model.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace harness::mma {

enum class BitOperation : std::uint8_t { Xor, And };

struct Options {
  std::optional<Format> c;               ///< of C, if not the accumulator's: F32 where D is F16
  bool saturate = false;                 ///< integers: .satfinite
  BitOperation bits = BitOperation::Xor; ///< B1
};

/// Matrices lie row after row, an element in elementBytes(its format): A m×k, B k×n, C and D m×n; D may be C.
/// B1: words of 32 elements along k, A m×(k/32), B (k/32)×n. Strides are in elements (words), from row to
/// row.
struct Operands {
  void* d;
  const void *a, *b, *c;
  std::size_t dStride, aStride, bStride, cStride;
  const std::uint8_t* aScales = nullptr; ///< m×(k/block), dense: of row i and the block of k
  const std::uint8_t* bScales = nullptr; ///< (k/block)×n, dense
};

/// D = A·B + C as an instruction computes it. Immutable and safe to share between threads; calls allocate
/// nothing once a thread has made one of that size. The host must round to nearest.
class Multiplier {
public:
  /// Throws UnknownModel if the instruction does not take these inputs, or does not exist in that shape.
  Multiplier(const Model& model, const Inputs& inputs, const Shape& shape, const Options& options = {});

  const Model& model() const { return model_; }
  const Inputs& inputs() const { return inputs_; }
  const Shape& shape() const { return shape_; }
  const Options& options() const { return options_; }
  Format cFormat() const { return options_.c.value_or(model_.accumulator); }

  /// Dense matrices.
  void operator()(void* d, const void* a, const void* b, const void* c, const std::uint8_t* aScales = nullptr,
                  const std::uint8_t* bScales = nullptr) const;

  /// The same for any number of rows and columns, and k a multiple of the shape's: a chain of instructions.
  void multiply(const Shape& size, const Operands& operands) const;

private:
  Model model_;
  Inputs inputs_;
  Shape shape_;
  Options options_;
};

/// A product of any size as a chain of instructions along k, on up to `threads` threads. Where the size is no
/// multiple of the shape, it is as if zeros followed. Dense matrices; scales as in Operands.
void gemm(const Multiplier& instruction, const Shape& size, void* d, const void* a, const void* b,
          const void* c, unsigned threads = 1, const std::uint8_t* aScales = nullptr,
          const std::uint8_t* bScales = nullptr);

} // namespace harness::mma
