#include "harness/report/side_by_side.h"

#include "harness/sass/control_word.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace harness {

namespace {

using Instructions = std::vector<sass::ListedInstruction>;

struct Line {
  std::optional<std::size_t> left, right; ///< instructions
  char mark = ' ';
};

bool sameText(const sass::ListedInstruction& a, const sass::ListedInstruction& b) {
  return a.text == b.text && a.illegal == b.illegal;
}

std::string controlOf(const sass::ListedInstruction& instruction) {
  return sass::ControlWord::decode(instruction.high).str();
}

/// Pairs of instructions with equal texts, in order, as many as possible. Beyond a size that would take too
/// long, only those at both ends.
std::vector<std::pair<std::size_t, std::size_t>> align(const Instructions& a, const Instructions& b) {
  constexpr std::size_t kMaxCells = std::size_t{1} << 26;
  std::vector<std::pair<std::size_t, std::size_t>> pairs, tail;
  std::size_t from = 0, endA = a.size(), endB = b.size();
  while (from < endA && from < endB && sameText(a[from], b[from])) {
    pairs.emplace_back(from, from);
    ++from;
  }
  while (endA > from && endB > from && sameText(a[endA - 1], b[endB - 1]))
    tail.emplace_back(--endA, --endB);
  std::size_t rows = endA - from, columns = endB - from;
  if (rows && columns && columns <= kMaxCells / rows) {
    // Length of the longest common subsequence of what follows (i, j).
    std::vector<std::uint32_t> length((rows + 1) * (columns + 1));
    auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return length[i * (columns + 1) + j]; };
    for (std::size_t i = rows; i-- > 0;)
      for (std::size_t j = columns; j-- > 0;)
        at(i, j) =
            sameText(a[from + i], b[from + j]) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
      if (sameText(a[from + i], b[from + j]))
        pairs.emplace_back(from + i++, from + j++);
      else if (at(i + 1, j) >= at(i, j + 1))
        ++i;
      else
        ++j;
    }
  }
  pairs.insert(pairs.end(), tail.rbegin(), tail.rend());
  return pairs;
}

/// What lies between two pairs stands side by side as far as it goes.
std::vector<Line> linesOf(const Instructions& a, const Instructions& b) {
  std::vector<Line> lines;
  std::size_t i = 0, j = 0;
  auto advance = [&](std::size_t toI, std::size_t toJ) {
    while (i < toI && j < toJ)
      lines.push_back({i++, j++, '|'});
    while (i < toI)
      lines.push_back({i++, std::nullopt, '<'});
    while (j < toJ)
      lines.push_back({std::nullopt, j++, '>'});
  };
  for (auto [pairI, pairJ] : align(a, b)) {
    advance(pairI, pairJ);
    lines.push_back({i, j, controlOf(a[i]) == controlOf(b[j]) ? ' ' : '~'});
    ++i, ++j;
  }
  advance(a.size(), b.size());
  return lines;
}

/// Whether a line is shown: near one that differs.
std::vector<bool> nearDifferences(const std::vector<Line>& lines) {
  constexpr std::size_t kContext = 3;
  std::vector<bool> shown(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].mark != ' ')
      for (std::size_t k = i - std::min(i, kContext); k < std::min(lines.size(), i + kContext + 1); ++k)
        shown[k] = true;
  return shown;
}

std::string sideOf(const Instructions& instructions, std::optional<std::size_t> index, std::size_t width) {
  std::string text;
  if (index) {
    const sass::ListedInstruction& instruction = instructions[*index];
    text = llvm::formatv("{0:x-4} ", *index * 16).str() +
           (instruction.illegal ? "(illegal encoding)" : instruction.text);
    text.resize(std::max(text.size(), width), ' ');
    return text + ' ' + controlOf(instruction);
  }
  return text;
}

/// Columns of address and text.
std::size_t widthOf(const Instructions& instructions) {
  constexpr std::size_t kMost = 72;
  std::size_t width = 0;
  for (const sass::ListedInstruction& instruction : instructions)
    width = std::max(width, instruction.text.size() + 5);
  return std::min(width, kMost);
}

} // namespace

std::string renderSideBySide(const sass::Listing& left, const sass::Listing& right, bool all) {
  const Instructions &a = left.instructions, &b = right.instructions;
  std::vector<Line> lines = linesOf(a, b);
  std::vector<bool> shown = all ? std::vector<bool>(lines.size(), true) : nearDifferences(lines);
  if (std::find(shown.begin(), shown.end(), true) == shown.end()) return "no difference\n";
  std::size_t widthA = widthOf(a), widthB = widthOf(b);
  std::size_t column = widthA + 1 + sass::ControlWord().str().size();
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!shown[i]) {
      if (i + 1 < lines.size() && shown[i + 1]) text += "…\n";
      continue;
    }
    std::string line = sideOf(a, lines[i].left, widthA);
    line.resize(std::max(line.size(), column), ' ');
    line += std::string(" ") + lines[i].mark + ' ' + sideOf(b, lines[i].right, widthB);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

} // namespace harness
