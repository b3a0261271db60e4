#include "harness/report/table.h"

#include "harness/base/controls.h"

#include <llvm/Support/Unicode.h>

#include <algorithm>

namespace harness {

namespace {

/// A wrapped last column narrower than this would be unreadable: it is left to the terminal.
constexpr std::size_t kNarrowestColumn = 24;

const char* codeOf(Color color) {
  switch (color) {
  case Color::None: return "";
  case Color::Bold: return "\x1b[1m";
  case Color::Dim: return "\x1b[2m";
  case Color::Red: return "\x1b[1;31m";
  case Color::Green: return "\x1b[32m";
  case Color::Yellow: return "\x1b[33m";
  }
  return "";
}

std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  std::vector<std::string> lines{""};
  std::size_t from = 0;
  while (from <= text.size()) {
    std::size_t space = std::min(text.find(' ', from), text.size());
    std::string word = text.substr(from, space - from);
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (displayWidth(line) + 1 + displayWidth(word) <= width)
      line += " " + word;
    else
      lines.push_back(word);
    from = space + 1;
  }
  return lines;
}

} // namespace

std::string colored(std::string_view text, Color color, bool enabled) {
  if (!enabled || color == Color::None || text.empty()) return std::string(text);
  return codeOf(color) + std::string(text) + "\x1b[0m";
}

std::string printable(std::string_view text) {
  return replaceControls(
      text, [](std::string_view bytes) -> std::string { return bytes == "\n" || bytes == "\t" ? " " : "?"; });
}

std::size_t displayWidth(std::string_view text) {
  int width = llvm::sys::unicode::columnWidthUTF8({text.data(), text.size()});
  return width < 0 ? text.size() : static_cast<std::size_t>(width);
}

std::string Table::render(const Style& style) const {
  std::size_t columns = header_.size();
  for (const auto& row : rows_)
    columns = std::max(columns, row.size());
  std::vector<std::size_t> widths(columns, 0);
  auto measure = [&](std::size_t column, std::string_view text) {
    widths[column] = std::max(widths[column], displayWidth(text));
  };
  for (std::size_t i = 0; i < header_.size(); ++i)
    measure(i, header_[i]);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      measure(i, printable(row[i].text));

  std::size_t before = style.indent; // columns left of the last one
  for (std::size_t i = 0; i + 1 < columns; ++i)
    before += widths[i] + 2;
  std::size_t room = style.width >= before + kNarrowestColumn ? style.width - before : 0;

  std::string out;
  auto addLine = [&](const std::vector<Entry>& row) {
    std::string line(style.indent, ' ');
    std::size_t padding = 0; // owed, so that no line ends with spaces
    std::vector<std::string> continuation;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string text = printable(row[i].text);
      if (i + 1 == columns && room > 0) {
        continuation = wrap(text, room);
        text = continuation.front();
        continuation.erase(continuation.begin());
      }
      if (!text.empty()) {
        line += std::string(padding, ' ') + colored(text, row[i].color, style.color);
        padding = 0;
      }
      padding += widths[i] - std::min(widths[i], displayWidth(text)) + 2;
    }
    out += line + "\n";
    for (const std::string& rest : continuation)
      out += std::string(before, ' ') + colored(rest, row.back().color, style.color) + "\n";
  };
  if (!header_.empty()) {
    std::vector<Entry> header;
    for (const std::string& name : header_)
      header.emplace_back(name, Color::Bold);
    addLine(header);
  }
  for (const auto& row : rows_)
    addLine(row);
  return out;
}

} // namespace harness
