#include "tests/matrix/world.h"

#include "harness/base/text.h"
#include "harness/toolchain/record.h"

#include <algorithm>
#include <cstdlib>

namespace harness::test {

namespace fs = std::filesystem;

namespace {

const fs::path kData = fs::path(HARNESS_SOURCE_DIR) / "tests/matrix/data";

void link(const fs::path& target, const fs::path& path) {
  fs::create_directories(path.parent_path());
  fs::create_symlink(target, path);
}

} // namespace

World::World() {
  for (const char* name : {"13.0.88", "13.1.80"})
    addToolchain(name);
  Record record;
  record.name = "nvdisasm-13.5.37";
  record.nvdisasmBuild = Version{{13, 5, 37}};
  fs::path directory = path("toolchains/nvdisasm-13.5.37");
  record.nvdisasm = Nvdisasm{directory / "bin/nvdisasm", "a made up nvdisasm", std::string(64, 'd')};
  link(kData / "nvdisasm", directory / "bin/nvdisasm");
  record.write(directory);
  link(kData / "c++", path("bin/c++"));
  link(FAKE_REFERENCE_LIBRARY, path("bin/reference.so"));
  writeCase("fill", "//ptxas emit right");
  write("matrix/all.json", R"({"cases": ["*"], "toolchains": ["13.0.88", "13.1.80"], "archs": ["sm_80"],
    "opts": ["O2", "O3"], "executors": ["sass"]})");
}

void World::addToolchain(const std::string& name) {
  fs::path directory = path("toolchains/" + name);
  for (const char* program : {"nvcc", "ptxas"})
    link(kData / program, directory / "bin" / program);
  write("toolchains/" + name + "/build", name);
  Record record;
  record.name = name;
  Toolchain& toolchain = record.toolchain.emplace();
  toolchain.name = name;
  toolchain.root = directory;
  Version build = *Version::parse(name);
  toolchain.frontEnd = {
      FrontEndKind::Nvcc,    build, "nvcc of " + name, directory / "bin/nvcc", {}, "cicc", {},
      "front end of " + name};
  toolchain.ptxas = {build,           "ptxas of " + name, directory / "bin/ptxas",
                     "ptxas " + name, Version{{9, 0}},    {"sm_80", "sm_90"}};
  record.write(directory);
}

void World::writeCase(const std::string& id, const std::string& script,
                      const std::function<void(Json&)>& change) {
  Json manifest = Json::parse(R"({
    "title": "Every input plus one", "source": "fill.cu", "kernel": "fill", "grid": [1], "block": [32],
    "buffers": {"in": {"type": "u32", "count": 32, "init": {"iota": {"start": 1, "step": 1}}},
                "out": {"type": "u8", "count": 32, "output": true, "record": 4}},
    "args": ["in", "out", {"i32": 32}], "reference": "reference.cpp"})");
  if (change) change(manifest);
  write("repros/" + id + "/case.json", manifest.dump(2));
  write("repros/" + id + "/fill.cu", script + "\n");
  write("repros/" + id + "/reference.cpp", "// data/reference.cpp\n");
}

void World::writeMatrix(const std::function<void(Json&)>& change) {
  Json matrix = Json::parse(readFile(path("matrix/all.json")));
  change(matrix);
  write("matrix/all.json", matrix.dump());
}

fs::path World::write(const std::string& name, const std::string& text) {
  fs::create_directories(path(name).parent_path());
  writeFileAtomically(path(name), text);
  return path(name);
}

ProcessSpec World::command(std::vector<std::string> arguments) const {
  ProcessSpec spec;
  spec.argv = {HARNESS_PROGRAM};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.directory = directory_.path();
  spec.limits.memoryBytes = 0; // sanitizers reserve more than any limit
  spec.environment = {{"HARNESS_ROOT", directory_.path()},
                      {"HARNESS_CACHE_DIR", path("cache")},
                      {"HARNESS_TOOLCHAINS_DIR", path("toolchains")},
                      {"HARNESS_DB", path("harness.db")},
                      {"FAKE_LOG", path("started.log")},
                      {"PATH", path("bin").string() + ":" + std::getenv("PATH")}};
  return spec;
}

ProcessResult World::runMatrix(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"run", "--matrix", path("matrix/all.json").string()});
  return run(std::move(arguments));
}

World::Json World::query(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"query", "--format", "json"});
  ProcessResult result = run(std::move(arguments));
  if (!result.ok()) throw std::runtime_error(result.describe() + ": " + result.err);
  return Json::parse(result.out);
}

std::size_t World::started(const std::string& program) const {
  if (!fs::exists(path("started.log"))) return 0;
  std::vector<std::string> lines = split(readFile(path("started.log")), '\n');
  return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
    return line == program || line.starts_with(program + " ");
  }));
}

testing::AssertionResult exitedWith(const ProcessResult& result, int code) {
  if (result.end == ProcessEnd::Exited && result.exitCode == code) return testing::AssertionSuccess();
  return testing::AssertionFailure() << result.describe() << " in place of " << code << "\n"
                                     << result.out << result.err;
}

} // namespace harness::test
