#include "harness/cli/exec_argument.h"

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/parity/buffer.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

namespace harness::cli {

namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 30;

[[noreturn]] void fail(std::string_view text, const char* why) {
  failUsage(
      "--arg {0}: {1}; write i32:5, f32:1.5, hex:00ff, in:FILE, out:FILE:BYTES, inout:IN:OUT or zero:BYTES",
      text, why);
}

std::uint64_t parseSize(std::string_view whole, std::string_view text) {
  std::uint64_t size = 0;
  if (llvm::StringRef(text.data(), text.size()).getAsInteger(0, size) || size > kMaxBytes)
    fail(whole, "the size is no number of bytes up to 16 GiB");
  return size;
}

} // namespace

ExecArgument ExecArgument::parse(std::string_view text) {
  std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) fail(text, "its kind is missing");
  std::string_view kind = text.substr(0, colon), value = text.substr(colon + 1);
  if (value.empty()) fail(text, "its value is missing");
  ExecArgument argument;
  if (kind == "in") {
    argument.isBuffer = true;
    argument.inputFile = value;
  } else if (kind == "out") {
    std::size_t last = value.rfind(':');
    if (last == std::string_view::npos || last == 0) fail(text, "the size is missing");
    argument.isBuffer = true;
    argument.outputFile = value.substr(0, last);
    argument.size = parseSize(text, value.substr(last + 1));
  } else if (kind == "inout") {
    std::size_t between = value.find(':');
    if (between == std::string_view::npos || between == 0 || between + 1 == value.size())
      fail(text, "it needs two files");
    argument.isBuffer = true;
    argument.inputFile = value.substr(0, between);
    argument.outputFile = value.substr(between + 1);
  } else if (kind == "zero") {
    argument.isBuffer = true;
    argument.zero = true;
    argument.size = parseSize(text, value);
  } else if (kind == "hex") {
    if (value.size() % 2 ||
        !llvm::tryGetFromHex(llvm::StringRef(value.data(), value.size()), argument.scalar))
      fail(text, "that is no even number of hex digits");
  } else if (auto type = parseElementType(kind)) {
    std::uint64_t bits = elementBits(*type, value);
    for (std::size_t i = 0; i < sizeOf(*type); ++i)
      argument.scalar += static_cast<char>(bits >> (8 * i) & 0xff);
  } else {
    fail(text, "its kind is not known");
  }
  return argument;
}

} // namespace harness::cli
