#include "harness/ptx/type.h"

#include <algorithm>
#include <iterator>

namespace harness::ptx {
namespace {

enum class Class : std::uint8_t { Unsigned, Signed, Untyped, Float, Predicate };

struct Row {
  std::string_view name;
  unsigned bits;
  Class kind;
};

/// In the order of Type.
constexpr Row kRows[] = {
    {"u8", 8, Class::Unsigned},     {"u16", 16, Class::Unsigned}, {"u32", 32, Class::Unsigned},
    {"u64", 64, Class::Unsigned},   {"s8", 8, Class::Signed},     {"s16", 16, Class::Signed},
    {"s32", 32, Class::Signed},     {"s64", 64, Class::Signed},   {"b8", 8, Class::Untyped},
    {"b16", 16, Class::Untyped},    {"b32", 32, Class::Untyped},  {"b64", 64, Class::Untyped},
    {"b128", 128, Class::Untyped},  {"f16", 16, Class::Float},    {"f16x2", 32, Class::Float},
    {"bf16", 16, Class::Float},     {"bf16x2", 32, Class::Float}, {"f32", 32, Class::Float},
    {"f32x2", 64, Class::Float},    {"f64", 64, Class::Float},    {"tf32", 32, Class::Float},
    {"u16x2", 32, Class::Unsigned}, {"s16x2", 32, Class::Signed}, {"u8x4", 32, Class::Unsigned},
    {"s8x4", 32, Class::Signed},    {"e4m3", 8, Class::Float},    {"e5m2", 8, Class::Float},
    {"e4m3x2", 16, Class::Float},   {"e5m2x2", 16, Class::Float}, {"e2m1x2", 8, Class::Float},
    {"e2m3x2", 16, Class::Float},   {"e3m2x2", 16, Class::Float}, {"ue8m0x2", 16, Class::Float},
    {"e4m3x4", 32, Class::Float},   {"e5m2x4", 32, Class::Float}, {"e2m1x4", 16, Class::Float},
    {"e2m3x4", 32, Class::Float},   {"e3m2x4", 32, Class::Float}, {"pred", 1, Class::Predicate},
};
static_assert(std::size(kRows) == static_cast<std::size_t>(Type::Pred) + 1);

const Row& row(Type type) {
  return kRows[static_cast<std::size_t>(type)];
}

} // namespace

std::string_view toString(Type type) {
  return row(type).name;
}

std::optional<Type> typeNamed(std::string_view name) {
  const Row* found =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.name == name; });
  if (found == std::end(kRows)) return std::nullopt;
  return static_cast<Type>(found - kRows);
}

unsigned bitsOf(Type type) {
  return row(type).bits;
}

bool isSigned(Type type) {
  return row(type).kind == Class::Signed;
}

bool isUnsigned(Type type) {
  return row(type).kind == Class::Unsigned;
}

bool isFloat(Type type) {
  return row(type).kind == Class::Float;
}

bool isUntyped(Type type) {
  return row(type).kind == Class::Untyped;
}

} // namespace harness::ptx
