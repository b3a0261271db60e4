// Whatever a cubin or an instruction's text holds: an error, an `unsupported` or a fault, never a crash, a
// hang or an access out of bounds (which the build with sanitizers sees). More of it:
// HARNESS_FUZZ_ITERATIONS=1000000.

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/sass/binder.h"
#include "harness/sass/coverage.h"
#include "harness/sass/hazard.h"
#include "harness/sass/text.h"

#include "tests/sass/fuzz.h"
#include "tests/sass/samples.h"
#include <gtest/gtest.h>

#include <cctype>
#include <cstring>

namespace harness::sass::test {
namespace {

using SassFuzz = Fuzz;

// ---- texts

/// Where the next run of digits (with its 0x) after `from` begins and ends.
std::pair<std::size_t, std::size_t> numberIn(const std::string& text, std::size_t from) {
  std::size_t begin = text.find_first_of("0123456789", from);
  if (begin == std::string::npos) return {text.size(), text.size()};
  std::size_t end = begin;
  while (end < text.size() && (std::isxdigit(static_cast<unsigned char>(text[end])) || text[end] == 'x'))
    ++end;
  return {begin, end};
}

std::string hex(std::uint64_t number) {
  return llvm::formatv("{0:x}", number).str();
}

void changeNumber(std::string& text, Random& random) {
  if (text.empty()) return;
  auto [begin, end] = numberIn(text, random() % text.size());
  if (begin == end) return;
  bool isHex = text.substr(begin, 2) == "0x";
  std::uint64_t number = anyNumber(random);
  text.replace(begin, end - begin, isHex ? hex(number) : std::to_string(number % 300));
}

/// A piece of `text` between two of its separators, with the one before it.
std::string anyPiece(const std::string& text, Random& random) {
  if (text.empty()) return "";
  std::size_t begin = text.find_first_of(" ,.[", random() % text.size());
  if (begin == std::string::npos) return "";
  std::size_t end = std::min(text.find_first_of(" ,.]", begin + 1), text.size());
  return text.substr(begin, end - begin);
}

void changeText(std::string& text, Random& random) {
  static constexpr std::string_view kCharacters = "RUPBZT0123456789xabcdef.[]|~!-+, @_{}()*&\t\x80";
  std::size_t at = text.empty() ? 0 : random() % text.size();
  const std::string other(anyOf(random, samples()).text);
  switch (random() % 8) {
  case 0:
  case 1: changeNumber(text, random); break;
  case 2:
    if (!text.empty()) text[at] = anyOf(random, kCharacters);
    break;
  case 3: text.insert(at, 1, anyOf(random, kCharacters)); break;
  case 4: text.erase(at, 1 + random() % 4); break;
  case 5: {
    std::string piece = anyPiece(text, random);
    if (std::size_t place = text.find(piece); place != std::string::npos && !piece.empty())
      text.replace(place, piece.size(), anyPiece(other, random));
    break;
  }
  case 6: text.insert(std::min(text.find_first_of(" ."), text.size()), anyPiece(other, random)); break;
  default: text += anyPiece(other, random); break;
  }
}

/// Most jumps stay inside the program.
void aim(std::string& text, std::size_t instructions, Random& random) {
  for (const char* jump : {"BRA", "BSSY", "CALL", "RET", "WARPSYNC", "JMP", "BRX"}) {
    if (text.find(jump) == std::string::npos) continue;
    if (std::size_t at = text.rfind("0x"); at != std::string::npos && !oneIn(random, 16))
      text = text.substr(0, at) + hex(random() % (instructions + 1) * 16);
  }
}

/// Pointers to the buffers in some register pairs, the thread in R0; the rest is poison.
std::vector<std::string> prologue(unsigned sm, unsigned paramBase) {
  std::vector<std::string> lines = {"S2R R0, SR_TID.X"};
  for (unsigned pair : {2, 4, 6, 8, 10}) {
    for (unsigned word : {0, 1}) {
      std::string constant = "c[0x0][" + hex(paramBase + pair % 4 / 2 * 8 + word * 4) + "]";
      lines.push_back((sm >= 100 ? "LDC R" : "MOV R") + std::to_string(pair + word) + ", " + constant);
      if (pair == 4)
        lines.push_back((sm >= 100 ? "LDCU UR" : "ULDC UR") + std::to_string(pair + word) + ", " + constant);
    }
  }
  return lines;
}

struct FuzzedProgram {
  std::shared_ptr<Cubin> cubin = std::make_shared<Cubin>();
  Listing listing;

  std::string describe() const {
    std::string text = "sm_" + std::to_string(cubin->smVersion) + "\n";
    for (const ListedInstruction& instruction : listing.instructions)
      text += "  " + instruction.text + "  /* " + hex(instruction.low) + " */\n";
    return text;
  }
};

/// A program of samples in random order, some of them changed.
FuzzedProgram anyProgram(Random& random) {
  static constexpr unsigned kVersions[] = {75, 80, 89, 90, 100, 120};
  FuzzedProgram program;
  unsigned sm = anyOf(random, kVersions);
  Kernel kernel;
  kernel.name = "k";
  kernel.entry = 0x80;
  kernel.registers = 64;
  kernel.paramBase = sm >= 100 ? 0x380 : sm >= 90 ? 0x210 : 0x160;
  kernel.params = {{0, 0, 8}, {1, 8, 8}, {2, 16, 4}};
  kernel.paramSize = 20;
  kernel.staticShared = static_cast<std::uint32_t>(random() % 3 * 0x400);
  kernel.frameSize = static_cast<std::uint32_t>(random() % 3 * 0x30);
  for (unsigned bank : {2u, 3u, 4u})
    if (oneIn(random, 2))
      kernel.constants[bank] = std::string(random() % 64 * 4, static_cast<char>(random()));
  std::vector<std::string> lines = prologue(sm, kernel.paramBase);
  std::size_t count = lines.size() + 1 + random() % 24;
  unsigned changedOneIn = 1 + static_cast<unsigned>(random() % 12);
  while (lines.size() < count) {
    std::string text(anyOf(random, samples()).text);
    aim(text, count, random);
    if (oneIn(random, 4) && !text.starts_with('@'))
      text = std::string(oneIn(random, 2) ? "@!P" : "@P") + std::to_string(random() % 7) + " " + text;
    if (oneIn(random, changedOneIn))
      for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes)
        changeText(text, random);
    lines.push_back(text);
  }
  lines.emplace_back("EXIT");
  for (std::string& text : lines)
    program.listing.instructions.push_back(
        {anyNumber(random) << 32 | (random() & 0xffffffff), random(), std::move(text), oneIn(random, 300)});
  program.cubin->smVersion = sm;
  program.cubin->kernels.push_back(kernel);
  program.cubin->code.assign(kernel.entry + lines.size() * 16, '\0');
  program.cubin->sections.push_back({".text.k", kernel.entry, lines.size() * 16});
  return program;
}

TEST_F(SassFuzz, Programs) {
  std::uint64_t count = fuzzIterations(5'000), first = firstFuzzSeed(), executed = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    FuzzedProgram fuzzed = anyProgram(random);
    trying(seed, fuzzed.describe());
    Program program(fuzzed.cubin, {fuzzed.listing});
    findHazards(".text.k", fuzzed.listing);
    if (oneIn(random, 8)) Coverage().add(*fuzzed.cubin, {fuzzed.listing});
    executed += executeAnyhow(program, random);
    if (HasFailure()) break;
  }
  EXPECT_GE(executed, 10 * count); // most programs get beyond their first instructions
}

TEST_F(SassFuzz, Texts) {
  static constexpr unsigned kVersions[] = {75, 80, 89, 90, 100, 120};
  std::uint64_t count = fuzzIterations(20'000), first = firstFuzzSeed(), understood = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    std::string text(anyOf(random, samples()).text);
    for (std::uint64_t changes = 1 + random() % 6; changes > 0; --changes)
      changeText(text, random);
    trying(seed, text);
    auto instruction = parseInstruction(text);
    const OpcodeRow* row = instruction ? findOpcode(instruction->opcode) : nullptr;
    if (!row) continue;
    Encoding encoding{random(), random(), anyOf(random, kVersions), 0x80, 0x80};
    Binder binder(*instruction, encoding);
    ASSERT_NO_THROW(row->bind(binder)) << text;
    understood += binder.complete() && binder.op.run;
  }
  EXPECT_GE(understood, count / 50);
}

// ---- cubins

std::string changedCubin(Random& random) {
  static const std::vector<std::string> cubins = [] {
    std::vector<std::string> contents;
    for (const char* name :
         {"scale-11.8.89-sm_75", "scale-12.9.86-sm_90", "scale-13.0.88-sm_120a", "scale-13.5.37-sm_100a",
          "calls-12.0.76-sm_90", "calls-13.0.88-sm_75-g", "calls-13.0.88-sm_120a-g"})
      contents.push_back(readFile(std::filesystem::path(CUBIN_TEST_DATA) / (std::string(name) + ".cubin")));
    return contents;
  }();
  std::string bytes = anyOf(random, cubins);
  for (std::uint64_t changes = random() % 6; changes > 0; --changes) {
    // The tables stand at both ends.
    std::uint64_t quarter = bytes.size() / 4;
    std::uint64_t at = oneIn(random, 4)   ? random() % 64
                       : oneIn(random, 3) ? bytes.size() - 1 - random() % quarter
                                          : random() % bytes.size();
    std::uint64_t value = anyNumber(random);
    std::memcpy(bytes.data() + at, &value, std::min<std::size_t>(bytes.size() - at, 1u << random() % 4));
  }
  return bytes;
}

TEST_F(SassFuzz, Cubins) {
  std::uint64_t count = fuzzIterations(2'000), first = firstFuzzSeed(), loaded = 0, executed = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    std::string bytes = changedCubin(random);
    trying(seed, "a cubin");
    std::shared_ptr<Cubin> cubin;
    try {
      cubin = std::make_shared<Cubin>(Cubin::parse(bytes, "x.cubin"));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage) << error.what();
      continue;
    }
    if (cubin->code.size() > (1u << 20) || cubin->globals.size() > (1u << 24)) continue; // slow, not wrong
    std::vector<Listing> listings;
    for (const CodeSection& section : cubin->sections) {
      std::string_view code = cubin->sectionCode(section);
      Listing& listing = listings.emplace_back();
      for (std::size_t i = 0; i + 16 <= code.size(); i += 16) {
        ListedInstruction& instruction = listing.instructions.emplace_back();
        std::memcpy(&instruction.low, code.data() + i, 8);
        std::memcpy(&instruction.high, code.data() + i + 8, 8);
        instruction.text = anyOf(random, samples()).text;
        aim(instruction.text, code.size() / 16, random);
      }
    }
    executed += executeAnyhow(Program(cubin, listings), random);
    ++loaded;
    if (HasFailure()) FAIL() << "HARNESS_FUZZ_SEED=" << seed;
  }
  EXPECT_GE(loaded, count / 8);
  EXPECT_GE(executed, loaded);
}

} // namespace
} // namespace harness::sass::test
