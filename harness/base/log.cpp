#include "harness/base/log.h"

#include "harness/base/controls.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace harness {

namespace {

std::mutex mutex;
bool statusShown = false;
StatusPace pace;

bool terminal() {
  static const bool isTerminal = isatty(STDERR_FILENO) && std::getenv("TERM") != nullptr;
  return isTerminal;
}

std::size_t terminalWidth() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

void wipe() {
  if (statusShown) std::fputs("\r\x1b[K", stderr);
  statusShown = false;
}

void print(std::string_view prefix, std::string_view message) {
  std::fprintf(stderr, "%.*s%s\n", static_cast<int>(prefix.size()), prefix.data(),
               escapeControls(message).c_str());
}

void line(std::string_view prefix, std::string_view message) {
  std::lock_guard lock(mutex);
  wipe();
  print(prefix, message);
}

} // namespace

bool StatusPace::isDue(Time now) {
  bool isFirst = !last_;
  if (!isFirst && now - *last_ < std::chrono::minutes(1)) return false;
  last_ = now;
  return !isFirst;
}

void Log::info(std::string_view message) {
  line("", message);
}

void Log::warning(std::string_view message) {
  line("warning: ", message);
}

void Log::status(std::string_view message) {
  std::lock_guard lock(mutex);
  if (!terminal()) {
    if (pace.isDue(std::chrono::steady_clock::now())) print("", message);
    return;
  }
  std::string text = elideMiddle(escapeControls(message), terminalWidth() - 1);
  std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
  std::fflush(stderr);
  statusShown = true;
}

void Log::clearStatus() {
  std::lock_guard lock(mutex);
  wipe();
  std::fflush(stderr);
}

std::string escapeControls(std::string_view text) {
  return replaceControls(text, [](std::string_view bytes) {
    bool isLayout = bytes == "\n" || bytes == "\t";
    return isLayout ? std::string(bytes) : escapedBytes(bytes);
  });
}

bool useColor(int fd) {
  const char* noColor = std::getenv("NO_COLOR");
  return isatty(fd) && !(noColor && *noColor);
}

std::string elideMiddle(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string(text);
  if (width < 4) return std::string(text.substr(0, width));
  std::size_t keep = width - 1;
  std::size_t head = keep / 2;
  return std::string(text.substr(0, head)) + "…" + std::string(text.substr(text.size() - (keep - head)));
}

} // namespace harness
