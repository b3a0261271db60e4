#include "harness/report/side_by_side.h"

#include "harness/report/table.h"
#include "harness/sass/control_word.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <optional>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kContext = 3; ///< lines shown around a difference
constexpr std::size_t kAddress = 5; ///< columns of an address and the space after it

std::string textOf(const sass::ListedInstruction& instruction) {
  return instruction.illegal ? "(illegal encoding)" : instruction.text;
}

/// What is known of PTX above an instruction; empty if nothing.
const std::string& ptxOf(const CodeSide& side, std::optional<std::size_t> index) {
  static const std::string kNone;
  return index && *index < side.ptx.size() ? side.ptx[*index] : kNone;
}

/// Columns of address and text, or of PTX if that is longer.
std::size_t widthOf(const CodeSide& side) {
  constexpr std::size_t kMost = 72;
  std::size_t width = 0;
  for (const sass::ListedInstruction& instruction : side.code.instructions)
    width = std::max(width, textOf(instruction).size() + kAddress);
  for (const std::string& ptx : side.ptx)
    width = std::max(width, ptx.size() + kAddress);
  return std::min(width, kMost);
}

class View {
public:
  View(const CodeSide& left, const CodeSide& right, const SideBySideOptions& options)
      : left_(left), right_(right), options_(options), lines_(diffCode(left.code, right.code)),
        leftWidth_(widthOf(left)), rightWidth_(widthOf(right)) {}

  std::string render() {
    std::vector<bool> shown = options_.full ? std::vector<bool>(lines_.size(), true) : nearDifferences();
    std::string text;
    for (std::size_t i = 0; i < lines_.size();) {
      if (shown[i]) {
        text += ptxLine(lines_[i]) + codeLine(lines_[i]);
        ++i;
        continue;
      }
      std::size_t from = i, renamed = 0;
      for (; i < lines_.size() && !shown[i]; ++i)
        renamed += lines_[i].kind == DiffKind::Renamed;
      if (i - from < lines_.size())
        text += colored(elision(i - from, renamed), Color::Dim, options_.color) + "\n";
    }
    return text + totals() + "\n";
  }

private:
  static std::string elision(std::size_t count, std::size_t renamed) {
    std::string text = "… " + std::to_string(count) + " equal";
    return renamed ? text + ", " + std::to_string(renamed) + " of them on renamed registers" : text;
  }

  bool controlDiffers(const DiffLine& line) const { return options_.control && line.control; }

  bool isDifference(const DiffLine& line) const {
    return (line.kind != DiffKind::Same && line.kind != DiffKind::Renamed) || controlDiffers(line);
  }

  std::vector<bool> nearDifferences() const {
    std::vector<bool> shown(lines_.size());
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (isDifference(lines_[i]))
        for (std::size_t k = i - std::min(i, kContext); k < std::min(lines_.size(), i + kContext + 1); ++k)
          shown[k] = true;
    return shown;
  }

  char markOf(const DiffLine& line) const {
    switch (line.kind) {
    case DiffKind::Same: return controlDiffers(line) ? '~' : ' ';
    case DiffKind::Renamed: return controlDiffers(line) ? '~' : '=';
    case DiffKind::OtherValue: return '!';
    case DiffKind::Changed: return '|';
    case DiffKind::LeftOnly: return '<';
    case DiffKind::RightOnly: break;
    }
    return '>';
  }

  Color colorOf(const DiffLine& line) const {
    switch (markOf(line)) {
    case ' ': return Color::None;
    case '=': return Color::Dim;
    case '~': return Color::Yellow;
    case '>': return Color::Green;
    default: return Color::Red;
    }
  }

  std::string half(const CodeSide& side, std::optional<std::size_t> index, std::size_t width) const {
    if (!index) return "";
    const sass::ListedInstruction& instruction = side.code.instructions[*index];
    std::string text = llvm::formatv("{0:x-4} {1}", *index * 16, textOf(instruction)).str();
    if (!options_.control) return text;
    text.resize(std::max(text.size(), width), ' ');
    return text + ' ' + sass::ControlWord::decode(instruction.high).str();
  }

  std::size_t leftColumns() const {
    return leftWidth_ + (options_.control ? 1 + sass::ControlWord().str().size() : 0);
  }

  std::string join(std::string left, char mark, const std::string& right, Color color) const {
    left.resize(std::max(left.size(), leftColumns()), ' ');
    std::string line = left + ' ' + mark + ' ' + right;
    return colored(line.substr(0, line.find_last_not_of(' ') + 1), color, options_.color) + '\n';
  }

  std::string codeLine(const DiffLine& line) const {
    return join(half(left_, line.left, leftWidth_), markOf(line), half(right_, line.right, rightWidth_),
                colorOf(line));
  }

  /// The PTX of both sides, where it is another than the one shown last.
  std::string ptxLine(const DiffLine& line) {
    auto fresh = [](const std::string& ptx, std::string& last) {
      if (ptx.empty() || ptx == last) return std::string();
      last = ptx;
      return std::string(kAddress, ' ') + printable(ptx);
    };
    std::string left = fresh(ptxOf(left_, line.left), lastLeft_),
                right = fresh(ptxOf(right_, line.right), lastRight_);
    if (left.empty() && right.empty()) return "";
    if (left.size() > leftColumns()) left.resize(leftColumns());
    return join(left, ' ', right, Color::Dim);
  }

  std::string totals() const {
    std::size_t different = 0, renamed = 0, control = 0, left = 0, right = 0;
    for (const DiffLine& line : lines_) {
      different += line.kind == DiffKind::Changed || line.kind == DiffKind::OtherValue;
      renamed += line.kind == DiffKind::Renamed;
      left += line.kind == DiffKind::LeftOnly;
      right += line.kind == DiffKind::RightOnly;
      control += controlDiffers(line) && (line.kind == DiffKind::Same || line.kind == DiffKind::Renamed);
    }
    std::string text;
    for (auto [count, what] : {std::pair{different, "different"},
                               {left, "only left"},
                               {right, "only right"},
                               {control, "with another control word"}})
      if (count) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    if (text.empty()) text = "no difference";
    if (renamed) text += "; " + std::to_string(renamed) + " equal on renamed registers";
    return text;
  }

  const CodeSide &left_, &right_;
  const SideBySideOptions& options_;
  std::vector<DiffLine> lines_;
  std::size_t leftWidth_, rightWidth_;
  std::string lastLeft_, lastRight_;
};

Json controlJson(std::uint64_t high) {
  sass::ControlWord control = sass::ControlWord::decode(high);
  Json wait = Json::array();
  for (unsigned scoreboard = 0; scoreboard < sass::kScoreboards; ++scoreboard)
    if (control.waitMask >> scoreboard & 1) wait.push_back(scoreboard);
  auto barrier = [](unsigned scoreboard) {
    return scoreboard == sass::kNoScoreboard ? Json(nullptr) : Json(scoreboard);
  };
  return {{"wait", wait},
          {"read_barrier", barrier(control.readBarrier)},
          {"write_barrier", barrier(control.writeBarrier)},
          {"yield", control.yield},
          {"stall", control.stall}};
}

Json sideJson(const CodeSide& side, std::optional<std::size_t> index) {
  if (!index) return nullptr;
  const sass::ListedInstruction& instruction = side.code.instructions[*index];
  const std::string& ptx = ptxOf(side, index);
  return {{"address", *index * 16},
          {"text", instruction.illegal ? Json(nullptr) : Json(instruction.text)},
          {"control", controlJson(instruction.high)},
          {"ptx", ptx.empty() ? Json(nullptr) : Json(ptx)}};
}

} // namespace

std::string renderSideBySide(const CodeSide& left, const CodeSide& right, const SideBySideOptions& options) {
  return View(left, right, options).render();
}

Json sideBySideJson(const CodeSide& left, const CodeSide& right) {
  Json lines = Json::array();
  for (const DiffLine& line : diffCode(left.code, right.code)) {
    Json renamed = Json::object();
    for (const auto& [from, to] : line.renamed)
      renamed[from] = to;
    lines.push_back({{"kind", toString(line.kind)},
                     {"control_differs", line.control},
                     {"renamed", renamed},
                     {"left", sideJson(left, line.left)},
                     {"right", sideJson(right, line.right)}});
  }
  return lines;
}

} // namespace harness
