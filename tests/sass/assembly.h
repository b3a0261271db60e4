#pragma once

#include "harness/cubin/cubin.h"
#include "harness/sass/executor.h"
#include "harness/sass/trace.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::sass::test {

/// A kernel written as nvdisasm prints it, line by line, and what it takes to execute it.
///
/// `{name}` in a line is the section-relative address of the label of that name, `{abs:name}` the one in the
/// code space. The kernel has 64-bit pointer parameters named by the buffers, in order; `{param:name}` is the
/// parameter's offset in constant bank 0.
class Assembly {
public:
  explicit Assembly(unsigned sm = 90);

  /// The next instruction; `immediate` are the bits 63:32 of its encoding (what float operands are read
  /// from).
  Assembly& add(std::string text, std::uint32_t immediate = 0);
  /// Several instructions, one a line.
  Assembly& lines(std::string_view text);
  Assembly& label(const std::string& name);
  /// A word that nvdisasm refuses.
  Assembly& illegal();

  /// A parameter that points to a buffer of the launch.
  Assembly& buffer(const std::string& name, std::vector<std::uint32_t> contents);

  /// Loads the pointer of buffer `name` into the pair `pair` with what the architecture has for it.
  Assembly& pointer(unsigned pair, const std::string& name);

  /// "[R4.64+0x8]" as the architecture prints a 64-bit address.
  std::string at(unsigned pair, unsigned offset = 0) const;

  /// Runs it. What the buffers then hold is in `words()`.
  ExecutionResult run(Launch launch = {}, ExecutionOptions options = {});
  /// Runs it on one block of `threads`.
  ExecutionResult run(unsigned threads, ExecutionOptions options = {});

  std::vector<std::uint32_t> words(const std::string& name) const;

  /// What sass::findUnwritten says of a launch of one block; buffers of no contents are filled by the poison,
  /// 128 bytes each.
  std::optional<std::string> findUnwritten(unsigned threads);

  /// A launch of `blocks` of `threads`, to be traced; holds as long as this.
  TracedLaunch& traced(unsigned threads, unsigned blocks = 1);
  /// Device address of a buffer of that launch.
  std::uint64_t address(const std::string& name) const;

  /// What a test may change before `run`.
  Cubin cubin;
  Kernel kernel;
  Observer* observer = nullptr; ///< watches runs

  static constexpr std::uint64_t kBase = 0x80; ///< address of the code section

private:
  std::string substitute(std::string text) const;
  Program program() const;

  struct Line {
    std::string text;
    std::uint32_t immediate = 0;
    bool illegal = false;
  };
  struct Buffer {
    std::string name;
    std::vector<std::uint32_t> contents;
  };
  std::vector<Line> lines_;
  std::vector<Buffer> buffers_;
  std::map<std::string, std::uint64_t> labels_;
  std::unique_ptr<GlobalMemory> memory_;
  struct Traced;
  std::shared_ptr<Traced> traced_;
  std::unique_ptr<GlobalMemory> fresh() const;
};

} // namespace harness::sass::test
