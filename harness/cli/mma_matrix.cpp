#include "harness/cli/mma_matrix.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace harness::cli {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
constexpr std::size_t kMostElements = std::size_t{1} << 24;

/// What a word of a file becomes; nothing if it is none.
using Parse = std::function<bool(const std::string& word, std::uint64_t& code)>;

/// "0x…" without a p.
bool isBits(const std::string& word) {
  return (word.starts_with("0x") || word.starts_with("0X")) && word.find_first_of("pP.") == std::string::npos;
}

bool parseBits(const std::string& word, std::uint64_t& code) {
  char* end = nullptr;
  code = std::strtoull(word.c_str() + 2, &end, 16);
  return word.size() > 2 && word.size() <= 18 && *end == 0 &&
         std::isxdigit(static_cast<unsigned char>(word[2]));
}

bool parseNumber(const std::string& word, double& value) {
  char* end = nullptr;
  value = std::strtod(word.c_str(), &end);
  return !word.empty() && *end == 0;
}

std::vector<std::string> wordsOf(std::string_view line) {
  std::string text(line.substr(0, line.find('#')));
  for (char& c : text)
    if (c == ',' || c == '\t' || c == '\r') c = ' ';
  std::vector<std::string> words;
  for (std::string& word : split(text, ' '))
    if (!word.empty()) words.push_back(std::move(word));
  return words;
}

Matrix read(const std::string& path, mma::Format format, const Parse& parse) {
  std::string text = readFile(path, kMostBytes);
  Matrix matrix;
  matrix.format = format;
  std::vector<std::uint64_t> codes;
  std::size_t number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    std::vector<std::string> words = wordsOf(line);
    if (words.empty()) continue;
    if (matrix.rows++ && words.size() != matrix.columns)
      failUsage("{0}, line {1}: {2} numbers, where the rows above have {3}", path, number, words.size(),
                matrix.columns);
    matrix.columns = words.size();
    for (const std::string& word : words) {
      if (!parse(word, codes.emplace_back()))
        failUsage("{0}, line {1}: '{2}' is no element of {3}", path, number, word.substr(0, 40),
                  mma::toString(format));
      if (codes.size() > kMostElements) failUsage("{0}: more than {1} elements", path, kMostElements);
    }
  }
  if (codes.empty()) failUsage("{0}: no numbers", path);
  Matrix result(format, matrix.rows, matrix.columns);
  for (std::size_t i = 0; i < codes.size(); ++i)
    result.put(i / matrix.columns, i % matrix.columns, codes[i]);
  return result;
}

/// Bits that an element does not use must be 0.
bool fits(std::uint64_t code, mma::Format format) {
  int bits = static_cast<int>(8 * mma::elementBytes(format));
  if (bits == 64) return true;
  if (format == mma::Format::S4 || format == mma::Format::U4) bits = 4;
  if (mma::elementBytes(format) == 1 && mma::isNarrowFloat(format))
    bits = 1 + mma::layoutOf(format).exponentBits + mma::layoutOf(format).mantissaBits;
  return code >> bits == 0;
}

} // namespace

std::uint64_t Matrix::code(std::size_t row, std::size_t column) const {
  std::uint64_t code = 0;
  std::size_t size = mma::elementBytes(format);
  std::memcpy(&code, bytes.data() + (row * columns + column) * size, size);
  return code;
}

void Matrix::put(std::size_t row, std::size_t column, std::uint64_t code) {
  std::size_t size = mma::elementBytes(format);
  std::memcpy(bytes.data() + (row * columns + column) * size, &code, size);
}

Matrix readMatrix(const std::string& path, mma::Format format, std::size_t& inexact) {
  return read(path, format, [&](const std::string& word, std::uint64_t& code) {
    if (isBits(word)) return parseBits(word, code) && fits(code, format);
    double value = 0;
    if (!parseNumber(word, value)) return false;
    code = mma::fromDouble(format, value);
    double back = mma::toDouble(format, code);
    if (back != value && !std::isnan(value)) ++inexact;
    return true;
  });
}

Matrix readScales(const std::string& path, bool ue8m0) {
  return read(path, mma::Format::U8, [&](const std::string& word, std::uint64_t& code) {
    if (isBits(word)) return parseBits(word, code) && code < 256;
    double value = 0;
    if (!parseNumber(word, value) || !(value > 0)) return false;
    if (!ue8m0) {
      code = mma::fromDouble(mma::Format::E4M3, value);
      return mma::toDouble(mma::Format::E4M3, code) == value;
    }
    int exponent = std::ilogb(value);
    code = static_cast<std::uint64_t>(exponent + 127);
    return exponent >= -127 && exponent <= 127 && std::ldexp(1, exponent) == value;
  });
}

} // namespace harness::cli
