#include "harness/reference.h"

#include <algorithm>
#include <functional>

namespace {

using Word = std::uint32_t;

template <typename T, typename Op, typename Map> Word fold(const Word* x, Word mask, Map map, Op op) {
  bool first = true;
  T result{};
  for (int lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    T value = static_cast<T>(map(x[lane]));
    result = first ? value : op(result, value);
    first = false;
  }
  return static_cast<Word>(result);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const Word* in = static_cast<const Word*>(args[0]);
  Word* out = static_cast<Word*>(args[1]);
  auto least = [](auto a, auto b) { return std::min(a, b); };
  auto most = [](auto a, auto b) { return std::max(a, b); };
  auto same = [](Word v) { return v; };
  Word third = 0;
  for (int lane = 0; lane < 32; lane += 3)
    third |= Word{1} << lane;
  for (Word t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    const Word* x = in + t / 32 * 32;
    Word* row = out + t * 9;
    row[0] = fold<Word>(x, ~Word{0}, same, std::plus<Word>());
    row[1] = fold<Word>(
                 x, ~Word{0}, [](Word v) { return v % 2 ? v : v + 1; }, least) +
             fold<Word>(x, ~Word{0}, [](Word v) { return v % 0x80000000 / 2 * 2; }, most);
    row[2] = fold<std::int32_t>(x, ~Word{0}, same, least);
    row[3] = fold<Word>(x, ~Word{0}, [](Word v) { return v * 7; }, std::bit_xor<Word>());
    if (t % 32 % 3 != 0) {
      for (Word i = 4; i < 9; ++i)
        row[i] = in[t] + i;
      continue;
    }
    row[4] = fold<Word>(x, third, [](Word v) { return v / 2; }, std::plus<Word>());
    row[5] = fold<std::int32_t>(x, third, [](Word v) { return v ^ 0x80000001; }, most);
    row[6] = fold<Word>(x, third, [](Word v) { return v / 8; }, most);
    row[7] = fold<Word>(x, third, [](Word v) { return v | 0x0f0f0000; }, std::bit_and<Word>());
    row[8] = fold<Word>(x, third, [](Word v) { return v & 0x00ffff00; }, std::bit_or<Word>());
  }
}
