#include "harness/gpu/executor.h"

#include "harness/base/error.h"
#include "harness/simt/launch_limits.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace harness::gpu {

namespace {

constexpr std::uint64_t kZone = GlobalMemory::kRedZone;

/// What a CUresult says of a kernel.
struct Meaning {
  int result;
  ExecutionEnd end;
};

/// Errors that a kernel that runs brings about.
constexpr Meaning kOfRunning[] = {
    {700, ExecutionEnd::Fault},   // ILLEGAL_ADDRESS
    {702, ExecutionEnd::Timeout}, // LAUNCH_TIMEOUT
    {710, ExecutionEnd::Fault},   // ASSERT
    {714, ExecutionEnd::Fault},   // HARDWARE_STACK_ERROR
    {715, ExecutionEnd::Fault},   // ILLEGAL_INSTRUCTION
    {716, ExecutionEnd::Fault},   // MISALIGNED_ADDRESS
    {717, ExecutionEnd::Fault},   // INVALID_ADDRESS_SPACE
    {718, ExecutionEnd::Fault},   // INVALID_PC
    {719, ExecutionEnd::Fault},   // LAUNCH_FAILED
};

/// Errors of a driver that does not take the code: too old for it, above all.
constexpr int kOfLoading[] = {200, 209, 218, 220, 221, 222, 223, 300};
/// Errors of a launch that the device has no room for.
constexpr int kOfLaunching[] = {1, 701};

/// The buffers of a launch in one block of device memory, with a red zone before the first and after each.
class Block {
public:
  explicit Block(const GlobalMemory& memory) : memory_(memory) {
    const std::vector<Allocation>& all = memory.allocations();
    if (all.empty()) return;
    first_ = all.front().address;
    bytes_.assign(placeOf(all.back()) + all.back().size + kZone, static_cast<char>(kZoneFill));
    for (const Allocation& one : all)
      std::memcpy(bytes_.data() + placeOf(one), one.host, one.size);
  }

  std::uint64_t placeOf(const Allocation& one) const { return one.address - first_ + kZone; }
  const std::string& bytes() const { return bytes_; }

  /// Takes the buffers out of `after`. What was done to the red zones, or empty.
  std::string accept(const std::string& after) const {
    std::string damage;
    std::size_t checked = 0;
    auto check = [&](std::size_t end) {
      for (; checked < end && damage.empty(); ++checked)
        if (static_cast<unsigned char>(after[checked]) != kZoneFill) damage = describe(after, checked);
      checked = end;
    };
    for (const Allocation& one : memory_.allocations()) {
      check(placeOf(one));
      std::memcpy(one.host, after.data() + placeOf(one), one.size);
      checked = placeOf(one) + one.size;
    }
    check(after.size());
    return damage;
  }

private:
  std::string describe(const std::string& after, std::size_t place) const {
    std::size_t end = place;
    while (end < after.size() && static_cast<unsigned char>(after[end]) != kZoneFill)
      ++end;
    return llvm::formatv("it wrote {0} bytes {1}", end - place,
                         memory_.describe(first_ + place - kZone, end - place))
        .str();
  }

  const GlobalMemory& memory_;
  std::uint64_t first_ = 0;
  std::string bytes_;
};

std::vector<DevicePointer> pointersOf(const Launch& launch, const std::vector<PointerPlace>& places,
                                      const GlobalMemory& memory, const Block& block) {
  std::vector<DevicePointer> pointers;
  for (const PointerPlace& place : places) {
    const std::vector<std::byte>& value = launch.args.at(place.argument);
    std::uint64_t address = 0;
    if (value.size() < sizeof address || place.offset > value.size() - sizeof address)
      throw Error(ErrorKind::Internal, "an argument has no room for its pointer");
    std::memcpy(&address, value.data() + place.offset, sizeof address);
    const Allocation* allocation = memory.find(address, 0);
    if (!allocation) throw Error(ErrorKind::Internal, "an argument points to no buffer");
    pointers.push_back({place.argument, place.offset, block.placeOf(*allocation)});
  }
  return pointers;
}

bool isAmong(int result, const auto& list) {
  return std::find(std::begin(list), std::end(list), result) != std::end(list);
}

[[noreturn]] void failDevice(const Device& device, const std::string& what) {
  failUsage("{0}: {1}", describe(device), what);
}

ExecutionResult ended(ExecutionEnd end, std::string message) {
  ExecutionResult result;
  result.end = end;
  result.message = std::move(message);
  return result;
}

/// What a call that failed says of the kernel. Throws if it is nothing.
ExecutionResult resultOf(const DeviceReply& reply, const Device& device, const DriverFacts& driver) {
  auto step = static_cast<std::size_t>(reply.step);
  bool ran = reply.step == Step::Launch || reply.step == Step::Run || reply.step == Step::CopyOut;
  for (const Meaning& meaning : kOfRunning)
    if (ran && reply.result == meaning.result) return ended(meaning.end, reply.message);
  bool loaded = reply.step == Step::Load || reply.step == Step::Find; // a driver may put it off
  if (loaded && isAmong(reply.result, kOfLoading))
    return ended(ExecutionEnd::Unsupported,
                 driver.str() + " does not take the cubin; a newer driver may (" + reply.message + ")");
  if ((reply.step == Step::Launch || reply.step == Step::Find) && isAmong(reply.result, kOfLaunching))
    return ended(ExecutionEnd::Unsupported,
                 "the device has no room for such a launch (" + reply.message + ")");
  failDevice(device, std::string(kStepNames[step]) + ": " + reply.message);
}

std::uint64_t stackBytesOf(const Kernel& kernel) {
  // Unknown where functions call each other in circles or through pointers. As much as the SASS executor
  // gives.
  constexpr std::uint32_t kUnknown = 0xffffffff;
  return kernel.minStackSize == kUnknown ? std::uint64_t{64} << 10 : 0;
}

} // namespace

ExecutionResult execute(Pool& pool, const std::vector<std::size_t>& places, std::string_view cubin,
                        const Kernel& kernel, const Launch& launch, const std::vector<PointerPlace>& pointers,
                        GlobalMemory& memory, Device& device) {
  kernel.requireArguments(launch.args);
  requireLaunchable(launch);
  Block block(memory);
  DeviceLaunch request{cubin,         kernel.name,
                       launch,        pointersOf(launch, pointers, memory, block),
                       block.bytes(), stackBytesOf(kernel)};
  Pool::Lease lease = pool.borrow(places);
  device = lease.worker().device();
  DeviceReply reply = lease.worker().launch(request);
  switch (reply.end) {
  case DeviceReply::End::Failed: return resultOf(reply, device, pool.machine().driver);
  case DeviceReply::End::Died:
    failDevice(device, reply.message + ", " + kStepNames[static_cast<std::size_t>(reply.step)]);
  case DeviceReply::End::TimedOut: {
    std::string limit = std::to_string(pool.options().launch.count() / 1000) + " s";
    if (reply.step == Step::Run) return ended(ExecutionEnd::Timeout, "the kernel ran longer than " + limit);
    failDevice(device, "no answer " + std::string(kStepNames[static_cast<std::size_t>(reply.step)]));
  }
  case DeviceReply::End::Done: break;
  }
  std::string damage = block.accept(reply.memory);
  return damage.empty() ? ExecutionResult() : ended(ExecutionEnd::Fault, damage);
}

} // namespace harness::gpu
