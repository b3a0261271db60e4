#include "harness/gpu/device.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"

#include <llvm/ADT/StringRef.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace harness::gpu {

namespace fs = std::filesystem;

namespace {

template <typename T> T number(const std::string& text) {
  T value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Device parseDevice(const std::vector<std::string>& fields) {
  Device device;
  device.index = number<int>(fields[1]);
  device.name = fields[2];
  device.major = number<int>(fields[3]);
  device.minor = number<int>(fields[4]);
  device.uuid = fields[5];
  device.memoryBytes = number<std::uint64_t>(fields[6]);
  device.multiprocessors = number<unsigned>(fields[7]);
  device.clockMhz = number<unsigned>(fields[8]);
  device.memoryClockMhz = number<unsigned>(fields[9]);
  device.clockNowMhz = number<unsigned>(fields[10]);
  device.memoryClockNowMhz = number<unsigned>(fields[11]);
  device.ecc = number<int>(fields[12]) != 0;
  return device;
}

DriverFacts parseDriver(const std::vector<std::string>& fields) {
  unsigned version = number<unsigned>(fields[2]); // 12080 is 12.8
  return {fields[1], Version{{version / 1000, version % 1000 / 10}}, fields[3]};
}

/// Between these and others no machine code is exchanged, whatever the minor numbers (CUDA C++ programming
/// guide, binary compatibility).
bool isTegra(unsigned sm) {
  return sm == 72 || sm == 87 || sm == 88 || sm == 101 || sm == 110;
}

Machine parse(std::string_view text) {
  constexpr std::size_t kDriverFields = 4, kDeviceFields = 14;
  Machine machine;
  bool anyDriver = false;
  for (const std::string& line : split(trim(text), '\n')) {
    std::vector<std::string> fields = split(line, '\t');
    if (fields[0] == "driver" && fields.size() == kDriverFields) {
      machine.driver = parseDriver(fields);
      anyDriver = true;
    } else if (fields[0] == "device" && fields.size() == kDeviceFields) {
      machine.devices.push_back(parseDevice(fields));
    }
  }
  if (!anyDriver) failEnvironment("the NVIDIA driver says nothing of itself");
  return machine;
}

} // namespace

std::string Device::arch() const {
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

bool Device::loads(std::string_view target) const {
  llvm::StringRef rest(target.data(), target.size());
  unsigned sm = 0;
  if (!rest.consume_front("sm_") || rest.consumeInteger(10, sm)) return false;
  int targetMajor = static_cast<int>(sm / 10), targetMinor = static_cast<int>(sm % 10);
  bool same = major == targetMajor && minor == targetMinor;
  if (rest == "a") return same;
  // Code for a family runs on what came later within it, like plain code; no family crosses a major number.
  if (!rest.empty() && rest != "f") return false;
  if (isTegra(sm) || isTegra(static_cast<unsigned>(10 * major + minor))) return same;
  return major == targetMajor && minor >= targetMinor;
}

std::string DriverFacts::str() const {
  return (release.empty() ? "a driver" : "driver " + release) + " (CUDA " + cuda.str() + ")";
}

fs::path programOf(const Options& options) {
  return options.program.empty() ? besideThisProgram("harness-gpu") : options.program;
}

Machine findMachine(const Options& options) {
  ProcessSpec spec;
  spec.argv = {programOf(options).string(), "devices"};
  spec.limits.wall = options.open;
  spec.limits.memoryBytes = 0; // a driver reserves more address space than any limit
  ProcessResult result = runProcess(spec);
  throwIfInterrupted();
  if (!result.ok()) {
    std::string said(trim(result.err));
    if (result.end == ProcessEnd::Exited && !said.empty()) failEnvironment("{0}", said);
    failEnvironment("the NVIDIA driver does not answer: harness-gpu {0}{1}", result.describe(),
                    said.empty() ? "" : ": " + said);
  }
  Machine machine = parse(result.out);
  if (machine.devices.empty()) failEnvironment("there is {0}, but no device", machine.driver.str());
  return machine;
}

std::string describe(const Device& device) {
  return llvm::formatv("{0} ({1}, {2} GiB, ECC {3})", device.name, device.arch(), device.memoryBytes >> 30,
                       device.ecc ? "on" : "off")
      .str();
}

std::string toJson(const Device& device, const DriverFacts& driver) {
  return nlohmann::ordered_json{{"name", device.name},
                                {"arch", device.arch()},
                                {"uuid", device.uuid},
                                {"memory_bytes", device.memoryBytes},
                                {"multiprocessors", device.multiprocessors},
                                {"clock_mhz", device.clockMhz},
                                {"memory_clock_mhz", device.memoryClockMhz},
                                {"ecc", device.ecc},
                                {"driver", driver.release},
                                {"cuda", driver.cuda.str()}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace harness::gpu
