#include "harness/reference.h"

#include <vector>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  int rounds = *static_cast<const int*>(args[1]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[2]);
  std::size_t size = launch->block[0];
  for (std::size_t block = 0; block < launch->grid[0]; ++block) {
    std::vector<std::uint32_t> x(in + block * size, in + (block + 1) * size), next(size);
    std::uint32_t history = 0;
    for (int round = 0; round < rounds; ++round) {
      std::uint32_t count = 0, any = 0, all = 1;
      for (std::uint32_t v : x)
        count += v >> round & 1;
      for (std::size_t t = 0; t < size; ++t) {
        std::uint32_t neighbour = x[(t + count) % size];
        any |= neighbour % 256 == static_cast<std::uint32_t>(round);
        all &= (x[t] >> round) % 4 != 3 || t > 8;
        next[t] = (x[t] * 3) ^ (neighbour / 2);
      }
      history = history * 5 + count + any * 1000 + all * 77;
      x = next;
    }
    for (std::size_t t = 0; t < size; ++t) {
      out[(block * size + t) * 2] = history;
      out[(block * size + t) * 2 + 1] = x[t];
    }
  }
}
