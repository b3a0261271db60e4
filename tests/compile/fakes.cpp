#include "tests/compile/fakes.h"

namespace harness::test {

namespace fs = std::filesystem;

Fakes::Fakes() {
  fs::path bin = directory.path() / "toolchain" / "bin";
  toolchain.name = "1.2.3";
  toolchain.root = directory.path() / "toolchain";
  toolchain.frontEnd.build = Version{{1, 2, 3}};
  toolchain.frontEnd.program = bin / "nvcc";
  toolchain.frontEnd.identity = "front end";
  toolchain.ptxas.build = Version{{1, 2, 3}};
  toolchain.ptxas.program = bin / "ptxas";
  toolchain.ptxas.sha256 = "ptxas";
  toolchain.ptxas.maxPtx = Version{{8, 8}};
  toolchain.ptxas.archs = {"sm_75", "sm_90", "sm_90a", "sm_99"};
  source.file = write("case/kernel.cu", "// kernel\n");
  writeNvcc(kCopy);
  writePtxas(kCopy);
}

fs::path Fakes::write(const std::string& name, const std::string& text) {
  fs::path path = directory.path() / name;
  fs::create_directories(path.parent_path());
  writeFileAtomically(path, text);
  return path;
}

void Fakes::writeScript(const std::string& name, const std::string& body) {
  fs::path path = write("toolchain/bin/" + name, "#!/bin/sh\n" + body + "\n");
  fs::permissions(path, fs::perms::owner_all);
}

Compiler::Options Fakes::quick() {
  Compiler::Options options;
  options.limits.wall = std::chrono::seconds(20);
  options.limits.outputBytes = 1 << 20;
  return options;
}

} // namespace harness::test
