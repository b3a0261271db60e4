#include "harness/report/code_diff.h"

#include "harness/report/code_alignment.h"
#include "harness/report/instruction_shape.h"
#include "harness/report/register_flow.h"
#include "harness/sass/control_word.h"

#include <algorithm>

namespace harness {

namespace {

std::vector<InstructionShape> shapesOf(const sass::Listing& listing) {
  std::vector<InstructionShape> shapes;
  for (const sass::ListedInstruction& instruction : listing.instructions)
    shapes.push_back(shapeOf(instruction, listing.instructions.size()));
  return shapes;
}

/// What lies between two pairs stands side by side as far as it goes.
std::vector<DiffLine> linesOf(const std::vector<AlignedPair>& pairs, std::size_t left, std::size_t right) {
  std::vector<DiffLine> lines;
  std::size_t i = 0, j = 0;
  auto advance = [&](std::size_t toI, std::size_t toJ) {
    while (i < toI && j < toJ)
      lines.push_back({i++, j++, DiffKind::Changed, false, {}});
    while (i < toI)
      lines.push_back({i++, std::nullopt, DiffKind::LeftOnly, false, {}});
    while (j < toJ)
      lines.push_back({std::nullopt, j++, DiffKind::RightOnly, false, {}});
  };
  for (auto [pairI, pairJ] : pairs) {
    advance(pairI, pairJ);
    lines.push_back({i++, j++, DiffKind::Same, false, {}});
  }
  advance(left, right);
  return lines;
}

/// For each instruction of one side, how many pairs lie before it: branches that come out at the same number
/// lead to the same place.
std::vector<std::size_t> pairsBefore(const std::vector<AlignedPair>& pairs, std::size_t AlignedPair::* side,
                                     std::size_t count) {
  std::vector<std::size_t> before(count);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < count; ++i) {
    before[i] = pair;
    if (pair < pairs.size() && pairs[pair].*side == i) ++pair;
  }
  return before;
}

std::vector<std::pair<std::string, std::string>> renamesBetween(const InstructionShape& a,
                                                                const InstructionShape& b) {
  std::vector<std::pair<std::string, std::string>> renames;
  for (std::size_t k = 0; k < std::min(a.registers.size(), b.registers.size()); ++k) {
    if (a.registers[k] == b.registers[k]) continue;
    std::pair rename(registerName(a.registers[k]), registerName(b.registers[k]));
    if (std::find(renames.begin(), renames.end(), rename) == renames.end()) renames.push_back(rename);
  }
  return renames;
}

DiffKind kindOf(const InstructionShape& a, const InstructionShape& b, Values values) {
  bool sameNames = a.registers == b.registers;
  if (sameNames && values != Values::Different) return DiffKind::Same;
  if (sameNames) return DiffKind::OtherValue;
  return values == Values::Equal ? DiffKind::Renamed : DiffKind::Changed;
}

} // namespace

std::string_view toString(DiffKind kind) {
  switch (kind) {
  case DiffKind::Same: return "same";
  case DiffKind::Renamed: return "renamed";
  case DiffKind::OtherValue: return "other-value";
  case DiffKind::Changed: return "changed";
  case DiffKind::LeftOnly: return "left";
  case DiffKind::RightOnly: break;
  }
  return "right";
}

std::vector<DiffLine> diffCode(const sass::Listing& left, const sass::Listing& right) {
  std::vector<InstructionShape> a = shapesOf(left), b = shapesOf(right);
  std::vector<AlignedPair> pairs = alignCode(a, b);
  std::vector<DiffLine> lines = linesOf(pairs, a.size(), b.size());

  std::vector<FlowStep> steps;
  for (const DiffLine& line : lines)
    steps.push_back({line.left, line.right,
                     line.left && line.right && a[*line.left].skeleton == b[*line.right].skeleton});
  std::vector<Values> values = followRegisters(a, b, steps);

  std::vector<std::size_t> leftPlace = pairsBefore(pairs, &AlignedPair::first, a.size()),
                           rightPlace = pairsBefore(pairs, &AlignedPair::second, b.size());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    DiffLine& line = lines[k];
    if (!line.left || !line.right) continue;
    const InstructionShape &shapeA = a[*line.left], &shapeB = b[*line.right];
    line.control = sass::ControlWord::decode(left.instructions[*line.left].high).str() !=
                   sass::ControlWord::decode(right.instructions[*line.right].high).str();
    bool sameTarget =
        !shapeA.target || !shapeB.target || leftPlace[*shapeA.target] == rightPlace[*shapeB.target];
    line.kind = steps[k].same && sameTarget ? kindOf(shapeA, shapeB, values[k]) : DiffKind::Changed;
    if (line.kind == DiffKind::Renamed) line.renamed = renamesBetween(shapeA, shapeB);
  }
  return lines;
}

} // namespace harness
