#include "harness/reference.h"

namespace {

/// Bytes first … first + size - 1 of a little-endian argument.
double field(const void* argument, int first, int size, bool isSigned) {
  const std::uint8_t* bytes = static_cast<const std::uint8_t*>(argument) + first;
  double value = 0, place = 1;
  for (int i = 0; i < size; ++i, place *= 256)
    value += bytes[i] * place;
  return isSigned && bytes[size - 1] > 127 ? value - place : value;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  double* row = static_cast<double*>(args[4]);
  const double kTwo32 = 4294967296.0;
  for (int t = 0; t < static_cast<int>(launch->block[0]); ++t, row += 4) {
    bool odd = t % 2 == 1;
    row[0] = field(args[0], odd ? 0 : 1, 1, true) + 1000 * field(args[1], t / 2 % 2 == 1 ? 2 : 3, 1, false);
    row[1] = field(args[2], 0, 1, true) * 65536 + field(args[2], 2, 2, true) +
             field(args[1], t / 4 % 2 == 1 ? 0 : 1, 1, false) * kTwo32;
    row[2] = field(args[2], 4, 4, true) + field(args[3], 0, 1, true) * kTwo32;
    row[3] = field(args[3], 1 + t % 3, 1, false) * kTwo32 + field(args[3], 4, 4, false) +
             field(args[5], odd ? 0 : 2, 2, true) / 4;
  }
}
