#pragma once

#include <string>
#include <string_view>

namespace harness {

/// Progress and warnings, all on stderr; stdout carries only results.
/// On a terminal one live status line is redrawn in place, elsewhere status lines are dropped and
/// only whole messages are printed. Safe to call from any thread.
class Log {
public:
  /// A line that stays.
  static void info(std::string_view message);
  /// A line that stays, starting "warning: ".
  static void warning(std::string_view message);
  /// The live line; elided in the middle to the terminal's width. Dropped where stderr is no terminal.
  static void status(std::string_view message);
  /// Wipes the live line.
  static void clearStatus();
};

/// True when `fd` is a terminal and NO_COLOR is not set.
bool useColor(int fd);

/// `text` cut in the middle to at most `width` columns, "abc…xyz".
std::string elideMiddle(std::string_view text, std::size_t width);

} // namespace harness
