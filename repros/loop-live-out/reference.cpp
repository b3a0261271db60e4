#include "harness/reference.h"

#include <vector>

namespace {

struct State {
  std::uint32_t x = 0, steps = 0, previous = 0;
  bool broke = false;
};

State walk(std::uint32_t start) {
  State s;
  s.x = start;
  for (; s.steps < 60 && s.x > 1 && !s.broke; ++s.steps) {
    s.previous = s.x;
    s.x = s.x % 2 == 1 ? s.x * 3 + 1 : s.x / 2;
    s.broke = s.x % 11 == 3;
  }
  return s;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  std::uint32_t threads = launch->grid[0] * launch->block[0];
  std::vector<State> state;
  for (std::uint32_t t = 0; t < threads; ++t)
    state.push_back(walk(in[t]));
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::uint32_t first = t / 32 * 32, ballot = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      ballot |= std::uint32_t{state[first + lane].broke} << lane;
    out[4 * t] = state[t % 2 ? t - 1 : t + 1].previous + state[t].x;
    out[4 * t + 1] = state[t % 32 < 3 ? t : t - 3].steps;
    out[4 * t + 2] = ballot;
    out[4 * t + 3] = state[t].steps * 65536 + state[t].x % 65536;
  }
}
