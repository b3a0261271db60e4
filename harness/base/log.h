#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace harness {

/// Which status lines are worth keeping where none can be redrawn: one a minute, and none of the first.
class StatusPace {
public:
  using Time = std::chrono::steady_clock::time_point;

  /// True for the status line of `now` if it is to be printed.
  bool isDue(Time now);

private:
  std::optional<Time> last_;
};

/// Progress and warnings, all on stderr; stdout carries only results. Messages are printed as escapeControls
/// says. On a terminal one live status line is redrawn in place, elsewhere one a minute is printed. Safe to
/// call from any thread.
class Log {
public:
  /// A line that stays.
  static void info(std::string_view message);
  /// A line that stays, starting "warning: ".
  static void warning(std::string_view message);
  /// The live line; elided in the middle to the terminal's width. Where stderr is no terminal, a line that
  /// stays if StatusPace says so.
  static void status(std::string_view message);
  /// Wipes the live line.
  static void clearStatus();
};

/// For a terminal: control characters other than line feed and tab, and bytes that are no UTF-8, as \x1b.
std::string escapeControls(std::string_view text);

/// True when `fd` is a terminal and NO_COLOR is not set.
bool useColor(int fd);

/// `text` cut in the middle to at most `width` columns, "abc…xyz".
std::string elideMiddle(std::string_view text, std::size_t width);

} // namespace harness
