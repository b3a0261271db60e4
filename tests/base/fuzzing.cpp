#include "tests/base/fuzzing.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

// There in a build with AddressSanitizer.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());
// UndefinedBehaviorSanitizer asks for this; SIGABRT then tells what was tried.
extern "C" const char* __ubsan_default_options() {
  return "abort_on_error=1:print_stacktrace=1";
}

namespace harness::test {

namespace {

std::string current;

void printTried() {
  std::string_view text = current;
  while (!text.empty()) {
    ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void die(int signal) {
  printTried();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

std::uint64_t fromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 0) : otherwise;
}

} // namespace

std::uint64_t fuzzIterations(std::uint64_t otherwise) {
  return fromEnvironment("HARNESS_FUZZ_ITERATIONS", otherwise);
}

std::uint64_t firstFuzzSeed() {
  return fromEnvironment("HARNESS_FUZZ_SEED", 0);
}

void trying(std::uint64_t seed, std::string input) {
  static const bool watched = [] {
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
      std::signal(signal, die);
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(printTried);
    return true;
  }();
  current = watched ? "HARNESS_FUZZ_SEED=" + std::to_string(seed) + "\n" + std::move(input) + "\n" : "";
  alarm(60);
}

void triedAll() {
  alarm(0);
  current.clear();
}

const std::string& tried() {
  return current;
}

} // namespace harness::test
