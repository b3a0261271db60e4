#include "harness/reference.h"

namespace {

/// Bytes of the integer at `at`, 0 if it has no end.
std::uint32_t lengthAt(const std::uint8_t* at, std::uint32_t left) {
  for (std::uint32_t i = 0; i < left && i < 10; ++i)
    if (!(at[i] & 0x80)) return i + 1;
  return 0;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* stream = static_cast<const std::uint8_t*>(args[0]);
  auto* out = static_cast<std::uint64_t*>(args[1]);
  auto* used = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    std::uint32_t at = 0, count = 0;
    for (; count < 6; ++count) {
      std::uint32_t length = lengthAt(stream + 40 * t + at, 40 - at);
      if (length == 0) break;
      std::uint64_t value = 0;
      for (std::uint32_t i = length; i-- > 0;)
        value = value * 128 + stream[40 * t + at + i] % 128;
      bool negative = count % 2 == 1 && value % 2 == 1;
      if (count % 2 == 1) value /= 2;
      out[6 * t + count] = negative ? ~value : value;
      at += length;
    }
    used[2 * t] = at;
    used[2 * t + 1] = count;
  }
}
