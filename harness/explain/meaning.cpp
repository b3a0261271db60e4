#include "harness/explain/meaning.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSwitch.h>

#include <optional>

namespace harness::explain {

namespace {

enum class Type : std::uint8_t { Other, Half, Brain, Single, Double };

std::optional<Type> typeOf(llvm::StringRef modifier) {
  return llvm::StringSwitch<std::optional<Type>>(modifier)
      .CaseLower("f16", Type::Half)
      .CaseLower("bf16", Type::Brain)
      .CaseLower("f32", Type::Single)
      .CaseLower("f64", Type::Double)
      .CasesLower("u8", "s8", "u16", "s16", Type::Other)
      .CasesLower("u32", "s32", "u64", "s64", Type::Other)
      .CasesLower("b8", "b16", "b32", "b64", Type::Other)
      .Default(std::nullopt);
}

/// What SASS takes for granted where it prints no type.
Type unsaid(llvm::StringRef opcode, bool written) {
  return llvm::StringSwitch<Type>(opcode)
      .Cases("FADD", "FMUL", "FFMA", "FSEL", "FMNMX", "MUFU", "FRND", Type::Single)
      .Cases("FSETP", "FSET", "FCHK", "F2F", written ? Type::Other : Type::Single)
      .Case("F2I", written ? Type::Other : Type::Single)
      .Cases("I2F", "I2FP", written ? Type::Single : Type::Other)
      .Cases("F2FP", "F2IP", written ? Type::Other : Type::Single)
      .Cases("DADD", "DMUL", "DFMA", Type::Double)
      .Default(Type::Other);
}

Type typeOf(llvm::StringRef text, bool written) {
  if (text.starts_with("@")) text = text.split(' ').second;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(' ').first.split(parts, '.');
  llvm::StringRef opcode = parts.front();
  std::optional<Type> first, last;
  for (llvm::StringRef part : llvm::ArrayRef(parts).drop_front())
    if (auto type = typeOf(part)) {
      if (!first) first = type;
      last = type;
    }
  // F2I.F64, I2F.F16: the other side is an integer.
  bool known = first && !(opcode == "F2I" && written) && !(opcode == "I2F" && !written);
  return known ? *(written ? first : last) : unsaid(opcode, written);
}

} // namespace

std::string floatMeaning(std::string_view text, bool written, std::uint64_t bits, unsigned width) {
  Type type = typeOf(llvm::StringRef(text.data(), text.size()), written);
  const llvm::fltSemantics* semantics = nullptr;
  const char* name = "";
  switch (type) {
  case Type::Other: return "";
  case Type::Half: semantics = &llvm::APFloat::IEEEhalf(), name = "half "; break;
  case Type::Brain: semantics = &llvm::APFloat::BFloat(), name = "bfloat "; break;
  case Type::Single: semantics = &llvm::APFloat::IEEEsingle(), name = "float "; break;
  case Type::Double: semantics = &llvm::APFloat::IEEEdouble(), name = "double "; break;
  }
  unsigned size = llvm::APFloat::getSizeInBits(*semantics);
  if (size > width) return "";
  std::uint64_t kept = size == 64 ? bits : bits & ((std::uint64_t{1} << size) - 1);
  llvm::SmallString<32> digits;
  llvm::APFloat(*semantics, llvm::APInt(size, kept)).toString(digits, /*FormatPrecision=*/4);
  return name + digits.str().str();
}

} // namespace harness::explain
