#include "harness/ptx/copies.h"

#include <algorithm>
#include <cstring>

namespace harness::ptx {

void AsyncCopies::begin(const Copy& copy) {
  std::fill_n(copy.written, copy.bytes, std::uint8_t{0});
  begun_.push_back({copy, groups_[copy.lane]});
}

void AsyncCopies::finishGroups(unsigned lane, std::uint32_t pending) {
  if (groups_[lane] > pending) finishBelow(lane, groups_[lane] - pending);
}

void AsyncCopies::finishAll(unsigned lane) {
  finishBelow(lane, groups_[lane] + 1);
}

void AsyncCopies::finishBelow(unsigned lane, std::uint64_t group) {
  std::erase_if(begun_, [&](const Begun& begun) {
    const Copy& copy = begun.copy;
    if (copy.lane != lane || begun.group >= group) return false;
    if (copy.copied) std::memcpy(copy.to, copy.from, copy.copied);
    std::memset(copy.to + copy.copied, 0, copy.bytes - copy.copied);
    std::fill_n(copy.written, copy.bytes, std::uint8_t{1});
    return true;
  });
}

} // namespace harness::ptx
