#include "tests/gpu/standin.h"
#include "tests/matrix/judge_bench.h"

namespace harness::test {
namespace {

using Json = nlohmann::json;

class GpuRunTest : public JudgeBench, protected StandInMachine {
protected:
  GpuRunTest() { connect(); }

  /// To the devices as they are set now.
  void connect() {
    gpu::Options options;
    options.launch = std::chrono::seconds(60);
    judgeOptions_.gpu = gpuExecutor(options);
  }

  static const VerdictRecord& verdict(const CellRecord& cell, std::string_view executor) {
    for (const VerdictRecord& one : cell.verdicts.front())
      if (one.executor == executor) return one;
    ADD_FAILURE() << "no verdict of " << executor;
    return cell.verdicts.front().front();
  }
  static std::string because(const VerdictRecord& verdict) {
    return Json::parse(verdict.details)["blame"].value("because", "");
  }
};

#define EXPECT_VERDICT(record, expected)                                                                     \
  EXPECT_EQ(toString((record).verdict), toString(Verdict::expected)) << (record).details

TEST_F(GpuRunTest, ADeviceIsAskedBesideTheCpu) {
  CellRecord cell = judge("fill@13.0.88/sm_80/O3");
  EXPECT_VERDICT(verdict(cell, "sass"), Pass);
  const VerdictRecord& device = verdict(cell, "gpu");
  EXPECT_VERDICT(device, Pass);
  EXPECT_EQ(device.bytes, 32u);
  EXPECT_EQ(device.outcome, Outcome::Ok);
  EXPECT_EQ(Json::parse(device.details)["device"], "Stand-in 8.0, driver 570.00");
  ASSERT_EQ(device.executionKeys.size(), 2u) << "one for each poison";
  ExecutionRecord execution = store_.findExecution(device.executionKeys[0]).value();
  EXPECT_EQ(execution.executor, "gpu");
  EXPECT_EQ(execution.imageHash, cell.builds[0].cubinHash) << "the cubin that was loaded";
  EXPECT_EQ(Json::parse(execution.device)["uuid"], "10101010-1010-1010-1010-101010101010");
  EXPECT_EQ(execution.repeats, 1u);
  ExecutionRecord onCpu = store_.findExecution(verdict(cell, "sass").executionKeys[0]).value();
  EXPECT_EQ(onCpu.device, "");
  EXPECT_EQ(onCpu.outputHash, execution.outputHash);
}

TEST_F(GpuRunTest, WhatADeviceDidIsRemembered) {
  EXPECT_VERDICT(verdict(judge("fill@13.0.88/sm_80/O3"), "gpu"), Pass);
  EXPECT_EQ(work_.executed, 4u);
  EXPECT_VERDICT(verdict(judge("fill@13.0.88/sm_80/O3"), "gpu"), Pass);
  EXPECT_EQ(work_.executed, 0u);
  set("HARNESS_STANDIN_RELEASE", "575.00");
  connect();
  EXPECT_VERDICT(verdict(judge("fill@13.0.88/sm_80/O3"), "gpu"), Pass);
  EXPECT_EQ(work_.executed, 2u) << "another driver is another executor";
}

TEST_F(GpuRunTest, WithoutTheCpu) {
  judgeOptions_.sass = nullptr;
  CellRecord cell = judge("fill@13.0.88/sm_80/O3");
  ASSERT_EQ(cell.verdicts.front().size(), 1u);
  EXPECT_VERDICT(verdict(cell, "gpu"), Pass);
  CellRecord wrong = judgeScript("//ptxas emit wrong");
  EXPECT_VERDICT(verdict(wrong, "gpu"), Mismatch);
  EXPECT_EQ(verdict(wrong, "gpu").blame, Blame::Unknown);
  EXPECT_EQ(because(verdict(wrong, "gpu")), "its machine code was not executed on the CPU");
}

TEST_F(GpuRunTest, WhereBothAreWrongAlikeTheyAgreeOnTheBlame) {
  CellRecord cell = judgeScript("//ptxas [ $build = 13.0.88 ] && emit wrong || emit right");
  EXPECT_VERDICT(verdict(cell, "gpu"), Mismatch);
  EXPECT_EQ(verdict(cell, "gpu").firstBad, verdict(cell, "sass").firstBad);
  EXPECT_EQ(verdict(cell, "gpu").blame, verdict(cell, "sass").blame);
  EXPECT_EQ(because(verdict(cell, "gpu")), because(verdict(cell, "sass")));
}

TEST_F(GpuRunTest, AFaultOfTheKernel) {
  CellRecord cell = judgeScript("//ptxas emit outside");
  EXPECT_VERDICT(verdict(cell, "gpu"), Fault);
  EXPECT_HAS(Json::parse(verdict(cell, "gpu").details).value("message", ""), "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(verdict(cell, "gpu").outcome, Outcome::Regressed);
}

TEST_F(GpuRunTest, ADeviceThatDisagreesIsNoFaultOfACompiler) {
  set("HARNESS_STANDIN_FLAKY", "1"); // a bit of every launch is wrong
  CellRecord cell = judge("fill@13.0.88/sm_80/O3");
  EXPECT_VERDICT(verdict(cell, "sass"), Pass);
  EXPECT_VERDICT(verdict(cell, "gpu"), Mismatch);
  EXPECT_EQ(verdict(cell, "gpu").blame, Blame::HardwareOrExecutor);
  EXPECT_EQ(because(verdict(cell, "gpu")), "executed on the CPU the same machine code is a pass");
}

/// A device on which everything comes out right.
class RightDevice : public GpuExecutor {
  struct Loaded : Executable {
    Executed execute(const BoundLaunch&, GlobalMemory& memory, const ExecutionOptions&, bool) const override {
      auto in = memory.bytes("in"), out = memory.bytes("out");
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = std::byte(std::to_integer<int>(in[4 * i]) + 1);
      return {};
    }
    ExecutionResult findUnwritten(const BoundLaunch&, const FreshMemory&,
                                  const ExecutionOptions&) const override {
      return {};
    }
  };
  std::string refusal(std::string_view) const override { return ""; }
  std::string version(std::string_view) const override { return "right"; }
  std::unique_ptr<Executable> load(std::string, const std::shared_ptr<const Cubin>&, const Kernel&,
                                   std::string_view) const override {
    return std::make_unique<Loaded>();
  }
};

TEST_F(GpuRunTest, WhereTheDeviceIsRightAndTheCpuIsNotNoCompilerIsBlamed) {
  judgeOptions_.gpu = std::make_shared<RightDevice>();
  CellRecord cell = judgeScript("//ptxas [ $build = 13.0.88 ] && emit wrong || emit right");
  EXPECT_VERDICT(verdict(cell, "gpu"), Pass);
  EXPECT_VERDICT(verdict(cell, "sass"), Mismatch);
  EXPECT_EQ(verdict(cell, "sass").blame, Blame::HardwareOrExecutor);
}

TEST_F(GpuRunTest, WhatVariesIsFlaky) {
  set("HARNESS_STANDIN_FLAKY", "5");
  judgeOptions_.repeats = 4;
  CellRecord cell =
      judge("fill@13.0.88/sm_80/O3"); // 8 launches, the fifth is the first with the other poison
  const VerdictRecord& device = verdict(cell, "gpu");
  EXPECT_VERDICT(device, Flaky);
  Json details = Json::parse(device.details);
  EXPECT_HAS(details.value("message", ""), "3 of 4 executions were right, 2 different results");
  ASSERT_EQ(details["outcomes"].size(), 2u);
  EXPECT_EQ(details["outcomes"][0]["count"], 3);
  EXPECT_EQ(details["outcomes"][0]["right"], true);
  EXPECT_EQ(details["outcomes"][1]["count"], 1);
  EXPECT_EQ(details["outcomes"][1]["right"], false);
  EXPECT_EQ(device.blame, Blame::HardwareOrExecutor);
  EXPECT_EQ(calls("cuLaunchKernel"), 8u);
  EXPECT_EQ(store_.findExecution(device.executionKeys[0])->repeats, 4u);
}

TEST_F(GpuRunTest, WhatDoesNotVaryIsNot) {
  judgeOptions_.repeats = 4;
  EXPECT_VERDICT(verdict(judge("fill@13.0.88/sm_80/O3"), "gpu"), Pass);
}

TEST_F(GpuRunTest, ACellThatNoDeviceTakesIsSkippedAndTheCpuDecides) {
  CellRecord cell = judge("fill@13.0.88/sm_90/O3");
  const VerdictRecord& device = verdict(cell, "gpu");
  EXPECT_VERDICT(device, Skipped);
  EXPECT_FALSE(device.decides);
  EXPECT_HAS(Json::parse(device.details).value("message", ""),
             "no device takes machine code for sm_90; there is Stand-in 8.0 (sm_80)");
  EXPECT_VERDICT(decisiveVerdict(cell), Pass);
  EXPECT_EQ(calls("cuModuleLoadData"), 0u);
  judgeOptions_.sass = nullptr;
  EXPECT_VERDICT(decisiveVerdict(judge("fill@13.0.88/sm_90/O3")), Skipped);
}

TEST_F(GpuRunTest, CodeThatTheDriverIsTooOldForLeavesTheVerdictToTheCpu) {
  set("HARNESS_STANDIN_FAIL", "cuModuleLoadData:222");
  CellRecord cell = judge("fill@13.0.88/sm_80/O3");
  EXPECT_VERDICT(verdict(cell, "gpu"), Unsupported);
  EXPECT_VERDICT(decisiveVerdict(cell), Pass);
  judgeOptions_.sass = nullptr;
  CellRecord alone = judge("fill@13.0.88/sm_80/O3");
  EXPECT_VERDICT(decisiveVerdict(alone), Unsupported);
  EXPECT_EQ(decisiveVerdict(alone).outcome, Outcome::Undecided);
}

TEST_F(GpuRunTest, WhatTheDeviceCouldNotDoIsNotRemembered) {
  set("HARNESS_STANDIN_MEMORY", "1000");
  CellRecord cell = judge("fill@13.0.88/sm_80/O3");
  EXPECT_VERDICT(verdict(cell, "gpu"), InfraError);
  EXPECT_HAS(Json::parse(verdict(cell, "gpu").details).value("message", ""), "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_VERDICT(decisiveVerdict(cell), InfraError);
  set("HARNESS_STANDIN_MEMORY", "1000000");
  connect();
  EXPECT_VERDICT(verdict(judge("fill@13.0.88/sm_80/O3"), "gpu"), Pass);
}

TEST_F(GpuRunTest, AllCellsOfARunTakeOneContext) {
  judgeAll({"fill@13.0.88/sm_80/O2", "fill@13.0.88/sm_80/O3", "fill@13.1.80/sm_80/O3"});
  EXPECT_EQ(calls("cuDevicePrimaryCtxRetain"), 1u);
}

// ---- the program

TEST_F(GpuRunTest, TheProgramRunsOnBoth) {
  ProcessResult result = world_.runMatrix({"--executor", "gpu,sass", "--repeat", "2"});
  EXPECT_CODE(result, 0);
  World::Json row = world_.query({"--opt", "O3", "--nvcc", "13.0.88"})[0];
  EXPECT_EQ(row["verdict"], "pass");
  ASSERT_EQ(row["executors"].size(), 2u);
  EXPECT_EQ(row["executors"][1]["executor"], "gpu");
  EXPECT_HAS(world_.run({"show", "fill@13.0.88/sm_80/O3", "--no-sass"}).out,
             "on Stand-in 8.0, driver 570.00");
  EXPECT_CODE(world_.run({"check", "fill@13.0.88/sm_80/O3", "--executor", "gpu"}), 0);
}

TEST_F(GpuRunTest, TheProgramWithoutADeviceSaysSo) {
  set("HARNESS_LIBCUDA", "/nowhere/libcuda.so.1");
  ProcessResult result = world_.runMatrix({"--executor", "gpu,sass"});
  EXPECT_CODE(result, 3);
  EXPECT_HAS(result.err, "no NVIDIA driver");
  EXPECT_HAS(result.err, "HARNESS_LIBCUDA");
  EXPECT_HAS(result.err, "leave out");
  ProcessResult check = world_.run({"check", "fill@13.0.88/sm_80/O3", "--executor", "gpu"});
  EXPECT_CODE(check, 125);
  EXPECT_CODE(world_.runMatrix(), 0) << "who has none loses nothing";
}

TEST_F(GpuRunTest, DoctorSaysWhatADeviceIsGoodFor) {
  set("HARNESS_STANDIN_CUDA", "13000");
  std::string good = world_.run({"doctor"}).out;
  EXPECT_HAS(good, "Stand-in 8.0 (sm_80, 1 GiB, ECC on), now at 1200 MHz, driver 570.00 (CUDA 13.0): "
                   "--executor gpu runs sm_80\n");
  EXPECT_EQ(good.find("newer driver"), std::string::npos) << good;
  set("HARNESS_STANDIN_CUDA", "12080");
  EXPECT_HAS(world_.run({"doctor"}).out,
             "driver 570.00 (CUDA 12.8) takes no machine code of 13.0.88, 13.1.80");
  set("HARNESS_LIBCUDA", "/nowhere/libcuda.so.1");
  ProcessResult none = world_.run({"doctor"});
  EXPECT_HAS(none.out, "none     GPU               no NVIDIA driver");
  EXPECT_HAS(none.out, "is executed on the CPU all the same");
}

TEST_F(GpuRunTest, TheDriversCompilerIsAToolchain) {
  set("HARNESS_STANDIN_PTXAS", world_.path("toolchains/13.0.88/bin/ptxas"));
  world_.writeCase("it", "//ptxas [ $opt = O3 ] && emit wrong || emit right");
  ProcessResult wrong = world_.run({"check", "it@13.0.88+driver/sm_80/O3", "--executor", "sass"});
  EXPECT_CODE(wrong, 1);
  EXPECT_HAS(wrong.out, "it@13.0.88+driver-570.00/sm_80/O3: mismatch");
  EXPECT_CODE(world_.run({"check", "it@13.0.88+driver-570.00/sm_80/O1", "--executor", "gpu,sass"}), 0);
  EXPECT_CODE(world_.run({"check", "it@driver/sm_80/O1", "--executor", "sass"}), 0);
  ProcessResult other = world_.run({"check", "it@13.0.88+driver-575.00/sm_80/O1"});
  EXPECT_CODE(other, 125);
  EXPECT_HAS(other.err, "this machine has driver-570.00");
  for (const char* name : {"13.0.88+driver+driver", "13.0.88+13.1.80+driver", "13.0.88+driver+13.1.80"}) {
    ProcessResult three = world_.run({"check", "it@" + std::string(name) + "/sm_80/O1"});
    EXPECT_HAS(three.err, "'" + std::string(name) + "' is no toolchain");
    EXPECT_EQ(three.out, "");
  }
  ProcessResult arch = world_.run({"check", "it@13.0.88+driver/sm_90/O1"});
  EXPECT_HAS(arch.out, "skipped");
  EXPECT_HAS(arch.out, "no device here is of sm_90; the driver compiles only for those that are here: sm_80");
  ProcessResult option = world_.run({"check", "it@13.0.88+driver/sm_80/O1+fmad=false"});
  EXPECT_HAS(option.out, "the driver's compiler has nothing for --fmad=false");
}

TEST_F(GpuRunTest, AReceiptTakesNothingThatIsNoJson) {
  EXPECT_CODE(world_.runMatrix({"--executor", "gpu,sass"}), 0);
  for (const char* text : {"", "[1,", "no JSON"}) {
    ProcessResult bad = world_.run({"receipt", "--more", world_.write("more", text).string(), "-o",
                                    world_.path("receipt.json").string()});
    EXPECT_CODE(bad, 2);
    EXPECT_HAS(bad.err, "more' is no JSON");
    EXPECT_FALSE(std::filesystem::exists(world_.path("receipt.json")));
  }
}

TEST_F(GpuRunTest, ADriverWithoutItsCompilerIsNoRegression) {
  set("HARNESS_STANDIN_PTXAS", ""); // CUDA_ERROR_JIT_COMPILER_NOT_FOUND
  ProcessResult none = world_.run({"check", "fill@13.0.88+driver/sm_80/O3", "--executor", "sass"});
  EXPECT_CODE(none, 125);
  EXPECT_HAS(none.out, "infra-error");
  set("HARNESS_STANDIN_FAIL", "cuLinkAddData:222");
  ProcessResult old = world_.run({"check", "fill@13.0.88+driver/sm_80/O3", "--executor", "sass"});
  EXPECT_HAS(old.out, "skipped");
}

} // namespace
} // namespace harness::test
