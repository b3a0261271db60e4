// Which forms of mma and wmma there are: the executor's answer against ptxas's, on every architecture (label
// `toolchain`): a missing toolchain is a failure.

#include "harness/base/files.h"
#include "harness/base/subprocess.h"
#include "harness/ptx/code.h"
#include "harness/ptx/executor.h"

#include "tests/compile/toolchains.h"
#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>

namespace harness::ptx {
namespace {

using Lines = std::vector<std::string>;

std::string vectorOf(const std::string& name, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + name + "_" + std::to_string(i);
  return text + "}";
}

/// Registers of every type, eight of each, named after it: b32_0 … (ptxas takes b320 for the 320th b).
constexpr const char* kTypes[] = {"b32", "u32", "s32", "f32", "f16x2", "b16", "b64", "f64"};

struct Operands {
  const char* d;
  unsigned dCount;
  const char* a;
  unsigned aCount, bCount;
  const char* c;
  unsigned cCount;
};

std::string instruction(const std::string& form, const Operands& o, const std::string& after = "") {
  return form + " " + vectorOf(o.d, o.dCount) + ", " + vectorOf(o.a, o.aCount) + ", " +
         vectorOf(o.a, o.bCount) + ", " + vectorOf(o.c, o.cCount) + after + ";";
}

/// Forms as the manual's syntax spans them, whether they exist or not.
class Candidates {
public:
  Candidates() {
    halves();
    floats();
    integers();
    narrow();
    scaled();
    wmma();
    moves();
    registers();
  }
  Lines lines;

private:
  static const char* registerOf(const std::string& type) { return type == "f32" ? "f32" : "b32"; }
  static unsigned half(const std::string& type, unsigned count) { return type == "f16" ? count / 2 : count; }

  void add(const std::string& form, const Operands& operands, const std::string& after = "") {
    lines.push_back(instruction(form, operands, after));
  }

  void halves() {
    for (const std::string d : {"f16", "f32"})
      for (const std::string c : {"f16", "f32"}) {
        std::string types = "." + d + ".f16.f16." + c;
        for (const char* layouts : {".row.row", ".row.col", ".col.row", ".col.col"}) {
          add(std::string("mma.sync.aligned.m8n8k4") + layouts + types,
              {registerOf(d), half(d, 8), "b32", 2, 2, registerOf(c), half(c, 8)});
          add(std::string("mma.sync.aligned.m16n8k8") + layouts + types,
              {registerOf(d), half(d, 4), "b32", 2, 1, registerOf(c), half(c, 4)});
        }
        add("mma.sync.aligned.m16n8k16.row.col" + types,
            {registerOf(d), half(d, 4), "b32", 4, 2, registerOf(c), half(c, 4)});
      }
  }

  void floats() {
    for (const char* type : {"bf16", "tf32", "f16"})
      for (auto [shape, a, b] : {std::tuple("m16n8k4", 2u, 1u), std::tuple("m16n8k8", 2u, 1u),
                                 std::tuple("m16n8k8", 4u, 2u), std::tuple("m16n8k16", 4u, 2u)})
        add(std::string("mma.sync.aligned.") + shape + ".row.col.f32." + type + "." + type + ".f32",
            {"f32", 4, "b32", a, b, "f32", 4});
    for (auto [shape, a, b, c] : {std::tuple("m8n8k4", 1u, 1u, 2u), std::tuple("m16n8k4", 2u, 1u, 4u),
                                  std::tuple("m16n8k8", 4u, 2u, 4u), std::tuple("m16n8k16", 8u, 4u, 4u)})
      for (const char* rounding : {"", ".rn", ".rz", ".rm", ".rp"})
        add(std::string("mma.sync.aligned.") + shape + ".row.col" + rounding + ".f64.f64.f64.f64",
            {"f64", c, "f64", a, b, "f64", c});
  }

  void integers() {
    const std::tuple<const char*, unsigned, unsigned, unsigned> shapes[] = {
        {"m8n8k16", 1, 1, 2},  {"m16n8k16", 2, 1, 4},  {"m16n8k32", 4, 2, 4},
        {"m8n8k32", 1, 1, 2},  {"m16n8k32", 2, 1, 4},  {"m16n8k64", 4, 2, 4},
        {"m8n8k128", 1, 1, 2}, {"m16n8k128", 2, 1, 4}, {"m16n8k256", 4, 2, 4}};
    for (auto [shape, a, b, c] : shapes)
      for (const char* types : {".s8.s8", ".u8.s8", ".s8.u8", ".s4.s4", ".u4.s4", ".s8.s4", ".b1.b1"})
        for (const char* saturate : {"", ".satfinite"})
          for (const char* operation : {"", ".xor.popc", ".and.popc"})
            add(std::string("mma.sync.aligned.") + shape + ".row.col" + saturate + ".s32" + types + ".s32" +
                    operation,
                {"b32", c, "b32", a, b, "b32", c});
  }

  void narrow() {
    for (const char* kind : {"", ".kind::f8f6f4"})
      for (auto [shape, a, b] : {std::tuple("m16n8k16", 2u, 1u), std::tuple("m16n8k32", 4u, 2u)})
        for (const char* types : {".e4m3.e4m3", ".e4m3.e5m2", ".e2m3.e2m3", ".e3m2.e2m1", ".e2m1.e4m3"})
          for (const std::string d : {"f16", "f32"})
            for (const std::string c : {"f16", "f32"})
              add(std::string("mma.sync.aligned.") + shape + ".row.col" + kind + "." + d + types + "." + c,
                  {registerOf(d), half(d, 4), "b32", a, b, registerOf(c), half(c, 4)});
  }

  void scaled() {
    const Operands operands{"f32", 4, "b32", 4, 2, "f32", 4};
    const std::string start = "mma.sync.aligned.", plain = ", b32_0, {0, 0}, b32_1, {0, 0}";
    for (const char* types : {".e4m3.e4m3", ".e5m2.e2m1", ".e2m3.e3m2"})
      for (const char* scales : {"", ".scale_vec::1X", ".scale_vec::2X"})
        add(start + "m16n8k32.row.col.kind::mxf8f6f4.block_scale" + scales + ".f32" + types + ".f32.ue8m0",
            operands, plain);
    for (const char* kind : {"mxf4", "mxf4nvf4"})
      for (const char* scales : {"", ".scale_vec::2X", ".scale_vec::4X"})
        for (const char* type : {"ue8m0", "ue4m3"})
          add(start + "m16n8k64.row.col.kind::" + kind + ".block_scale" + scales + ".f32.e2m1.e2m1.f32." +
                  type,
              operands, plain);
    for (const char* after : {", b32_0, {2, 1}, b32_1, {2, 3}", ", b32_0, {1, 0}, b32_1, {0, 0}",
                              ", b32_0, {0, 2}, b32_1, {0, 0}", ", b32_0, {0, 0}, b32_1, {0, 4}",
                              ", b32_0, {b16_0, b16_1}, b32_1, {0, 0}", ", {b32_0}, {0, 0}, {b32_1}, {0, 0}",
                              ", f32_0, {0, 0}, b32_1, {0, 0}", ", u32_0, {0, 0}, b32_1, {0, 0}"})
      add(start + "m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", operands, after);
  }

  void wmma() {
    for (auto [shape, a, b] :
         {std::tuple("m16n16k16", 4u, 4u), std::tuple("m8n32k16", 2u, 8u), std::tuple("m32n8k16", 8u, 2u)}) {
      std::string form = std::string("wmma.mma.sync.aligned.row.col.") + shape;
      for (const std::string d : {"f16", "f32"})
        for (const std::string c : {"f16", "f32"})
          add(form + "." + d + "." + c, {registerOf(d), half(d, 8), "b32", 8, 8, registerOf(c), half(c, 8)});
      add(form + ".f32.bf16.bf16.f32", {"f32", 8, "b32", a, b, "f32", 8});
      for (const char* types : {".s8.s8", ".u8.u8", ".s8.u8"})
        for (const char* saturate : {"", ".satfinite"})
          add(form + ".s32" + types + ".s32" + saturate, {"b32", 8, "b32", a / 2, b / 2, "b32", 8});
    }
    for (const char* layouts : {".row.row", ".row.col", ".col.row", ".col.col"}) {
      std::string form = std::string("wmma.mma.sync.aligned") + layouts;
      add(form + ".m16n16k8.f32.tf32.tf32.f32", {"f32", 8, "b32", 4, 4, "f32", 8});
      for (const char* rounding : {"", ".rz"})
        add(form + ".m8n8k4" + rounding + ".f64.f64.f64.f64", {"f64", 2, "f64", 1, 1, "f64", 2});
      for (const char* types : {".s4.s4", ".u4.u4", ".s4.u4"})
        add(form + ".m8n8k32.s32" + types + ".s32", {"b32", 2, "b32", 1, 1, "b32", 2});
      for (const char* operation : {"xor", "and"})
        add(std::string("wmma.mma.") + operation + ".popc.sync.aligned" + layouts + ".m8n8k128.s32.b1.b1.s32",
            {"b32", 2, "b32", 1, 1, "b32", 2});
    }
  }

  void moves() {
    for (const char* shape :
         {"m16n16k16", "m8n32k16", "m32n8k16", "m16n16k8", "m8n8k4", "m8n8k32", "m8n8k128"})
      for (const char* type : {"f16", "bf16", "tf32", "f64", "s8", "u8", "s4", "b1", "f32", "s32"})
        for (const char* layout : {"row", "col"})
          for (unsigned count : {1u, 2u, 4u, 8u}) {
            std::string registers = std::string(type) == "f64"   ? "f64"
                                    : std::string(type) == "f32" ? "f32"
                                                                 : "b32";
            std::string end = std::string(".sync.aligned.") + layout + "." + shape;
            for (const char* matrix : {"a", "b", "c"})
              lines.push_back(std::string("wmma.load.") + matrix + end + "." + type + " " +
                              vectorOf(registers, count) + ", [p];");
            lines.push_back("wmma.store.d" + end + ".global." + type + " [p], " + vectorOf(registers, count) +
                            ", s;");
          }
    for (const char* space : {".shared", ".shared::cta", ".local", ".const"})
      lines.push_back(std::string("wmma.load.a.sync.aligned.row.m16n16k16") + space + ".f16 " +
                      vectorOf("b32", 8) + ", [p], 32;");
  }

  /// Types of registers.
  void registers() {
    const std::pair<const char*, Operands> forms[] = {
        {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", {"f32", 4, "b32", 2, 1, "f32", 4}},
        {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", {"b32", 2, "b32", 2, 1, "b32", 2}},
        {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", {"f32", 4, "b32", 2, 1, "f32", 4}},
        {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", {"f32", 4, "b32", 2, 1, "f32", 4}},
        {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", {"b32", 2, "b32", 1, 1, "b32", 2}},
        {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", {"f32", 4, "b32", 4, 2, "f32", 4}},
        {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32",
         {"f32", 4, "b32", 4, 2, "f32", 4}},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16", {"b32", 4, "b32", 8, 8, "b32", 4}},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32", {"b32", 8, "b32", 2, 2, "b32", 8}},
    };
    for (const auto& [form, operands] : forms)
      for (const char* type : kTypes) {
        Operands d = operands, a = operands, c = operands;
        d.d = a.a = c.c = type;
        add(form, d);
        add(form, a);
        add(form, c);
      }
  }
};

struct Module {
  std::string text;
  std::size_t firstLine = 0;
};

Module moduleOf(const std::string& version, const std::string& target, const Lines& lines) {
  std::string text = ".version " + version + "\n.target " + target +
                     "\n.address_size 64\n.visible .entry k(.param .b64 kp)\n{\n.reg .b64 p;\n.reg .b32 s;\n";
  for (const char* type : kTypes)
    text += ".reg ." + std::string(type) + " " + type + "_<8>;\n";
  Module module{text, static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1};
  for (const std::string& line : lines)
    module.text += line + "\n";
  module.text += "ret;\n}\n";
  return module;
}

std::set<std::string> takenByExecutor(const std::string& target, const Lines& lines) {
  Module module = moduleOf("9.1", target, lines);
  Program program(parseModule(module.text, "test"), "test");
  std::set<std::string> taken(lines.begin(), lines.end());
  for (std::uint32_t at : program.code().unknown)
    taken.erase(lines.at(program.code().instructions[at]->line - module.firstLine));
  return taken;
}

/// ptxas names the lines that it refuses, all of one kind at once: again without them until it takes the
/// rest.
std::set<std::string> takenByPtxas(const Ptxas& ptxas, const std::string& version, const std::string& target,
                                   Lines lines) {
  TempDir directory("matrix-toolchain-test");
  const std::regex kError("line ([0-9]+); (error|fatal)");
  for (;;) {
    Module module = moduleOf(version, target, lines);
    std::filesystem::path file = directory.path() / "k.ptx";
    std::ofstream(file) << module.text;
    ProcessSpec spec;
    spec.argv = {ptxas.program.string(),
                 "-arch=" + target,
                 "-O0",
                 file.string(),
                 "-o",
                 (directory.path() / "k.cubin").string()};
    ProcessResult result = runProcess(spec);
    if (result.ok()) return {lines.begin(), lines.end()};
    std::set<std::size_t> refused;
    std::string output = result.out + result.err;
    for (std::sregex_iterator match(output.begin(), output.end(), kError), end; match != end; ++match)
      refused.insert(std::stoul((*match)[1]) - module.firstLine);
    if (refused.empty()) {
      ADD_FAILURE() << output.substr(0, 500);
      return {};
    }
    Lines left;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (!refused.contains(i)) left.push_back(lines[i]);
    lines = left;
  }
}

struct MatrixToolchainCase {
  const char *toolchain, *version;
  std::vector<std::string> targets;
};

class MatrixToolchain : public testing::TestWithParam<MatrixToolchainCase> {};

/// True for what came with PTX 9.1 where the toolchain is older.
bool isNewer(std::string_view toolchain, const std::string& line) {
  return toolchain == "12.9.86" && line.find("4X.f32.e2m1.e2m1.f32.ue8m0") != std::string::npos;
}

TEST_P(MatrixToolchain, PtxasTakesWhatTheExecutorTakes) {
  const auto& [name, version, targets] = GetParam();
  Toolchain toolchain = harness::test::installedToolchains().get(name);
  Lines candidates = Candidates().lines;
  for (const std::string& target : targets) {
    std::set<std::string> taken = takenByExecutor(target, candidates);
    std::erase_if(taken, [&](const std::string& line) { return isNewer(name, line); });
    EXPECT_GT(taken.size(), target == "sm_70" ? 20u : 50u);
    EXPECT_EQ(takenByPtxas(toolchain.ptxas, version, target, {taken.begin(), taken.end()}), taken)
        << name << " for " << target;
  }
}

/// The other way round: ptxas refuses one kind of line at a time, which takes minutes.
TEST_P(MatrixToolchain, TheExecutorTakesWhatPtxasTakes) {
  const auto& [name, version, targets] = GetParam();
  Toolchain toolchain = harness::test::installedToolchains().get(name);
  Lines candidates = Candidates().lines;
  for (const std::string& target : targets) {
    std::set<std::string> mine = takenByExecutor(target, candidates);
    std::set<std::string> theirs = takenByPtxas(toolchain.ptxas, version, target, candidates);
    Lines onlyMine, onlyTheirs;
    std::set_difference(mine.begin(), mine.end(), theirs.begin(), theirs.end(), std::back_inserter(onlyMine));
    std::set_difference(theirs.begin(), theirs.end(), mine.begin(), mine.end(),
                        std::back_inserter(onlyTheirs));
    std::erase_if(onlyMine, [&](const std::string& line) { return isNewer(name, line); });
    EXPECT_THAT(onlyMine, testing::IsEmpty()) << name << " for " << target;
    EXPECT_THAT(onlyTheirs, testing::IsEmpty()) << name << " for " << target;
    EXPECT_GT(mine.size(), target == "sm_70" ? 20u : 50u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Toolchains, MatrixToolchain,
    testing::Values(MatrixToolchainCase{"12.9.86", "8.8", {"sm_70", "sm_72", "sm_75", "sm_90a", "sm_120a"}},
                    MatrixToolchainCase{
                        "13.5.37",
                        "9.1",
                        {"sm_75", "sm_80", "sm_89", "sm_90", "sm_100", "sm_100a", "sm_120", "sm_121a"}}),
    [](const auto& info) { return "n" + std::to_string(info.index); });

} // namespace
} // namespace harness::ptx
