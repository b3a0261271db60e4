#include "harness/sass/operands.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>

namespace harness::sass {

void ConstantBank::set(std::uint32_t offset, const void* data, std::size_t size) {
  if (size == 0) return;
  if (bytes.size() < offset + size) bytes.resize(offset + size);
  if (known.size() < bytes.size()) known.resize(bytes.size());
  std::memcpy(bytes.data() + offset, data, size);
  std::fill_n(known.begin() + offset, size, true);
}

std::optional<std::uint64_t> ConstantBank::find(std::int64_t offset, unsigned size) const {
  auto at = static_cast<std::uint64_t>(offset);
  std::uint64_t value = 0, validity = 0, allValid = 0x0101010101010101 >> (64 - 8 * size);
  bool inside = at + size <= bytes.size() && at <= bytes.size();
  if (!inside) return std::nullopt;
  std::memcpy(&value, bytes.data() + at, size);
  if (known.empty()) return value;
  std::memcpy(&validity, known.data() + at, size);
  if (validity == allValid) return value;
  return std::nullopt;
}

std::uint64_t ConstantBank::read(unsigned bank, std::int64_t offset, unsigned size) const {
  if (auto value = find(offset, size)) return *value;
  unsupported(llvm::formatv("reads c[{0:x}][{1:x}], whose meaning is not known", bank, offset).str());
}

namespace {

/// Where bank 0 holds what the launch defines; 0xffff = nowhere. ntid, nctaid, stack pointer, dynamic shared
/// size and descriptor are from published tables; the windows and the base of bank 3 from what nvcc 13.0.88
/// -G and -Xptxas -O0 read for generic pointers to a shared, local and constant array. From sm_90 on the
/// shared window is not in the bank but SR_SWINHI.
struct BankZeroLayout {
  std::uint32_t ntid, nctaid, stackPointer, dynamicShared, descriptor, sharedWindow, localWindow,
      constantBase;
};

constexpr std::uint32_t kNowhere = 0xffff;

BankZeroLayout bankZeroLayout(unsigned sm) {
  if (sm >= 100) return {0x360, 0x370, 0x37c, 0x2ac, 0x358, kNowhere, 0x2f8, 0x120};
  if (sm >= 90) return {0x00, 0x0c, 0x28, 0x2c, 0x208, kNowhere, 0x20, 0xd0};
  if (sm >= 80) return {0x00, 0x0c, 0x28, 0x2c, 0x118, 0x18, 0x20, 0x50};
  return {0x00, 0x0c, 0x28, 0x2c, kNowhere, 0x18, 0x20, 0x50};
}

/// Where bank 0 describes the cluster: whether the launch asked for one, blocks in each direction and their
/// reciprocals, clusters in each direction, blocks in all. As ptxas 13.0.88 reads %is_explicit_cluster,
/// %cluster_nctaid, %clusterid, %nclusterid and %cluster_nctarank. From sm_100 on it subtracts
/// 0xa0 × SR_CgaSize, which is 0 here.
struct ClusterLayout {
  std::uint32_t isExplicit, shape, reciprocal, clusters, blocks;
};

const ClusterLayout& clusterLayout(unsigned sm) {
  static constexpr ClusterLayout kSm90 = {0x140, 0x144, 0x150, 0x15c, 0x188};
  static constexpr ClusterLayout kSm100 = {0x36c, 0x2a0, 0x2b0, 0x2c0, 0x2cc};
  return sm >= 100 ? kSm100 : kSm90;
}

} // namespace

void Machine::fillConstants() {
  for (const auto& [index, contents] : kernel.constants) {
    if (index >= kConstantBanks) continue;
    const auto* bytes = reinterpret_cast<const std::byte*>(contents.data());
    banks_[index].bytes.assign(bytes, bytes + contents.size());
  }
  BankZeroLayout layout = bankZeroLayout(cubin.smVersion);
  ConstantBank& zero = banks_[0];
  zero.known.resize(1);
  auto set = [&zero](std::uint32_t offset, const void* data, std::size_t size) {
    if (offset != kNowhere) zero.set(offset, data, size);
  };
  set(layout.ntid, launch.block.data(), 12);
  set(layout.nctaid, launch.grid.data(), 12);
  set(layout.stackPointer, &localSize, 4);
  set(layout.dynamicShared, &launch.dynamicShared, 4);
  std::uint64_t descriptor = 0; // access rights and cache policy of global memory; never looked into
  set(layout.descriptor, &descriptor, 8);
  set(layout.sharedWindow, &kSharedWindow, 8);
  set(layout.localWindow, &kLocalWindow, 8);
  set(layout.constantBase, &Cubin::kConstantBase, 8);
  if (cubin.smVersion >= 90) {
    const ClusterLayout& cluster = clusterLayout(cubin.smVersion);
    constexpr std::uint32_t kNoCluster = 0;
    constexpr std::array<std::uint32_t, 3> kShape = {1, 1, 1};
    constexpr std::array<float, 3> kReciprocal = {1, 1, 1};
    set(cluster.isExplicit, &kNoCluster, 4);
    set(cluster.shape, kShape.data(), 12);
    set(cluster.reciprocal, kReciprocal.data(), 12);
    set(cluster.clusters, launch.grid.data(), 12);
    set(cluster.blocks, kShape.data(), 4);
  }
  // Code reads whole words of parameters: nobody has written what lies between them.
  std::vector<std::byte> gaps((kernel.paramSize + 3) / 4 * 4, options.poison);
  if (!gaps.empty()) zero.set(kernel.paramBase, gaps.data(), gaps.size());
  for (const KernelParam& param : kernel.params) {
    if (param.ordinal >= launch.args.size()) continue;
    const std::vector<std::byte>& value = launch.args[param.ordinal];
    zero.set(kernel.paramBase + param.offset, value.data(), value.size());
  }
}

void Machine::spreadConstants() {
  for (const Source& source : code_.constants) {
    std::optional<Lanes>& lanes = constants_.emplace_back();
    auto value = source.bank < kConstantBanks ? banks_[source.bank].find(source.offset, 4) : std::nullopt;
    if (!value) continue;
    std::fill_n(lanes.emplace().v, kLanes, static_cast<std::uint32_t>(*value));
    transformLanes(lanes->v, lanes->v, source.transform);
  }
}

const ConstantBank& Machine::bank(unsigned index) const {
  if (index >= kConstantBanks || banks_[index].bytes.empty())
    unsupported(llvm::formatv("reads constant bank {0}, which the kernel lacks", index).str());
  return banks_[index];
}

} // namespace harness::sass
