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
  static constexpr std::string_view kBranches[] = {
      "BRA", "BSSY", "CALL.REL", "RET.REL", "WARPSYNC.COLLECTIVE", "WARPSYNC.EXCLUSIVE"};
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

/// Text of every instruction as `nvdisasm -b -hex` prints it: a line with the text and the low word, and a
/// line with the high word alone. Nothing if the output does not have exactly `count` instructions with these
/// words.
std::optional<std::vector<std::string>> readOutput(std::string_view output, std::string_view blob) {
  std::vector<std::string> texts;
  for (std::string_view rest = output; !rest.empty();) {
    std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::size_t open = line.find("/*");
    std::size_t close = line.find("*/", open == std::string_view::npos ? 0 : open);
    std::size_t semicolon = line.find(';');
    if (open == std::string_view::npos || close == std::string_view::npos ||
        semicolon == std::string_view::npos || close > semicolon)
      continue;
    std::size_t word = line.find("0x", semicolon);
    if (word == std::string_view::npos) continue;
    std::uint64_t low = 0;
    if (llvm::StringRef(line.data() + word + 2, 16).getAsInteger(16, low)) return std::nullopt;
    std::uint64_t expected = 0;
    if ((texts.size() + 1) * kWordBytes > blob.size()) return std::nullopt;
    std::memcpy(&expected, blob.data() + texts.size() * kWordBytes, sizeof expected);
    if (low != expected) return std::nullopt;
    texts.emplace_back(trim(line.substr(close + 2, semicolon - close - 2)));
  }
  if (texts.size() * kWordBytes != blob.size()) return std::nullopt;
  return texts;
}

/// The address that nvdisasm names when it refuses a word.
std::optional<std::uint64_t> refusedAddress(std::string_view error) {
  std::size_t at = error.find("at address 0x");
  if (at == std::string_view::npos) return std::nullopt;
  llvm::StringRef digits(error.data() + at + 13, error.size() - at - 13);
  std::uint64_t address = 0;
  if (digits.consumeInteger(16, address)) return std::nullopt;
  return address;
}

/// Runs nvdisasm on blobs, stepping over words that it refuses.
class BlobDecoder {
public:
  BlobDecoder(const Nvdisasm& nvdisasm, const ProcessLimits& limits, std::string arch,
              std::atomic<std::uint64_t>& starts)
      : nvdisasm_(nvdisasm), limits_(limits), arch_(std::move(arch)), starts_(starts),
        directory_("nvdisasm") {}

  /// Texts of all words of `blob`; an illegal word's text is empty. nvdisasm refuses a whole blob for one
  /// illegal word and names its address: that word is replaced by EXIT and the rest tried again.
  std::vector<std::string> decode(std::string blob) {
    std::set<std::uint64_t> illegal;
    for (;;) {
      std::string error;
      if (auto texts = start(blob, error)) {
        for (std::uint64_t address : illegal)
          (*texts)[address / kWordBytes].clear();
        return std::move(*texts);
      }
      auto address = refusedAddress(error);
      if (!address || *address >= blob.size() || !illegal.insert(*address / kWordBytes * kWordBytes).second)
        failEnvironment("nvdisasm refuses code of {0} without naming the word: {1}", arch_, error);
      if (illegal.size() > kMaxIllegalWords)
        failUsage("more than {0} illegal instructions in code of {1}: no machine code?", kMaxIllegalWords,
                  arch_);
      std::memcpy(blob.data() + *address / kWordBytes * kWordBytes, kExit, kWordBytes);
    }
  }

private:
  static constexpr std::size_t kMaxIllegalWords = 256;
  static constexpr std::uint64_t kExit[2] = {0x000000000000794d,
                                             0x000fea0003800000}; // on every arch from sm_75

  std::optional<std::vector<std::string>> start(std::string_view blob, std::string& error) {
    auto path = directory_.path() / "code.bin";
    writeFileAtomically(path, blob);
    ProcessSpec spec;
    spec.argv = {nvdisasm_.program.string(), "-b", arch_, "-hex", path.string()};
    spec.limits = limits_;
    spec.limits.outputBytes = std::uint64_t{1} << 30;
    ++starts_;
    ProcessResult result = runProcess(spec);
    if (result.end == ProcessEnd::Interrupted) throwIfInterrupted();
    if (result.ok()) {
      if (auto texts = readOutput(result.out, blob)) return texts;
      failEnvironment("nvdisasm's output for code of {0} could not be read", arch_);
    }
    error = result.err.substr(0, 1000);
    bool refused = result.end == ProcessEnd::Exited && error.find("llegal instruction") != std::string::npos;
    if (!refused)
      failEnvironment("nvdisasm failed on code of {0} ({1}): {2}", arch_, result.describe(), error);
    return std::nullopt;
  }

  const Nvdisasm& nvdisasm_;
  const ProcessLimits& limits_;
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

Disassembler::Disassembler(ArtifactCache& cache, Nvdisasm nvdisasm, ProcessLimits limits)
    : cache_(cache), nvdisasm_(std::move(nvdisasm)), limits_(limits) {}

std::string Disassembler::key(std::string_view arch, std::string_view code) const {
  return KeyHasher("disassembly/1")
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
    if (code.size() % kWordBytes) failUsage("code of {0} bytes: no multiple of 16", code.size());
    const std::string& key = keys.emplace_back(this->key(arch, code));
    if (listings.contains(key) || missing.contains(key)) continue;
    if (auto text = cache_.getAction(key))
      listings[key] = Listing::parse(*text);
    else
      missing[key] = code;
  }

  if (missing.empty()) return inOrder(keys, listings);
  BlobDecoder decoder(nvdisasm_, limits_, binaryArch, starts_);
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

} // namespace harness::sass
