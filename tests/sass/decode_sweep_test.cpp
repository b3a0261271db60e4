// Every legal text near real code is wholly understood or refused, and what is understood differs where the
// texts do. nvdisasm is the judge of what is legal: it decodes real words with single bits flipped and with
// all values of the places where modifiers stand (label `toolchain`).

#include "harness/base/artifact_cache.h"
#include "harness/base/files.h"
#include "harness/sass/binder.h"
#include "harness/sass/disassembler.h"

#include "tests/compile/toolchains.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

namespace harness::sass {
namespace {

struct Word {
  std::uint64_t low = 0, high = 0;
  auto operator<=>(const Word&) const = default;
  Word flipped(unsigned bit) const {
    Word word = *this;
    (bit < 64 ? word.low : word.high) ^= std::uint64_t{1} << bit % 64;
    return word;
  }
};

constexpr unsigned kControlWord = 105; ///< the first bit that does not belong to the instruction
constexpr std::uint64_t kNoWaits = 0x000fc00000000000; ///< a control word that waits for nothing

/// The words of data/seed_words.txt for an architecture.
std::vector<Word> seeds(const std::string& arch) {
  std::istringstream file(readFile(std::filesystem::path(SASS_TEST_DATA) / "seed_words.txt"));
  std::vector<Word> words;
  bool wanted = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("sm_")) wanted = line == arch;
    if (!wanted || line.starts_with("sm_") || line.starts_with('#')) continue;
    words.push_back(
        {std::stoull(line.substr(0, 16), nullptr, 16), std::stoull(line.substr(17), nullptr, 16)});
  }
  return words;
}

/// `seed`, with every bit flipped, and with every value of four bits wherever modifiers and predicates stand.
void addVariants(const Word& seed, std::set<Word>& words) {
  words.insert(seed);
  for (unsigned bit = 0; bit < kControlWord; ++bit)
    words.insert(seed.flipped(bit));
  constexpr unsigned kFirst = 72, kLast = 91, kWidth = 4;
  for (unsigned from = kFirst; from + kWidth <= kLast; ++from)
    for (unsigned value = 0; value < 1u << kWidth; ++value) {
      Word word = seed;
      word.high = (word.high & ~(std::uint64_t{0xf} << (from - 64))) | std::uint64_t{value} << (from - 64);
      words.insert(word);
    }
}

/// All that distinguishes what an Op does.
std::string fingerprint(const Op& op) {
  std::string bytes;
  auto add = [&bytes](auto... values) {
    (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
  };
  add(op.run, op.uniform, op.guard.index, op.guard.uniform, op.guard.negated, op.dst.index, op.dst.uniform);
  for (const PredicateDestination& destination : op.pdst)
    add(destination.index, destination.uniform);
  for (const Source& source : op.src)
    add(source.kind, source.transform, source.index, source.bank, source.uniformIndex, source.offset,
        source.immediate);
  for (const PredicateSource& source : op.psrc)
    add(source.index, source.uniform, source.negated);
  for (std::uint32_t option : op.option)
    add(option);
  const Address& address = op.address;
  add(address.base, address.uniform, address.base64, address.uniform64, address.scale, address.offset,
      op.target, op.mma);
  return bytes;
}

/// A modifier that changes no value: texts that differ only in it may mean the same.
struct Neutral {
  std::string_view opcodes; ///< " LDG STG "
  std::string_view words;   ///< " EF EL "
  std::string_view unless;  ///< but not beside one of these
  std::string_view why;
};
constexpr std::string_view kOrderAndCache =
    " CONSTANT STRONG WEAK MMIO PRIVATE CTA SM GPU SYS VC EF EL LU EU NA LTC64B LTC128B LTC256B ";
constexpr Neutral kNeutral[] = {
    {" IMAD UIMAD ", " MOV IADD SHL ", "", "spellings of a*b+c that nvdisasm chooses by operands"},
    {" IMAD UIMAD ", " U32 ", " WIDE HI ", "the low word of a product has no sign"},
    {" LD ST LDG STG LDL STL ATOM ATOMG RED REDG LDGSTS ", kOrderAndCache, "",
     "order, scope and cache of an access"},
    {" MEMBAR ", " SC ALL CTA SM GPU SYS VC ", "", "memory is sequentially consistent here"},
    {" LDGSTS ", " BYPASS ", "", "which caches a copy goes through"},
    {" CCTL CCTLL ", " PF1 PF2 ", "", "prefetches"},
    {" FENCE ", " S G T ", "", "memory is sequentially consistent here"},
    {" NANOSLEEP ", " RAND ", "", "how long it sleeps"},
    {" EXIT ", " NO_ATEXIT KEEPREFCOUNT ", "", "nothing runs at an exit, nothing is counted"},
    {" R2UR ", " FILL BROADCAST ", "", "seen to do the same on an sm_120"},
    {" REDUX CREDUX ", " S32 ", " MIN MAX ", "a sum has no sign"},
    {" SYNCS ", " TRYWAIT ", "", "how long a test of a phase may wait"},
    {" SYNCS ", " RED ", "", "an arrival that returns nothing; others are refused with it"},
    {" LDS LDG LD ", " U ", "", "how the lanes' accesses are put together"},
    {" ST STG STS STL ", " U8 S8 ", "", "a store has no sign; the size is in the Op"},
    {" ST STG STS STL ", " U16 S16 ", "", "the same"},
    {" BSSY BSYNC BREAK ", " RECONVERGENT RELIABLE ", "", "how the compiler came to it"},
    {" BAR ", " DEFER_BLOCKING ", "", "when the hardware looks for others to run"},
    {" HFMA2 ", " MMA ", "", "which unit does it"},
};

bool listed(std::string_view list, std::string_view name) {
  return list.find(" " + std::string(name) + " ") != std::string_view::npos;
}

bool isNeutral(const TextInstruction& instruction, std::string_view word) {
  const std::vector<std::string>& modifiers = instruction.modifiers;
  return std::any_of(std::begin(kNeutral), std::end(kNeutral), [&](const Neutral& neutral) {
    return listed(neutral.opcodes, instruction.opcode) && listed(neutral.words, word) &&
           std::none_of(modifiers.begin(), modifiers.end(),
                        [&](const std::string& other) { return listed(neutral.unless, other); });
  });
}

/// The text without what changes no value.
std::string essence(TextInstruction instruction) {
  std::vector<TextOperand>& operands = instruction.operands;
  std::vector<std::string>& modifiers = instruction.modifiers;
  if (instruction.opcode == "BPT") operands.clear();    // which trap
  if (instruction.opcode == "DEPBAR") operands.clear(); // how much of what has no latency here
  // A carry in that is never there.
  if (auto carry = std::find(modifiers.begin(), modifiers.end(), "X"); carry != modifiers.end()) {
    bool found = false;
    while (!operands.empty() && (operands.back().text == "!PT" || operands.back().text == "!UPT")) {
      operands.pop_back();
      found = true;
    }
    if (found) modifiers.erase(carry);
  }
  // "MERGE_C a, RZ" puts zeros above a, as "PACK_AB RZ, a" does.
  if (auto merge = std::find(modifiers.begin(), modifiers.end(), "MERGE_C");
      merge != modifiers.end() && operands.back().text == "RZ") {
    *merge = "PACK_AB";
    std::swap(operands[operands.size() - 2], operands.back());
  }
  std::string text = instruction.guard ? "@" + instruction.guard->text + " " : "";
  text += instruction.opcode;
  for (const std::string& modifier : modifiers)
    if (!isNeutral(instruction, modifier)) text += "." + modifier;
  for (const TextOperand& operand : operands) {
    std::string_view shown = operand.text;
    if (shown.starts_with("desc[")) shown.remove_prefix(shown.find(']') + 1); // access rights, cache policy
    std::string spelled(shown);
    // [R4.64] and [R4] of an access with .E are one pair.
    if (operand.kind == OperandKind::Memory && !operand.uniform)
      if (std::size_t at = spelled.find(".64"); at != std::string::npos) spelled.erase(at, 3);
    if (std::size_t at = spelled.find("] ["); at != std::string::npos) spelled.erase(at + 1, 1);
    text += " " + spelled + ",";
  }
  return text;
}

struct Arch {
  std::string name;
  std::string seedsOf; ///< whose words it takes
  unsigned sm;
  std::size_t understood; ///< at least
};

class DecodeSweepTest : public testing::TestWithParam<Arch> {};

TEST_P(DecodeSweepTest, WhatIsUnderstoodDiffersWhereTheTextDoes) {
  const Arch& arch = GetParam();
  std::set<Word> words;
  for (const Word& seed : seeds(arch.seedsOf))
    addVariants(seed, words);
  ASSERT_GT(words.size(), 10'000u);
  std::string code;
  for (const Word& word : words)
    for (std::uint64_t half : {word.low, word.high | kNoWaits})
      code.append(reinterpret_cast<const char*>(&half), sizeof half);

  TempDir directory("decode-sweep-test");
  ArtifactCache cache(directory.path() / "cache");
  Disassembler disassembler(cache, test::installedToolchains().nvdisasm(), {}, words.size());
  Listing listing = disassembler.disassemble(arch.name, {code})[0];
  EXPECT_LE(disassembler.starts(), 8u);
  ASSERT_EQ(listing.instructions.size(), words.size());

  std::size_t legal = 0, understood = 0, violations = 0;
  std::map<std::string, unsigned> shown;      // violations of an opcode
  std::map<std::string, std::string> meaning; // opcode and fingerprint → the text that has it
  for (const ListedInstruction& listed : listing.instructions) {
    if (listed.illegal) continue;
    ++legal;
    auto text = parseInstruction(listed.text);
    const OpcodeRow* row = text ? findOpcode(text->opcode) : nullptr;
    if (!row) continue;
    Encoding encoding{listed.low, listed.high, arch.sm, 0x80, 0x80};
    Binder binder(*text, encoding);
    ASSERT_NO_THROW(row->bind(binder)) << listed.text;
    if (!binder.complete() || !binder.op.run) continue;
    ++understood;
    auto [known, isNew] = meaning.emplace(text->opcode + " " + fingerprint(binder.op), listed.text);
    if (isNew || known->second == listed.text) continue;
    if (essence(*parseInstruction(known->second)) == essence(*text)) continue;
    ++violations;
    if (++shown[text->opcode] <= 8)
      ADD_FAILURE() << arch.name << ": one Op for\n  " << known->second << "\n  " << listed.text;
  }
  std::printf("%s: %zu words, %zu legal, %zu understood, %zu refused; %zu understood alike\n",
              arch.name.c_str(), words.size(), legal, understood, legal - understood, violations);
  EXPECT_EQ(violations, 0u);
  EXPECT_GE(understood, arch.understood);
}

INSTANTIATE_TEST_SUITE_P(
    Arches, DecodeSweepTest,
    testing::Values(Arch{"sm_75", "sm_75", 75, 70'000}, Arch{"sm_80", "sm_80", 80, 70'000},
                    Arch{"sm_89", "sm_80", 89, 70'000}, Arch{"sm_90", "sm_90", 90, 74'000},
                    Arch{"sm_100", "sm_100", 100, 57'000}, Arch{"sm_120", "sm_120", 120, 68'000}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace harness::sass
