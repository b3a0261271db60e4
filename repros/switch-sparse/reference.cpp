#include "harness/reference.h"

#include <map>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* y = static_cast<const std::int64_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  const std::map<std::int64_t, std::uint32_t> first = {{INT32_MIN, 10}, {-1000, 23},    {-1, 13},  {0, 13},
                                                       {7, 14},         {70, 14},       {700, 14}, {7000, 14},
                                                       {65536, 15},     {INT32_MAX, 16}};
  const std::map<std::int64_t, std::uint32_t> second = {
      {0, 20},         {1ll << 32, 21}, {-(1ll << 32), 22}, {1, 23}, {(1ll << 32) + 1, 23},
      {INT64_MAX, 24}, {INT64_MIN, 25}};
  const std::map<std::int64_t, std::uint32_t> third = {{-3, 31}, {-2, 32}, {-1, 33},
                                                       {2, 35},  {3, 36},  {4, 37}};
  const std::map<std::int64_t, std::uint32_t> inner = {{1, 40}, {2, 41}, {3, 42}, {5, 43}, {7, 44}};
  const std::uint32_t table[8] = {5, 4, 9, 1, 0, 7, 7, 2};
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 4;
    auto find = [](const auto& map, std::int64_t key, std::uint32_t otherwise) {
      auto it = map.find(key);
      return it == map.end() ? otherwise : it->second;
    };
    o[0] = find(first, x[i], 1);
    o[1] = find(second, y[i], o[0] + 100);
    int byte = static_cast<std::int8_t>(x[i]);
    o[2] = byte == 0 ? find(inner, y[i] & 7, o[1]) + 34 : byte == 1 ? o[1] + 34 : find(third, byte, 30);
    std::uint32_t top = static_cast<std::uint32_t>(x[i]) >> 29;
    o[3] = top == 0 ? table[y[i] & 7] : top == 3 || top == 4 ? ~table[o[2] & 7] : top == 7 ? 0 : o[2];
  }
}
