#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/subprocess.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <thread>

namespace harness {
namespace {

using namespace std::chrono_literals;

ProcessResult shell(const std::string& script, ProcessLimits limits = {}) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", script};
  spec.limits = limits;
  return runProcess(spec);
}

TEST(Subprocess, KeepsBothOutputsAndTheExitCode) {
  ProcessResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.end, ProcessEnd::Exited);
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
}

TEST(Subprocess, FeedsInputLargerThanAPipe) {
  ProcessSpec spec;
  spec.argv = {"wc", "-c"};
  spec.input = std::string(1 << 20, 'x');
  EXPECT_EQ(runProcess(spec).out, "1048576\n");
}

TEST(Subprocess, AddsAndReplacesEnvironment) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "echo $HARNESS_A$HOME"};
  spec.environment = {{"HARNESS_A", "1"}, {"HOME", "/nowhere"}};
  EXPECT_EQ(runProcess(spec).out, "1/nowhere\n");
}

TEST(Subprocess, ReportsACrash) {
  ProcessResult result = shell("kill -SEGV $$");
  EXPECT_EQ(result.end, ProcessEnd::Signalled);
  EXPECT_EQ(result.signal, SIGSEGV);
}

TEST(Subprocess, KillsWhatHangsWithItsGrandchildren) {
  TempDir dir("subprocess");
  std::string pidFile = (dir.path() / "pid").string();
  ProcessLimits limits;
  limits.wall = 300ms;
  ProcessResult result = shell("sleep 100 & echo $! > " + pidFile + "; wait", limits);
  EXPECT_EQ(result.end, ProcessEnd::TimedOut);
  EXPECT_LT(result.seconds, 5);
  pid_t grandchild = std::stoi(readFile(pidFile));
  // It may linger as a zombie until init reaps it; it must not run.
  for (int i = 0; i < 100; ++i) {
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    std::string text;
    if (!std::getline(stat, text) || text.find(") Z ") != std::string::npos) return;
    std::this_thread::sleep_for(10ms);
  }
  FAIL() << "process " << grandchild << " still runs";
}

/// A process that a child leaves behind holds its outputs open.
TEST(Subprocess, DoesNotWaitForWhatAChildLeavesBehind) {
  ProcessResult result = shell("sleep 100 & echo done");
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.out, "done\n");
  EXPECT_LT(result.seconds, 20);
}

TEST(Subprocess, StopsWhatComputesWithoutEnd) {
  ProcessLimits limits;
  limits.cpu = 1s;
  ProcessResult result = shell("while :; do :; done", limits);
  EXPECT_EQ(result.end, ProcessEnd::TimedOut);
}

TEST(Subprocess, StopsWhatPrintsWithoutEnd) {
  ProcessLimits limits;
  limits.outputBytes = 1 << 20;
  ProcessResult result = shell("yes", limits);
  EXPECT_EQ(result.end, ProcessEnd::TooMuchOutput);
  EXPECT_LT(result.out.size(), std::size_t{2} << 20);
}

TEST(Subprocess, LimitsMemory) {
  ProcessLimits limits;
  limits.memoryBytes = 256 << 20;
  ProcessSpec spec;
  spec.argv = {"python3", "-c", "x = bytearray(1 << 30)"};
  spec.limits = limits;
  EXPECT_FALSE(runProcess(spec).ok());
}

TEST(Subprocess, EndsWhenTheChildClosedItsOutputsButHangs) {
  ProcessLimits limits;
  limits.wall = 300ms;
  EXPECT_EQ(shell("exec >/dev/null 2>&1; sleep 100", limits).end, ProcessEnd::TimedOut);
}

TEST(Subprocess, NamesAProgramThatIsNotThere) {
  ProcessSpec spec;
  spec.argv = {"/nowhere/nvcc"};
  try {
    runProcess(spec);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Environment);
    EXPECT_NE(std::string(error.what()).find("/nowhere/nvcc"), std::string::npos);
  }
}

TEST(Subprocess, CountsStarts) {
  std::uint64_t before = processesStarted("true");
  ProcessSpec spec;
  spec.argv = {"true"};
  runProcess(spec);
  EXPECT_EQ(processesStarted("true"), before + 1);
}

} // namespace
} // namespace harness
