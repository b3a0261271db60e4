#include "harness/explain/explanation.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace harness::explain {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 110;
constexpr std::size_t kStepsShown = 7; ///< of one side

/// Cut to the width of the terminal; 0 = there is none.
std::string fit(std::string line, std::size_t columns) {
  if (columns < 3 || line.size() <= columns) return line;
  constexpr std::string_view kMore = " …"; // two columns
  line.resize(columns - 2);
  return line + std::string(kMore);
}

/// `text` in lines of at most kColumns, those after the first begun with `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result, line;
  while (!text.empty()) {
    std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      result += line + '\n';
      line.assign(indent, ' ');
      line += word;
    } else {
      line += (line.empty() ? "" : " ") + std::string(word);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result + line + '\n';
}

std::string hex(const ShownValue& value) {
  if (value.width == 1) return value.bits ? "true" : "false";
  return "0x" + llvm::utohexstr(value.bits, /*LowerCase=*/true);
}

std::string describe(const ShownValue& value) {
  std::string text = value.name + " = " + hex(value);
  std::string remarks = value.meaning;
  for (const std::string& more : {value.same.empty() ? value.same : "PTX: " + value.same, value.thread})
    if (!more.empty()) remarks += (remarks.empty() ? "" : "; ") + more;
  return remarks.empty() ? text : text + " (" + remarks + ")";
}

std::string describe(const std::vector<ShownValue>& values) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < values.size() && i < kMost; ++i)
    text += (i ? ", " : "") + describe(values[i]);
  if (values.size() > kMost) text += llvm::formatv(", and {0} more", values.size() - kMost).str();
  return text;
}

/// Two lines.
void print(std::string& text, const ShownStep& step, bool sass, std::size_t columns) {
  std::string line = sass && step.line ? llvm::formatv("  [line {0}]", step.line).str() : "";
  text +=
      fit(llvm::formatv("{0} {1,-9} {2}{3}", step.parting ? "=>" : "  ", step.place, step.text, line).str(),
          columns) +
      '\n';
  std::string reads = describe(step.reads), writes = describe(step.writes),
              does = step.executed ? "" : "not executed";
  for (const std::string& part :
       {reads.empty() ? reads : (step.executed ? "reads " : "as ") + reads, step.memory,
        writes.empty() || !step.executed ? "" : "writes " + writes, step.note})
    if (!part.empty()) does += (does.empty() ? "" : "; ") + part;
  if (!does.empty()) text += fit("             " + does, columns) + '\n';
}

/// Of a long chain its beginning and what lies around the parting.
std::vector<bool> chosen(const std::vector<ShownStep>& steps) {
  std::vector<bool> isShown(steps.size());
  std::size_t count = 0;
  auto choose = [&](std::size_t i) {
    if (i >= steps.size() || isShown[i] || count == kStepsShown) return;
    isShown[i] = true;
    ++count;
  };
  choose(0);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].parting)
      for (std::size_t near : {i, i + 1, i - 1})
        choose(near);
  for (std::size_t i = 0; i < steps.size(); ++i)
    choose(i);
  return isShown;
}

void print(std::string& text, std::string_view title, const std::vector<ShownStep>& steps, bool sass,
           std::size_t columns) {
  if (steps.empty()) return;
  text += "\n" + std::string(title) + '\n';
  std::vector<bool> isShown = chosen(steps);
  std::size_t skipped = 0;
  auto tell = [&] {
    if (skipped)
      text += llvm::formatv("   …         {0} step{1} more\n", skipped, skipped == 1 ? "" : "s").str();
    skipped = 0;
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!isShown[i]) {
      ++skipped;
      continue;
    }
    tell();
    print(text, steps[i], sass, columns);
  }
  tell();
}

std::string byteText(const std::optional<std::uint8_t>& byte) {
  return byte ? llvm::formatv("{0:x2}", *byte).str() : "unknown";
}

template <typename T> Json optionalJson(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json textOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json toJson(const std::vector<ShownValue>& values) {
  Json list = Json::array();
  for (const ShownValue& value : values)
    list.push_back({{"name", value.name},
                    {"bits", "0x" + llvm::utohexstr(value.bits, true)},
                    {"width", value.width},
                    {"meaning", textOrNull(value.meaning)},
                    {"same", textOrNull(value.same)},
                    {"thread", textOrNull(value.thread)}});
  return list;
}

Json toJson(const std::vector<ShownStep>& steps) {
  Json list = Json::array();
  for (const ShownStep& step : steps)
    list.push_back({{"place", step.place},
                    {"line", step.line ? Json(step.line) : Json(nullptr)},
                    {"text", step.text},
                    {"executed", step.executed},
                    {"parting", step.parting},
                    {"reads", toJson(step.reads)},
                    {"writes", toJson(step.writes)},
                    {"memory", textOrNull(step.memory)},
                    {"note", textOrNull(step.note)}});
  return list;
}

} // namespace

std::string_view toString(Explanation::Kind kind) {
  static constexpr std::string_view kNames[] = {"pass", "value",         "control", "address",
                                                "ptx",  "no-wrong-byte", "open"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string toText(const Explanation& explanation, std::size_t columns) {
  std::string text =
      wrapped(explanation.cell + ": " +
                  (explanation.buffer.empty()
                       ? explanation.verdict
                       : llvm::formatv("{0}+{1:x} is {2}, expected {3}; PTX gives {4}", explanation.buffer,
                                       explanation.offset, byteText(explanation.sass),
                                       byteText(explanation.expected), byteText(explanation.ptx))
                             .str()),
              2);
  if (!explanation.shape.empty()) text += "shape " + explanation.shape + '\n';
  if (!explanation.thread.empty()) text += explanation.thread + '\n';
  if (!explanation.alignment.empty()) text += wrapped(explanation.alignment, 2);
  text += '\n' + wrapped(explanation.conclusion, 0);
  print(text, "SASS, from the wrong byte back", explanation.sassSteps, true, columns);
  print(text, "PTX, from the same byte back", explanation.ptxSteps, false, columns);
  return text;
}

std::string toJson(const Explanation& explanation) {
  bool byte = !explanation.buffer.empty();
  return Json{{"cell", explanation.cell},
              {"kind", toString(explanation.kind)},
              {"verdict", textOrNull(explanation.verdict)},
              {"shape", textOrNull(explanation.shape)},
              {"buffer", textOrNull(explanation.buffer)},
              {"offset", byte ? Json(explanation.offset) : Json(nullptr)},
              {"expected", optionalJson(explanation.expected)},
              {"sass", optionalJson(explanation.sass)},
              {"ptx", optionalJson(explanation.ptx)},
              {"thread", textOrNull(explanation.thread)},
              {"alignment", textOrNull(explanation.alignment)},
              {"conclusion", explanation.conclusion},
              {"sass_steps", toJson(explanation.sassSteps)},
              {"ptx_steps", toJson(explanation.ptxSteps)}}
      .dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace harness::explain
