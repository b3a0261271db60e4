#include "harness/reference.h"

#include <functional>
#include <utility>

/// What a lane gets of an 8×8 matrix of halves: elements 2 * (lane % 4) and the next of row lane / 4, or of
/// that column.
extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const std::uint16_t* in = static_cast<const std::uint16_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  // `start` is the first half of the row that a lane names.
  auto fragment = [&](int lane, int matrix, bool transposed, const std::function<int(int)>& start) {
    std::uint32_t word = 0;
    for (int i = 1; i >= 0; --i) {
      int row = lane / 4, column = lane % 4 * 2 + i;
      if (transposed) std::swap(row, column);
      word = word * 65536 + in[start(matrix * 8 + row) + column];
    }
    return word;
  };
  for (int lane = 0; lane < 32; ++lane) {
    std::uint32_t* row = out + lane * 40;
    for (int i = 0; i < 4; ++i)
      for (int matrix = 0; matrix < 4; ++matrix)
        for (int transposed = 0; transposed < 2; ++transposed)
          row[matrix * 8 + transposed * 4 + i] =
              fragment(lane, matrix, transposed == 1, [&](int t) { return t * 32 + (t + i) % 4 * 8; });
    row[32] = fragment(lane, 0, true, [](int t) { return t * 16; });
    row[33] = fragment(lane, 1, true, [](int t) { return t * 16; });
    row[34] = fragment(lane, 0, false, [](int t) { return (31 - t) * 8; });
    for (int i = 35; i < 40; ++i)
      row[i] = 0;
  }
}
