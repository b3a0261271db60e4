#include "tests/matrix/judge_bench.h"

#include <fstream>

namespace harness::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using JudgeTest = JudgeBench;

const VerdictRecord& only(const CellRecord& cell) {
  EXPECT_EQ(cell.verdicts.size(), 1u);
  EXPECT_EQ(cell.verdicts.front().size(), 1u);
  return cell.verdicts.front().front();
}

std::string message(const VerdictRecord& verdict) {
  return Json::parse(verdict.details).value("message", "");
}

#define EXPECT_VERDICT(record, expected)                                                                     \
  EXPECT_EQ(toString((record).verdict), toString(Verdict::expected)) << (record).details

// ---- what machine code can do

TEST_F(JudgeTest, APassSaysHowManyBytesWereCompared) {
  CellRecord cell = judge("fill@13.0.88/sm_80/O3");
  const VerdictRecord& verdict = only(cell);
  EXPECT_VERDICT(verdict, Pass);
  EXPECT_EQ(verdict.bytes, 32u);
  EXPECT_EQ(verdict.bad, 0u);
  EXPECT_EQ(verdict.executor, "sass");
  EXPECT_EQ(verdict.executionKeys.size(), 2u) << "one for each poison";
  EXPECT_EQ(verdict.outcome, Outcome::Ok);
  EXPECT_EQ(verdict.blame, Blame::None);
  const BuildRecord& build = cell.builds.front();
  EXPECT_EQ(build.status, "ok");
  EXPECT_TRUE(cache_.hasArtifact(build.ptxHash));
  EXPECT_TRUE(cache_.hasArtifact(build.cubinHash));
  EXPECT_HAS(cache_.getArtifact(build.sassHash).value(), "STG.E.U8");
  EXPECT_EQ(cell.toolchain.name, "13.0.88");
  EXPECT_EQ(cell.source.caseId, "fill");
}

TEST_F(JudgeTest, WithoutItsPtxNobodyIsBlamed) {
  const VerdictRecord verdict = only(judgeScript("//ptxas emit wrong"));
  EXPECT_EQ(verdict.blame, Blame::Unknown);
  EXPECT_EQ(Json::parse(verdict.details)["blame"]["because"], "its PTX was not executed");
}

TEST_F(JudgeTest, AMismatchIsLocalised) {
  CellRecord cell = judgeScript("//ptxas emit wrong");
  const VerdictRecord& verdict = only(cell);
  EXPECT_VERDICT(verdict, Mismatch);
  EXPECT_EQ(verdict.bytes, 32u);
  EXPECT_EQ(verdict.bad, 8u);
  EXPECT_EQ(verdict.firstBad, "out+0x1: 0x03 -> 0x83");
  EXPECT_EQ(verdict.outcome, Outcome::Regressed);
  EXPECT_EQ(verdict.blame, Blame::Unknown);
  Json details = Json::parse(verdict.details);
  EXPECT_EQ(details["poison"], 0xAA);
  const Json& buffer = details["buffers"][0];
  EXPECT_EQ(buffer["name"], "out");
  EXPECT_EQ(buffer["histogram"], Json({0, 8, 0, 0}));
  EXPECT_EQ(buffer["first"][1], Json({{"offset", 5}, {"expected", 7}, {"actual", 0x87}}));
}

TEST_F(JudgeTest, AnUnwrittenByteIsToldFromAWrongOne) {
  CellRecord unwritten = judgeScript("//ptxas emit unwritten");
  EXPECT_VERDICT(only(unwritten), Mismatch);
  EXPECT_EQ(only(unwritten).firstBad, "out+0x2: 0x04 -> 0xaa");
  EXPECT_EQ(Json::parse(only(unwritten).details)["buffers"][0]["pattern"], "unwritten");
  CellRecord wrong = judgeScript("//ptxas emit wrong");
  EXPECT_NE(Json::parse(only(wrong).details)["buffers"][0]["pattern"], "unwritten");
}

TEST_F(JudgeTest, AnUnwrittenByteIsFoundThoughItLooksRightUnderOnePoison) {
  // The byte at 2 should become 0xaa, which is what it starts as in one of the two runs.
  auto wantsPoison = [](World::Json& manifest) { manifest["buffers"]["in"]["init"] = {{"fill", 0xA9}}; };
  CellRecord cell = judgeScript("//ptxas emit unwritten", wantsPoison);
  EXPECT_VERDICT(only(cell), Mismatch);
  EXPECT_EQ(Json::parse(only(cell).details)["poison"], 0x55);
  EXPECT_EQ(Json::parse(only(cell).details)["buffers"][0]["pattern"], "unwritten");
}

TEST_F(JudgeTest, AChangedInput) {
  CellRecord cell = judgeScript("//ptxas emit input");
  EXPECT_VERDICT(only(cell), Mismatch);
  EXPECT_EQ(only(cell).firstBad, "input 'in' was changed");
}

TEST_F(JudgeTest, AFault) {
  CellRecord cell = judgeScript("//ptxas emit outside");
  EXPECT_VERDICT(only(cell), Fault);
  EXPECT_HAS(message(only(cell)), "STG.E.U8");
  EXPECT_EQ(only(cell).outcome, Outcome::Regressed);
}

TEST_F(JudgeTest, AnOpcodeThatTheExecutorLacks) {
  CellRecord cell = judgeScript("//ptxas emit unknown");
  EXPECT_VERDICT(only(cell), Unsupported);
  EXPECT_HAS(message(only(cell)), "FROB.X R2, R3");
  EXPECT_EQ(only(cell).outcome, Outcome::Undecided);
  EXPECT_EQ(only(cell).blame, Blame::None);
}

TEST_F(JudgeTest, ALoopWithoutEnd) {
  judgeOptions_.maxWarpInstructions = 10'000;
  CellRecord cell = judgeScript("//ptxas emit forever");
  EXPECT_VERDICT(only(cell), Timeout);
  EXPECT_EQ(only(cell).outcome, Outcome::Regressed);
}

TEST_F(JudgeTest, AnIllegalEncodingBehindTheEnd) {
  CellRecord cell = judgeScript("//ptxas emit padding");
  EXPECT_VERDICT(only(cell), IllegalEncoding);
  EXPECT_HAS(message(only(cell)), "1 instruction that nvdisasm calls illegal");
  EXPECT_EQ(only(cell).blame, Blame::Ptxas);
  EXPECT_EQ(only(cell).outcome, Outcome::Regressed);
}

TEST_F(JudgeTest, AnIllegalEncodingThatIsExecuted) {
  CellRecord cell = judgeScript("//ptxas emit illegal");
  EXPECT_VERDICT(only(cell), Fault);
  EXPECT_HAS(message(only(cell)), "illegal instruction");
}

TEST_F(JudgeTest, AnNvdisasmThatCrashesOnOneCubinSpoilsNoOtherCell) {
  std::filesystem::remove(world_.path("toolchains/nvdisasm-13.5.37/bin/nvdisasm"));
  std::filesystem::path script =
      world_.write("toolchains/nvdisasm-13.5.37/bin/nvdisasm", std::string(R"(#!/bin/sh
for file; do :; done
LC_ALL=C grep -qaP '\xef\xbe\xad\xde' "$file" && kill -SEGV $$
exec )") + HARNESS_SOURCE_DIR + "/tests/matrix/data/nvdisasm \"$@\"\n");
  fs::permissions(script, fs::perms::owner_all);
  world_.writeCase("odd", "//ptxas emit unknown");
  auto cells = judgeAll({"fill@13.0.88/sm_80/O3", "odd@13.0.88/sm_80/O3"});
  EXPECT_VERDICT(only(cells[0]), Pass);
  EXPECT_VERDICT(only(cells[1]), InfraError);
  EXPECT_HAS(message(only(cells[1])), "nvdisasm failed");
}

// ---- what compilers can do

TEST_F(JudgeTest, ASourceThatDoesNotCompile) {
  CellRecord cell = judgeScript("//nvcc echo 'fill.cu(3): error: expected a \";\"' >&2; exit 2");
  EXPECT_VERDICT(only(cell), CompileError);
  EXPECT_EQ(only(cell).executor, "compiler");
  EXPECT_EQ(only(cell).blame, Blame::Unknown) << "refusing a source is no fault by itself";
  EXPECT_HAS(message(only(cell)), "expected a \";\"");
  EXPECT_EQ(cell.builds.front().status, "compile-error");
  EXPECT_TRUE(cell.builds.front().cubinHash.empty());
}

TEST_F(JudgeTest, ACompilerThatCrashes) {
  VerdictRecord frontEnd = only(judgeScript("//nvcc kill -SEGV $$")),
                ptxas = only(judgeScript("//ptxas kill -ABRT $$"));
  EXPECT_VERDICT(frontEnd, Ice);
  EXPECT_EQ(frontEnd.blame, Blame::FrontEnd);
  EXPECT_VERDICT(ptxas, Ice);
  EXPECT_EQ(ptxas.blame, Blame::Ptxas);
}

TEST_F(JudgeTest, ACompilerThatHangs) {
  compilerLimits_.wall = std::chrono::seconds(1);
  CellRecord cell = judgeScript("//ptxas sleep 60");
  EXPECT_VERDICT(only(cell), Timeout);
  EXPECT_EQ(message(only(cell)), "[timed out: more than 1 s]") << "the same whenever it is asked again";
}

TEST_F(JudgeTest, ACompilerThatPrintsWithoutEnd) {
  compilerLimits_.outputBytes = 1 << 16;
  CellRecord cell = judgeScript("//nvcc yes");
  EXPECT_VERDICT(only(cell), InfraError);
  EXPECT_EQ(message(only(cell)), "[printed more than its limit and was killed]");
  EXPECT_HAS(cell.builds.front().log, "y\ny\n");
}

TEST_F(JudgeTest, ATruncatedCubin) {
  CellRecord cell = judgeScript("//ptxas emit right; truncate -s 1000 \"$out\"");
  EXPECT_VERDICT(only(cell), InfraError);
  EXPECT_HAS(message(only(cell)), "truncated");
  EXPECT_EQ(only(cell).outcome, Outcome::Undecided);
}

TEST_F(JudgeTest, ACubinOfAnotherMachine) {
  CellRecord cell = judgeScript("//ptxas cp /bin/true \"$out\"");
  EXPECT_VERDICT(only(cell), InfraError);
  EXPECT_HAS(message(only(cell)), "another machine");
  EXPECT_EQ(message(only(cell)).find("case.json"), std::string::npos) << "that is no mistake of the manifest";
}

TEST_F(JudgeTest, ACubinOfAnotherArch) {
  CellRecord cell = judgeScript("//ptxas arch=sm_90; emit right");
  EXPECT_VERDICT(only(cell), InfraError);
  EXPECT_HAS(message(only(cell)), "sm_90");
  EXPECT_EQ(message(only(cell)).find("case.json"), std::string::npos) << "that is no mistake of the manifest";
}

TEST_F(JudgeTest, OneBadCompilerDoesNotSpoilTheOthers) {
  world_.writeCase("broken", "//ptxas kill -SEGV $$");
  world_.writeCase("cut", "//ptxas echo ELF >\"$out\"");
  auto cells = judgeAll({"broken@13.0.88/sm_80/O3", "cut@13.0.88/sm_80/O3", "fill@13.0.88/sm_80/O3"});
  EXPECT_VERDICT(only(cells[0]), Ice);
  EXPECT_VERDICT(only(cells[1]), InfraError);
  EXPECT_VERDICT(only(cells[2]), Pass);
}

TEST_F(JudgeTest, ASourceThatVanished) {
  world_.writeCase("gone", "//ptxas emit right");
  std::vector<PlannedCell> cells =
      plan(std::vector<std::string>{"gone@13.0.88/sm_80/O3", "fill@13.0.88/sm_80/O3"});
  fs::remove(world_.path("repros/gone/fill.cu"));
  auto records = judgePlanned(cells);
  EXPECT_VERDICT(only(records[0]), InfraError);
  EXPECT_HAS(message(only(records[0])), "fill.cu");
  EXPECT_VERDICT(only(records[1]), Pass);
}

TEST_F(JudgeTest, AnArchThatPtxasLacksIsSkippedWhateverWasExpected) {
  auto expectsMismatch = [](World::Json& manifest) { manifest["expect"] = {{{"verdict", "mismatch"}}}; };
  world_.writeCase("it", "//ptxas emit right", expectsMismatch);
  CellRecord cell = judge("it@13.0.88/sm_75/O3");
  EXPECT_VERDICT(only(cell), Skipped);
  EXPECT_EQ(only(cell).outcome, Outcome::Ok);
  EXPECT_HAS(message(only(cell)), "sm_75");
  EXPECT_EQ(work_.compiled, 0u);
}

// ---- what cases can do

TEST_F(JudgeTest, AKernelThatIsNotThere) {
  CellRecord cell =
      judgeScript("//ptxas emit right", [](World::Json& manifest) { manifest["kernel"] = "fil"; });
  EXPECT_VERDICT(only(cell), InfraError);
  EXPECT_HAS(message(only(cell)), "no kernel 'fil' in the cubin, which has fill; did you mean 'fill'?");
  EXPECT_HAS(message(only(cell)), "case.json of 'it', which 'harness case validate it' checks");
}

TEST_F(JudgeTest, EachCaseWithoutItsKernelIsNamed) {
  for (const char* id : {"one", "two"})
    world_.writeCase(id, "//ptxas emit right", [](World::Json& manifest) { manifest["kernel"] = "fil"; });
  auto cells = judgeAll({"one@13.0.88/sm_80/O3", "two@13.0.88/sm_80/O3"});
  EXPECT_HAS(message(only(cells[0])), "case.json of 'one'");
  EXPECT_HAS(message(only(cells[1])), "case.json of 'two'");
}

TEST_F(JudgeTest, AReferenceThatCrashes) {
  CellRecord cell =
      judgeScript("//ptxas emit right", [](World::Json& manifest) { manifest["args"][2] = {{"i32", 13}}; });
  EXPECT_VERDICT(only(cell), InfraError);
  EXPECT_HAS(message(only(cell)), "its reference killed by signal 6");
}

TEST_F(JudgeTest, AReferenceThatCrashesOnOneShapeLeavesTheOthers) {
  CellRecord cell = judgeScript("//ptxas emit wrong", [](World::Json& manifest) {
    manifest["shapes"] = {
        {{"name", "bad"}, {"n", 13}}, {{"name", "small"}, {"n", 1}}, {{"name", "all"}, {"n", 32}}};
    manifest["args"][2] = {{"i32", "n"}};
  });
  ASSERT_EQ(cell.verdicts.front().size(), 3u);
  EXPECT_VERDICT(cell.verdicts.front()[0], InfraError);
  EXPECT_VERDICT(cell.verdicts.front()[1], Pass);
  EXPECT_VERDICT(cell.verdicts.front()[2], Mismatch);
}

TEST_F(JudgeTest, ArgumentsThatDoNotFitTheKernel) {
  CellRecord cell = judgeScript("//ptxas emit right",
                                [](World::Json& manifest) { manifest["args"].push_back({{"i32", 1}}); });
  EXPECT_VERDICT(only(cell), InfraError);
  EXPECT_HAS(message(only(cell)), "argument");
  EXPECT_HAS(message(only(cell)), "case.json of 'it', which 'harness case validate it' checks");
}

TEST_F(JudgeTest, EveryShapeHasItsVerdict) {
  CellRecord cell = judgeScript("//ptxas emit wrong", [](World::Json& manifest) {
    manifest["shapes"] = {{{"name", "one"}, {"n", 1}}, {{"name", "all"}, {"n", 32}}};
    manifest["args"] = {"in", "out", {{"i32", "n"}}};
    manifest["buffers"]["out"]["count"] = "n";
    manifest["buffers"]["out"].erase("record");
  });
  ASSERT_EQ(cell.verdicts.front().size(), 2u);
  EXPECT_EQ(cell.verdicts.front()[0].shape, "one");
  EXPECT_VERDICT(cell.verdicts.front()[0], Pass);
  EXPECT_EQ(cell.verdicts.front()[0].bytes, 1u);
  EXPECT_VERDICT(cell.verdicts.front()[1], Mismatch);
}

// ---- expectations

struct Expected {
  const char* script;
  const char* verdict;
  Outcome outcome;
};

class JudgeOutcomeTest : public JudgeTest, public testing::WithParamInterface<Expected> {};

TEST_P(JudgeOutcomeTest, ComesOfVerdictAndExpectation) {
  CellRecord cell = judgeScript(GetParam().script, [](World::Json& manifest) {
    manifest["expect"] = {
        {{"nvcc", "<13.1"}, {"verdict", GetParam().verdict}, {"blame", "ptxas"}, {"why", "known"}}};
  });
  EXPECT_EQ(toString(only(cell).outcome), toString(GetParam().outcome)) << only(cell).details;
  EXPECT_EQ(cell.expectedVerdict, GetParam().verdict);
  EXPECT_EQ(cell.why, "known");
  EXPECT_EQ(judge("it@13.1.80/sm_80/O3").expectedVerdict, "") << "the expectation is of older ones";
}

INSTANTIATE_TEST_SUITE_P(, JudgeOutcomeTest,
                         testing::Values(Expected{"//ptxas emit right", "pass", Outcome::Ok},
                                         Expected{"//ptxas emit wrong", "mismatch", Outcome::Expected},
                                         Expected{"//ptxas emit right", "mismatch", Outcome::Fixed},
                                         Expected{"//ptxas emit outside", "mismatch", Outcome::Regressed},
                                         Expected{"//ptxas emit unknown", "mismatch", Outcome::Undecided},
                                         Expected{"//ptxas kill -SEGV $$", "ice", Outcome::Expected},
                                         Expected{"//ptxas kill -SEGV $$", "pass", Outcome::Regressed}));

// ---- remembering

TEST_F(JudgeTest, EqualCodeIsExecutedOnce) {
  judgeAll({"fill@13.0.88/sm_80/O2", "fill@13.0.88/sm_80/O3", "fill@13.1.80/sm_80/O3"});
  EXPECT_EQ(work_.compiled, 2u + 3u) << "a front end each, a ptxas each level";
  EXPECT_EQ(work_.disassembled, 1u);
  EXPECT_EQ(work_.executed, 2u) << "a run each poison";
  judge("fill@13.1.80/sm_80/O2");
  EXPECT_EQ(work_.executed, 0u) << "remembered though this cell is new";
}

TEST_F(JudgeTest, ArchsDoNotShareExecutions) {
  judge("fill@13.0.88/sm_80/O3");
  CellRecord cell = judge("fill@13.0.88/sm_90/O3");
  EXPECT_VERDICT(only(cell), Pass);
  EXPECT_EQ(work_.executed, 2u);
}

TEST_F(JudgeTest, OtherInputsAreAnotherExecution) {
  judge("fill@13.0.88/sm_80/O3");
  judgeScript("//ptxas emit right",
              [](World::Json& manifest) { manifest["buffers"]["in"]["init"]["iota"]["start"] = 2; });
  EXPECT_EQ(work_.executed, 2u);
}

TEST_F(JudgeTest, ARepeatDoesNothingAndSaysTheSame) {
  std::vector<std::string> names;
  for (const char* script : {"right", "wrong", "unwritten", "input", "outside", "unknown", "illegal"}) {
    world_.writeCase(script, std::string("//ptxas emit ") + script);
    names.push_back(script + std::string("@13.0.88/sm_80/O3"));
  }
  world_.writeCase("ice", "//ptxas kill -SEGV $$");
  names.push_back("ice@13.0.88/sm_80/O3");
  auto first = judgeAll(names);
  EXPECT_GT(work_.compiled, 0u);
  auto second = judgeAll(names);
  EXPECT_EQ(work_.compiled, 0u);
  EXPECT_EQ(work_.disassembled, 0u);
  EXPECT_EQ(work_.executed, 0u);
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(only(first[i]).verdict, only(second[i]).verdict) << names[i];
    EXPECT_EQ(only(first[i]).details, only(second[i]).details) << names[i];
    EXPECT_EQ(only(first[i]).firstBad, only(second[i]).firstBad) << names[i];
    EXPECT_EQ(first[i].builds.front().sassHash, second[i].builds.front().sassHash) << names[i];
  }
}

// ---- a damaged cache

/// What may happen to a file on a disk that failed or was full.
void spoil(const fs::path& file, int how) {
  std::string bytes = readFile(file);
  if (how == 0) bytes.clear();
  if (how == 1) bytes.resize(bytes.size() / 2);
  if (how == 2) bytes = "{}";
  if (how == 3) bytes = "[1, null]";
  if (how == 4)
    for (char& byte : bytes)
      byte = static_cast<char>(byte ^ 1);
  if (how == 5) bytes = R"({"image": 3, "sass": [], "illegal": "x", "status": 5})";
  if (how == 6) bytes = R"({"image": "a", "sass": "b", "illegal": -1})";
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

class DamagedCacheTest : public JudgeTest,
                         public testing::WithParamInterface<std::tuple<const char*, int>> {};

TEST_P(DamagedCacheTest, IsMadeAnewWithTheSameVerdicts) {
  auto [kind, how] = GetParam();
  world_.writeCase("bad", "//ptxas emit wrong");
  std::vector<std::string> names = {"fill@13.0.88/sm_80/O3", "bad@13.0.88/sm_80/O3"};
  auto before = judgeAll(names);
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(world_.path("bench-cache") / kind))
    if (entry.is_regular_file() && ++files) spoil(entry.path(), how);
  ASSERT_GT(files, 4u);
  for (int again = 0; again < 2; ++again) {
    auto after = judgeAll(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(toString(only(after[i]).verdict), toString(only(before[i]).verdict))
          << only(after[i]).details;
      EXPECT_EQ(only(after[i]).details, only(before[i]).details);
    }
  }
  EXPECT_EQ(work_.compiled, 0u) << "the cache is whole again";
  // Executions are in the database, but what is new to it needs every artifact.
  world_.writeCase("new", "//ptxas emit wrong",
                   [](World::Json& manifest) { manifest["buffers"]["in"]["init"]["iota"]["start"] = 9; });
  EXPECT_VERDICT(only(judge("new@13.0.88/sm_80/O3")), Mismatch);
}

INSTANTIATE_TEST_SUITE_P(, DamagedCacheTest,
                         testing::Combine(testing::Values("artifact", "action"), testing::Range(0, 7)));

TEST_F(JudgeTest, ACacheThatVanishedIsMadeAnew) {
  world_.writeCase("bad", "//ptxas emit wrong");
  judge("bad@13.0.88/sm_80/O3");
  fs::remove_all(world_.path("bench-cache"));
  cache_ = ArtifactCache(world_.path("bench-cache"));
  CellRecord cell = judge("bad@13.0.88/sm_80/O3");
  EXPECT_VERDICT(only(cell), Mismatch);
  EXPECT_EQ(only(cell).bad, 8u);
}

} // namespace
} // namespace harness::test
