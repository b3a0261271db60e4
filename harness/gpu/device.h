#pragma once

#include "harness/base/version.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace harness::gpu {

/// A device as its driver describes it.
struct Device {
  int index = 0; ///< as the driver counts
  std::string name;
  int major = 0, minor = 0; ///< compute capability
  std::string uuid;
  std::uint64_t memoryBytes = 0;
  unsigned multiprocessors = 0;
  unsigned clockMhz = 0, memoryClockMhz = 0;       ///< the greatest; 0 = not told
  unsigned clockNowMhz = 0, memoryClockNowMhz = 0; ///< when it was asked; 0 = not told (no nvidia-ml)
  bool ecc = false;

  /// "sm_90".
  std::string arch() const;
  /// Whether it takes machine code for `target`: sm_90 and sm_90a on 9.0, sm_80 also on 8.6 (the same major
  /// number, no lower minor one), but sm_90a on 9.0 alone, and sm_100f on what is of its family.
  bool loads(std::string_view target) const;
};

/// What the driver is.
struct DriverFacts {
  std::string release; ///< "570.124.06"; empty if nothing tells it
  Version cuda;        ///< the newest CUDA that it knows: 12.8
  std::filesystem::path library;

  std::string str() const; ///< "driver 570.124.06 (CUDA 12.8)"
};

/// The devices of this machine.
struct Machine {
  DriverFacts driver;
  std::vector<Device> devices; ///< at least one
};

/// How harness-gpu is started.
struct Options {
  std::filesystem::path program;            ///< empty = beside this executable
  std::chrono::milliseconds open{60'000};   ///< for opening the driver and making a context
  std::chrono::milliseconds launch{30'000}; ///< of one launch, copies included
  unsigned batch = 512;                     ///< launches that one process makes; then another takes over
};

/// Asks the driver, in a process of its own. Throws Error(Environment) that says what is missing: no driver,
/// one that is too old, no device, one that does not answer.
Machine findMachine(const Options& options);

/// What harness-gpu is started as.
std::filesystem::path programOf(const Options& options);

/// For people, with what a bug report needs: "NVIDIA H200 (sm_90, 139 GiB, ECC on)".
std::string describe(const Device& device);

/// The same as JSON, for what is kept:
///   {"name", "arch", "uuid", "memory_bytes", "multiprocessors", "clock_mhz", "memory_clock_mhz", "ecc",
///    "driver", "cuda"}
/// Without the clocks of the moment: what two executions have in common must be equal.
std::string toJson(const Device& device, const DriverFacts& driver);

} // namespace harness::gpu
