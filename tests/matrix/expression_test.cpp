#include "harness/base/error.h"
#include "harness/matrix/expression.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

const Variables kVariables = {{"rows", 130}, {"cols", 160}, {"zero", 0}};

TEST(Expression, Values) {
  struct {
    const char* text;
    std::uint64_t value;
  } cases[] = {{"7", 7},
               {"0x20", 32},
               {"rows*cols / 32 / 8", 81},
               {"ceildiv(rows*cols/32, 8)", 82},
               {"2 + 3 * 4", 14},
               {"(2 + 3) * 4", 20},
               {"10 - 3 - 2", 5},
               {"rows % 128", 2},
               {"ceildiv(ceildiv(rows, 128), 2)", 1},
               {" 1 ", 1},
               {"18446744073709551615", ~0ull},
               {"ceildiv(18446744073709551615, 2)", 1ull << 63}};
  for (const auto& item : cases)
    EXPECT_EQ(evaluateExpression(item.text, kVariables), item.value) << item.text;
}

TEST(Expression, SaysWhatIsWrong) {
  struct {
    std::string text;
    const char* message;
  } cases[] = {{"", "ends where a value"},
               {"rows *", "ends where a value"},
               {"(rows", "')' is missing"},
               {"rows)", "unexpected ')'"},
               {"rows cols", "unexpected 'c'"},
               {"row * 2", "did you mean 'rows'?"},
               {"xyzzy", "unknown variable 'xyzzy'"},
               {"max(1, 2)", "unknown function 'max'"},
               {"ceildiv(1)", "',' is missing"},
               {"rows / zero", "division by zero"},
               {"rows % 0", "division by zero"},
               {"ceildiv(1, zero)", "division by zero"},
               {"rows - cols", "below zero"},
               {"18446744073709551615 + 1", "does not fit 64 bits"},
               {"0xffffffff * 0xffffffff * 2", "does not fit 64 bits"},
               {"99999999999999999999", "no number"},
               {"0x", "no number"},
               {"12ab", "no number"},
               {"-1", "unexpected '-'"},
               {"1.5", "unexpected '.'"},
               {std::string(100, '(') + "1", "nested"},
               {std::string(2000, '1'), "longer than"}};
  for (const auto& item : cases) {
    try {
      evaluateExpression(item.text, kVariables);
      ADD_FAILURE() << item.text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
      EXPECT_NE(std::string(error.what()).find(item.message), std::string::npos) << error.what();
    }
  }
}

} // namespace
} // namespace harness
