#include "harness/report/code_alignment.h"

#include <llvm/ADT/StringMap.h>

#include <algorithm>
#include <map>
#include <optional>

namespace harness {

namespace {

/// Instructions of one side times instructions of the other, of what is compared at once: a byte each.
constexpr std::size_t kMaxCells = std::size_t{1} << 26;

// What a pair is worth.
constexpr std::uint32_t kSameOperation = 1, kSameOpcode = 2, kSameSkeleton = 7, kSameRegisters = 8;

/// An instruction as numbers that are equal when the texts are.
struct Token {
  unsigned skeleton = 0, opcode = 0, operation = 0, registers = 0;
};

class Tokens {
public:
  std::vector<Token> of(const std::vector<InstructionShape>& shapes) {
    std::vector<Token> tokens;
    for (const InstructionShape& shape : shapes) {
      unsigned registers =
          registers_.try_emplace(shape.registers, static_cast<unsigned>(registers_.size())).first->second;
      tokens.push_back({number(shape.skeleton), shape.opcode.empty() ? 0 : number(shape.opcode),
                        shape.operation.empty() ? 0 : number(shape.operation), registers});
    }
    return tokens;
  }

private:
  unsigned number(const std::string& text) {
    return texts_.try_emplace(text, static_cast<unsigned>(texts_.size() + 1)).first->second;
  }

  llvm::StringMap<unsigned> texts_;
  std::map<std::vector<RegisterId>, unsigned> registers_;
};

std::uint32_t worth(const Token& a, const Token& b) {
  if (a.skeleton == b.skeleton) return a.registers == b.registers ? kSameRegisters : kSameSkeleton;
  if (!a.opcode) return 0;
  return a.opcode == b.opcode ? kSameOpcode : a.operation == b.operation ? kSameOperation : 0;
}

/// Some neighbouring instructions of both sides.
struct Region {
  std::size_t left, leftEnd, right, rightEnd;

  std::size_t rows() const { return leftEnd - left; }
  std::size_t columns() const { return rightEnd - right; }
};

class Aligner {
public:
  Aligner(std::vector<Token> left, std::vector<Token> right)
      : left_(std::move(left)), right_(std::move(right)) {}

  std::vector<AlignedPair> run() {
    align({0, left_.size(), 0, right_.size()});
    return std::move(pairs_);
  }

private:
  std::uint32_t worthOf(std::size_t i, std::size_t j) const { return worth(left_[i], right_[j]); }

  void align(Region region) {
    while (region.rows() && region.columns() && worthOf(region.left, region.right) == kSameRegisters)
      pairs_.emplace_back(region.left++, region.right++);
    std::size_t tail = 0;
    while (region.rows() && region.columns() &&
           worthOf(region.leftEnd - 1, region.rightEnd - 1) == kSameRegisters)
      --region.leftEnd, --region.rightEnd, ++tail;
    if (region.rows() && region.columns()) {
      if (region.columns() <= kMaxCells / region.rows())
        compareAll(region);
      else
        cut(region);
    }
    for (std::size_t k = 0; k < tail; ++k)
      pairs_.emplace_back(region.leftEnd + k, region.rightEnd + k);
  }

  /// The pairs of the greatest total worth.
  void compareAll(const Region& region) {
    enum Step : std::uint8_t { Pair, SkipLeft, SkipRight };
    std::size_t rows = region.rows(), columns = region.columns();
    std::vector<std::uint8_t> steps(rows * columns);
    std::vector<std::uint32_t> below(columns + 1), total(columns + 1); // of what follows, row by row
    for (std::size_t i = rows; i-- > 0; std::swap(total, below)) {
      total[columns] = 0;
      for (std::size_t j = columns; j-- > 0;) {
        std::uint32_t pair = worthOf(region.left + i, region.right + j), best = total[j + 1];
        Step step = SkipRight;
        if (below[j] > best) best = below[j], step = SkipLeft;
        if (pair && pair + below[j + 1] >= best) best = pair + below[j + 1], step = Pair;
        total[j] = best;
        steps[i * columns + j] = step;
      }
    }
    for (std::size_t i = 0, j = 0; i < rows && j < columns;)
      switch (steps[i * columns + j]) {
      case Pair: pairs_.emplace_back(region.left + i++, region.right + j++); break;
      case SkipLeft: ++i; break;
      default: ++j; break;
      }
  }

  /// Aligns piece by piece between instructions that both sides have once.
  void cut(const Region& region) {
    Region piece = region;
    for (auto [i, j] : landmarks(region)) {
      piece.leftEnd = i;
      piece.rightEnd = j;
      align(piece);
      pairs_.emplace_back(i, j);
      piece = {i + 1, region.leftEnd, j + 1, region.rightEnd};
    }
    if (piece.left == region.left) return; // no landmark
    align(piece);
  }

  /// As many as possible that are in order on both sides.
  std::vector<AlignedPair> landmarks(const Region& region) const {
    std::map<unsigned, std::pair<std::optional<std::size_t>, std::optional<std::size_t>>> places;
    std::map<unsigned, std::size_t> counts;
    for (std::size_t i = region.left; i < region.leftEnd; ++i)
      places[left_[i].skeleton].first = i, counts[left_[i].skeleton] += 1;
    for (std::size_t j = region.right; j < region.rightEnd; ++j)
      places[right_[j].skeleton].second = j, counts[right_[j].skeleton] += 1;
    std::vector<AlignedPair> candidates;
    for (const auto& [skeleton, place] : places)
      if (place.first && place.second && counts.at(skeleton) == 2)
        candidates.emplace_back(*place.first, *place.second);
    std::sort(candidates.begin(), candidates.end());

    // The longest rising subsequence of the right sides.
    std::vector<std::size_t> ends; // by length: the candidate with the least right side
    std::vector<std::optional<std::size_t>> before(candidates.size());
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      auto end =
          std::lower_bound(ends.begin(), ends.end(), candidates[c].second,
                           [&](std::size_t a, std::size_t right) { return candidates[a].second < right; });
      if (end != ends.begin()) before[c] = *(end - 1);
      if (end == ends.end())
        ends.push_back(c);
      else
        *end = c;
    }
    std::vector<AlignedPair> chain;
    std::optional<std::size_t> c;
    if (!ends.empty()) c = ends.back();
    for (; c; c = before[*c])
      chain.push_back(candidates[*c]);
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  std::vector<Token> left_, right_;
  std::vector<AlignedPair> pairs_;
};

} // namespace

std::vector<AlignedPair> alignCode(const std::vector<InstructionShape>& left,
                                   const std::vector<InstructionShape>& right) {
  Tokens tokens;
  std::vector<Token> a = tokens.of(left), b = tokens.of(right);
  return Aligner(std::move(a), std::move(b)).run();
}

} // namespace harness
