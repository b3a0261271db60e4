#include "harness/base/error.h"
#include "harness/gpu/pool.h"

#include "tests/gpu/standin.h"

namespace harness::test {
namespace {

using gpu::Device;
using MachineTest = StandIn;

Device deviceOf(int major, int minor) {
  Device device;
  device.major = major;
  device.minor = minor;
  return device;
}

// CUDA C++ programming guide, "Binary Compatibility" and "Feature Set Compiler Targets".
TEST(DeviceTest, PlainCodeRunsOnLaterMinorNumbers) {
  EXPECT_TRUE(deviceOf(9, 0).loads("sm_90"));
  EXPECT_TRUE(deviceOf(8, 9).loads("sm_80"));
  EXPECT_TRUE(deviceOf(8, 9).loads("sm_86"));
  EXPECT_TRUE(deviceOf(12, 1).loads("sm_120"));
  EXPECT_FALSE(deviceOf(8, 0).loads("sm_86")) << "an earlier minor number";
  EXPECT_FALSE(deviceOf(9, 0).loads("sm_80")) << "another major number";
  EXPECT_FALSE(deviceOf(12, 0).loads("sm_100"));
}

TEST(DeviceTest, CodeForOneArchitectureRunsOnItAlone) {
  EXPECT_TRUE(deviceOf(9, 0).loads("sm_90a"));
  EXPECT_TRUE(deviceOf(10, 3).loads("sm_103a"));
  EXPECT_FALSE(deviceOf(10, 3).loads("sm_100a"));
  EXPECT_FALSE(deviceOf(12, 1).loads("sm_120a"));
}

TEST(DeviceTest, CodeForAFamilyRunsInIt) {
  EXPECT_TRUE(deviceOf(10, 0).loads("sm_100f"));
  EXPECT_TRUE(deviceOf(10, 3).loads("sm_100f"));
  EXPECT_FALSE(deviceOf(10, 0).loads("sm_103f"));
  EXPECT_FALSE(deviceOf(12, 0).loads("sm_100f"));
}

TEST(DeviceTest, TegraAndOthersExchangeNone) {
  EXPECT_TRUE(deviceOf(8, 7).loads("sm_87"));
  EXPECT_FALSE(deviceOf(8, 7).loads("sm_80"));
  EXPECT_FALSE(deviceOf(8, 9).loads("sm_87"));
}

TEST(DeviceTest, WhatIsNoArchitectureIsNotLoaded) {
  for (const char* name : {"", "sm_", "sm_90x", "compute_90", "90"})
    EXPECT_FALSE(deviceOf(9, 0).loads(name)) << name;
}

TEST_F(MachineTest, SaysWhatIsThere) {
  set("HARNESS_STANDIN_DEVICES", "8.0,9.0");
  set("HARNESS_STANDIN_NAMES", "One,Other");
  set("HARNESS_STANDIN_RELEASE", "570.124.06");
  gpu::Machine found = machine();
  EXPECT_EQ(found.driver.str(), "driver 570.124.06 (CUDA 12.8)");
  EXPECT_EQ(found.driver.library, STANDIN_LIBCUDA);
  ASSERT_EQ(found.devices.size(), 2u);
  const Device& other = found.devices[1];
  EXPECT_EQ(other.name, "Other");
  EXPECT_EQ(other.arch(), "sm_90");
  EXPECT_EQ(other.index, 1);
  EXPECT_EQ(other.uuid, "11111111-1111-1111-1111-111111111111");
  EXPECT_EQ(other.memoryBytes, std::uint64_t{1} << 30);
  EXPECT_EQ(other.multiprocessors, 4u);
  EXPECT_EQ(other.clockMhz, 1500u);
  EXPECT_EQ(other.memoryClockMhz, 2000u);
  EXPECT_EQ(other.clockNowMhz, 1200u);
  EXPECT_EQ(other.memoryClockNowMhz, 1600u);
  EXPECT_TRUE(other.ecc);
}

TEST_F(MachineTest, WithoutNvidiaMlOnlyTheClocksOfTheMomentAreMissing) {
  set("HARNESS_LIBNVML", "/nowhere/libnvidia-ml.so");
  gpu::Machine found = machine();
  EXPECT_EQ(found.devices.at(0).clockNowMhz, 0u);
  EXPECT_EQ(found.devices.at(0).clockMhz, 1500u);
}

/// What findMachine says is missing.
std::string complaint(const gpu::Options& options) {
  try {
    gpu::findMachine(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Environment);
    return error.what();
  }
  return "";
}

TEST_F(MachineTest, SaysWhatIsMissing) {
  auto has = [this](const char* part) {
    std::string text = complaint(options_);
    return text.find(part) != std::string::npos ? testing::AssertionSuccess()
                                                : testing::AssertionFailure() << "'" << text << "'";
  };
  set("HARNESS_STANDIN_DEVICES", "");
  EXPECT_TRUE(has("CUDA_ERROR_NO_DEVICE"));
  set("HARNESS_STANDIN_DEVICES", "8.0");
  set("HARNESS_STANDIN_FAIL", "cuInit:999");
  EXPECT_TRUE(has("cuInit: CUDA_ERROR_UNKNOWN"));
  set("HARNESS_STANDIN_FAIL", "cuDeviceGetName:999");
  EXPECT_TRUE(has("cuDeviceGetName: CUDA_ERROR_UNKNOWN"));
  set("HARNESS_STANDIN_FAIL", "cuInit:12345");
  EXPECT_TRUE(has("cuInit: error 12345"));
  set("HARNESS_STANDIN_FAIL", "");
  set("HARNESS_STANDIN_CRASH", "cuInit");
  EXPECT_TRUE(has("killed by signal 11"));
  set("HARNESS_STANDIN_CRASH", "");
  set("HARNESS_STANDIN_HANG", "cuDeviceGetCount");
  options_.open = std::chrono::milliseconds(300);
  EXPECT_TRUE(has("timed out"));
  set("HARNESS_LIBCUDA", STANDIN_OLD_LIBCUDA);
  options_.open = std::chrono::seconds(60);
  EXPECT_TRUE(has("the driver is too old"));
  EXPECT_TRUE(has("has no cu"));
  set("HARNESS_LIBCUDA", "/nowhere/libcuda.so.1");
  EXPECT_TRUE(has("no NVIDIA driver: /nowhere/libcuda.so.1"));
}

TEST_F(MachineTest, DevicesOfOneModelShareTheWork) {
  set("HARNESS_STANDIN_DEVICES", "9.0,8.0,8.6,8.0");
  set("HARNESS_STANDIN_NAMES", "H,A,G,A");
  gpu::Pool pool(machine(), options_);
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(pool.devicesFor("sm_90a"), Places{0});
  EXPECT_EQ(pool.devicesFor("sm_80"), (Places{1, 3})) << "not the other model, which takes it too";
  EXPECT_EQ(pool.devicesFor("sm_86"), Places{2});
  EXPECT_EQ(pool.devicesFor("sm_120"), Places{});
}

} // namespace
} // namespace harness::test
