#pragma once

#include "harness/base/conversation.h"
#include "harness/gpu/device.h"
#include "harness/gpu/protocol.h"
#include "harness/simt/launch.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace harness::gpu {

/// What a device is to launch.
struct DeviceLaunch {
  std::string_view cubin, kernel;
  Launch launch;
  std::vector<DevicePointer> pointers; ///< what the arguments hold there does not matter
  std::string memory;                  ///< one block of device memory, as it is before the launch
  std::uint64_t stackBytes = 0;        ///< of a thread; 0 = as the driver thinks right
};

/// What became of it.
struct DeviceReply {
  enum class End {
    Done,     ///< the kernel ran to its end
    Failed,   ///< a call of the driver failed
    TimedOut, ///< within its limit nothing came
    Died,     ///< the process ended by itself
  };
  End end = End::Done;
  Step step = Step::Open; ///< what it was doing
  int result = 0;         ///< of Failed: the CUresult
  std::string message;    ///< the call, its error; how the process died
  std::string memory;     ///< of Done: after the launch
};

/// One process with one context on one device, started when it is first needed. After a fault, a hang or a
/// crash the next launch gets a new one.
class Worker {
public:
  Worker(const Options& options, const Device& device) : options_(options), device_(device) {}

  DeviceReply launch(const DeviceLaunch& launch);
  const Device& device() const { return device_; }
  std::uint64_t processes() const { return processes_; } ///< that were started

private:
  DeviceReply open();
  DeviceReply listen(std::uint64_t memoryBytes, Conversation::Clock::time_point deadline);
  DeviceReply giveUp(DeviceReply::End end, Step step);

  Options options_;
  Device device_;
  std::unique_ptr<Conversation> process_;
  unsigned launches_ = 0; ///< of the process
  std::uint64_t processes_ = 0;
};

} // namespace harness::gpu
