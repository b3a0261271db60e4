#include "harness/reference.h"

/// The pseudocode of shfl.sync in the PTX manual. A lane whose source is out of range keeps its value and is
/// marked by its complement.
extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const std::uint32_t* value = static_cast<const std::uint32_t*>(args[0]);
  const std::uint32_t* lanes = static_cast<const std::uint32_t*>(args[1]);
  const std::uint32_t* clamps = static_cast<const std::uint32_t*>(args[2]);
  int count = *static_cast<const int*>(args[3]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[4]);
  for (int i = 0; i < count; ++i)
    for (int mode = 0; mode < 4; ++mode)
      for (int lane = 0; lane < 32; ++lane) {
        int b = static_cast<int>(lanes[lane] & 31), c = static_cast<int>(clamps[i] & 31);
        int segment = static_cast<int>(clamps[i] >> 8 & 31);
        int maxLane = (lane & segment) | (c & ~segment), minLane = lane & segment;
        int source = lane;
        bool valid = false;
        switch (mode) {
        case 0: source = lane - b, valid = source >= maxLane; break;
        case 1: source = lane + b, valid = source <= maxLane; break;
        case 2: source = lane ^ b, valid = source <= maxLane; break;
        case 3: source = minLane | (b & ~segment), valid = source <= maxLane; break;
        }
        out[(i * 4 + mode) * 32 + lane] = valid ? value[source] : ~value[lane];
      }
}
