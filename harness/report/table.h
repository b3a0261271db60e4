#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {

enum class Color { None, Bold, Dim, Red, Green, Yellow };

/// `text` between the escape codes of `color`; unchanged if not `enabled`.
std::string colored(std::string_view text, Color color, bool enabled);

/// `text` in one line that a terminal can be given whatever it holds: control characters and malformed UTF-8
/// become '?', line breaks and tabs spaces.
std::string printable(std::string_view text);

/// How many columns of a terminal `text` takes (UTF-8).
std::size_t displayWidth(std::string_view text);

/// A plain aligned table: columns as wide as their widest entry, two spaces between them, no ruling.
class Table {
public:
  struct Entry {
    Entry(std::string entryText, Color entryColor = Color::None)
        : text(std::move(entryText)), color(entryColor) {}
    Entry(const char* entryText) : Entry(std::string(entryText)) {}
    std::string text;
    Color color;
  };
  struct Style {
    bool color = false;
    std::size_t width = 0;  ///< columns to stay within: the last column is wrapped at spaces; 0 = never wrap
    std::size_t indent = 0; ///< columns
  };

  /// An empty header is a table without a header line.
  explicit Table(std::vector<std::string> header = {}) : header_(std::move(header)) {}
  void add(std::vector<Entry> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  /// Every line ends with a newline, none with a space.
  std::string render(const Style& style) const;

private:
  std::vector<std::string> header_;
  std::vector<std::vector<Entry>> rows_;
};

} // namespace harness
