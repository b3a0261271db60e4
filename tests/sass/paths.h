#pragma once

#include "tests/sass/assembly.h"
#include <gtest/gtest.h>
#include <llvm/Support/FormatVariadic.h>

#include <string>
#include <vector>

namespace harness::sass::test {

/// A kernel whose lanes note when they pass a place: `{seq N}` gives register N the number of paths that have
/// noted before, so lanes that run together get one number. R0 is the thread's number, R4 points to its four
/// words of "out", which get R20…R23 at `{end}`.
class Paths {
public:
  explicit Paths(const std::string& body, unsigned threads = 32) : threads_(threads) {
    assembly.buffer("counter", {0}).buffer("out", std::vector<std::uint32_t>(threads * 4));
    assembly.add("S2R R0, SR_TID.X").pointer(2, "counter").pointer(4, "out");
    assembly.lines("IMAD.WIDE.U32 R4, R0, 0x10, R4\nMOV R20, RZ\nMOV R21, RZ\nMOV R22, RZ\nMOV R23, RZ");
    std::string text = body;
    for (unsigned n = 20; n < 24; ++n)
      replace(text, "{seq " + std::to_string(n) + "}",
              "LDG.E R" + std::to_string(n) + ", desc[UR4][R2.64]\nIADD3 R19, R" + std::to_string(n) +
                  ", 0x1, RZ\nSTG.E desc[UR4][R2.64], R19");
    replace(text, "{end}", "STG.E.128 desc[UR4][R4.64], R20\nEXIT");
    assembly.lines(text);
  }

  /// Runs to the end; the lanes' word `which`.
  std::vector<std::uint32_t> words(unsigned which) const {
    std::vector<std::uint32_t> all = assembly.words("out"), one;
    for (std::size_t i = which; i < all.size(); i += 4)
      one.push_back(all[i]);
    return one;
  }
  void run(Schedule schedule = Schedule::FallThroughFirst) {
    ExecutionOptions options;
    options.schedule = schedule;
    options.maxWarpInstructions = 100000;
    result = assembly.run(threads_, options);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  }
  ExecutionResult fail() {
    ExecutionOptions options;
    options.maxWarpInstructions = 100000;
    return assembly.run(threads_, options);
  }

  Assembly assembly;
  ExecutionResult result;

private:
  static void replace(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  }
  unsigned threads_;
};

inline std::vector<std::uint32_t> lanes(unsigned count, std::uint32_t (*f)(std::uint32_t)) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t i = 0; i < count; ++i)
    values.push_back(f(i));
  return values;
}

} // namespace harness::sass::test
