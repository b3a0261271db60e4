#include "harness/sass/listing.h"

#include "harness/base/error.h"

#include <charconv>

namespace harness::sass {

namespace {

/// Consumes 16 hex digits of `line`.
std::uint64_t takeWord(std::string_view& line) {
  std::uint64_t word = 0;
  auto [end, ec] =
      std::from_chars(line.data(), line.data() + std::min<std::size_t>(16, line.size()), word, 16);
  if (ec != std::errc() || end != line.data() + 16) failUsage("malformed SASS listing: '{0}'", line);
  line.remove_prefix(16);
  return word;
}

} // namespace

// A line an instruction: high word, low word, '!' or ' ', text.
std::string Listing::serialize() const {
  std::string text;
  for (const ListedInstruction& instruction : instructions)
    text += llvm::formatv("{0:x-16}{1:x-16}{2}{3}\n", instruction.high, instruction.low,
                          instruction.illegal ? '!' : ' ', instruction.text)
                .str();
  return text;
}

Listing Listing::parse(std::string_view text) {
  Listing listing;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    if (end == std::string_view::npos) failUsage("malformed SASS listing: the last line is cut");
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    ListedInstruction instruction;
    instruction.high = takeWord(line);
    instruction.low = takeWord(line);
    if (line.empty() || (line.front() != '!' && line.front() != ' '))
      failUsage("malformed SASS listing: neither ' ' nor '!' follows the words");
    instruction.illegal = line.front() == '!';
    instruction.text = line.substr(1);
    listing.instructions.push_back(std::move(instruction));
  }
  return listing;
}

} // namespace harness::sass
