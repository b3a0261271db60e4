// Known faults of installed compilers explained: each must end at an instruction that can be the fault.
#include "harness/base/files.h"
#include "harness/cli/workspace.h"
#include "harness/matrix/cell_explanation.h"

#include "tests/compile/toolchains.h"
#include "tests/matrix/world.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace harness::test {
namespace {

using explain::Explanation;
using explain::ShownStep;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class ExplainToolchain : public testing::Test {
protected:
  /// Nothing but a skipped test if the toolchain is not installed.
  void SetUp() override {
    for (const char* toolchain : {"13.0.88", "12.9.86", "12.3.52", "13.3.73"})
      if (!std::filesystem::exists(installedToolchains().directory() / toolchain))
        GTEST_SKIP() << toolchain << " is not installed";
  }

  /// With another reference than the case's, if one is given.
  Explanation explainCell(const std::string& name, const std::string& reference = "") {
    cli::Workspace workspace(
        {HARNESS_SOURCE_DIR, directory_.path() / "cache", installedToolchains().directory()});
    CellName cellName = CellName::parse(name);
    cli::CellResolver resolver(workspace, {workspace.findCase(cellName.caseId)});
    PlannedCell cell = resolver.resolve({cellName}).front();
    CaseManifest manifest = *cell.manifest;
    if (!reference.empty()) {
      manifest.reference = directory_.path() / "reference.cpp";
      writeFileAtomically(*manifest.reference, reference);
      cell.manifest = &manifest;
    }
    NoMemory memory;
    ProcessLimits limits;
    limits.memoryBytes = 0;
    cli::Workshop workshop(workspace, memory, {}, limits);
    Explanation e = explain::explainCell(
        cell, {}, {workshop.cache, workshop.compiler, workshop.disassembler, workshop.references});
    std::string text = toText(e);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 50) << text;
    std::printf("%s\n", text.c_str());
    return e;
  }

  TempDir directory_{"harness-explain"};
};

std::string partingOf(const std::vector<ShownStep>& steps) {
  for (const ShownStep& step : steps)
    if (step.parting) return step.text;
  return "";
}

TEST_F(ExplainToolchain, HalfstoreConvertsTheValue) {
  Explanation e = explainCell("halfstore@13.0.88/sm_120a/O3");
  EXPECT_EQ(e.kind, Explanation::Kind::Value);
  EXPECT_THAT(partingOf(e.sassSteps), HasSubstr("F2I.U8.F16.TRUNC.NTZ"));
  EXPECT_THAT(partingOf(e.ptxSteps), testing::AllOf(HasSubstr("st.global.u8"), HasSubstr("%rs1")));
  EXPECT_THAT(e.alignment, HasSubstr("line table"));
}

TEST_F(ExplainToolchain, EveryLevelAndArch) {
  for (const char* cell :
       {"halfstore@13.0.88/sm_75/O0", "halfstore@13.0.88/sm_90/O1", "halfstore@13.0.88/sm_100/O2"})
    EXPECT_THAT(partingOf(explainCell(cell).sassSteps), HasSubstr("F2I.U8.F16")) << cell;
}

TEST_F(ExplainToolchain, AnAccessThatFaults) {
  // A load of 16 bytes is written over the pointer to the output.
  Explanation e = explainCell("packed-load-add@12.3.52/sm_90a/O3");
  EXPECT_EQ(e.kind, Explanation::Kind::Address);
  EXPECT_EQ(e.verdict, "fault");
  EXPECT_THAT(e.conclusion, HasSubstr("misaligned"));
  EXPECT_THAT(partingOf(e.sassSteps), HasSubstr("IMAD.WIDE.U32 R2, R5, 0x4, R2")) << "R2 is what was loaded";
}

TEST_F(ExplainToolchain, LoopsThatTakeBoundMinusIForTheDistance) {
  Explanation ends = explainCell("loop-far-bound@13.0.88/sm_90a/O3");
  EXPECT_EQ(ends.kind, Explanation::Kind::Control);
  EXPECT_THAT(ends.conclusion, HasSubstr("the loop of SASS ends after 1."));
  EXPECT_THAT(partingOf(ends.sassSteps), HasSubstr("IMAD.IADD"));
  Explanation goesOn = explainCell("loop-below-bound@13.0.88/sm_120a/O3");
  EXPECT_EQ(goesOn.kind, Explanation::Kind::Control);
  EXPECT_THAT(goesOn.conclusion, HasSubstr("once; the loop of SASS goes on after that."));
  EXPECT_THAT(partingOf(goesOn.sassSteps), HasSubstr("IADD"));
}

TEST_F(ExplainToolchain, APassingCell) {
  Explanation e = explainCell("halfstore-u16@13.0.88/sm_90/O3");
  EXPECT_EQ(e.kind, Explanation::Kind::Pass);
  EXPECT_THAT(e.sassSteps, IsEmpty());
}

TEST_F(ExplainToolchain, RotateInPlaceOfShifts) {
  Explanation e = explainCell("shift-sub-rotate@13.0.88/sm_90/O3");
  EXPECT_EQ(e.kind, Explanation::Kind::Value);
  EXPECT_THAT(partingOf(e.sassSteps), HasSubstr("SHF"));
}

TEST_F(ExplainToolchain, AddendInTheLowWord) {
  Explanation e = explainCell("mul-hi-wide@12.3.52/sm_90/O3");
  EXPECT_EQ(e.kind, Explanation::Kind::Value);
  EXPECT_THAT(partingOf(e.sassSteps), HasSubstr("IMAD.WIDE"));
}

TEST_F(ExplainToolchain, PackedConstant) {
  Explanation e = explainCell("packed-add-half@12.9.86/sm_90/O3");
  EXPECT_EQ(e.kind, Explanation::Kind::Value);
  EXPECT_THAT(partingOf(e.sassSteps), HasSubstr("VIADD.16x2"));
}

TEST_F(ExplainToolchain, MixedExtensions) {
  Explanation e = explainCell("shuffle-argmin-short@13.3.73/sm_100/O3");
  EXPECT_THAT(partingOf(e.sassSteps), HasSubstr("PRMT R14, R13, 0x9910"))
      << "one of two operands is sign-extended";
  EXPECT_THAT(partingOf(e.ptxSteps), HasSubstr("setp.lt.u16"));
}

TEST_F(ExplainToolchain, WherePtxAloneIsWrong) {
  Explanation e = explainCell("control-open-rounding@13.0.88/sm_90/O3", R"(
#include "harness/reference.h"
#include <cmath>
extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto in = [&](int k, int i) { return static_cast<const float*>(args[k])[i]; };
  for (int i = 0; i < 32; ++i)
    static_cast<float*>(args[3])[i] = std::fma(in(0, i), in(1, i), in(2, i));
}
)");
  EXPECT_EQ(e.kind, Explanation::Kind::Ptx);
  EXPECT_THAT(e.conclusion,
              HasSubstr("The machine code is right, but the PTX, as it is executed here, is not"));
  EXPECT_EQ(e.sass, e.expected);
  EXPECT_NE(e.ptx, e.expected);
  ASSERT_THAT(e.ptxSteps, testing::Not(IsEmpty()));
  EXPECT_THAT(e.ptxSteps[0].text, HasSubstr("st.global.f32"));
}

TEST_F(ExplainToolchain, AbsoluteValueOfTheLeast) {
  Explanation e = explainCell("abs-int-min@13.0.88/sm_90/O3");
  EXPECT_THAT(partingOf(e.sassSteps), HasSubstr("HFMA2.MMA R13")) << "what PTX selects is a constant";
  EXPECT_THAT(toText(e), HasSubstr("setp.lt.s32"));
}

} // namespace
} // namespace harness::test
