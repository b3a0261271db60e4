// Real compilers, real disassembly, and the stand-in for a device: what both executors do must be the same.
#include "tests/compile/toolchains.h"
#include "tests/gpu/standin.h"
#include "tests/matrix/world.h"

namespace harness::test {
namespace {

using Json = nlohmann::json;

class GpuToolchainTest : public testing::Test, protected StandInMachine {
protected:
  GpuToolchainTest() {
    set("HARNESS_STANDIN_NVDISASM", installedToolchains().nvdisasm().program);
    set("HARNESS_STANDIN_CUDA", "13050");
  }

  ProcessResult run(const std::vector<std::string>& arguments) {
    return runProcess(programCall(HARNESS_PROGRAM, HARNESS_SOURCE_DIR, directory_.path(), arguments));
  }
};

TEST_F(GpuToolchainTest, ARunAndItsReceipt) {
  writeFileAtomically(directory_.path() / "m.json", R"({
    "cases": ["halfstore", "call-recursion", "global-initialisers", "atomic-shared-u32", "softmax-rows",
              "strided-copy"],
    "toolchains": ["13.0.88"], "archs": ["sm_80"], "opts": ["O0", "O3"], "executors": ["gpu", "sass", "ptx"]})");
  EXPECT_CODE(run({"run", "--matrix", "m.json"}), 0);
  ProcessResult receipt = run({"receipt", "-o", "receipt.json"});
  EXPECT_CODE(receipt, 0);
  Json file = Json::parse(readFile(directory_.path() / "receipt.json"));
  EXPECT_EQ(file["cells"], 12);
  EXPECT_EQ(file["equal"], file["launches"]) << receipt.out;
  EXPECT_EQ(file["devices"][0]["name"], "Stand-in 8.0");
}

TEST_F(GpuToolchainTest, TheTensorCoresAreFoundAsTheyAre) {
  for (const char* model : {"sm_80/mma.sync/f16", "sm_80/mma.sync/tf32", "sm_80/mma.sync/f16/f16"}) {
    ProcessResult result = run({"mma", "probe", "--executor", "gpu", "--model", model, "--json"});
    if (result.err.find("CUDA_ERROR_NOT_SUPPORTED") != std::string::npos)
      GTEST_SKIP() << "the SASS executor, which the stand-in runs on, has no tensor cores";
    EXPECT_CODE(result, 0);
    Json all = Json::parse(result.out, nullptr, false);
    ASSERT_TRUE(all.is_array() && !all.empty()) << result.out;
    for (const Json& one : all)
      EXPECT_NE(std::find(one["fits"].begin(), one["fits"].end(), model), one["fits"].end())
          << model << ": " << one.dump();
  }
}

TEST_F(GpuToolchainTest, ResultsOfSingleInstructions) {
  ProcessResult made = run({"vectors", "make", "-o", "device.tsv"});
  EXPECT_CODE(made, 0);
  ProcessResult checked = run({"vectors", "check", "device.tsv"});
  EXPECT_CODE(checked, 0);
  EXPECT_HAS(checked.out, "ex2.approx.ftz.f32");
  std::string text = readFile(directory_.path() / "device.tsv");
  std::size_t line = text.find("add.rn.f32\t3f800000\t3f800000\t");
  ASSERT_NE(line, std::string::npos) << "1 + 1 is among them";
  EXPECT_EQ(text.substr(line, text.find('\n', line) - line), "add.rn.f32\t3f800000\t3f800000\t40000000");
  std::size_t end = text.rfind("# results\t"), count = 0;
  ASSERT_NE(end, std::string::npos);
  for (std::size_t at = 0; at < end; at = text.find('\n', at) + 1)
    count += text[at] != '#';
  EXPECT_EQ(text.substr(end), "# results\t" + std::to_string(count) + "\n");
  text.replace(line, 37, "add.rn.f32\t3f800000\t3f800000\t40000001");
  writeFileAtomically(directory_.path() / "device.tsv", text);
  ProcessResult wrong = run({"vectors", "check", "device.tsv"});
  EXPECT_CODE(wrong, 1);
  EXPECT_HAS(wrong.out, "is 0x40000001 on the device, 0x40000000 here");
}

TEST_F(GpuToolchainTest, WhatRealDevicesAnsweredHoldsHere) {
  std::vector<std::string> arguments = {"vectors", "check"};
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(HARNESS_SOURCE_DIR "/receipts", ec))
    if (entry.path().extension() == ".tsv") arguments.push_back(entry.path());
  if (arguments.size() == 2) GTEST_SKIP() << "no device has been asked yet";
  ProcessResult result = run(arguments);
  EXPECT_CODE(result, 0);
}

TEST_F(GpuToolchainTest, WithoutADeviceNothingIsWritten) {
  set("HARNESS_LIBCUDA", "/nowhere/libcuda.so.1");
  EXPECT_CODE(run({"vectors", "make", "-o", "device.tsv"}), 3);
  EXPECT_FALSE(std::filesystem::exists(directory_.path() / "device.tsv"));
  EXPECT_CODE(run({"mma", "probe", "--executor", "gpu"}), 3);
}

TEST_F(GpuToolchainTest, ADeviceThatDoesNotAnswerIsTheMachines) {
  for (const char* fails :
       {"cuMemAlloc:2", "cuModuleLoadData:222", "cuCtxSynchronize:700", "cuDeviceGet:999"}) {
    set("HARNESS_STANDIN_FAIL", fails);
    ProcessResult result = run({"vectors", "make", "-o", "device.tsv"});
    EXPECT_CODE(result, 3);
    EXPECT_HAS(result.err, "CUDA_ERROR_");
    EXPECT_FALSE(std::filesystem::exists(directory_.path() / "device.tsv"));
  }
  set("HARNESS_STANDIN_FAIL", "");
  set("HARNESS_STANDIN_CRASH", "cuLaunchKernel");
  EXPECT_CODE(run({"vectors", "make", "-o", "device.tsv"}), 3);
}

} // namespace
} // namespace harness::test
