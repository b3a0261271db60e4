#include "harness/reference.h"

namespace {

/// The little-endian integer of `size` bytes at `offset` (rounded down to `size`) of the 72 bytes rotated by
/// `turn`.
std::int64_t at(const std::uint8_t* in, int turn, int offset, int size, bool isSigned) {
  offset -= offset % size;
  std::int64_t value = 0;
  for (int i = size - 1; i >= 0; --i) {
    std::int64_t byte = in[(offset + i + turn) % 72];
    if (isSigned && i == size - 1 && byte > 127) byte -= 256;
    value =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * 256 + static_cast<std::uint64_t>(byte));
  }
  return value;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint8_t* in = static_cast<const std::uint8_t*>(args[0]);
  std::int64_t* row = static_cast<std::int64_t*>(args[1]);
  for (int t = 0; t < static_cast<int>(launch->block[0]); ++t, row += 9) {
    row[0] = at(in, 0, t, 1, true);
    row[1] = at(in, 0, t + 1, 1, false);
    row[2] = at(in, 0, t + 2, 2, true);
    row[3] = at(in, 0, t + 3, 2, false);
    row[4] = at(in, 0, t + 4, 4, true);
    row[5] = at(in, 0, t + 5, 4, false);
    row[6] = at(in, 0, t + 6, 8, true);
    row[7] = at(in, 0, t + 7, 1, true) ^ (at(in, 0, t, 2, true) * 1048576);
    row[8] = at(in, t, in[t] % 64, 2, true) + at(in, t, t, 4, true) + at(in, t, t + 8, 1, true);
  }
}
