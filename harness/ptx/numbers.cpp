#include "harness/ptx/numbers.h"

#include <bit>

namespace harness::ptx {

std::optional<std::uint64_t> bitsAs(const Number& number, Type type) {
  unsigned width = bitsOf(type);
  std::uint64_t all = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  switch (number.kind) {
  case Number::Kind::Signed:
  case Number::Kind::Unsigned: return type == Type::Pred ? std::nullopt : std::optional(number.bits & all);
  case Number::Kind::Single:
    if (type == Type::F32 || type == Type::B32) return number.bits & 0xffffffff;
    if (type == Type::F64)
      return std::bit_cast<std::uint64_t>(
          double{std::bit_cast<float>(static_cast<std::uint32_t>(number.bits))});
    return std::nullopt;
  case Number::Kind::Double:
    if (type == Type::F64 || type == Type::B64) return number.bits;
    if (type == Type::F32)
      return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(number.bits)));
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace harness::ptx
