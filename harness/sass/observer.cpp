#include "harness/sass/observer.h"

namespace harness::sass {

void Observers::startBlock(const Block& block) {
  for (Observer* observer : all_)
    observer->startBlock(block);
}

void Observers::access(const Warp& warp, const MemoryAccess& access) {
  for (Observer* observer : all_)
    observer->access(warp, access);
}

void Observers::branch(const Warp& warp, LaneMask taken) {
  for (Observer* observer : all_)
    observer->branch(warp, taken);
}

void Observers::jump(const Warp& warp, LaneMask mask, const std::uint64_t* targets) {
  for (Observer* observer : all_)
    observer->jump(warp, mask, targets);
}

void Observers::arrive(const Warp& warp, unsigned barrier, LaneMask mask) {
  for (Observer* observer : all_)
    observer->arrive(warp, barrier, mask);
}

void Observers::release(const Block& block, unsigned barrier, LaneMask warps) {
  for (Observer* observer : all_)
    observer->release(block, barrier, warps);
}

} // namespace harness::sass
