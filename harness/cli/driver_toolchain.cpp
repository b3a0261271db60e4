#include "harness/cli/driver_toolchain.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"

#include <algorithm>

namespace harness::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kDriver = "driver";

/// The newest PTX that a compiler of that CUDA version takes; empty if no installed one tells.
Version newestPtx(const Version& cuda, const std::vector<Toolchain>& installed) {
  Version newest;
  for (const Toolchain& one : installed)
    if (one.ptxas.build.label() == cuda) newest = std::max(newest, one.ptxas.maxPtx);
  return newest;
}

} // namespace

bool isDriverName(std::string_view half) {
  return half == kDriver || half.starts_with("driver-");
}

std::vector<std::string> ownArchs(const gpu::Device& device) {
  std::vector<std::string> archs;
  for (const char* suffix : {"", "a", "f"})
    if (device.major >= 10 || (device.major == 9 && *suffix != 'f') || !*suffix)
      archs.push_back(device.arch() + suffix);
  return archs;
}

Toolchain withDriver(const Toolchain& front, std::string_view half, const gpu::Machine& machine,
                     const std::vector<Toolchain>& installed) {
  const gpu::DriverFacts& driver = machine.driver;
  std::string name =
      std::string(kDriver) + "-" + (driver.release.empty() ? "cuda" + driver.cuda.str() : driver.release);
  if (half != kDriver && half != name)
    failEnvironment("there is no '{0}' here: this machine has {1}", half, name);
  Toolchain toolchain = front;
  toolchain.name = front.name + "+" + name;
  Ptxas& ptxas = toolchain.ptxas;
  ptxas.build = driver.cuda;
  ptxas.buildString = "the compiler in " + driver.str();
  ptxas.program = besideThisProgram("harness-driver-ptxas");
  ptxas.maxPtx = newestPtx(driver.cuda, installed);
  ptxas.archs.clear();
  KeyHasher identity("driver-ptxas/1");
  identity.add("release", driver.release).add("cuda", driver.cuda.str());
  std::error_code ec;
  if (fs::is_regular_file(driver.library, ec)) identity.add("library", sha256File(driver.library));
  for (const gpu::Device& device : machine.devices) {
    identity.add("device", device.name);
    for (const std::string& arch : ownArchs(device))
      if (!toolchain.knowsArch(arch)) ptxas.archs.push_back(arch);
  }
  ptxas.sha256 = identity.hex();
  return toolchain;
}

Toolchain frontEndFor(const gpu::Machine& machine, const std::vector<Toolchain>& installed) {
  if (installed.empty())
    failEnvironment("no toolchain is installed; 'harness toolchain install 13.0.88' installs one");
  const Toolchain* best = nullptr;
  for (const Toolchain& one : installed)
    if (one.frontEnd.build.label() <= machine.driver.cuda) best = &one;
  return best ? *best : installed.back();
}

} // namespace harness::cli
