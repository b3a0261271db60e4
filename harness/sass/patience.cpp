#include "harness/sass/patience.h"

#include "harness/sass/machine.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>

namespace harness::sass {

namespace {

/// Of all that a path computes with.
std::uint64_t hashOf(const Warp& warp) {
  auto bytes = [](const void* data, std::size_t size) {
    return llvm::xxh3_64bits(llvm::ArrayRef(static_cast<const std::uint8_t*>(data), size));
  };
  std::uint64_t parts[] = {bytes(warp.registers.data(), warp.registers.size() * sizeof(Lanes)),
                           bytes(warp.predicates, sizeof warp.predicates),
                           bytes(warp.uniform, sizeof warp.uniform),
                           bytes(warp.uniformPredicates, sizeof warp.uniformPredicates)};
  return bytes(parts, sizeof parts);
}

} // namespace

bool Patience::look(const Warp& warp) {
  if (ran_ >= longest_) {
    longest_ = std::max(kFirst, longest_ / 4);
    return true;
  }
  if (watching_) {
    if (warp.pc == pc_ && warp.active == active_ && hashOf(warp) == state_) return true;
    if (ran_ < until_) return false;
    watching_ = false;
    lookAt_ = 2 * ran_;
    return false;
  }
  watching_ = true;
  until_ = ran_ + kWatched;
  pc_ = warp.pc;
  active_ = warp.active;
  state_ = hashOf(warp);
  return false;
}

} // namespace harness::sass
