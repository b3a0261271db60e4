#include "harness/ptx/copies.h"

#include <algorithm>
#include <cstring>

namespace harness::ptx {

bool AsyncCopies::begin(const Copy& copy) {
  if (begun_.size() == kMost) return false;
  std::fill_n(copy.written, copy.bytes, std::uint8_t{0});
  begun_.push_back({copy, groups_[copy.lane]});
  return true;
}

void AsyncCopies::finishGroups(LaneMask lanes, std::uint32_t pending) {
  finish([&](const Begun& begun) {
    unsigned lane = begun.copy.lane;
    return (lanes >> lane & 1) && begun.group < groups_[lane] && groups_[lane] - begun.group > pending;
  });
}

void AsyncCopies::finishAll(unsigned lane) {
  finish([&](const Begun& begun) { return begun.copy.lane == lane; });
}

template <typename F> void AsyncCopies::finish(F finished) {
  std::erase_if(begun_, [&](const Begun& begun) {
    const Copy& copy = begun.copy;
    if (!finished(begun)) return false;
    if (copy.copied) std::memcpy(copy.to, copy.from, copy.copied);
    std::memset(copy.to + copy.copied, 0, copy.bytes - copy.copied);
    std::fill_n(copy.written, copy.bytes, std::uint8_t{1});
    return true;
  });
}

} // namespace harness::ptx
