#include "harness/base/error.h"
#include "harness/compile/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string errorOf(std::string_view name) {
  try {
    OptPoint::parse(name);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return error.what();
  }
  return "";
}

TEST(OptPoint, LevelsReachOnlyPtxas) {
  for (std::string level : {"O0", "O1", "O2", "O3"}) {
    OptPoint point = OptPoint::parse(level);
    EXPECT_EQ(point.name, level);
    EXPECT_THAT(point.frontEnd, IsEmpty());
    EXPECT_THAT(point.cicc, IsEmpty());
    EXPECT_THAT(point.ptxas, ElementsAre("-" + level));
  }
}

TEST(OptPoint, DebugGivesEachStageWhatTheDriverGivesIt) {
  OptPoint point = OptPoint::parse("G");
  EXPECT_THAT(point.frontEnd, ElementsAre("-G"));
  EXPECT_THAT(point.ptxas, ElementsAre("-g", "--dont-merge-basicblocks", "--return-at-end"));
}

TEST(OptPoint, CiccLevelLeavesPtxasItsDefault) {
  OptPoint point = OptPoint::parse("cicc-O1");
  EXPECT_THAT(point.frontEnd, IsEmpty());
  EXPECT_THAT(point.cicc, ElementsAre("-O1"));
  EXPECT_THAT(point.ptxas, IsEmpty());
}

TEST(OptPoint, AdditionsReachTheirStages) {
  OptPoint both = OptPoint::parse("O1+fmad=false+maxrregcount=32+lineinfo+Ofc=mid");
  EXPECT_EQ(both.name, "O1+fmad=false+maxrregcount=32+lineinfo+Ofc=mid");
  EXPECT_THAT(both.frontEnd, ElementsAre("-fmad=false", "-maxrregcount=32", "-lineinfo", "-Ofc=mid"));
  EXPECT_THAT(both.ptxas, ElementsAre("-O1", "--fmad=false", "-maxrregcount=32", "--generate-line-info",
                                      "--Ofast-compile=mid"));
  OptPoint front = OptPoint::parse("O3+ftz=true+prec-div=false+prec-sqrt=false+use_fast_math");
  EXPECT_THAT(front.frontEnd,
              ElementsAre("-ftz=true", "-prec-div=false", "-prec-sqrt=false", "-use_fast_math"));
  EXPECT_THAT(front.ptxas, ElementsAre("-O3"));
  EXPECT_THAT(OptPoint::parse("O3+allow-expensive-optimizations=false").frontEnd, IsEmpty());
}

TEST(OptPoint, FrontEndOnlyNamesWhatPtxasCannotTake) {
  for (const char* name : {"O3", "G", "O3+fmad=false", "O0+maxrregcount=24+lineinfo", "O3+Ofc=min"})
    EXPECT_EQ(OptPoint::parse(name).frontEndOnly(), "") << name;
  EXPECT_EQ(OptPoint::parse("cicc-O1").frontEndOnly(), "-Xcicc -O1");
  EXPECT_EQ(OptPoint::parse("O3+fmad=false+ftz=true").frontEndOnly(), "-ftz=true");
}

TEST(OptPoint, ErrorsNameThePartAndTheKnownNames) {
  EXPECT_THAT(errorOf("O4"), AllOf(HasSubstr("'O4'"), HasSubstr("O0, O1, O2, O3, G, cicc-O1")));
  EXPECT_THAT(errorOf("O3+fmat=false"), AllOf(HasSubstr("'fmat=false'"), HasSubstr("+fmad=true|false")));
  EXPECT_THAT(errorOf("O3+ftz=true+ftz=false"), HasSubstr("twice"));
  for (const char* name :
       {"", "o3", "O3+", "+fmad=false", "O3+fmad", "O3+fmad=", "O3+fmad=0", "O3+maxrregcount=0",
        "O3+maxrregcount=256", "O3+maxrregcount=-1", "O3+maxrregcount=32x", "O3+lineinfo=1",
        "O3+lineinfo=", "O3+Ofc=high", "O3 +ftz=true"})
    EXPECT_NE(errorOf(name), "") << name;
}

} // namespace
} // namespace harness
