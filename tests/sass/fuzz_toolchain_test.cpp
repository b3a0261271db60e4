// Code words that nobody's compiler made, decoded by nvdisasm and executed (label `toolchain`).

#include "harness/base/artifact_cache.h"
#include "harness/base/files.h"
#include "harness/sass/disassembler.h"
#include "harness/sass/hazard.h"

#include "tests/compile/toolchains.h"
#include "tests/sass/fuzz.h"
#include <gtest/gtest.h>

namespace harness::sass::test {
namespace {

using SassFuzz = Fuzz;

/// Bits changed, words exchanged, words that are nothing at all.
void changeCode(Cubin& cubin, Random& random) {
  for (std::uint64_t changes = 1 + random() % 8; changes > 0; --changes) {
    const CodeSection& section = anyOf(random, cubin.sections);
    if (section.size < 16) continue;
    auto word = [&] { return section.address + random() % (section.size / 16) * 16; };
    std::uint64_t at = word();
    switch (random() % 8) {
    case 0: cubin.code.replace(at, 16, cubin.code.substr(word(), 16)); break;
    case 1: cubin.code.replace(at, 16, std::string(16, static_cast<char>(random()))); break;
    default: cubin.code[at + random() % 16] ^= static_cast<char>(1u << random() % 8); break;
    }
  }
}

TEST_F(SassFuzz, Code) {
  struct File {
    const char* name;
    const char* arch;
  };
  static constexpr File kFiles[] = {
      {"scale-11.8.89-sm_75", "sm_75"},      {"scale-12.9.86-sm_90", "sm_90"},
      {"scale-13.0.88-sm_120a", "sm_120a"},  {"scale-13.5.37-sm_100a", "sm_100a"},
      {"calls-12.0.76-sm_90", "sm_90"},      {"calls-13.0.88-sm_75-g", "sm_75"},
      {"calls-13.0.88-sm_120a-g", "sm_120a"}};
  TempDir directory("code-fuzz-test");
  ArtifactCache cache(directory.path() / "cache");
  std::uint64_t count = fuzzIterations(700) / std::size(kFiles), first = firstFuzzSeed(), executed = 0;
  for (const File& file : kFiles) {
    Cubin original = Cubin::parse(
        readFile(std::filesystem::path(CUBIN_TEST_DATA) / (std::string(file.name) + ".cubin")), file.name);
    std::vector<std::shared_ptr<Cubin>> cubins;
    std::vector<std::string_view> codes;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      Random random(seed);
      auto& cubin = cubins.emplace_back(std::make_shared<Cubin>(original));
      changeCode(*cubin, random);
      for (const CodeSection& section : cubin->sections)
        codes.push_back(cubin->sectionCode(section));
    }
    std::size_t words = original.code.size() / 16 * count;
    std::vector<Listing> listings =
        Disassembler(cache, harness::test::installedToolchains().nvdisasm(), {}, words)
            .disassemble(file.arch, codes);
    auto next = listings.begin();
    for (std::uint64_t i = 0; i < count; ++i) {
      auto end = next + static_cast<std::ptrdiff_t>(original.sections.size());
      trying(first + i, file.name);
      Random random(first + i);
      for (auto listing = next; listing != end; ++listing)
        findHazards(".text", *listing);
      executed += executeAnyhow(Program(cubins[i], {next, end}), random);
      next = end;
    }
    if (HasFailure()) break;
  }
  EXPECT_GE(executed, 10 * count);
}

} // namespace
} // namespace harness::sass::test
