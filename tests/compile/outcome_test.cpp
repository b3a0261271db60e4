#include "harness/base/error.h"
#include "harness/compile/outcome.h"

#include <gtest/gtest.h>

#include <csignal>

namespace harness {
namespace {

ProcessResult exited(int code) {
  ProcessResult result;
  result.exitCode = code;
  return result;
}

ProcessResult ended(ProcessEnd end, int signal = 0) {
  ProcessResult result;
  result.end = end;
  result.signal = signal;
  return result;
}

TEST(Judge, EndsOfProcesses) {
  EXPECT_EQ(judge(exited(0), "", true), CompileStatus::Ok);
  EXPECT_EQ(judge(exited(0), "warning: internal error of yours", true), CompileStatus::Ok);
  EXPECT_EQ(judge(exited(0), "", false), CompileStatus::Ice);
  EXPECT_EQ(judge(exited(1), "", false), CompileStatus::CompileError);
  EXPECT_EQ(judge(ended(ProcessEnd::TimedOut), "", false), CompileStatus::Timeout);
  EXPECT_EQ(judge(ended(ProcessEnd::TooMuchOutput), "", false), CompileStatus::InfraError);
  EXPECT_EQ(judge(ended(ProcessEnd::Signalled, SIGSEGV), "", false), CompileStatus::Ice);
  EXPECT_EQ(judge(ended(ProcessEnd::Signalled, SIGKILL), "", false), CompileStatus::InfraError);
  EXPECT_THROW(judge(ended(ProcessEnd::Interrupted), "", false), Error);
}

TEST(Judge, MessagesTellMoreThanExitCodes) {
  auto status = [](std::string_view log) { return judge(exited(1), log, false); };
  EXPECT_EQ(status("nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)"),
            CompileStatus::Ice);
  EXPECT_EQ(status("nvcc error   : 'cicc' died due to signal 9 (Kill signal)"), CompileStatus::InfraError);
  EXPECT_EQ(status("ptxas fatal   : (C7907) Internal compiler error"), CompileStatus::Ice);
  EXPECT_EQ(status("k.cu(7): internal error: assertion failed at: \"x.c\", line 1"), CompileStatus::Ice);
  EXPECT_EQ(status("harness-nvrtc: NVRTC_ERROR_INTERNAL_ERROR"), CompileStatus::Ice);
  EXPECT_EQ(status("ptxas fatal   : Memory allocation failure"), CompileStatus::InfraError);
  EXPECT_EQ(status("terminate called after throwing an instance of 'std::bad_alloc'"),
            CompileStatus::InfraError);
  EXPECT_EQ(status("nvcc fatal   : Unsupported gpu architecture 'compute_77'"), CompileStatus::Skipped);
  EXPECT_EQ(status("nvrtc: error: invalid value for --gpu-architecture (-arch)"), CompileStatus::Skipped);
  EXPECT_EQ(status("ptxas fatal   : Unknown option '-Ofast-compile'"), CompileStatus::Skipped);
}

TEST(Judge, WhatTheDriversCompilerLacksIsNoErrorOfIt) {
  auto status = [](int code, std::string_view log) { return judge(exited(code), log, false); };
  EXPECT_EQ(status(3, "harness-driver-ptxas: cannot compile here: cuLinkComplete: "
                      "CUDA_ERROR_JIT_COMPILER_NOT_FOUND (221) PTX JIT compiler library not found"),
            CompileStatus::InfraError);
  EXPECT_EQ(
      status(3, "harness-driver-ptxas: cannot compile here: there is no device of compute capability 9.0"),
      CompileStatus::InfraError);
  EXPECT_EQ(status(1,
                   "ptxas fatal   : Unsupported .version 9.3; current version is '8.7'\n"
                   "cuLinkAddData: CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222) the provided PTX was compiled"),
            CompileStatus::Skipped);
  EXPECT_EQ(status(1, "cuLinkComplete: CUDA_ERROR_INVALID_PTX (218) a PTX JIT compilation failed"),
            CompileStatus::CompileError);
}

TEST(Judge, SourceTextIsNoMessageOfTheCompiler) {
  EXPECT_EQ(judge(exited(1), "k.cu(1): error: #error \"internal error\"\n  std::bad_alloc x;\n", false),
            CompileStatus::CompileError);
  EXPECT_EQ(judge(exited(1), "k.cu:1:2: error: #error out of memory\n    1 | #error out of memory\n", false),
            CompileStatus::CompileError);
}

TEST(Judge, FullDiskIsTheMachines) {
  try {
    judge(exited(1), "cicc: kernel.ptx: No space left on device", false);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Environment);
  }
}

TEST(BoundedLog, IsShortAndValidUtf8) {
  EXPECT_EQ(boundedLog("short\n"), "short\n");
  std::string cut = boundedLog("first" + std::string(1 << 20, 'x') + "last");
  EXPECT_LE(cut.size(), std::size_t{64} << 10);
  EXPECT_TRUE(cut.starts_with("firstx"));
  EXPECT_TRUE(cut.ends_with("xlast"));
  EXPECT_NE(cut.find("x\n[cut]\nx"), std::string::npos);
  EXPECT_EQ(boundedLog("a\xff"), "a\xef\xbf\xbd");
  std::string wide = boundedLog(std::string(60000, '\xff'));
  EXPECT_LE(wide.size(), std::size_t{64} << 10);
  EXPECT_EQ((wide.size() - std::string("\n[cut]\n").size()) % 3, 0u) << "cut inside a character";
}

} // namespace
} // namespace harness
