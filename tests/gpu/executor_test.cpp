#include "harness/base/error.h"

#include "tests/gpu/standin.h"

#include <set>
#include <thread>

namespace harness::test {
namespace {

class ExecutorTest : public StandIn {
protected:
  gpu::Pool& pool() {
    if (!pool_) pool_ = std::make_unique<gpu::Pool>(machine(), options_);
    return *pool_;
  }
  /// One whose processes start anew, with what is set then.
  void freshPool() {
    pool_.reset();
    pool();
  }
  /// What the harness says of a device that does not do its part.
  std::string failure(Fill& fill) {
    try {
      ExecutionResult result = fill.executeOn(pool());
      return "no failure but " + std::string(toString(result.end)) + ": " + result.message;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
      return error.what();
    }
  }
  void expectWell() {
    Fill fill;
    ExecutionResult result = fill.executeOn(pool());
    EXPECT_EQ(toString(result.end), toString(ExecutionEnd::Completed)) << result.message;
    EXPECT_EQ(fill.out(), Fill::rightOut());
  }

  std::unique_ptr<gpu::Pool> pool_;
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_END(result, expected)                                                                         \
  EXPECT_EQ(toString((result).end), toString(ExecutionEnd::expected)) << (result).message

TEST_F(ExecutorTest, RunsAKernel) {
  expectWell();
}

TEST_F(ExecutorTest, SaysWhichDeviceItWas) {
  set("HARNESS_STANDIN_NAMES", "A100");
  Fill fill;
  fill.executeOn(pool());
  EXPECT_EQ(fill.device.name, "A100");
  EXPECT_EQ(gpu::toJson(fill.device, pool().machine().driver),
            R"({"name":"A100","arch":"sm_80","uuid":"10101010-1010-1010-1010-101010101010",)"
            R"("memory_bytes":1073741824,"multiprocessors":4,"clock_mhz":1500,"memory_clock_mhz":2000,)"
            R"("ecc":true,"driver":"570.00","cuda":"12.8"})");
}

TEST_F(ExecutorTest, AWrongKernelIsWrong) {
  Fill fill("wrong");
  ExecutionResult result = fill.executeOn(pool());
  EXPECT_END(result, Completed);
  EXPECT_NE(fill.out(), Fill::rightOut());
}

TEST_F(ExecutorTest, WhatWasNotWrittenIsPoison) {
  Fill fill("unwritten");
  EXPECT_END(fill.executeOn(pool()), Completed);
  EXPECT_EQ(fill.out()[2], '\xAA');
}

TEST_F(ExecutorTest, AnInputThatIsChangedComesBackChanged) {
  Fill fill("input");
  std::vector<std::byte> before(fill.memory.bytes("in").begin(), fill.memory.bytes("in").end());
  EXPECT_END(fill.executeOn(pool()), Completed);
  auto after = fill.memory.bytes("in");
  EXPECT_FALSE(std::equal(before.begin(), before.end(), after.begin()));
}

TEST_F(ExecutorTest, AWriteIntoARedZoneIsAFault) {
  // `out` shorter than what the kernel writes: the rest goes into the red zone behind it.
  Fill fill;
  GlobalMemory& memory = fill.memory;
  Allocation& small = memory.allocate("small", 20, std::byte{0});
  std::memcpy(fill.launch.args[1].data(), &small.address, sizeof small.address);
  ExecutionResult result = fill.executeOn(pool());
  EXPECT_END(result, Fault);
  EXPECT_EQ(result.message, "it wrote 12 bytes 0 bytes past the end of 'small' (20 bytes)");
  expectWell();
  EXPECT_EQ(pool().processes(), 1u) << "such a fault does the context no harm";
}

TEST_F(ExecutorTest, AnAccessToNoMemoryIsAFaultAndTheNextLaunchIsWell) {
  Fill fill("outside");
  ExecutionResult result = fill.executeOn(pool());
  EXPECT_END(result, Fault);
  EXPECT_HAS(result.message, "cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS");
  expectWell();
  EXPECT_EQ(pool().processes(), 2u);
}

TEST_F(ExecutorTest, AnIllegalInstructionIsAFault) {
  Fill fill("illegal");
  ExecutionResult result = fill.executeOn(pool());
  EXPECT_END(result, Fault);
  EXPECT_HAS(result.message, "CUDA_ERROR_ILLEGAL_INSTRUCTION");
}

TEST_F(ExecutorTest, AKernelThatTheDriverEndsIsATimeout) {
  set("HARNESS_STANDIN_STEPS", "100000");
  Fill fill("forever");
  EXPECT_END(fill.executeOn(pool()), Timeout);
  expectWell();
}

TEST_F(ExecutorTest, AKernelThatHangsIsATimeoutAndItsProcessIsKilled) {
  set("HARNESS_STANDIN_HANG", "cuCtxSynchronize");
  options_.launch = std::chrono::seconds(2);
  Fill fill;
  ExecutionResult result = fill.executeOn(pool());
  EXPECT_END(result, Timeout);
  EXPECT_EQ(result.message, "the kernel ran longer than 2 s");
  set("HARNESS_STANDIN_HANG", "");
  expectWell();
}

TEST_F(ExecutorTest, EveryErrorOfARunningKernelHasItsMeaning) {
  // CUresult of cuda.h: what the documentation says leaves the context unusable after a launch.
  for (int code : {700, 710, 714, 715, 716, 717, 718, 719}) {
    set("HARNESS_STANDIN_FAIL", "cuCtxSynchronize:" + std::to_string(code));
    Fill fill;
    EXPECT_END(fill.executeOn(pool()), Fault) << code;
  }
  set("HARNESS_STANDIN_FAIL", "cuCtxSynchronize:702");
  Fill fill;
  EXPECT_END(fill.executeOn(pool()), Timeout);
  set("HARNESS_STANDIN_FAIL", "cuCtxSynchronize:214"); // ECC_UNCORRECTABLE: not the kernel's doing
  EXPECT_HAS(failure(fill), "running the kernel: cuCtxSynchronize: CUDA_ERROR_ECC_UNCORRECTABLE");
}

/// The calls that a launch makes.
constexpr const char* kCalls[] = {"cuInit",
                                  "cuDeviceGet",
                                  "cuDevicePrimaryCtxSetFlags",
                                  "cuDevicePrimaryCtxRetain",
                                  "cuCtxSetCurrent",
                                  "cuModuleLoadData",
                                  "cuModuleGetFunction",
                                  "cuFuncSetAttribute",
                                  "cuMemAlloc",
                                  "cuMemcpyHtoD",
                                  "cuLaunchKernel",
                                  "cuCtxSynchronize",
                                  "cuMemcpyDtoH",
                                  "cuMemFree",
                                  "cuModuleUnload"};

TEST_F(ExecutorTest, ACallThatFailsIsNamedAndTheNextLaunchIsWell) {
  for (const char* call : kCalls) {
    freshPool();
    set("HARNESS_STANDIN_FAIL", std::string(call) + ":999");
    Fill fill;
    fill.launch.dynamicShared = 1024;
    EXPECT_HAS(failure(fill), std::string(call) + ": CUDA_ERROR_UNKNOWN");
    set("HARNESS_STANDIN_FAIL", "");
    freshPool();
    expectWell();
  }
}

TEST_F(ExecutorTest, ADriverThatCrashesIsSaidToHave) {
  for (const char* call : kCalls) {
    freshPool();
    set("HARNESS_STANDIN_CRASH", call);
    Fill fill;
    fill.launch.dynamicShared = 1024;
    EXPECT_HAS(failure(fill), "killed by signal 11") << call;
    set("HARNESS_STANDIN_CRASH", "");
    expectWell();
  }
}

TEST_F(ExecutorTest, ADriverThatHangsIsSaidTo) {
  for (const char* call : {"cuInit", "cuModuleLoadData", "cuMemcpyDtoH", "cuModuleUnload"}) {
    options_.open = std::chrono::seconds(60);
    gpu::Machine found = machine();
    options_.launch = options_.open = std::chrono::seconds(1);
    pool_ = std::make_unique<gpu::Pool>(found, options_);
    set("HARNESS_STANDIN_HANG", call);
    Fill fill;
    EXPECT_HAS(failure(fill), "no answer ") << call;
    set("HARNESS_STANDIN_HANG", "");
  }
}

TEST_F(ExecutorTest, CodeForAnotherDeviceIsNotTaken) {
  Fill fill("right", "sm_90");
  ExecutionResult result = fill.executeOn(pool());
  EXPECT_END(result, Unsupported);
  EXPECT_HAS(result.message, "driver 570.00 (CUDA 12.8) does not take the cubin");
  EXPECT_HAS(result.message, "CUDA_ERROR_NO_BINARY_FOR_GPU");
  expectWell();
  EXPECT_EQ(pool().processes(), 1u);
}

TEST_F(ExecutorTest, ADriverThatIsTooOldForTheCodeSaysSo) {
  set("HARNESS_STANDIN_FAIL", "cuModuleLoadData:222");
  Fill fill;
  ExecutionResult result = fill.executeOn(pool());
  EXPECT_END(result, Unsupported);
  EXPECT_HAS(result.message, "a newer driver may");
}

TEST_F(ExecutorTest, ALaunchThatTheDeviceHasNoRoomForIsUnsupported) {
  Fill fill;
  fill.launch.dynamicShared = 200 * 1024;
  ExecutionResult result = fill.executeOn(pool());
  EXPECT_END(result, Unsupported);
  EXPECT_HAS(result.message, "no room for such a launch (cuFuncSetAttribute");
  set("HARNESS_STANDIN_FAIL", "cuLaunchKernel:701");
  freshPool();
  Fill other;
  EXPECT_END(other.executeOn(pool()), Unsupported);
}

TEST_F(ExecutorTest, TooLittleMemory) {
  set("HARNESS_STANDIN_MEMORY", "10000");
  Fill fill;
  EXPECT_HAS(failure(fill), "allocating device memory: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY");
}

TEST_F(ExecutorTest, ALaunchThatDoesNotFitItsKernel) {
  Fill fill;
  fill.launch.args.pop_back();
  EXPECT_HAS(failure(fill), "takes 3 arguments, the launch has 2");
  Fill wide;
  wide.launch.args[2].resize(8);
  EXPECT_HAS(failure(wide), "argument 2 of kernel 'fill' has 4 bytes");
  Fill large;
  large.launch.block = {1025, 1, 1};
  EXPECT_HAS(failure(large), "cannot be launched");
  EXPECT_EQ(calls("cuLaunchKernel"), 0u);
}

TEST_F(ExecutorTest, APointerWithoutRoom) {
  Fill fill;
  fill.pointers.push_back({2, 0}); // of four bytes
  EXPECT_THROW(fill.executeOn(pool()), Error);
  EXPECT_EQ(calls("cuLaunchKernel"), 0u);
}

TEST_F(ExecutorTest, AProcessMakesABatchOfLaunchesInOneContext) {
  options_.batch = 2;
  for (int i = 0; i < 5; ++i)
    expectWell();
  EXPECT_EQ(pool().processes(), 3u);
  EXPECT_EQ(calls("cuDevicePrimaryCtxRetain"), 3u);
  EXPECT_EQ(calls("cuModuleLoadData"), 5u) << "variables of a module are as new in every launch";
  EXPECT_EQ(calls("cuMemFree"), 5u);
}

TEST_F(ExecutorTest, NothingStaysOnTheDevice) {
  // One launch fills half of the memory.
  set("HARNESS_STANDIN_MEMORY", "40000");
  for (int i = 0; i < 3; ++i) {
    Fill fill;
    fill.memory.allocate("more", 10000, std::byte{0});
    EXPECT_END(fill.executeOn(pool()), Completed);
  }
}

TEST_F(ExecutorTest, TwoDevicesRunSideBySide) {
  set("HARNESS_STANDIN_DEVICES", "8.0,8.0");
  pool();
  std::set<std::string> uuids;
  {
    gpu::Pool::Lease one = pool().borrow({0, 1}), other = pool().borrow({0, 1});
    uuids = {one.worker().device().uuid, other.worker().device().uuid};
  }
  EXPECT_EQ(uuids.size(), 2u);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([this] {
      for (int i = 0; i < 3; ++i) {
        Fill fill;
        ExecutionResult result = gpu::execute(pool(), {0, 1}, fill.bytes, fill.kernel, fill.launch,
                                              fill.pointers, fill.memory, fill.device);
        EXPECT_END(result, Completed);
        EXPECT_EQ(fill.out(), Fill::rightOut());
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(pool().processes(), 2u) << "one for each device";
}

} // namespace
} // namespace harness::test
