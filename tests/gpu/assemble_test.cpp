#include "harness/base/subprocess.h"

#include "tests/gpu/standin.h"

namespace harness::test {
namespace {

namespace fs = std::filesystem;

class DriverPtxasTest : public StandIn {
protected:
  DriverPtxasTest() {
    write("kernel.ptx", ".version 8.0\n.target sm_80\n");
    // Its output is what it was called with, and its input.
    write("compiler", "#!/bin/sh\necho \"$1 $2\" >\"$5\"\ncat \"$3\" >>\"$5\"\n");
    fs::permissions(directory_.path() / "compiler", fs::perms::owner_all);
    set("HARNESS_STANDIN_PTXAS", directory_.path() / "compiler");
  }
  void write(const char* name, const std::string& text) {
    writeFileAtomically(directory_.path() / name, text);
  }

  ProcessResult run(std::vector<std::string> arguments) {
    ProcessSpec spec;
    spec.argv = {HARNESS_DRIVER_PTXAS_PROGRAM};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.directory = directory_.path();
    spec.limits.memoryBytes = 0;
    return runProcess(spec);
  }
  /// With the usual file names.
  ProcessResult assemble(std::vector<std::string> options) {
    options.insert(options.end(), {"kernel.ptx", "-o", "kernel.cubin"});
    return run(options);
  }
};

TEST_F(DriverPtxasTest, CompilesByTheDriver) {
  ProcessResult result = assemble({"-arch=sm_80", "-m64", "-O1"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(readFile(directory_.path() / "kernel.cubin"), "-arch=sm_80 -O1\n.version 8.0\n.target sm_80\n");
}

TEST_F(DriverPtxasTest, TakesTheOptionsThatTheDriverHas) {
  for (const char* option : {"-O0", "-g", "--generate-line-info", "-maxrregcount=32", "--return-at-end"})
    EXPECT_EQ(assemble({"-arch=sm_80", option}).exitCode, 0) << option;
  for (const char* option : {"-O4", "--fmad=false", "-maxrregcount=x", "-arch=sm_x"}) {
    ProcessResult result = assemble({"-arch=sm_80", option});
    EXPECT_EQ(result.exitCode, 2) << option;
    EXPECT_NE(result.err.find("has no option '" + std::string(option)), std::string::npos) << result.err;
  }
  EXPECT_EQ(run({"-arch=sm_80", "kernel.ptx"}).exitCode, 2) << "no output";
  EXPECT_EQ(run({"kernel.ptx", "-o", "kernel.cubin"}).exitCode, 2) << "no architecture";
}

TEST_F(DriverPtxasTest, NeedsADeviceOfTheArchitecture) {
  ProcessResult result = assemble({"-arch=sm_90a"});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_NE(result.err.find("no device of compute capability 9.0"), std::string::npos) << result.err;
  set("HARNESS_STANDIN_DEVICES", "8.0,9.0");
  EXPECT_EQ(assemble({"-arch=sm_90a"}).exitCode, 0);
}

TEST_F(DriverPtxasTest, TellsWhatTheCompilerSays) {
  write("compiler", "#!/bin/sh\nexit 1\n");
  fs::permissions(directory_.path() / "compiler", fs::perms::owner_all);
  ProcessResult result = assemble({"-arch=sm_80"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_NE(result.err.find("ptxas fatal : refused"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("cuLinkComplete: CUDA_ERROR_INVALID_PTX"), std::string::npos) << result.err;
}

TEST_F(DriverPtxasTest, TellsWhichCallFailed) {
  for (const char* call :
       {"cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuLinkCreate", "cuLinkAddData", "cuLinkComplete"}) {
    set("HARNESS_STANDIN_FAIL", std::string(call) + ":999");
    ProcessResult result = assemble({"-arch=sm_80"});
    EXPECT_NE(result.exitCode, 0);
    EXPECT_NE(result.err.find(std::string(call) + ": CUDA_ERROR_UNKNOWN"), std::string::npos) << result.err;
  }
}

TEST_F(DriverPtxasTest, WhatTheMachineLacksIsNoRefusal) {
  // CUresult: OUT_OF_MEMORY, JIT_COMPILER_NOT_FOUND, JIT_COMPILATION_DISABLED, SYSTEM_NOT_READY
  for (const char* result : {"2", "221", "223", "802"})
    for (const char* call : {"cuLinkCreate", "cuLinkAddData", "cuLinkComplete"}) {
      set("HARNESS_STANDIN_FAIL", std::string(call) + ":" + result);
      ProcessResult failed = assemble({"-arch=sm_80"});
      EXPECT_EQ(failed.exitCode, 3) << call << " " << result;
      EXPECT_TRUE(failed.err.starts_with("harness-driver-ptxas: cannot compile here: " + std::string(call)))
          << failed.err;
    }
  // UNSUPPORTED_PTX_VERSION, INVALID_PTX: the PTX's
  for (const char* result : {"222", "218"}) {
    set("HARNESS_STANDIN_FAIL", "cuLinkAddData:" + std::string(result));
    EXPECT_EQ(assemble({"-arch=sm_80"}).exitCode, 1) << result;
  }
  set("HARNESS_STANDIN_FAIL", "");
  set("HARNESS_STANDIN_PTXAS", "");
  ProcessResult without = assemble({"-arch=sm_80"});
  EXPECT_EQ(without.exitCode, 3);
  EXPECT_NE(without.err.find("libnvidia-ptxjitcompiler.so.1"), std::string::npos) << without.err;
  set("HARNESS_LIBCUDA", "/nowhere/libcuda.so.1");
  ProcessResult none = assemble({"-arch=sm_80"});
  EXPECT_EQ(none.exitCode, 3);
  EXPECT_TRUE(none.err.starts_with("harness-driver-ptxas: cannot compile here: no NVIDIA driver"))
      << none.err;
}

} // namespace
} // namespace harness::test
