#include "harness/report/guard.h"
#include "harness/report/guard_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace harness {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// What was measured, cell by cell.
class GuardTest : public testing::Test {
protected:
  void cell(const std::string& toolchain, Verdict verdict, const std::string& arch = "sm_90",
            const std::string& opt = "O3", Blame blame = Blame::Ptxas, const std::string& frontEnd = "") {
    std::string build = toolchain.substr(toolchain.find('-') + 1); // "nvrtc-13.0.88"
    build = build.substr(build.find('+') + 1);
    cells.push_back({toolchain, *Version::parse(frontEnd.empty() ? build : frontEnd), *Version::parse(build),
                     arch, opt, verdict, verdict == Verdict::Pass ? Blame::None : blame});
  }
  void bad(const std::string& toolchain, const std::string& arch = "sm_90") {
    cell(toolchain, Verdict::Mismatch, arch);
  }
  void good(const std::string& toolchain, const std::string& arch = "sm_90") {
    cell(toolchain, Verdict::Pass, arch);
  }
  Guard find(bool unlimited = false) const {
    return findGuard("half-store", cells, {{Version{{13, 0, 48}}, Version{{13, 0, 88}}}, unlimited});
  }
  /// "sm_80 sm_90: 12.0.76 <13.1.80, 13.3.33 <=13.5.37 | …"
  std::string rules(bool unlimited = false) const {
    std::string text;
    for (const GuardRule& rule : find(unlimited).rules) {
      text += text.empty() ? "" : " | ";
      for (const std::string& arch : rule.archs)
        text += (arch == rule.archs.front() ? "" : " ") + arch;
      for (const GuardRange& range : rule.ranges)
        text += (range == rule.ranges.front() ? ": " : ", ") + range.from.str() +
                (range.unlimited ? " on" : (range.endIncluded ? " <=" : " <") + range.end.str());
    }
    return text;
  }

  std::vector<GuardCell> cells;
};

TEST_F(GuardTest, UpToTheFirstGoodBuild) {
  good("11.8.89"), bad("12.0.76"), bad("13.0.88"), good("13.1.80"), good("13.5.37");
  EXPECT_EQ(rules(), "sm_90: 12.0.76 <13.1.80");
  const GuardRange range = find().rules.front().ranges.front();
  EXPECT_EQ(range.lastGood, "11.8.89");
  EXPECT_EQ(range.firstBad, "12.0.76");
  EXPECT_EQ(range.lastBad, "13.0.88");
  EXPECT_EQ(range.firstGood, "13.1.80");
  EXPECT_THAT(find().toolchains, ElementsAre("11.8.89", "12.0.76", "13.0.88", "13.1.80", "13.5.37"));
  EXPECT_THAT(find().unmeasured, ElementsAre("13.0.48")) << "it exists, and lies inside";
}

TEST_F(GuardTest, AcrossMajorVersionsAndInAnyOrder) {
  good("14.0.10"), bad("13.1.80"), good("12.9.86"), bad("13.0.88");
  EXPECT_EQ(rules(), "sm_90: 13.0.88 <14.0.10");
}

TEST_F(GuardTest, WindowsWithHoles) {
  bad("12.0.76"), bad("12.3.52"), good("12.3.103"), good("13.2.86"), bad("13.3.33"), bad("13.3.73");
  EXPECT_EQ(rules(), "sm_90: 12.0.76 <12.3.103, 13.3.33 <=13.3.73");
  EXPECT_EQ(rules(true), "sm_90: 12.0.76 <12.3.103, 13.3.33 on");
  good("13.4.59");
  EXPECT_EQ(rules(true), "sm_90: 12.0.76 <12.3.103, 13.3.33 <13.4.59") << "there is an end";
}

TEST_F(GuardTest, WhatWasNotDecidedSaysNothing) {
  bad("12.0.76"), cell("12.9.86", Verdict::Unsupported), bad("13.0.88"), cell("13.1.80", Verdict::Skipped);
  cell("13.2.51", Verdict::CompileError), cell("13.3.33", Verdict::InfraError);
  EXPECT_EQ(rules(), "sm_90: 12.0.76 <=13.0.88");
  good("13.5.37");
  EXPECT_EQ(rules(), "sm_90: 12.0.76 <13.5.37");
}

TEST_F(GuardTest, LevelsThatAreWrong) {
  for (const char* opt : {"O1", "O2", "O3"})
    cell("13.0.88", Verdict::Mismatch, "sm_90", opt);
  cell("13.0.88", Verdict::Pass, "sm_90", "O0");
  cell("13.1.80", Verdict::Pass, "sm_90", "O0"); // tells nothing: it is right at O0 anyway
  cell("13.2.51", Verdict::Pass, "sm_90", "O2");
  EXPECT_EQ(rules(), "sm_90: 13.0.88 <13.2.51");
  EXPECT_THAT(find().badLevels, ElementsAre("O1", "O2", "O3"));
  EXPECT_THAT(find().goodLevels, ElementsAre("O0"));
  EXPECT_THAT(preprocessorGuard(find()), HasSubstr("// Wrong at O1–O3, right at O0: "));
  EXPECT_THAT(pythonGuard(find()), HasSubstr("# Wrong at O1–O3, right at O0: "));
}

TEST_F(GuardTest, ArchitecturesWithOtherHistories) {
  for (const char* arch : {"sm_120a", "sm_80", "sm_90"})
    bad("13.0.88", arch), good("13.5.37", arch);
  bad("13.1.80", "sm_90"), good("13.1.80", "sm_80"), good("13.1.80", "sm_120a");
  EXPECT_EQ(rules(), "sm_80 sm_120a: 13.0.88 <13.1.80 | sm_90: 13.0.88 <13.5.37");
  EXPECT_THAT(find().archs, ElementsAre("sm_80", "sm_90", "sm_120a"));
}

TEST_F(GuardTest, AnArchitectureThatDidNotExistYet) {
  bad("12.6.85", "sm_80"), bad("12.9.86", "sm_80"), good("13.1.80", "sm_80");
  bad("12.9.86", "sm_120"), good("13.1.80", "sm_120");
  EXPECT_EQ(rules(), "sm_80: 12.6.85 <13.1.80 | sm_120: 12.9.86 <13.1.80") << "nobody looked at sm_120";
  cell("12.6.85", Verdict::Skipped, "sm_120");
  EXPECT_EQ(rules(), "sm_80 sm_120: 12.6.85 <13.1.80");
  good("12.0.76", "sm_80");
  EXPECT_EQ(rules(), "sm_80: 12.6.85 <13.1.80 | sm_120: 12.9.86 <13.1.80");
}

TEST_F(GuardTest, SwappedPairsDoNotCount) {
  bad("13.1.80+13.0.88"), bad("13.0.88"), good("13.0.88+13.1.80"), good("13.1.80");
  EXPECT_EQ(rules(), "sm_90: 13.0.88 <13.1.80");
  EXPECT_THAT(find().toolchains, ElementsAre("13.0.88", "13.1.80"));
}

TEST_F(GuardTest, ComparedIsWhatTheFrontEndSays) {
  cell("12.1.66", Verdict::Mismatch, "sm_90", "O3", Blame::Ptxas, "12.1.55");
  EXPECT_EQ(rules(), "sm_90: 12.1.55 <=12.1.66") << "NVRTC's build to nvcc's, of one release";
  cell("12.4.131", Verdict::Pass, "sm_90", "O3", Blame::None, "12.4.127");
  EXPECT_EQ(rules(), "sm_90: 12.1.55 <12.4.127");
}

TEST_F(GuardTest, TwinsThroughNvrtc) {
  good("nvrtc-13.0.88"), bad("nvrtc-13.1.80"), good("13.1.80"), good("nvrtc-13.2.51");
  EXPECT_EQ(rules(), "") << "with its own compiler the release is right";
  EXPECT_THAT(find().toolchains, ElementsAre("nvrtc-13.0.88", "13.1.80", "nvrtc-13.2.51"));
  EXPECT_THAT(find().exceptions,
              ElementsAre("nvrtc-13.1.80, whose front end says 13.1.80, is bad and not selected (sm_90)"));
}

TEST_F(GuardTest, OneNumberForTwoCompilers) {
  good("nvrtc-13.3.33");
  cell("nvrtc-13.3.73", Verdict::Mismatch, "sm_90", "O3", Blame::Ptxas, "13.3.33");
  EXPECT_THAT(find().exceptions,
              ElementsAre("nvrtc-13.3.33, whose front end says 13.3.33, is good and selected all the same "
                          "(sm_90)"));
}

TEST_F(GuardTest, WhatIsNoCompilersFault) {
  good("12.0.76");
  cell("13.0.88", Verdict::Mismatch, "sm_90", "O3", Blame::Source);
  cell("13.1.80", Verdict::ScheduleDependent, "sm_90", "O3", Blame::Unknown);
  cell("13.2.51", Verdict::Mismatch, "sm_90", "O3", Blame::HardwareOrExecutor);
  cell("13.3.33", Verdict::Approximate, "sm_90", "O3", Blame::Unknown);
  EXPECT_EQ(rules(), "");
  EXPECT_EQ(renderGuard(find()), "half-store: nothing is to be guarded, what is wrong is the source's own "
                                 "fault, as measured on 12.0.76\n");
  EXPECT_EQ(guardJson(find())["guarded"], false);
  EXPECT_EQ(guardJson(find())["cmake"], nullptr);
}

TEST_F(GuardTest, NothingIsWrong) {
  good("12.0.76"), good("13.0.88");
  EXPECT_EQ(renderGuard(find()),
            "half-store: nothing is to be guarded, no compiler was found at fault, as measured on 12.0.76, "
            "13.0.88\n");
  cells.clear();
  cell("13.0.88", Verdict::Unsupported);
  EXPECT_THAT(find().toolchains, ElementsAre());
}

TEST_F(GuardTest, NobodyIsBlamed) {
  bad("13.0.88");
  EXPECT_THAT(preprocessorGuard(find()), Not(HasSubstr("no compiler is blamed")));
  cell("13.0.88", Verdict::Mismatch, "sm_90", "O2", Blame::Unknown);
  EXPECT_THAT(preprocessorGuard(find()), HasSubstr("For 1 of 2 wrong cells no compiler is blamed"));
}

TEST_F(GuardTest, WhatIsPrinted) {
  good("11.8.89"), bad("12.0.76"), bad("13.0.88"), good("13.1.80"), bad("13.5.37");
  EXPECT_EQ(
      preprocessorGuard(find()),
      "// half-store is miscompiled, as measured on 5 toolchains, 11.8.89 … 13.5.37:\n"
      "// sm_90: bad 12.0.76 … 13.0.88, good 13.1.80; what lies between these two was not measured and is\n"
      "//   guarded; good 11.8.89, what lies between it and 12.0.76 was not measured and is not guarded\n"
      "// sm_90: bad 13.5.37; not measured beyond 13.5.37; good 13.1.80, what lies between it and 13.5.37\n"
      "//   was not measured and is not guarded\n"
      "// Not measured, but guarded: 13.0.48.\n"
      "// Measured: sm_90; others are let through, but variants of sm_90 that were not measured are taken\n"
      "//   to be as those that were.\n"
      "// Compared is the front end's build; NVRTC's may be lower than that of its release's ptxas.\n"
      "// For device code: on the host there is no __CUDA_ARCH__, and nothing is selected.\n"
      "#define HARNESS_CUDA_BUILD \\\n"
      "  (__CUDACC_VER_MAJOR__ * 10000000 + __CUDACC_VER_MINOR__ * 100000 + __CUDACC_VER_BUILD__)\n"
      "#if defined(__CUDACC_VER_MAJOR__) && defined(__CUDA_ARCH__) && \\\n"
      "    (((HARNESS_CUDA_BUILD >= 120000076 && HARNESS_CUDA_BUILD < 130100080) || \\\n"
      "      (HARNESS_CUDA_BUILD >= 130500037 && HARNESS_CUDA_BUILD <= 130500037)) && \\\n"
      "     (__CUDA_ARCH__ == 900))\n"
      "#define HALF_STORE_MISCOMPILED 1\n"
      "#else\n"
      "#define HALF_STORE_MISCOMPILED 0\n"
      "#endif\n");
  EXPECT_THAT(cmakeGuard(find()),
              HasSubstr("if(CMAKE_CUDA_COMPILER_ID STREQUAL \"NVIDIA\" AND\n"
                        "   ((CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.0.76 AND "
                        "CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.1.80) OR\n"
                        "    (CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.5.37 AND "
                        "CMAKE_CUDA_COMPILER_VERSION VERSION_LESS_EQUAL 13.5.37)))\n"
                        "  list(APPEND HALF_STORE_MISCOMPILED_ARCHITECTURES 90)\nendif()\n"));
  EXPECT_THAT(pythonGuard(find()),
              HasSubstr("def half_store_is_miscompiled(version, arch):\n    return (\n"
                        "        ((12, 0, 76) <= version < (13, 1, 80) or (13, 5, 37) <= version <= (13, 5, "
                        "37))\n        and arch in {\"sm_90\"}\n    )\n"));
  EXPECT_THAT(preprocessorGuard(find(true)), HasSubstr("not measured beyond 13.5.37, guarded without end"));
}

TEST_F(GuardTest, VariantsAreToldApartOnlyWhereTheyDiffer) {
  bad("13.0.88", "sm_90"), bad("13.0.88", "sm_90a"), bad("13.0.88", "sm_100a");
  good("13.0.88", "sm_100"), good("13.0.88", "sm_100f");
  std::string text = preprocessorGuard(find());
  EXPECT_THAT(text, HasSubstr("(__CUDA_ARCH__ == 900 || (__CUDA_ARCH__ == 1000 && "
                              "defined(__CUDA_ARCH_FEAT_SM100_ALL))))\n"));
  EXPECT_THAT(text, Not(HasSubstr("variants of")));
  EXPECT_THAT(cmakeGuard(find()), HasSubstr("ARCHITECTURES 90 90a 100a)"));
}

TEST_F(GuardTest, NamesWhatWasMeasured) {
  for (const char* arch : {"sm_120a", "sm_75", "sm_90", "sm_90a", "sm_80"})
    bad("13.0.88", arch), good("13.1.80", arch);
  cell("13.0.88", Verdict::Skipped, "sm_121"), cell("13.0.88", Verdict::Unsupported, "sm_89");
  const std::string line = " Measured: sm_75 80 90 90a 120a; others are let through";
  EXPECT_THAT(preprocessorGuard(find()), HasSubstr("//" + line + ", but variants of sm_120 that "));
  EXPECT_THAT(cmakeGuard(find()), HasSubstr("#" + line + ".\n"));
  EXPECT_THAT(pythonGuard(find()), HasSubstr("#" + line + ".\n"));
}

TEST_F(GuardTest, Json) {
  good("11.8.89"), bad("13.0.88");
  nlohmann::ordered_json json = guardJson(find());
  EXPECT_EQ(json["case"], "half-store");
  EXPECT_EQ(json["rules"].dump(),
            R"([{"archs":["sm_90"],"ranges":[{"from":"13.0.88","end":"13.0.88","end_included":true,)"
            R"("last_good":"11.8.89","first_bad":"13.0.88","last_bad":"13.0.88","first_good":null}]}])");
  EXPECT_EQ(json["bad_cells"], 1);
  EXPECT_EQ(json["python"], pythonGuard(find()));
  EXPECT_EQ(guardJson(find(true))["rules"][0]["ranges"][0]["end"], nullptr);
}

TEST_F(GuardTest, NamesThatAreNoNames) {
  bad("13.0.88");
  Guard guard = findGuard("3x\n#error", cells, {});
  EXPECT_THAT(preprocessorGuard(guard), HasSubstr("#define CASE_3X__ERROR_MISCOMPILED 1\n"));
  EXPECT_THAT(preprocessorGuard(guard), Not(HasSubstr("\n#error")));
  bad("13.0.88", "sm_90) || (1");
  EXPECT_ANY_THROW(preprocessorGuard(find()));
  EXPECT_ANY_THROW(cmakeGuard(find()));
  EXPECT_ANY_THROW(pythonGuard(find()));
  cells.clear();
  bad("13.0.100000");
  EXPECT_ANY_THROW(preprocessorGuard(find()));
}

} // namespace
} // namespace harness
