#pragma once

#include "harness/base/files.h"
#include "harness/base/subprocess.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace harness::test {

/// A small checkout with compilers that are scripts (tests/matrix/data): the whole pipeline in a moment,
/// without any real compiler.
class World {
public:
  using Json = nlohmann::ordered_json;

  /// Case `fill`, right everywhere; toolchains 13.0.88 and 13.1.80, which know sm_80 and sm_90, and an
  /// nvdisasm; matrix `matrix/all.json`: every case × both × sm_80 × O2, O3.
  World();

  /// A case of the kernel `fill`. `script` is its source: "//ptxas emit wrong" and the like, see data/nvcc
  /// and data/ptxas.
  void writeCase(const std::string& id, const std::string& script,
                 const std::function<void(Json&)>& change = {});
  void writeMatrix(const std::function<void(Json&)>& change);
  void addToolchain(const std::string& name);
  std::filesystem::path write(const std::string& name, const std::string& text);
  std::filesystem::path path(const std::string& name) const { return directory_.path() / name; }

  /// The harness, with this checkout, these compilers, a cache and a database of their own.
  ProcessSpec command(std::vector<std::string> arguments) const;
  ProcessResult run(std::vector<std::string> arguments) const {
    return runProcess(command(std::move(arguments)));
  }
  /// `run --matrix matrix/all.json` and what is given.
  ProcessResult runMatrix(std::vector<std::string> arguments = {}) const;
  /// What `query --format json` prints.
  Json query(std::vector<std::string> arguments = {}) const;
  /// How often the programs of that name were started by `harness` ("nvcc", "ptxas", "nvdisasm", "c++").
  std::size_t started(const std::string& program) const;

private:
  TempDir directory_{"harness-world"};
};

/// The program ended by itself, with this exit code.
testing::AssertionResult exitedWith(const ProcessResult& result, int code);

#define EXPECT_CODE(result, code) EXPECT_TRUE(exitedWith(result, code))
#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
} // namespace harness::test
