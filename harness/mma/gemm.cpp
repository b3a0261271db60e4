#include "harness/mma/multiplier.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace harness::mma {

namespace {

constexpr int kTileRows = 64, kTileColumns = 64, kTileDepth = 256;

int roundedUp(int count, int step) {
  return (count + step - 1) / step * step;
}

/// A product in tiles; those of D are independent of each other.
class Gemm {
public:
  Gemm(const Multiplier& instruction, const Shape& size, const Operands& operands)
      : instruction_(instruction), size_(size), all_(operands),
        depth_(std::max(kTileDepth / instruction.shape().k, 1) * instruction.shape().k),
        rows_((size.m + kTileRows - 1) / kTileRows), columns_((size.n + kTileColumns - 1) / kTileColumns) {}

  std::size_t tiles() const { return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_); }

  void run(std::size_t tile) const {
    int row = static_cast<int>(tile) / columns_ * kTileRows,
        column = static_cast<int>(tile) % columns_ * kTileColumns;
    Shape part = {std::min(kTileRows, size_.m - row), std::min(kTileColumns, size_.n - column), 0};
    for (int k = 0; k < size_.k || k == 0; k += depth_) {
      part.k = std::min(depth_, size_.k - k);
      runPart(part, row, column, k);
    }
  }

private:
  /// The part of a tile from k on. C of all but the first is D.
  void runPart(const Shape& part, int row, int column, int k) const {
    bool bits = instruction_.inputs().a == Format::B1;
    int inWord = bits ? 32 : 1;
    std::size_t aBytes = elementBytes(instruction_.inputs().a),
                bBytes = elementBytes(instruction_.inputs().b);
    std::size_t dBytes = elementBytes(instruction_.model().accumulator),
                cBytes = elementBytes(instruction_.cFormat());
    auto offset = [](const void* base, std::size_t bytes, std::size_t stride, int i, int j) {
      return static_cast<const char*>(base) +
             (static_cast<std::size_t>(i) * stride + static_cast<std::size_t>(j)) * bytes;
    };
    Operands operands = all_;
    operands.a = offset(all_.a, aBytes, all_.aStride, row, k / inWord);
    operands.b = offset(all_.b, bBytes, all_.bStride, k / inWord, column);
    operands.d = const_cast<char*>(offset(all_.d, dBytes, all_.dStride, row, column));
    operands.c = k ? operands.d : offset(all_.c, cBytes, all_.cStride, row, column);
    if (k) operands.cStride = all_.dStride;
    Shape padded = {part.m, part.n, roundedUp(std::max(part.k, 1), instruction_.shape().k)};
    std::vector<char> a, b;
    std::vector<std::uint8_t> scales[2];
    if (padded.k != part.k) pad(operands, part, padded, inWord, a, b);
    takeScales(operands, part, padded, row, column, k, scales);
    if (k && instruction_.cFormat() != instruction_.model().accumulator) {
      Options options = instruction_.options();
      options.c.reset();
      Multiplier(instruction_.model(), instruction_.inputs(), instruction_.shape(), options)
          .multiply(padded, operands);
    } else {
      instruction_.multiply(padded, operands);
    }
  }

  /// Copies what there is of A and B and lets zeros follow.
  void pad(Operands& operands, const Shape& part, const Shape& padded, int inWord, std::vector<char>& a,
           std::vector<char>& b) const {
    auto copy = [](const void* from, std::size_t bytes, std::size_t stride, int rows, int columns,
                   std::size_t toStride, std::vector<char>& to) {
      for (int i = 0; i < rows; ++i)
        std::memcpy(to.data() + static_cast<std::size_t>(i) * toStride * bytes,
                    static_cast<const char*>(from) + static_cast<std::size_t>(i) * stride * bytes,
                    static_cast<std::size_t>(columns) * bytes);
    };
    std::size_t aBytes = elementBytes(instruction_.inputs().a),
                bBytes = elementBytes(instruction_.inputs().b);
    std::size_t depth = static_cast<std::size_t>(padded.k / inWord), width = static_cast<std::size_t>(part.n);
    int words = (part.k + inWord - 1) / inWord;
    a.assign(static_cast<std::size_t>(part.m) * depth * aBytes, 0);
    b.assign(width * depth * bBytes, 0);
    copy(operands.a, aBytes, operands.aStride, part.m, words, depth, a);
    copy(operands.b, bBytes, operands.bStride, words, part.n, width, b);
    operands.a = a.data();
    operands.aStride = depth;
    operands.b = b.data();
    operands.bStride = width;
  }

  /// The scales of a part, dense; 1 of what was padded.
  void takeScales(Operands& operands, const Shape& part, const Shape& padded, int row, int column, int k,
                  std::vector<std::uint8_t> (&scales)[2]) const {
    int block = blockOf(instruction_.inputs().scaling);
    if (!block) return;
    std::uint8_t one = instruction_.inputs().scaling == Scaling::Nvf4 ? 0x38 : 0x7f;
    int blocks = (part.k + block - 1) / block, paddedBlocks = padded.k / block,
        all = (size_.k + block - 1) / block;
    scales[0].assign(static_cast<std::size_t>(part.m * paddedBlocks), one);
    scales[1].assign(static_cast<std::size_t>(part.n * paddedBlocks), one);
    for (int b = 0; b < blocks; ++b) {
      for (int i = 0; i < part.m; ++i)
        scales[0][static_cast<std::size_t>(i * paddedBlocks + b)] =
            all_.aScales[static_cast<std::size_t>(row + i) * static_cast<std::size_t>(all) +
                         static_cast<std::size_t>(k / block + b)];
      for (int j = 0; j < part.n; ++j)
        scales[1][static_cast<std::size_t>(b * part.n + j)] =
            all_.bScales[static_cast<std::size_t>(k / block + b) * static_cast<std::size_t>(size_.n) +
                         static_cast<std::size_t>(column + j)];
    }
    operands.aScales = scales[0].data();
    operands.bScales = scales[1].data();
  }

  const Multiplier& instruction_;
  Shape size_;
  Operands all_;
  int depth_, rows_, columns_;
};

} // namespace

void gemm(const Multiplier& instruction, const Shape& size, void* d, const void* a, const void* b,
          const void* c, unsigned threads, const std::uint8_t* aScales, const std::uint8_t* bScales) {
  std::size_t depth =
      static_cast<std::size_t>(instruction.inputs().a == Format::B1 ? (size.k + 31) / 32 : size.k);
  std::size_t width = static_cast<std::size_t>(size.n);
  Gemm product(instruction, size, {d, a, b, c, width, depth, width, width, aScales, bScales});
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    for (std::size_t tile; (tile = next++) < product.tiles();)
      product.run(tile);
  };
  std::vector<std::jthread> helpers;
  for (unsigned i = 1; i < std::min<std::size_t>(threads, product.tiles()); ++i)
    helpers.emplace_back(work);
  work();
}

} // namespace harness::mma
