#include "harness/sass/disassembler.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"

#include <cstring>
#include <map>
#include <set>

namespace harness::sass {

namespace {

constexpr std::size_t kWordBytes = 16;
constexpr std::size_t kChunkBytes = std::size_t{4} << 20; // of code in one start of nvdisasm

/// What `nvdisasm -b` calls the architecture: sm_90a → SM90a.
std::string binaryName(std::string_view arch) {
  if (!arch.starts_with("sm_")) failUsage("'{0}' is no architecture: write it like sm_90a", arch);
  return "SM" + std::string(arch.substr(3));
}

/// Mnemonics whose printed target is an address in the code space, not relative to the section.
bool hasAbsoluteTarget(std::string_view text) {
  return text.find(".ABS") != std::string_view::npos || text.find("JMP ") != std::string_view::npos;
}

/// Mnemonics whose last operand is a code address that nvdisasm prints relative to the blob's base.
bool hasRelativeTarget(std::string_view text) {
  static constexpr std::string_view kBranches[] = {"BRA",  "BSSY",    "CALL.REL",
                                                   "LEPC", "RET.REL", "WARPSYNC.COLLECTIVE"};
  std::string_view mnemonic = text;
  if (mnemonic.starts_with('@')) mnemonic.remove_prefix(std::min(mnemonic.size(), mnemonic.find(' ') + 1));
  for (std::string_view branch : kBranches) {
    if (!mnemonic.starts_with(branch)) continue;
    std::string_view rest = mnemonic.substr(branch.size());
    if (rest.empty() || rest.front() == ' ' || rest.front() == '.') return true;
  }
  return false;
}

/// "BRA 0x1b70" of code that starts at `base` in the blob → "BRA 0xb70".
std::string rebase(std::string_view text, std::uint64_t base) {
  if (base == 0 || hasAbsoluteTarget(text) || !hasRelativeTarget(text)) return std::string(text);
  std::size_t at = text.rfind("0x");
  if (at == std::string_view::npos) return std::string(text);
  bool negative = at > 0 && text[at - 1] == '-';
  llvm::StringRef digits(text.data() + at + 2, text.size() - at - 2);
  std::uint64_t value = 0;
  llvm::StringRef rest = digits;
  if (rest.consumeInteger(16, value)) return std::string(text);
  std::uint64_t target = (negative ? 0 - value : value) - base;
  std::string head(text.substr(0, negative ? at - 1 : at));
  bool below = static_cast<std::int64_t>(target) < 0;
  return head + llvm::formatv("{0}{1:x}", below ? "-" : "", below ? 0 - target : target).str() + rest.str();
}

/// The number in the last "/* 0x… */" of a line; nothing if there is none.
std::optional<std::uint64_t> trailingWord(std::string_view line) {
  std::size_t at = line.rfind("/* 0x");
  std::uint64_t word = 0;
  if (at == std::string_view::npos) return std::nullopt;
  llvm::StringRef digits(line.data() + at + 5, line.size() - at - 5);
  if (digits.consumeInteger(16, word) || !digits.starts_with(" */")) return std::nullopt;
  return word;
}

/// Stands for an instruction that nvdisasm accepts and prints nothing for.
constexpr std::string_view kUnprinted = "(unprinted)";

/// Text of every instruction as `nvdisasm -b -hex` prints it: a line "/*address*/ text ; /* low word */" and
/// a line with the high word alone. Nothing if these are not exactly the instructions of `blob`.
std::optional<std::vector<std::string>> readOutput(std::string_view output, std::string_view blob) {
  std::vector<std::string> texts;
  std::size_t words = 0; // read so far
  for (std::string_view rest = output; !rest.empty();) {
    std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    auto word = trailingWord(line);
    if (!word) continue; // a header
    std::uint64_t expected = 0;
    if ((words + 1) * sizeof expected > blob.size()) return std::nullopt;
    std::memcpy(&expected, blob.data() + words * sizeof expected, sizeof expected);
    if (*word != expected) return std::nullopt;
    if (words++ % 2) continue;
    if (trim(line.substr(0, line.rfind("/* 0x"))).empty()) { // accepted, but nvdisasm has no words for it
      texts.emplace_back(kUnprinted);
      continue;
    }
    std::size_t close = line.find("*/"), semicolon = line.find(';');
    if (semicolon == std::string_view::npos || close > semicolon) return std::nullopt;
    texts.emplace_back(trim(line.substr(close + 2, semicolon - close - 2)));
    if (texts.back().empty()) return std::nullopt;
  }
  if (words * sizeof(std::uint64_t) != blob.size()) return std::nullopt;
  return texts;
}

/// The addresses of the words that nvdisasm refuses.
std::vector<std::uint64_t> refusedAddresses(std::string_view error) {
  static constexpr std::string_view kBefore = "at address 0x";
  std::vector<std::uint64_t> addresses;
  for (std::size_t at; (at = error.find(kBefore)) != std::string_view::npos;) {
    error.remove_prefix(at + kBefore.size());
    std::uint64_t address = 0;
    llvm::StringRef digits(error.data(), error.size());
    if (!digits.consumeInteger(16, address)) addresses.push_back(address);
  }
  return addresses;
}

/// True for what nvdisasm says of words that it refuses: "Illegal instruction", or, of one with an operand or
/// control bits that its opcode cannot have, "Opclass 'nop_', undefined value 0xe0 for table
/// 'TABLES_opex_1'".
bool saysRefused(std::string_view error) {
  return error.find("llegal instruction") != std::string_view::npos ||
         (error.find("undefined value") != std::string_view::npos && !refusedAddresses(error).empty());
}

/// The addresses of the words with nothing in their low half: nvdisasm refuses them without naming an
/// address.
std::vector<std::uint64_t> emptyWords(std::string_view blob) {
  std::vector<std::uint64_t> addresses;
  for (std::size_t address = 0; address < blob.size(); address += kWordBytes) {
    std::uint64_t low = 0;
    std::memcpy(&low, blob.data() + address, sizeof low);
    if (low == 0) addresses.push_back(address);
  }
  return addresses;
}

/// Runs nvdisasm on blobs, stepping over words that it refuses.
class BlobDecoder {
public:
  BlobDecoder(const Nvdisasm& nvdisasm, const ProcessLimits& limits, std::size_t maxIllegalWords,
              std::string arch, std::atomic<std::uint64_t>& starts)
      : nvdisasm_(nvdisasm), limits_(limits), maxIllegalWords_(maxIllegalWords), arch_(std::move(arch)),
        starts_(starts), directory_("nvdisasm") {}

  /// Texts of all words of `blob`; an illegal word's text is empty. nvdisasm refuses a whole blob for one
  /// illegal word and names its address: those words are replaced by EXIT and the rest tried again.
  std::vector<std::string> decode(std::string blob) {
    std::set<std::uint64_t> illegal;
    for (;;) {
      std::string error;
      if (auto texts = start(blob, error)) {
        for (std::uint64_t address : illegal)
          (*texts)[address / kWordBytes].clear();
        return std::move(*texts);
      }
      std::size_t before = illegal.size();
      auto step = [&](std::uint64_t address) {
        if (address >= blob.size()) return;
        address -= address % kWordBytes;
        illegal.insert(address);
        std::memcpy(blob.data() + address, kExit, kWordBytes);
      };
      for (std::uint64_t address : refusedAddresses(error))
        step(address);
      if (illegal.size() == before)
        for (std::uint64_t address : emptyWords(blob))
          step(address);
      if (illegal.size() == before)
        failEnvironment("nvdisasm refuses code of {0} without naming the word: {1}", arch_,
                        error.substr(0, kErrorShown));
      if (illegal.size() > maxIllegalWords_)
        failUsage("more than {0} illegal instructions in code of {1}: no machine code?", maxIllegalWords_,
                  arch_);
    }
  }

private:
  static constexpr std::size_t kErrorShown = 1000; ///< characters
  /// Of nvdisasm's output for one byte of code, generously; an instruction prints in 130 to 250 bytes.
  static constexpr std::uint64_t kOutputPerByte = 64;
  static constexpr std::uint64_t kExit[2] = {0x000000000000794d,
                                             0x000fea0003800000}; // on every arch from sm_75

  std::optional<std::vector<std::string>> start(std::string_view blob, std::string& error) {
    auto path = directory_.path() / "code.bin";
    writeFileAtomically(path, blob);
    ProcessSpec spec;
    spec.argv = {nvdisasm_.program.string(), "-b", arch_, "-hex", path.string()};
    spec.limits = limits_;
    spec.limits.outputBytes = limits_.outputBytes + blob.size() * kOutputPerByte;
    ++starts_;
    ProcessResult result = runProcess(spec);
    if (result.end == ProcessEnd::Interrupted) throwIfInterrupted();
    if (result.ok()) {
      if (auto texts = readOutput(result.out, blob)) return texts;
      failEnvironment("nvdisasm's output for code of {0} could not be read", arch_);
    }
    error = result.err;
    if (result.end == ProcessEnd::Exited && error.find("for option 'binary'") != std::string::npos)
      failEnvironment("'{0}' does not know the architecture {1}", nvdisasm_.program.string(), arch_);
    if (result.end != ProcessEnd::Exited || !saysRefused(error))
      failEnvironment("nvdisasm failed on code of {0} ({1}): {2}", arch_, result.describe(),
                      error.substr(0, kErrorShown));
    return std::nullopt;
  }

  const Nvdisasm& nvdisasm_;
  const ProcessLimits& limits_;
  std::size_t maxIllegalWords_;
  std::string arch_;
  std::atomic<std::uint64_t>& starts_;
  TempDir directory_;
};

std::vector<Listing> inOrder(const std::vector<std::string>& keys,
                             const std::map<std::string, Listing>& listings) {
  std::vector<Listing> result;
  for (const std::string& key : keys)
    result.push_back(listings.at(key));
  return result;
}

} // namespace

Disassembler::Disassembler(ArtifactCache& cache, Nvdisasm nvdisasm, ProcessLimits limits,
                           std::size_t maxIllegalWords)
    : cache_(cache), nvdisasm_(std::move(nvdisasm)), limits_(limits), maxIllegalWords_(maxIllegalWords) {}

std::string Disassembler::key(std::string_view arch, std::string_view code) const {
  return KeyHasher("disassembly/2")
      .add("nvdisasm", nvdisasm_.sha256)
      .add("arch", arch)
      .add("code", code)
      .hex();
}

std::vector<Listing> Disassembler::disassemble(std::string_view arch,
                                               const std::vector<std::string_view>& codes) {
  std::string binaryArch = binaryName(arch);
  std::vector<std::string> keys;
  std::map<std::string, Listing> listings;
  std::map<std::string, std::string_view> missing;
  for (std::string_view code : codes) {
    throwIfInterrupted();
    if (code.size() % kWordBytes) failUsage("code of {0} bytes: no multiple of 16", code.size());
    const std::string& key = keys.emplace_back(this->key(arch, code));
    if (listings.contains(key) || missing.contains(key)) continue;
    if (auto text = cache_.getAction(key))
      listings[key] = Listing::parse(*text);
    else
      missing[key] = code;
  }

  if (missing.empty()) return inOrder(keys, listings);
  BlobDecoder decoder(nvdisasm_, limits_, maxIllegalWords_, binaryArch, starts_);
  for (auto next = missing.begin(); next != missing.end();) {
    std::string blob;
    auto first = next;
    for (; next != missing.end() && (blob.empty() || blob.size() + next->second.size() <= kChunkBytes);
         ++next)
      blob += next->second;
    std::vector<std::string> texts;
    if (!blob.empty()) texts = decoder.decode(blob);
    std::size_t base = 0;
    for (auto one = first; one != next; ++one) {
      Listing listing;
      for (std::size_t offset = 0; offset < one->second.size(); offset += kWordBytes) {
        ListedInstruction& instruction = listing.instructions.emplace_back();
        std::memcpy(&instruction.low, one->second.data() + offset, 8);
        std::memcpy(&instruction.high, one->second.data() + offset + 8, 8);
        const std::string& text = texts[(base + offset) / kWordBytes];
        instruction.illegal = text.empty();
        instruction.text = rebase(text, base);
      }
      base += one->second.size();
      cache_.putAction(one->first, listing.serialize());
      listings[one->first] = std::move(listing);
    }
  }

  std::vector<Listing> result;
  for (const std::string& key : keys)
    result.push_back(listings[key]);
  return result;
}

std::vector<std::vector<Listing>> disassembleCubins(Disassembler& disassembler, std::string_view arch,
                                                    const std::vector<const Cubin*>& cubins) {
  std::vector<std::string_view> codes;
  for (const Cubin* cubin : cubins)
    for (const CodeSection& section : cubin->sections)
      codes.push_back(cubin->sectionCode(section));
  std::vector<Listing> listings = disassembler.disassemble(arch, codes);
  std::vector<std::vector<Listing>> result;
  auto next = std::make_move_iterator(listings.begin());
  for (const Cubin* cubin : cubins) {
    auto end = next + static_cast<std::ptrdiff_t>(cubin->sections.size());
    result.emplace_back(next, end);
    next = end;
  }
  return result;
}

} // namespace harness::sass
