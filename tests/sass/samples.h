#pragma once

#include <span>
#include <string_view>

namespace harness::sass::test {

/// Instructions as nvdisasm prints them of code made by ptxas 11.8 … 13.5 for sm_75 … sm_121, one of every
/// form (opcode, modifiers, kinds of operands) that the executor knows.
struct Sample {
  std::string_view text;
  unsigned sm = 90;
};

/// Those of all families; each family has its own in samples_<family>.cpp.
std::span<const Sample> samples();

} // namespace harness::sass::test
