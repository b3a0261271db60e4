#include "harness/parity/buffer.h"

#include "harness/base/error.h"
#include "harness/base/files.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace harness {

namespace {

enum class Kind { Unsigned, Signed, Float };

struct TypeInfo {
  ElementType type;
  std::string_view name;
  std::size_t size;
  Kind kind;
  const llvm::fltSemantics& (*semantics)() = nullptr;
};

constexpr std::array<TypeInfo, 14> kTypes = {{
    {ElementType::U8, "u8", 1, Kind::Unsigned},
    {ElementType::I8, "i8", 1, Kind::Signed},
    {ElementType::U16, "u16", 2, Kind::Unsigned},
    {ElementType::I16, "i16", 2, Kind::Signed},
    {ElementType::U32, "u32", 4, Kind::Unsigned},
    {ElementType::I32, "i32", 4, Kind::Signed},
    {ElementType::U64, "u64", 8, Kind::Unsigned},
    {ElementType::I64, "i64", 8, Kind::Signed},
    {ElementType::F16, "f16", 2, Kind::Float, llvm::APFloat::IEEEhalf},
    {ElementType::BF16, "bf16", 2, Kind::Float, llvm::APFloat::BFloat},
    {ElementType::F32, "f32", 4, Kind::Float, llvm::APFloat::IEEEsingle},
    {ElementType::F64, "f64", 8, Kind::Float, llvm::APFloat::IEEEdouble},
    {ElementType::E4M3, "e4m3", 1, Kind::Float, llvm::APFloat::Float8E4M3FN},
    {ElementType::E5M2, "e5m2", 1, Kind::Float, llvm::APFloat::Float8E5M2},
}};

const TypeInfo& info(ElementType type) {
  for (const TypeInfo& entry : kTypes)
    if (entry.type == type) return entry;
  throw Error(ErrorKind::Internal, "unknown element type");
}

std::uint64_t lowMask(std::size_t bytes) {
  return ~std::uint64_t{0} >> (64 - 8 * bytes);
}

std::uint64_t bitsOf(const llvm::APFloat& value) {
  return value.bitcastToAPInt().getZExtValue();
}

[[noreturn]] void failFit(std::string_view text, const TypeInfo& type) {
  failUsage("the value {0} does not fit the type {1}", text, type.name);
}

std::uint64_t hexBits(const TypeInfo& type, std::string_view text) {
  std::uint64_t bits = 0;
  llvm::StringRef digits(text.data() + 2, text.size() - 2);
  if (digits.getAsInteger(16, bits)) failUsage("'{0}' is no hexadecimal number of at most 64 bits", text);
  if (bits & ~lowMask(type.size)) failFit(text, type);
  return bits;
}

std::uint64_t integerBits(const TypeInfo& type, std::string_view text) {
  llvm::StringRef digits(text.data(), text.size());
  if (type.kind == Kind::Unsigned) {
    std::uint64_t value = 0;
    if (!digits.getAsInteger(10, value)) {
      if (value > lowMask(type.size)) failFit(text, type);
      return value;
    }
  } else {
    std::int64_t value = 0, limit = static_cast<std::int64_t>(lowMask(type.size) >> 1);
    if (!digits.getAsInteger(10, value)) {
      if (value > limit || value < -limit - 1) failFit(text, type);
      return static_cast<std::uint64_t>(value) & lowMask(type.size);
    }
  }
  // Not an integer of 64 bits: a fraction, out of range, or no number at all.
  if (text.find_first_not_of("0123456789+-.eE") == std::string_view::npos && !text.empty())
    failFit(text, type);
  failUsage("'{0}' is no value of the type {1}: write a whole number, or its bits as \"0x…\"", text,
            type.name);
}

std::uint64_t floatBits(const TypeInfo& type, std::string_view text) {
  if (type.type == ElementType::E4M3 && text.find("inf") != std::string_view::npos) failFit(text, type);
  llvm::APFloat value(type.semantics());
  auto status =
      value.convertFromString(llvm::StringRef(text.data(), text.size()), llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    failUsage("'{0}' is no value of the type {1}: write a number, nan, inf, or its bits as \"0x…\"", text,
              type.name);
  }
  if (*status & llvm::APFloat::opOverflow) failFit(text, type);
  return bitsOf(value);
}

/// `value`, rounded once.
std::uint64_t floatBits(const TypeInfo& type, double value) {
  llvm::APFloat number(value);
  bool losesInfo = false;
  auto status = number.convert(type.semantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  if (status & llvm::APFloat::opOverflow || !std::isfinite(value))
    failFit(llvm::formatv("{0}", value).str(), type);
  return bitsOf(number);
}

/// An integer that a double holds exactly, as 64-bit two's complement.
std::uint64_t wholeNumber(double value, std::string_view what) {
  if (value != std::trunc(value) || std::fabs(value) > 0x1p53)
    failUsage("{0} = {1} is not a whole number of at most 2^53", what, value);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

using ElementAt = std::function<std::uint64_t(std::uint64_t index)>;

std::string fillElements(const TypeInfo& type, std::uint64_t count, const ElementAt& at) {
  std::string bytes(count * type.size, '\0');
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t bits = at(i);
    for (std::size_t b = 0; b < type.size; ++b)
      bytes[i * type.size + b] = static_cast<char>(bits >> (8 * b));
  }
  return bytes;
}

ElementAt iota(const TypeInfo& type, const InitIota& init) {
  if (type.kind == Kind::Float)
    return [&type, init](std::uint64_t i) {
      return floatBits(type, init.start + static_cast<double>(i) * init.step);
    };
  std::uint64_t start = wholeNumber(init.start, "start"), step = wholeNumber(init.step, "step");
  return [start, step](std::uint64_t i) { return start + i * step; };
}

ElementAt cycled(std::vector<std::uint64_t> values) {
  if (values.empty()) failUsage("a list of values must not be empty");
  return [values = std::move(values)](std::uint64_t i) { return values[i % values.size()]; };
}

std::uint64_t randomWord(std::uint64_t seed, std::uint64_t index) {
  PhiloxBlock block = philox4x32(index, 0, seed);
  return block.word[0] | std::uint64_t{block.word[1]} << 32;
}

ElementAt random(const TypeInfo& type, const InitRandom& init) {
  std::uint64_t seed = init.seed;
  if (!init.min && !init.max) return [seed](std::uint64_t i) { return randomWord(seed, i); };
  if (!init.min || !init.max) failUsage("random needs both min and max, or neither");
  double min = *init.min, max = *init.max;
  if (!(min <= max)) failUsage("random has min {0} above max {1}", min, max);
  if (type.kind == Kind::Float) {
    floatBits(type, min);
    floatBits(type, max);
    return [&type, seed, min, max](std::uint64_t i) {
      double unit = static_cast<double>(randomWord(seed, i) >> 11) * 0x1p-53;
      return floatBits(type, min + unit * (max - min));
    };
  }
  integerBits(type, std::to_string(static_cast<std::int64_t>(wholeNumber(min, "min"))));
  integerBits(type, std::to_string(static_cast<std::int64_t>(wholeNumber(max, "max"))));
  std::uint64_t low = wholeNumber(min, "min"), range = wholeNumber(max, "max") - low + 1;
  return [seed, low, range](std::uint64_t i) {
    __extension__ using Wide = unsigned __int128;
    return low + static_cast<std::uint64_t>(Wide{randomWord(seed, i)} * range >> 64);
  };
}

std::vector<std::uint64_t> integerEdges(std::size_t size) {
  std::uint64_t all = lowMask(size), top = all ^ (all >> 1), lowHalf = all >> (4 * size);
  return {0,       1,   2,       top - 2,     top - 1, top,          top + 1,
          all - 1, all, all / 3, all / 3 * 2, lowHalf, all ^ lowHalf};
}

std::vector<std::uint64_t> floatEdges(const llvm::fltSemantics& semantics, bool hasInfinity) {
  using llvm::APFloat;
  std::vector<std::uint64_t> edges;
  for (bool negative : {false, true}) {
    APFloat one(semantics, 1), belowOne = one, aboveOne = one;
    aboveOne.next(/*nextDown=*/false);
    belowOne.next(/*nextDown=*/true);
    APFloat smallestNormal = APFloat::getSmallestNormalized(semantics), largestSubnormal = smallestNormal;
    largestSubnormal.next(/*nextDown=*/true);
    for (APFloat value : {APFloat::getZero(semantics), APFloat::getSmallest(semantics), largestSubnormal,
                          smallestNormal, belowOne, one, aboveOne, APFloat::getLargest(semantics)}) {
      if (negative) value.changeSign();
      edges.push_back(bitsOf(value));
    }
    if (hasInfinity) edges.push_back(bitsOf(APFloat::getInf(semantics, negative)));
    edges.push_back(bitsOf(APFloat::getQNaN(semantics, negative)));
    if (hasInfinity) edges.push_back(bitsOf(APFloat::getSNaN(semantics, negative)));
  }
  return edges;
}

std::string fileContents(const TypeInfo& type, std::uint64_t count, const std::filesystem::path& path) {
  std::string bytes = readFile(path);
  if (bytes.size() != count * type.size)
    failUsage("'{0}' has {1} bytes, but the buffer has {2}", path.string(), bytes.size(), count * type.size);
  return bytes;
}

template <typename... Cases> struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases> Overloaded(Cases...) -> Overloaded<Cases...>;

} // namespace

std::optional<ElementType> parseElementType(std::string_view name) {
  for (const TypeInfo& entry : kTypes)
    if (entry.name == name) return entry.type;
  return std::nullopt;
}

std::string_view toString(ElementType type) {
  return info(type).name;
}
std::size_t sizeOf(ElementType type) {
  return info(type).size;
}
bool isFloat(ElementType type) {
  return info(type).kind == Kind::Float;
}

PhiloxBlock philox4x32(std::uint64_t counterLow, std::uint64_t counterHigh, std::uint64_t key) {
  // Constants of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
  constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); };
  PhiloxBlock x{{low(counterLow), high(counterLow), low(counterHigh), high(counterHigh)}};
  std::uint32_t key0 = low(key), key1 = high(key);
  for (int round = 0; round < 10; ++round) {
    std::uint64_t product0 = std::uint64_t{kMultiplier0} * x.word[0];
    std::uint64_t product1 = std::uint64_t{kMultiplier1} * x.word[2];
    x = {
        {high(product1) ^ x.word[1] ^ key0, low(product1), high(product0) ^ x.word[3] ^ key1, low(product0)}};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return x;
}

std::uint64_t elementBits(ElementType type, std::string_view text) {
  const TypeInfo& entry = info(type);
  if (text.starts_with("0x") || text.starts_with("0X")) return hexBits(entry, text);
  return entry.kind == Kind::Float ? floatBits(entry, text) : integerBits(entry, text);
}

std::vector<std::uint64_t> edgeValues(ElementType type) {
  const TypeInfo& entry = info(type);
  if (entry.kind != Kind::Float) return integerEdges(entry.size);
  return floatEdges(entry.semantics(), type != ElementType::E4M3);
}

std::string littleEndian(std::uint64_t bits, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t b = 0; b < size; ++b)
    bytes[b] = static_cast<char>(bits >> (8 * b));
  return bytes;
}

std::string makeContents(ElementType type, std::uint64_t count, const BufferInit& init) {
  const TypeInfo& entry = info(type);
  auto elements = [&](const ElementAt& at) { return fillElements(entry, count, at); };
  return std::visit(
      Overloaded{
          [&](const InitZero&) { return std::string(count * entry.size, '\0'); },
          [&](const InitFill& fill) { return elements(cycled({elementBits(type, fill.value)})); },
          [&](const InitIota& start) { return elements(iota(entry, start)); },
          [&](const InitValues& list) {
            std::vector<std::uint64_t> bits;
            for (const std::string& value : list.values)
              bits.push_back(elementBits(type, value));
            return elements(cycled(std::move(bits)));
          },
          [&](const InitRandom& bounds) { return elements(random(entry, bounds)); },
          [&](const InitEdges&) { return elements(cycled(edgeValues(type))); },
          [&](const InitFile& file) { return fileContents(entry, count, file.path); },
      },
      init);
}

} // namespace harness
