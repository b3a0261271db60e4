#include "harness/reference.h"

#include <cstdlib>

namespace {

/// The same tree of steps, since near the warp's end a lane meets itself; on 32-bit integers throughout.
struct Best {
  int value, index;
};

Best better(bool largest, const Best& a, const Best& b) {
  int x = std::abs(a.value), y = std::abs(b.value);
  bool second = x == y ? b.index <= a.index : (x < y) == largest;
  return second ? b : a;
}

Best reduce(bool largest, Best* lanes, int lane) {
  for (int step = 1; step < 32; step *= 2) {
    Best next[32];
    for (int i = 0; i < 32; ++i)
      next[i] = better(largest, lanes[i], lanes[i + step < 32 ? i + step : i]);
    for (int i = 0; i < 32; ++i)
      lanes[i] = next[i];
  }
  return lanes[lane];
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::int16_t* value = static_cast<const std::int16_t*>(args[0]);
  std::int32_t* out = static_cast<std::int32_t*>(args[1]);
  for (int t = 0; t < static_cast<int>(launch->grid[0] * launch->block[0]); ++t) {
    Best result[2];
    for (int largest = 0; largest < 2; ++largest) {
      Best lanes[32];
      for (int lane = 0; lane < 32; ++lane) {
        int thread = t / 32 * 32 + lane;
        lanes[lane] = {value[thread], thread};
      }
      result[largest] = reduce(largest == 1, lanes, t % 32);
    }
    for (int largest = 0; largest < 2; ++largest) {
      out[4 * t + 2 * largest] = result[largest].value;
      out[4 * t + 2 * largest + 1] = result[largest].index;
    }
  }
}
