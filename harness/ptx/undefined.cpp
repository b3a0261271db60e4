#include "harness/ptx/undefined.h"

#include <algorithm>

namespace harness::ptx {

namespace {

/// What each run puts where nobody has written. Random values differ from lane to lane.
struct Fill {
  std::byte poison;
  std::uint64_t seed;
};
constexpr Fill kFills[] = {{std::byte{0x00}, 0}, {std::byte{0xff}, 0}, {std::byte{0x55}, 0},
                           {std::byte{0}, 1},    {std::byte{0}, 2},    {std::byte{0}, 3},
                           {std::byte{0}, 4}};

bool sameContents(const GlobalMemory& a, const GlobalMemory& b) {
  return std::equal(a.allocations().begin(), a.allocations().end(), b.allocations().begin(),
                    b.allocations().end(), [](const Allocation& x, const Allocation& y) {
                      return x.size == y.size && std::equal(x.host, x.host + x.size, y.host);
                    });
}

} // namespace

std::vector<std::string> findUndefined(const Program& program, std::string_view kernel, const Launch& launch,
                                       const FreshMemory& memory, const ExecutionOptions& options) {
  auto first = memory();
  ExecutionResult result = execute(program, kernel, launch, *first, options);
  std::vector<std::string> found = result.undefined;
  if (result.unwritten.empty()) return found;
  auto depends = [&](const Fill& fill) {
    ExecutionOptions other = options;
    other.poison = fill.poison;
    other.poisonSeed = fill.seed;
    auto second = memory();
    ExecutionResult again = execute(program, kernel, launch, *second, other);
    return again.end != result.end || !sameContents(*first, *second);
  };
  if (std::any_of(std::begin(kFills), std::end(kFills), depends))
    found.insert(found.end(), result.unwritten.begin(), result.unwritten.end());
  return found;
}

} // namespace harness::ptx
