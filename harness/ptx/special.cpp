#include "harness/ptx/special.h"

#include "harness/ptx/machine.h"

#include <algorithm>
#include <iterator>

namespace harness::ptx {

namespace {

using Read = std::uint64_t (*)(const Warp& warp, unsigned lane);

/// The thread's place in its block along an axis.
template <unsigned Axis> std::uint64_t threadIndex(const Warp& w, unsigned lane) {
  const auto& block = w.machine.launch.block;
  std::uint64_t linear = std::uint64_t{w.index} * kLanes + lane;
  if constexpr (Axis == 0) return linear % block[0];
  if constexpr (Axis == 1) return linear / block[0] % block[1];
  return linear / block[0] / block[1];
}

template <unsigned Axis> std::uint64_t blockSize(const Warp& w, unsigned) {
  return w.machine.launch.block[Axis];
}
template <unsigned Axis> std::uint64_t blockIndex(const Warp& w, unsigned) {
  return w.block.index[Axis];
}
template <unsigned Axis> std::uint64_t gridSize(const Warp& w, unsigned) {
  return w.machine.launch.grid[Axis];
}
template <std::uint64_t Value> std::uint64_t fixed(const Warp&, unsigned) {
  return Value;
}

std::uint64_t warpsOfBlock(const Warp& w, unsigned) {
  return w.block.warps.size();
}

/// Instructions executed so far, so that it is the same in every run.
std::uint64_t clock(const Warp& w, unsigned) {
  return w.machine.result.warpInstructions;
}

struct Row {
  std::string_view name;
  Type type;
  Read read;
};

// A launch has no clusters but those of one block, and one multiprocessor.
constexpr Row kRows[] = {
    {"%tid.x", Type::U32, threadIndex<0>},
    {"%tid.y", Type::U32, threadIndex<1>},
    {"%tid.z", Type::U32, threadIndex<2>},
    {"%ntid.x", Type::U32, blockSize<0>},
    {"%ntid.y", Type::U32, blockSize<1>},
    {"%ntid.z", Type::U32, blockSize<2>},
    {"%ctaid.x", Type::U32, blockIndex<0>},
    {"%ctaid.y", Type::U32, blockIndex<1>},
    {"%ctaid.z", Type::U32, blockIndex<2>},
    {"%nctaid.x", Type::U32, gridSize<0>},
    {"%nctaid.y", Type::U32, gridSize<1>},
    {"%nctaid.z", Type::U32, gridSize<2>},
    {"%laneid", Type::U32, [](const Warp&, unsigned lane) -> std::uint64_t { return lane; }},
    {"%warpid", Type::U32, [](const Warp& w, unsigned) -> std::uint64_t { return w.index; }},
    {"%nwarpid", Type::U32, warpsOfBlock},
    {"%smid", Type::U32, fixed<0>},
    {"%nsmid", Type::U32, fixed<1>},
    {"%gridid", Type::U64, fixed<1>},
    {"%lanemask_eq", Type::U32, [](const Warp&, unsigned lane) -> std::uint64_t { return laneBit(lane); }},
    {"%lanemask_lt", Type::U32,
     [](const Warp&, unsigned lane) -> std::uint64_t { return laneBit(lane) - 1; }},
    {"%lanemask_le", Type::U32,
     [](const Warp&, unsigned lane) -> std::uint64_t { return laneBit(lane) | (laneBit(lane) - 1); }},
    {"%lanemask_ge", Type::U32,
     [](const Warp&, unsigned lane) -> std::uint64_t { return kAllLanes << lane; }},
    {"%lanemask_gt", Type::U32,
     [](const Warp&, unsigned lane) -> std::uint64_t { return (kAllLanes << lane) & ~laneBit(lane); }},
    {"%clock", Type::U32, [](const Warp& w, unsigned lane) { return clock(w, lane) & 0xffffffff; }},
    {"%clock_hi", Type::U32, [](const Warp& w, unsigned lane) { return clock(w, lane) >> 32; }},
    {"%clock64", Type::U64, clock},
    {"%globaltimer", Type::U64, clock},
    {"%globaltimer_lo", Type::U32, [](const Warp& w, unsigned lane) { return clock(w, lane) & 0xffffffff; }},
    {"%globaltimer_hi", Type::U32, [](const Warp& w, unsigned lane) { return clock(w, lane) >> 32; }},
    {"%dynamic_smem_size", Type::U32,
     [](const Warp& w, unsigned) -> std::uint64_t { return w.machine.launch.dynamicShared; }},
    {"%total_smem_size", Type::U32,
     [](const Warp& w, unsigned) -> std::uint64_t { return w.machine.sharedSize; }},
    {"%is_explicit_cluster", Type::Pred, fixed<0>},
    {"%clusterid.x", Type::U32, blockIndex<0>},
    {"%clusterid.y", Type::U32, blockIndex<1>},
    {"%clusterid.z", Type::U32, blockIndex<2>},
    {"%nclusterid.x", Type::U32, gridSize<0>},
    {"%nclusterid.y", Type::U32, gridSize<1>},
    {"%nclusterid.z", Type::U32, gridSize<2>},
    {"%cluster_ctaid.x", Type::U32, fixed<0>},
    {"%cluster_ctaid.y", Type::U32, fixed<0>},
    {"%cluster_ctaid.z", Type::U32, fixed<0>},
    {"%cluster_nctaid.x", Type::U32, fixed<1>},
    {"%cluster_nctaid.y", Type::U32, fixed<1>},
    {"%cluster_nctaid.z", Type::U32, fixed<1>},
    {"%cluster_ctarank", Type::U32, fixed<0>},
    {"%cluster_nctarank", Type::U32, fixed<1>},
};

} // namespace

std::optional<std::uint32_t> specialNamed(std::string_view name) {
  auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.name == name; });
  if (row == std::end(kRows)) return std::nullopt;
  return static_cast<std::uint32_t>(row - std::begin(kRows));
}

Type specialType(std::uint32_t special) {
  return kRows[special].type;
}

void readSpecial(const Warp& warp, std::uint32_t special, Lanes& value) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    value.v[lane] = kRows[special].read(warp, lane);
}

} // namespace harness::ptx
