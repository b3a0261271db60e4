#include "harness/explain/bytes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>
#include <array>

namespace harness::explain {

namespace {

constexpr unsigned kCount = 4; ///< bytes of a register

/// What a byte of the result is made of: some bytes of an operand.
struct Part {
  unsigned operand = 0;
  Bytes bytes = kNoBytes;
  enum class Use : std::uint8_t { Other, Moved, Sign } use = Use::Other; ///< one byte as it is, or its sign
};
using Parts = llvm::SmallVector<Part, 3>;
using Made = std::array<Parts, kCount>;

struct Source {
  llvm::StringRef name; ///< without sign and suffix
  llvm::StringRef suffix;
  std::optional<std::uint32_t> number;
  bool changed = false; ///< by a sign, or a complement
};

struct Operation {
  llvm::StringRef opcode;
  llvm::SmallVector<llvm::StringRef> modifiers;
  llvm::SmallVector<Source> sources;

  bool has(llvm::StringRef modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
  }
};

bool isPredicate(llvm::StringRef operand) {
  operand = operand.ltrim('!');
  operand.consume_front("U");
  return operand == "PT" || (operand.size() == 2 && operand[0] == 'P');
}

Source parseSource(llvm::StringRef operand) {
  Source source;
  std::int64_t number = 0;
  if (!operand.getAsInteger(0, number)) {
    source.number = static_cast<std::uint32_t>(number);
    return source;
  }
  llvm::StringRef bare = operand.ltrim("-~|").rtrim('|');
  source.changed = bare.size() != operand.size();
  auto [name, suffix] = bare.split('.');
  suffix.consume_front("reuse");
  suffix.consume_front(".");
  suffix.consume_back(".reuse");
  source.name = name;
  source.suffix = suffix.rtrim('|');
  if (name == "RZ" || name == "URZ") source.number = 0;
  return source;
}

Operation parse(std::string_view whole) {
  llvm::StringRef text(whole.data(), whole.size());
  if (text.starts_with("@")) text = text.split(' ').second;
  auto [mnemonic, rest] = text.split(' ');
  Operation operation;
  llvm::SmallVector<llvm::StringRef> operands;
  mnemonic.split(operation.modifiers, '.');
  operation.opcode = operation.modifiers.front();
  operation.modifiers.erase(operation.modifiers.begin());
  rest.split(operands, ", ");
  bool isResult = true;
  for (llvm::StringRef operand : operands) {
    if (isPredicate(operand)) continue;
    if (!isResult) operation.sources.push_back(parseSource(operand));
    isResult = false;
  }
  return operation;
}

/// R4.H0_H0, R4.H1, R4.B2: what of an operand is used at all.
Bytes usedOf(const Source& source, Bytes unsaid) {
  return llvm::StringSwitch<Bytes>(source.suffix)
      .Cases("H0", "H0_H0", kLowHalf)
      .Cases("H1", "H1_H1", kHighHalf)
      .Case("B0", 1)
      .Case("B1", 2)
      .Case("B2", 4)
      .Case("B3", 8)
      .Default(unsaid);
}

/// Every byte of the result of the same bytes of all sources.
Made madeOfAll(const Operation& operation, Bytes unsaid = kWholeWord) {
  Made made;
  for (Parts& parts : made)
    for (unsigned i = 0; i < operation.sources.size(); ++i)
      parts.push_back({i, usedOf(operation.sources[i], unsaid)});
  return made;
}

/// The lowest `count` operands' bytes up to its own: sums, products.
Made madeFromBelow(const Operation& operation) {
  Made made;
  for (unsigned byte = 0; byte < kCount; ++byte)
    for (unsigned i = 0; i < operation.sources.size(); ++i)
      made[byte].push_back({i, static_cast<Bytes>((2u << byte) - 1)});
  return made;
}

Made madeByHalves(const Operation& operation) {
  Made made;
  for (unsigned byte = 0; byte < kCount; ++byte)
    for (unsigned i = 0; i < operation.sources.size(); ++i)
      made[byte].push_back({i, usedOf(operation.sources[i], byte < 2 ? kLowHalf : kHighHalf)});
  return made;
}

Made moved(unsigned operand) {
  Made made;
  for (unsigned byte = 0; byte < kCount; ++byte)
    made[byte].push_back({operand, static_cast<Bytes>(1u << byte), Part::Use::Moved});
  return made;
}

/// PRMT R, a, selector, c.
std::optional<Made> permuted(const Operation& operation) {
  if (operation.sources.size() != 3 || !operation.modifiers.empty() || !operation.sources[1].number)
    return std::nullopt;
  std::uint32_t selector = *operation.sources[1].number;
  Made made;
  for (unsigned byte = 0; byte < kCount; ++byte) {
    unsigned chosen = selector >> 4 * byte & 0xf, operand = chosen & 4 ? 2 : 0;
    made[byte].push_back(
        {operand, static_cast<Bytes>(1u << (chosen & 3)), chosen & 8 ? Part::Use::Sign : Part::Use::Moved});
  }
  return made;
}

/// A byte of LOP3.LUT R, a, b, c, table: constants of all zeros or ones decide about the others.
Parts logicByte(const Operation& operation, std::uint32_t table, unsigned byte) {
  std::array<std::optional<unsigned>, 3> known;
  for (unsigned i = 0; i < 3; ++i)
    if (operation.sources[i].number) {
      unsigned bits = *operation.sources[i].number >> 8 * byte & 0xff;
      if (bits == 0 || bits == 0xff) known[i] = bits & 1;
    }
  Parts parts;
  for (unsigned i = 0; i < 3; ++i) {
    bool matters = false, copies = true;
    for (unsigned row = 0; row < 8; ++row) {
      bool possible = true;
      for (unsigned k = 0; k < 3; ++k)
        possible &= !known[k] || *known[k] == (row >> (2 - k) & 1);
      if (!possible) continue;
      unsigned flipped = row ^ 4u >> i;
      if (!known[i]) matters |= (table >> row & 1) != (table >> flipped & 1);
      copies &= (table >> row & 1) == (row >> (2 - i) & 1);
    }
    if (matters)
      parts.push_back({i, static_cast<Bytes>(1u << byte), copies ? Part::Use::Moved : Part::Use::Other});
  }
  return parts;
}

std::optional<Made> logic(const Operation& operation) {
  if (operation.sources.size() != 4 || !operation.sources[3].number) return std::nullopt;
  Made made;
  for (unsigned byte = 0; byte < kCount; ++byte)
    made[byte] = logicByte(operation, *operation.sources[3].number, byte);
  return made;
}

/// SHF.L.U32 R, a, n, RZ and SHF.R.U32.HI R, RZ, n, c: what leaves a register is lost.
std::optional<Made> shifted(const Operation& operation) {
  if (operation.sources.size() != 3 || !operation.sources[1].number || operation.has("W"))
    return std::nullopt;
  bool left = operation.has("L");
  if (operation.has("HI") == left || operation.has("U64") || operation.has("S64")) return std::nullopt;
  int amount = static_cast<int>(*operation.sources[1].number & 31) * (left ? -1 : 1);
  Made made;
  for (int byte = 0; byte < static_cast<int>(kCount); ++byte) {
    Bytes bytes = kNoBytes;
    for (int bit = 8 * byte + amount; bit < 8 * byte + 8 + amount; ++bit)
      if (bit >= 0 && bit < 32)
        bytes |= static_cast<Bytes>(1 << bit / 8);
      else if (bit >= 32 && operation.has("S32"))
        bytes |= 8;
    if (bytes) made[static_cast<std::size_t>(byte)].push_back({left ? 0u : 2u, bytes});
  }
  return made;
}

bool isPacked(const Operation& operation) {
  bool halves = llvm::StringSwitch<bool>(operation.opcode)
                    .Cases("HADD2", "HMUL2", "HFMA2", "HMNMX2", !operation.has("F32"))
                    .Default(false);
  return halves || std::any_of(operation.modifiers.begin(), operation.modifiers.end(),
                               [](llvm::StringRef one) { return one.ends_with("16x2"); });
}

/// What is read of a source whose conversion is from so many bits.
Bytes converted(const Operation& operation) {
  if (operation.opcode == "F2I") return operation.has("F16") ? kLowHalf : kWholeWord;
  if (operation.has("U16") || operation.has("S16")) return kLowHalf;
  return operation.has("U8") || operation.has("S8") ? 1 : kWholeWord;
}

Made madeBy(const Operation& operation) {
  llvm::StringRef opcode = operation.opcode;
  std::size_t count = operation.sources.size();
  std::optional<Made> made;
  if (isPacked(operation)) return madeByHalves(operation);
  if (opcode == "PRMT") made = permuted(operation);
  if (opcode == "LOP3") made = logic(operation);
  if (opcode == "SHF") made = shifted(operation);
  if ((opcode == "MOV" || opcode == "UMOV" || opcode == "SHFL") && count > 0) made = moved(0);
  if (opcode == "IMAD" && operation.has("MOV") && count == 3) made = moved(2);
  if (opcode == "F2FP" && operation.has("PACK_AB") && count == 2) {
    made.emplace();
    for (unsigned byte = 0; byte < kCount; ++byte)
      (*made)[byte].push_back({byte < 2 ? 1u : 0u, kWholeWord});
  }
  if (made) return *made;
  bool sums = llvm::StringSwitch<bool>(opcode)
                  .Cases("IADD3", "IADD", "VIADD", true)
                  .Case("IMAD", !operation.has("WIDE") && !operation.has("HI"))
                  .Default(false);
  if (sums && !operation.has("X")) return madeFromBelow(operation);
  if (opcode == "F2I" || opcode == "I2F") return madeOfAll(operation, converted(operation));
  return madeOfAll(operation);
}

} // namespace

std::uint64_t maskOf(Bytes bytes) {
  std::uint64_t mask = 0;
  for (unsigned byte = 0; byte < 8; ++byte)
    if (bytes >> byte & 1) mask |= std::uint64_t{0xff} << 8 * byte;
  return mask;
}

bool isZeroExtended(std::uint64_t word) {
  return (word >> 16 & 0xffff) == 0;
}

bool isSignExtended(std::uint64_t word) {
  return (word >> 16 & 0xffff) == (word & 0x8000 ? 0xffff : 0);
}

Bytes bytesRead(std::string_view text, std::string_view name, Bytes wanted) {
  Operation operation = parse(text);
  llvm::StringRef wantedName(name.data(), name.size());
  bool known = std::any_of(operation.sources.begin(), operation.sources.end(),
                           [&](const Source& source) { return source.name == wantedName; });
  if (!known) return kWholeWord;
  Made made = madeBy(operation);
  Bytes read = kNoBytes;
  for (unsigned byte = 0; byte < kCount; ++byte)
    for (const Part& part : made[byte])
      if ((wanted >> byte & 1) && operation.sources[part.operand].name == wantedName) read |= part.bytes;
  return read;
}

std::optional<Copied> copiedBy(std::string_view text) {
  Operation operation = parse(text);
  // What another lane had is no copy of the own value.
  if (operation.opcode == "SHFL") return std::nullopt;
  Made made = madeBy(operation);
  std::optional<unsigned> operand;
  Copied copied{"", kNoBytes};
  for (unsigned byte = 0; byte < kCount; ++byte)
    for (const Part& part : made[byte]) {
      const Source& source = operation.sources[part.operand];
      if (source.number == 0u) continue;
      bool inPlace = part.use == Part::Use::Moved && part.bytes == 1u << byte;
      bool sign = part.use == Part::Use::Sign && part.bytes < 1u << byte && copied.bytes;
      if ((!inPlace && !sign) || source.number || source.changed ||
          operand.value_or(part.operand) != part.operand)
        return std::nullopt;
      operand = part.operand;
      copied.name = source.name.str();
      if (inPlace) copied.bytes |= part.bytes;
    }
  if (!(copied.bytes & 1)) return std::nullopt;
  return copied;
}

} // namespace harness::explain
