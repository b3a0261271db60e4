#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"
#include "harness/base/subprocess.h"
#include "harness/toolchain/staging.h"
#include "harness/toolchain/toolchain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>

namespace harness {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Outcome = ToolchainDir::InstallOutcome;

/// The error that `work` throws, which must be of `kind`.
std::string errorOf(ErrorKind kind, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

/// An environment variable for as long as the object lives.
class ScopedVariable {
public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~ScopedVariable() { unsetenv(name_); }

private:
  const char* name_;
};

/// Works on toolchains made of shell scripts, packed as wheels: no network, no compiler.
class ToolchainDirTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    shared = new TempDir("toolchain-dir-test");
    ProcessSpec spec;
    spec.argv = {"python3",
                 FAKE_WHEELS_SCRIPT,
                 (scratch() / "wheels").string(),
                 requirements().string(),
                 "13.0.48=13.0.48=nvcc",
                 "13.1.80=13.1.80=nvcc",
                 "12.9.86=12.9.86=nvrtc",
                 "nvdisasm=13.5.37=nvdisasm",
                 "13.9.9=13.9.8=nvcc"}; // its name and its build differ
    ProcessResult result = runProcess(spec);
    ASSERT_TRUE(result.ok()) << result.err;
  }
  static void TearDownTestSuite() {
    delete shared;
    shared = nullptr;
  }
  static fs::path scratch() { return shared->path(); }
  static fs::path requirements() { return scratch() / "requirements"; }

  ToolchainDir::InstallOptions options() const {
    return {.requirementsDir = requirements(),
            .wheels = scratch() / "wheels",
            .nvrtcProgram = scratch() / "wheels" / "harness-nvrtc"};
  }
  Outcome install(const std::string& name) { return toolchains.install(name, options()); }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const Toolchain& toolchain : toolchains.list())
      found.push_back(toolchain.name);
    return found;
  }
  /// What lies in the directory apart from locks.
  std::vector<std::string> entries() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(toolchains.directory()))
      if (!entry.path().filename().string().starts_with(".lock-")) found.push_back(entry.path().filename());
    return found;
  }

  TempDir cache{"toolchain-dir-test"};
  ToolchainDir toolchains{cache.path() / "toolchains"};

private:
  static inline TempDir* shared = nullptr;
};

TEST_F(ToolchainDirTest, AnEmptyDirectoryNeedNotExist) {
  EXPECT_THAT(toolchains.list(), IsEmpty());
  EXPECT_THAT(errorOf(ErrorKind::Environment, [&] { toolchains.get("13.0.48"); }),
              AllOf(HasSubstr("installed: nothing"), HasSubstr("harness toolchain install 13.0.48")));
  EXPECT_THAT(errorOf(ErrorKind::Environment, [&] { toolchains.nvdisasm(); }),
              HasSubstr("harness toolchain install nvdisasm"));
}

TEST_F(ToolchainDirTest, InstallsAnNvccFromAFolderOfWheels) {
  ASSERT_EQ(install("13.0.48"), Outcome::Installed);
  EXPECT_EQ(install("13.0.48"), Outcome::AlreadyThere);
  EXPECT_THAT(entries(), ElementsAre("13.0.48"));

  Toolchain toolchain = toolchains.get("13.0.48");
  EXPECT_EQ(toolchain.label(), "13.0");
  EXPECT_EQ(toolchain.frontEnd.kind, FrontEndKind::Nvcc);
  EXPECT_EQ(toolchain.frontEnd.build.str(), "13.0.48");
  EXPECT_EQ(toolchain.frontEnd.buildString, "Build cuda_13.0.r13.0/compiler.12345678_0");
  EXPECT_EQ(toolchain.frontEnd.cicc, toolchain.root / "nvidia/cu/nvvm/bin/cicc");
  EXPECT_EQ(toolchain.frontEnd.ciccSha256, sha256File(toolchain.frontEnd.cicc));
  EXPECT_EQ(toolchain.ptxas.sha256, sha256File(toolchain.ptxas.program));
  EXPECT_EQ(toolchain.ptxas.maxPtx.str(), "9.0");
  EXPECT_THAT(toolchain.ptxas.archs, ElementsAre("sm_75", "sm_80", "sm_90a", "sm_100"));
  EXPECT_TRUE(toolchain.knowsArch("sm_90a"));
  EXPECT_FALSE(toolchain.knowsArch("sm_90"));
  EXPECT_THAT(readFile(toolchain.root / "toolchain.json"), HasSubstr("linked nvidia/cu/nvvm/bin/cicc"));
}

TEST_F(ToolchainDirTest, InstallsAnNvrtcAndKnowsItsOwnBuild) {
  ASSERT_EQ(install("12.9.86"), Outcome::Installed);
  Toolchain toolchain = toolchains.get("12.9.86");
  EXPECT_EQ(toolchain.frontEnd.kind, FrontEndKind::Nvrtc);
  EXPECT_EQ(toolchain.frontEnd.program.filename(), "libnvrtc.so.12");
  EXPECT_EQ(toolchain.frontEnd.buildString, "Compiler Build ID: CL-12345678");
  EXPECT_EQ(toolchain.frontEnd.ciccSha256, sha256("library"));
  EXPECT_TRUE(toolchain.frontEnd.cicc.empty());
}

TEST_F(ToolchainDirTest, InstallsNvdisasmUnderItsVersion) {
  ASSERT_EQ(install("nvdisasm"), Outcome::Installed);
  EXPECT_EQ(install("nvdisasm"), Outcome::AlreadyThere);
  EXPECT_THAT(entries(), ElementsAre("nvdisasm-13.5.37"));
  Nvdisasm nvdisasm = toolchains.nvdisasm();
  EXPECT_EQ(nvdisasm.buildString, "Build cuda_13.5.r13.5/compiler.12345678_0");
  EXPECT_EQ(nvdisasm.sha256, sha256File(nvdisasm.program));
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_THAT(toolchains.verify("nvdisasm-13.5.37"), IsEmpty());
}

TEST_F(ToolchainDirTest, PutsAPairTogetherOutOfTwo) {
  install("13.0.48");
  install("12.9.86");
  EXPECT_THAT(names(), ElementsAre("12.9.86", "13.0.48"));
  Toolchain pair = toolchains.get("13.0.48+12.9.86");
  EXPECT_EQ(pair.name, "13.0.48+12.9.86");
  EXPECT_EQ(pair.label(), "13.0+12.9");
  EXPECT_EQ(pair.frontEnd.identity, toolchains.get("13.0.48").frontEnd.identity);
  EXPECT_EQ(pair.ptxas.program, toolchains.get("12.9.86").ptxas.program);
  EXPECT_THAT(toolchains.verify("13.0.48+12.9.86"), IsEmpty());
  EXPECT_THAT(errorOf(ErrorKind::Environment, [&] { toolchains.get("13.0.48+13.1.80"); }),
              HasSubstr("'13.1.80' is not installed"));
}

TEST_F(ToolchainDirTest, TheIdentityIsThatOfTheBytes) {
  install("13.0.48");
  std::string identity = toolchains.get("13.0.48").frontEnd.identity;
  ToolchainDir other(cache.path() / "elsewhere");
  other.install("13.0.48", options());
  EXPECT_EQ(other.get("13.0.48").frontEnd.identity, identity);
  install("13.1.80");
  EXPECT_NE(toolchains.get("13.1.80").frontEnd.identity, identity);
}

TEST_F(ToolchainDirTest, VerifyNamesEachChange) {
  install("13.0.48");
  EXPECT_THAT(toolchains.verify("13.0.48"), IsEmpty());
  fs::path root = toolchains.get("13.0.48").root / "nvidia/cu";
  std::ofstream(root / "include/cuda_fp16.h", std::ios::app) << "#define X\n";
  std::ofstream(root / "include/added.h") << "\n";
  std::ofstream(root / "bin/ptxas", std::ios::app) << "#\n";
  fs::remove(root / "nvvm/libdevice/libdevice.10.bc");
  EXPECT_THAT(toolchains.verify("13.0.48"),
              testing::UnorderedElementsAre(
                  "changed: nvidia/cu/bin/ptxas", "changed: nvidia/cu/include/cuda_fp16.h",
                  "missing: nvidia/cu/nvvm/libdevice/libdevice.10.bc", "new: nvidia/cu/include/added.h"));
}

TEST_F(ToolchainDirTest, ForceReinstalls) {
  install("13.0.48");
  fs::path ptxas = toolchains.get("13.0.48").ptxas.program;
  fs::remove(ptxas);
  EXPECT_EQ(install("13.0.48"), Outcome::AlreadyThere);
  ToolchainDir::InstallOptions forced = options();
  forced.force = true;
  EXPECT_EQ(toolchains.install("13.0.48", forced), Outcome::Installed);
  EXPECT_TRUE(fs::exists(ptxas));
  EXPECT_THAT(entries(), ElementsAre("13.0.48"));
}

TEST_F(ToolchainDirTest, OtherPinsOrADamagedRecordAreMadeAnew) {
  install("13.0.48");
  fs::path record = toolchains.directory() / "13.0.48" / "toolchain.json";
  std::string json = readFile(record);
  std::string pin = "\"nvidia-cuda-runtime\": \"13.0.48\"";
  ASSERT_NE(json.find(pin), std::string::npos);
  writeFileAtomically(record,
                      json.replace(json.find(pin), pin.size(), "\"nvidia-cuda-runtime\": \"13.0.47\""));
  EXPECT_EQ(install("13.0.48"), Outcome::Installed);
  writeFileAtomically(record, "{");
  EXPECT_THAT(toolchains.list(), IsEmpty());
  EXPECT_EQ(install("13.0.48"), Outcome::Installed);
  EXPECT_THAT(names(), ElementsAre("13.0.48"));
}

TEST_F(ToolchainDirTest, RemoveTakesItAway) {
  install("13.0.48");
  toolchains.remove("13.0.48");
  EXPECT_THAT(entries(), IsEmpty());
  EXPECT_THAT(errorOf(ErrorKind::Environment, [&] { toolchains.remove("13.0.48"); }),
              HasSubstr("not installed"));
  EXPECT_THAT(errorOf(ErrorKind::Environment, [&] { toolchains.remove("../toolchains"); }),
              HasSubstr("not installed"));
}

TEST_F(ToolchainDirTest, AddTakesAToolkitAsItLies) {
  install("13.0.48");
  fs::path toolkit = cache.path() / "toolkit";
  fs::rename(toolchains.get("13.0.48").root / "nvidia/cu", toolkit);
  toolchains.remove("13.0.48");

  EXPECT_EQ(toolchains.add(toolkit), "13.0.48");
  EXPECT_EQ(toolchains.add(toolkit), "13.0.48");
  Toolchain toolchain = toolchains.get("13.0.48");
  EXPECT_EQ(toolchain.root, fs::canonical(toolkit));
  EXPECT_EQ(toolchain.ptxas.program, fs::canonical(toolkit) / "bin/ptxas");
  EXPECT_EQ(install("13.0.48"), Outcome::AlreadyThere);
  EXPECT_THAT(toolchains.verify("13.0.48"), IsEmpty());
  fs::copy(toolkit, cache.path() / "second", fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  EXPECT_THAT(errorOf(ErrorKind::Usage, [&] { toolchains.add(cache.path() / "second"); }),
              HasSubstr("harness toolchain remove 13.0.48"));
  toolchains.remove("13.0.48");
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_TRUE(fs::exists(toolkit / "bin/nvcc"));
}

TEST_F(ToolchainDirTest, AddRefusesWhatIsNoToolkit) {
  EXPECT_THAT(errorOf(ErrorKind::Usage, [&] { toolchains.add(cache.path() / "nowhere"); }),
              HasSubstr("nowhere"));
  // Somebody's own program below it is not started.
  fs::path stranger = cache.path() / "build/bin/ptxas";
  fs::create_directories(stranger.parent_path());
  writeFileAtomically(stranger, "#!/bin/sh\ntouch \"$(dirname \"$0\")/started\"\n");
  fs::permissions(stranger, fs::perms(0755));
  EXPECT_THAT(errorOf(ErrorKind::Usage, [&] { toolchains.add(cache.path()); }),
              HasSubstr("no bin/nvcc or bin/ptxas in '" + fs::canonical(cache.path()).string() + "'"));
  EXPECT_FALSE(fs::exists(stranger.parent_path() / "started"));
  fs::rename(cache.path() / "build/bin", cache.path() / "bin");
  EXPECT_THAT(errorOf(ErrorKind::Usage, [&] { toolchains.add(cache.path()); }),
              HasSubstr("no usable compiler"));
}

TEST_F(ToolchainDirTest, WhatCannotBeReadIsNotCalledMissing) {
  fs::create_directories(toolchains.directory() / "13.0.48");
  fs::path record = toolchains.directory() / "13.0.48/toolchain.json";
  fs::create_symlink("toolchain.json", record); // to itself: unreadable for root too
  std::string why = std::make_error_code(std::errc::too_many_symbolic_link_levels).message();
  EXPECT_EQ(errorOf(ErrorKind::Environment, [&] { toolchains.get("13.0.48"); }),
            "cannot read '" + record.string() + "': " + why);
  EXPECT_THAT(names(), IsEmpty()) << "warned of";
  if (geteuid() == 0) return;
  fs::permissions(toolchains.directory(), fs::perms::none);
  EXPECT_THAT(errorOf(ErrorKind::Environment, [&] { toolchains.list(); }), HasSubstr("ermission denied"));
  fs::permissions(toolchains.directory(), fs::perms::owner_all);
}

TEST_F(ToolchainDirTest, WithoutNetworkTheErrorSaysWhatToDo) {
  fs::path empty = cache.path() / "empty";
  fs::create_directory(empty);
  ToolchainDir::InstallOptions offline = options();
  offline.wheels = empty;
  std::string file = (requirements() / "13.0.48.txt").string();
  EXPECT_THAT(
      errorOf(ErrorKind::Environment, [&] { toolchains.install("13.0.48", offline); }),
      AllOf(HasSubstr("'" + file + "'"), HasSubstr("No matching distribution"),
            HasSubstr("python3 -m pip download --no-deps --require-hashes --only-binary :all: --dest WHEELS "
                      "-r " +
                      file),
            HasSubstr("harness toolchain install 13.0.48 --wheels WHEELS")));
  EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(ToolchainDirTest, AWheelWithAnotherHashIsRefused) {
  fs::path wheels = cache.path() / "tampered";
  fs::copy(scratch() / "wheels", wheels);
  for (const auto& entry : fs::directory_iterator(wheels))
    if (entry.path().filename().string().find("runtime-13.0.48") != std::string::npos)
      std::ofstream(entry.path(), std::ios::app) << "more";
  ToolchainDir::InstallOptions tampered = options();
  tampered.wheels = wheels;
  EXPECT_THAT(errorOf(ErrorKind::Environment, [&] { toolchains.install("13.0.48", tampered); }),
              HasSubstr("DO NOT MATCH THE HASHES"));
  EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(ToolchainDirTest, WhatDoesNotCompileIsNotPublished) {
  ScopedVariable fail("FAKE_FAIL", "1");
  for (const char* name : {"13.0.48", "12.9.86"})
    EXPECT_THAT(errorOf(ErrorKind::Environment, [&] { install(name); }),
                AllOf(HasSubstr(name), HasSubstr("does not compile"), HasSubstr("no such feature")));
  EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(ToolchainDirTest, WhatBearsAnotherVersionIsNotPublished) {
  EXPECT_THAT(errorOf(ErrorKind::Environment, [&] { install("13.9.9"); }),
              HasSubstr("its ptxas says it is 13.9.8"));
  EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(ToolchainDirTest, AKilledInstallLeavesNothingUsableAndIsSwept) {
  fs::path marker = cache.path() / "hanging";
  pid_t child = fork();
  if (child == 0) {
    setenv("FAKE_HANG", marker.c_str(), 1);
    try {
      install("13.0.48");
    } catch (...) {
    }
    _exit(0);
  }
  for (int i = 0; i < 3000 && !fs::exists(marker); ++i)
    usleep(10'000);
  ASSERT_TRUE(fs::exists(marker));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);

  EXPECT_THAT(toolchains.list(), IsEmpty());
  EXPECT_THAT(entries(), ElementsAre(testing::StartsWith(".staging-13.0.48.")));
  EXPECT_EQ(install("13.1.80"), Outcome::Installed) << "an install of another name sweeps too";
  EXPECT_THAT(entries(), ElementsAre("13.1.80"));
  EXPECT_EQ(install("13.0.48"), Outcome::Installed);
}

TEST_F(ToolchainDirTest, TwoInstallsAtOnceDoNotDestroyEachOther) {
  Outcome first{}, second{};
  {
    std::jthread a([&] { first = install("13.0.48"); });
    std::jthread b([&] { second = install("13.0.48"); });
  }
  EXPECT_NE(first, second) << "one installs, the other finds it there";
  EXPECT_THAT(toolchains.verify("13.0.48"), IsEmpty());
  EXPECT_THAT(entries(), ElementsAre("13.0.48"));
}

TEST_F(ToolchainDirTest, AStagingDirectoryInUseIsNotSwept) {
  Staging busy(toolchains.directory(), "13.1.80");
  install("13.0.48");
  EXPECT_TRUE(fs::exists(busy.path()));
}

} // namespace
} // namespace harness
