#include "harness/base/files.h"
#include "harness/toolchain/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace harness {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class LayoutTest : public testing::Test {
protected:
  void touch(const std::string& path, std::string_view text = "x") {
    fs::create_directories((root() / path).parent_path());
    writeFileAtomically(root() / path, text);
  }
  std::vector<std::string> relative(const std::vector<fs::path>& paths) {
    std::vector<std::string> names;
    for (const fs::path& path : paths)
      names.push_back(path.lexically_relative(root()).string());
    return names;
  }
  fs::path root() const { return directory_.path(); }

private:
  TempDir directory_{"layout-test"};
};

TEST_F(LayoutTest, FindsThePartsOfWheels) {
  touch("nvidia/cuda_nvcc/bin/ptxas");
  touch("nvidia/cuda_nvcc/include/crt/host_defines.h");
  touch("nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
  touch("nvidia/cuda_nvrtc/lib/libnvrtc.alt.so.12");
  touch("nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9");
  touch("nvidia/cuda_runtime/include/cuda_runtime.h");
  touch("nvidia/cuda_cccl/include/nv/target");
  Layout layout = Layout::find(root());
  EXPECT_FALSE(layout.hasNvcc());
  EXPECT_EQ(layout.ptxas, root() / "nvidia/cuda_nvcc/bin/ptxas");
  EXPECT_EQ(layout.nvrtc, root() / "nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
  EXPECT_THAT(
      relative(layout.includeDirs),
      ElementsAre("nvidia/cuda_cccl/include", "nvidia/cuda_nvcc/include", "nvidia/cuda_runtime/include"));
  EXPECT_THAT(relative(frontEndFiles(layout, FrontEndKind::Nvrtc)),
              UnorderedElementsAre(
                  "nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9",
                  "nvidia/cuda_runtime/include/cuda_runtime.h", "nvidia/cuda_cccl/include/nv/target",
                  "nvidia/cuda_nvcc/include/crt/host_defines.h"));
}

TEST_F(LayoutTest, FindsThePartsOfAnInstalledToolkit) {
  touch("bin/nvcc");
  touch("bin/ptxas");
  touch("nvvm/bin/cicc");
  touch("nvvm/libdevice/libdevice.10.bc");
  touch("targets/other-linux/lib/libnvrtc.so.13");
  for (std::string target : {"x86_64-linux", "sbsa-linux"}) {
    touch("targets/" + target + "/lib/libnvrtc.so.13.0.88");
    touch("targets/" + target + "/lib/stubs/libnvrtc.so.1");
    fs::create_symlink("libnvrtc.so.13.0.88", root() / "targets" / target / "lib/libnvrtc.so.13");
  }
  Layout layout = Layout::find(root());
  EXPECT_TRUE(layout.hasNvcc());
  EXPECT_EQ(layout.nvrtc.filename(), "libnvrtc.so.13");
  EXPECT_NE(layout.nvrtc.string().find("-linux/lib/libnvrtc.so.13"), std::string::npos);
  EXPECT_EQ(layout.nvrtc.string().find("other"), std::string::npos);
  EXPECT_THAT(relative(frontEndFiles(layout, FrontEndKind::Nvcc)),
              ElementsAre("bin/nvcc", "nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc"));
}

TEST_F(LayoutTest, AnEmptyFolderHasNoParts) {
  Layout layout = Layout::find(root());
  EXPECT_TRUE(layout.ptxas.empty() && layout.nvrtc.empty() && !layout.hasNvcc() &&
              layout.includeDirs.empty());
}

TEST_F(LayoutTest, WhatLiesElsewhereIsNotLookedAt) {
  for (std::string folder :
       {"other", "other/nvidia/cu13", "nvidia", "nvidia/cu13/lib", "lib/python3", "nvvm"}) {
    touch(folder + "/bin/ptxas");
    touch(folder + "/bin/nvcc");
    touch(folder + "/lib/libnvrtc.so.13");
    touch(folder + "/include/cuda_runtime.h");
  }
  touch("ptxas"), touch("nvcc");
  fs::create_directories(root() / "nvidia");
  fs::create_directory_symlink(root() / "other", root() / "nvidia/linked");
  fs::create_directory_symlink(root() / "other/bin", root() / "bin");
  Layout layout = Layout::find(root());
  EXPECT_EQ(layout.ptxas, "");
  EXPECT_EQ(layout.nvcc, "");
  EXPECT_EQ(layout.nvrtc, "");
  EXPECT_THAT(layout.includeDirs, IsEmpty());
}

TEST_F(LayoutTest, MendsTheExecutableBitAndThePlaceOfCicc) {
  touch("nvidia/cu13/bin/nvcc", "#!/bin/sh\n");
  touch("nvidia/cu13/bin/cicc", "#!/bin/sh\n");
  touch("nvidia/cu13/bin/ptxas", "\x7f"
                                 "ELF…");
  touch("nvidia/cu13/bin/nvcc.profile", "TOP = …");
  Layout layout = Layout::find(root());
  EXPECT_THAT(mendLayout(root(), layout),
              UnorderedElementsAre("made executable: nvidia/cu13/bin/nvcc",
                                   "made executable: nvidia/cu13/bin/cicc",
                                   "made executable: nvidia/cu13/bin/ptxas",
                                   "linked nvidia/cu13/nvvm/bin/cicc to ../../bin/cicc"));
  EXPECT_EQ(layout.cicc, root() / "nvidia/cu13/nvvm/bin/cicc");
  EXPECT_EQ(readFile(layout.cicc), "#!/bin/sh\n");
  EXPECT_EQ(fs::status(root() / "nvidia/cu13/bin/ptxas").permissions() & fs::perms::owner_exec,
            fs::perms::owner_exec);
  EXPECT_EQ(fs::status(root() / "nvidia/cu13/bin/nvcc.profile").permissions() & fs::perms::owner_exec,
            fs::perms::none);

  Layout again = Layout::find(root());
  EXPECT_EQ(again.cicc, layout.cicc);
  EXPECT_THAT(mendLayout(root(), again), IsEmpty());
}

} // namespace
} // namespace harness
