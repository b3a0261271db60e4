#include "harness/base/error.h"
#include "harness/matrix/cell.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(CellName, IsReadAndWrittenAlike) {
  for (const char* text : {"halfstore@13.0.88/sm_120a/O3", "a-b.c@13.0.88+13.1.80/sm_75/O3+fmad=false",
                           "x@nvrtc-13.0.88/sm_90a/cicc-O1"})
    EXPECT_EQ(CellName::parse(text).str(), text);
  CellName cell = CellName::parse("halfstore@13.0.88/sm_120a/O3");
  EXPECT_EQ(cell.caseId, "halfstore");
  EXPECT_EQ(cell.toolchain, "13.0.88");
  EXPECT_EQ(cell.arch, "sm_120a");
  EXPECT_EQ(cell.opt, "O3");
}

TEST(CellName, ShowsTheNotationForWhatIsNone) {
  for (const char* text :
       {"", "halfstore", "halfstore@13.0.88", "halfstore@13.0.88/sm_75", "@13.0.88/sm_75/O3", "a@b@c/d/e",
        "a@b/c/d/e", "a/b@c/d/e", "a@/c/d", "a@b/c/", "a @b/c/d"}) {
    try {
      CellName::parse(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
      EXPECT_NE(std::string(error.what()).find("case@toolchain/arch/opt"), std::string::npos);
    }
  }
}

} // namespace
} // namespace harness
