#include "tests/matrix/fake_ptx.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <gtest/gtest.h>

#include <cstring>

namespace harness::test {

namespace {

class Script : public Executable {
public:
  explicit Script(std::vector<std::string> lines) : lines_(std::move(lines)) {}

  Executed execute(const BoundLaunch&, GlobalMemory& memory, const ExecutionOptions& options,
                   bool) const override {
    ExecutionResult result;
    std::span<std::byte> in = memory.bytes("in"), out = memory.bytes("out");
    for (std::size_t i = 0; i < out.size(); ++i)
      if (!says("unwritten") || i % 4 != 2) {
        std::uint32_t value = 0;
        std::memcpy(&value, &in[4 * i], 4);
        out[i] = std::byte(value + 1);
      }
    if (says("open")) {
      result.approximations = 1;
      if (options.approximationSeed) spoil(out, std::byte{0x20});
    }
    bool unordered = says("unordered");
    result.divergences = unordered;
    if (says("wrong") || (unordered && options.schedule != Schedule::FallThroughFirst))
      spoil(out, std::byte{0x80});
    if (says("otherwise-wrong")) spoil(out, std::byte{0x40});
    for (auto [end, word] : {std::pair{ExecutionEnd::Fault, "fault"},
                             {ExecutionEnd::Unsupported, "unsupported"},
                             {ExecutionEnd::Timeout, "timeout"}})
      if (says(word)) {
        result.end = end;
        result.message = textOf(word);
      }
    if (says("undefined")) result.undefined.push_back(textOf("undefined"));
    return result;
  }

  ExecutionResult findUnwritten(const BoundLaunch&, const FreshMemory& memory,
                                const ExecutionOptions& options) const override {
    EXPECT_EQ(memory(options.poison)->bytes("out")[0], options.poison);
    ExecutionResult result;
    if (says("unwritten-use")) result.undefined.push_back(textOf("unwritten-use"));
    return result;
  }

private:
  bool says(const std::string& word) const {
    for (const std::string& line : lines_)
      if (line == word || line.starts_with(word + " ")) return true;
    return false;
  }
  std::string textOf(const std::string& word) const {
    for (const std::string& line : lines_)
      if (line.starts_with(word + " ")) return line.substr(word.size() + 1);
    return word;
  }
  static void spoil(std::span<std::byte> out, std::byte bit) {
    for (std::size_t i = 1; i < out.size(); i += 4)
      out[i] |= bit;
  }

  std::vector<std::string> lines_;
};

} // namespace

std::unique_ptr<Executable> FakePtx::load(const std::string& text, const std::string& kernel) const {
  constexpr std::string_view kMark = "//ptx ";
  std::vector<std::string> lines;
  for (const std::string& line : split(text, '\n'))
    if (line.starts_with(kMark)) lines.emplace_back(trim(line.substr(kMark.size())));
  for (const std::string& line : lines)
    if (line.starts_with("refuse ")) failUsage("{0}: {1}", kernel, line.substr(7));
  return std::make_unique<Script>(std::move(lines));
}

} // namespace harness::test
