#include "harness/reference.h"

#include <deque>

/// Values that move through a queue in place of an array with unrolled indices.
extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t rounds = *static_cast<const std::uint32_t*>(args[1]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::deque<std::uint32_t> v(in + t, in + t + 96);
    std::uint64_t sum = 0;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (std::uint32_t i = 0; i < 96; ++i) {
        v.push_back(v[0] * 5 + (v[1] >> (i % 31 + 1)));
        v.pop_front();
      }
      for (std::uint32_t i = 0; i < 96; ++i) {
        std::uint32_t last = v.back();
        v.pop_back();
        v.push_front(last ^ (v[88] + round)); // seven before `last`
      }
      if (v[0] % 2 == 1)
        for (std::uint32_t i = 0; i < 96; i += 2)
          sum += std::uint64_t{v[i]} * v[i + 1];
    }
    for (std::uint32_t value : v)
      sum = sum * 31 + value;
    out[2 * t] = static_cast<std::uint32_t>(sum);
    out[2 * t + 1] = static_cast<std::uint32_t>(sum >> 32);
  }
}
