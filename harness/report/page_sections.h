#pragma once

#include "harness/report/page.h"

#include <string>
#include <string_view>

namespace harness {

/// What an outcome looks like: told by sign as well as by colour, so that no colour need be seen.
struct OutcomeLook {
  std::string_view style; ///< class of the style sheet
  std::string_view sign;
  std::string_view meaning;
};
OutcomeLook lookOf(Outcome outcome, Verdict verdict);

/// `✖ mismatch`, escaped and coloured.
std::string outcomeMark(Outcome outcome, Verdict verdict, std::string_view text);

/// The findings, case by case. Those that nobody expected are open.
std::string renderCases(const std::vector<Page::Case>& cases);

} // namespace harness
