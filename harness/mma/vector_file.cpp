#include "harness/mma/vector_file.h"

#include "harness/mma/scalar.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace harness::mma {

namespace {

constexpr std::size_t kMostOperands = 4096;

[[noreturn]] void fail(std::size_t line, const std::string& what) {
  throw std::invalid_argument("line " + std::to_string(line) + ": " + what);
}

/// Cuts the part up to `separator` off.
std::string_view cut(std::string_view& text, char separator) {
  std::size_t end = text.find(separator);
  std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return part;
}

std::uint32_t word(std::string_view text, std::size_t line) {
  std::uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    fail(line, "'" + std::string(text.substr(0, 40)) + "' is no hex word of 32 bits");
  return value;
}

std::vector<std::uint32_t> words(std::string_view text, std::size_t line) {
  std::vector<std::uint32_t> values;
  while (!text.empty()) {
    if (values.size() == kMostOperands)
      fail(line, "more than " + std::to_string(kMostOperands) + " operands");
    values.push_back(word(cut(text, ' '), line));
  }
  return values;
}

Record parseRecord(std::string_view text, std::size_t line) {
  std::string_view fields[5], rest = text;
  for (std::string_view& field : fields) {
    if (rest.empty()) fail(line, "fewer than the 5 fields a, b, c, d_f32, d_f16");
    field = cut(rest, '\t');
  }
  if (!rest.empty()) fail(line, "more than the 5 fields a, b, c, d_f32, d_f16");
  Record record{line, words(fields[0], line), words(fields[1], line), word(fields[2], line), {}, {}};
  if (record.a.empty() || record.a.size() != record.b.size())
    fail(line,
         "a has " + std::to_string(record.a.size()) + " operands, b has " + std::to_string(record.b.size()));
  if (fields[3] != "-") record.inF32 = word(fields[3], line);
  if (fields[4] != "-") record.inF16 = word(fields[4], line);
  return record;
}

/// The element that has the value of an f32.
std::uint32_t elementOf(Format format, std::uint32_t f32, std::size_t line) {
  double value = std::bit_cast<float>(f32);
  auto code = static_cast<std::uint32_t>(fromDouble(format, value));
  if (std::isnan(value) ? !std::isnan(toDouble(format, code)) : toDouble(format, code) != value) {
    char hex[9] = {};
    std::to_chars(hex, hex + 8, f32, 16);
    fail(line, std::string(hex) + " is no " + std::string(toString(format)));
  }
  return code;
}

/// Operands of one output, as an instruction takes them.
struct Packed {
  std::vector<std::uint8_t> a, b;
  std::size_t k;
};

void pack(const std::vector<std::uint32_t>& from, Format format, std::size_t line,
          std::vector<std::uint8_t>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::uint32_t code = elementOf(format, from[i], line);
    if (elementBytes(format) == 1)
      to[i] = static_cast<std::uint8_t>(code);
    else
      putCode(to.data(), elementBytes(format), i, code);
  }
}

/// C as the instruction takes it.
std::uint32_t cOf(std::uint32_t f32, UseOfC use, Format format) {
  if (use == UseOfC::Ignore) return 0;
  double value = std::bit_cast<float>(f32);
  if (use == UseOfC::AsF16) value = toDouble(Format::F16, fromDouble(Format::F16, value));
  if (format == Format::F16) return static_cast<std::uint32_t>(fromDouble(format, value));
  return use == UseOfC::AsF32 ? f32 : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

bool isSame(std::uint32_t a, std::uint32_t b) {
  return a == b || (std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b)));
}

} // namespace

std::vector<Record> readRecords(std::string_view text) {
  std::vector<Record> records;
  std::string_view header = cut(text, '\n');
  if (header.ends_with('\r')) header.remove_suffix(1);
  if (header != "a\tb\tc\td_f32\td_f16") fail(1, "the header is not a, b, c, d_f32, d_f16, divided by tabs");
  for (std::size_t line = 2; !text.empty(); ++line) {
    std::string_view row = cut(text, '\n');
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (!row.empty()) records.push_back(parseRecord(row, line));
  }
  return records;
}

CheckResult check(const std::vector<Record>& records, const Multiplier& instruction, UseOfC use) {
  CheckResult result;
  const Inputs& inputs = instruction.inputs();
  bool half = instruction.model().accumulator == Format::F16;
  for (const Record& record : records) {
    std::optional<std::uint32_t> expected = half ? record.inF16 : record.inF32;
    if (!expected) continue;
    std::size_t step = static_cast<std::size_t>(instruction.shape().k);
    std::size_t k = (record.a.size() + step - 1) / step * step;
    std::vector<std::uint8_t> a(k * elementBytes(inputs.a)), b(k * elementBytes(inputs.b));
    pack(record.a, inputs.a, record.line, a);
    pack(record.b, inputs.b, record.line, b);
    std::uint32_t c = cOf(record.c, use, instruction.cFormat()), d = 0;
    instruction.multiply({1, 1, static_cast<int>(k)}, {&d, a.data(), b.data(), &c, 1, k, 1, 1});
    if (half) d = std::bit_cast<std::uint32_t>(static_cast<float>(toDouble(Format::F16, d)));
    ++result.compared;
    if (!isSame(d, *expected)) result.wrong.push_back({record.line, *expected, d});
  }
  return result;
}

} // namespace harness::mma
