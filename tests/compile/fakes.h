#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/base/files.h"
#include "harness/compile/compile.h"

#include <filesystem>
#include <string>

namespace harness::test {

/// Compilers that are shell scripts, a source and a cache, all below one temporary directory.
class Fakes {
public:
  Fakes();

  /// Compilers that do what real ones do: copy their input to the place of their output.
  static constexpr const char* kCopy = R"(
while [ $# -gt 0 ]; do case "$1" in -o) out=$2; shift;; *.cu|*.ptx) in=$1;; esac; shift; done
cp "$in" "$out")";

  void writeNvcc(const std::string& body) { writeScript("nvcc", body); }
  void writePtxas(const std::string& body) { writeScript("ptxas", body); }
  std::filesystem::path write(const std::string& name, const std::string& text);

  /// Limits that a test can wait for.
  static Compiler::Options quick();

  std::string ptx(const StageResult& result) const {
    return cache.getArtifact(result.hash).value_or("<absent>");
  }

  TempDir directory{"compile-test"};
  ArtifactCache cache{directory.path() / "cache"};
  Toolchain toolchain;
  KernelSource source;

private:
  void writeScript(const std::string& name, const std::string& body);
};

} // namespace harness::test
