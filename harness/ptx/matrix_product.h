#pragma once

#include "harness/ptx/matrix_form.h"
#include "harness/ptx/op.h"
#include "harness/ptx/open_sums.h"

#include <cstddef>
#include <span>
#include <vector>

namespace harness::ptx {

/// Codes of matrices, row after row, as harness/mma has them. The fourfold m8n8k4: products follow each
/// other.
struct MatrixData {
  std::vector<std::byte> a, b, c, d;
  std::vector<std::uint8_t> aScales, bScales; ///< m×blocks, blocks×n
};

/// An mma or wmma.mma: where its fragments lie, and what they give. Immutable.
///
/// PTX leaves the inner precision of float products to the hardware. What is computed here is the model of
/// the module's target in harness/mma; where ptxas makes several instructions of the one (FP8 on sm_90 and
/// sm_100), the model of these. Where a model has no such shape, the next deeper one, with zeros. Whatever
/// PTX leaves open is told by `openSums`.
class MatrixProduct {
public:
  /// Throws mma::UnknownModel where the target has no model of the form.
  MatrixProduct(const MatrixForm& form, const MatrixTarget& target);

  const MatrixForm& form() const { return form_; }
  /// Products side by side: 4 of m8n8k4 of f16, else 1.
  std::size_t products() const { return products_; }
  std::size_t rows() const { return products_ * static_cast<std::size_t>(form_.shape.m); }
  std::size_t columns() const { return static_cast<std::size_t>(form_.shape.n); }
  /// Scales of a row of A, or a column of B.
  std::size_t blocks() const;

  const Fragment& a() const { return a_; }
  const Fragment& b() const { return b_; }
  const Fragment& c() const { return c_; }
  const Fragment& d() const { return d_; }

  // Elements of matrices from registers, `lanes[r]` being a warp's r-th: all of one, and back.
  using Registers = std::span<const std::uint64_t* const>;
  void gatherA(Registers registers, MatrixData& data) const;
  void gatherB(Registers registers, MatrixData& data) const;
  void gatherC(Registers registers, MatrixData& data) const;
  void scatterD(const MatrixData& data, std::span<Lanes> registers) const;

  /// D from the rest.
  void multiply(MatrixData& data) const;
  /// Of each product; empty where all is certain (integers).
  std::vector<OpenSums> openSums(const MatrixData& data) const;
  /// An element of D as PTX might have it too.
  void putOther(MatrixData& data, std::size_t row, std::size_t column, double value) const;

private:
  /// .f64 that does not round to nearest, which is all that harness/mma does.
  void multiplyDirected(MatrixData& data) const;
  void gather(const Fragment& fragment, Registers registers, mma::Format format, std::size_t stride,
              std::vector<std::byte>& to) const;
  OpenSums openSums(const MatrixData& data, std::size_t product) const;

  MatrixForm form_;
  mma::Multiplier multiplier_;
  std::size_t products_, depth_; ///< k of the multiplier
  Fragment a_, b_, c_, d_;
  SumRule rule_{};
};

} // namespace harness::ptx
