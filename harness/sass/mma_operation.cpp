#include "harness/sass/mma_operation.h"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace harness::sass {

namespace {

using mma::Format;
using Words = MmaOperation::Words;

constexpr unsigned kWordBits = 32;
constexpr unsigned kMostBytes = 2048; ///< of a matrix, or four: 16×16 f64

struct Element {
  unsigned row, column;
};
using Layout = Element (*)(const MmaForm& form, unsigned i, unsigned lane, unsigned each);

// Element i of a lane, `each` of them in a word (PTX, "Matrix Fragments for mma.m16n8k16" and the like): of
// a group of four lanes each has a row of A, a column of B, and two columns of a row of C and D.

Element regularA(const MmaForm& form, unsigned i, unsigned lane, unsigned each) {
  unsigned block = i / each, halves = form.shape.m == 16 ? 2 : 1;
  return {lane / 4 + block % halves * 8, lane % 4 * each + i % each + block / halves * 4 * each};
}
Element regularB(const MmaForm&, unsigned i, unsigned lane, unsigned each) {
  return {lane % 4 * each + i % each + i / each * 4 * each, lane / 4};
}
Element regularC(const MmaForm&, unsigned i, unsigned lane, unsigned) {
  return {lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2};
}

// HMMA.884 (PTX, "Matrix Fragments for mma.m8n8k4 with .f16"): lanes 4·p … 4·p + 3 and those 16 above them
// have the matrices of pair p. They lie one below the other.

unsigned firstRow(unsigned lane, unsigned rows) {
  return lane % 16 / 4 * rows;
}
unsigned upperHalf(unsigned lane) {
  return lane / 16 * 4;
}
Element stepA(const MmaForm& form, unsigned i, unsigned lane, unsigned) {
  Element element =
      form.aColumns ? Element{i + upperHalf(lane), lane % 4} : Element{lane % 4 + upperHalf(lane), i};
  return {firstRow(lane, 8) + element.row, element.column};
}
Element stepB(const MmaForm& form, unsigned i, unsigned lane, unsigned) {
  Element element =
      form.bRows ? Element{lane % 4, i + upperHalf(lane)} : Element{i, lane % 4 + upperHalf(lane)};
  return {firstRow(lane, 4) + element.row, element.column};
}
Element stepC32(const MmaForm& form, unsigned i, unsigned lane, unsigned) {
  unsigned at = *form.step * 2 + i;
  return {firstRow(lane, 8) + (lane & 1) + (at & 2) + upperHalf(lane), (at & 4) + (lane & 2) + (at & 1)};
}
Element stepC16(const MmaForm& form, unsigned i, unsigned lane, unsigned) {
  unsigned first = form.d == Format::F32 ? *form.step / 2 * 4 : *form.step * 4;
  return {firstRow(lane, 8) + lane % 4 + upperHalf(lane), first + i};
}

Layout accumulatorLayout(const MmaForm& form, Format format) {
  if (!form.step) return regularC;
  return format == Format::F32 ? stepC32 : stepC16;
}

/// How an operand's elements are packed. Bits of B1 stay together as words.
struct Packing {
  unsigned bits, each; ///< of an element in a register; elements in a word (one of 64 bits takes two words)
  unsigned shift;      ///< of the element's bits in its place
  std::uint32_t mask;
};

Packing packingOf(Format format, const mma::Shape& shape) {
  unsigned bits = format == Format::B1 ? kWordBits : registerBits(format, shape);
  unsigned each = bits >= kWordBits ? 1 : kWordBits / bits;
  switch (format) {
  // In a byte E2M1 lies in the middle (CUTLASS, fp4_shift_A), FP6 at the lower end.
  case Format::E2M1: return {bits, each, bits == 8 ? 2u : 0u, 15};
  case Format::E2M3:
  case Format::E3M2: return {bits, each, 0, 63};
  default: return {bits, each, 0, bits >= kWordBits ? ~0u : (1u << bits) - 1};
  }
}

std::vector<std::uint16_t> placesOf(const MmaForm& form, Format format, unsigned words, int stride,
                                    Layout layout) {
  Packing packing = packingOf(format, form.shape);
  unsigned blocks = packing.bits > kWordBits ? words / 2 : words;
  std::vector<std::uint16_t> places;
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned e = 0; e < packing.each; ++e) {
        Element element = layout(form, block * packing.each + e, lane, packing.each);
        places.push_back(
            static_cast<std::uint16_t>(element.row * static_cast<unsigned>(stride) + element.column));
      }
  return places;
}

/// The elements of registers into an array.
template <typename T>
void spread(T* to, Words words, const std::vector<std::uint16_t>& places, const Packing& packing) {
  const std::uint16_t* place = places.data();
  for (std::size_t word = 0, count = places.size() / kLanes / packing.each; word < count; ++word)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned e = 0; e < packing.each; ++e)
        to[*place++] = static_cast<T>(words[word][lane] >> (e * packing.bits + packing.shift) & packing.mask);
}

void spread64(std::uint64_t* to, Words words, const std::vector<std::uint16_t>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::size_t word = i / kLanes * 2, lane = i % kLanes;
    to[places[i]] = words[word][lane] | std::uint64_t{words[word + 1][lane]} << 32;
  }
}

void spreadMatrix(void* to, Words words, Format format, const mma::Shape& shape,
                  const std::vector<std::uint16_t>& places) {
  Packing packing = packingOf(format, shape);
  switch (mma::elementBytes(format)) {
  case 1: return spread(static_cast<std::uint8_t*>(to), words, places, packing);
  case 2: return spread(static_cast<std::uint16_t*>(to), words, places, packing);
  case 4: return spread(static_cast<std::uint32_t*>(to), words, places, packing);
  default: return spread64(static_cast<std::uint64_t*>(to), words, places);
  }
}

/// The other way round, of a result.
void collectMatrix(Lanes* words, const void* from, Format format, const std::vector<std::uint16_t>& places) {
  std::size_t next = 0, count = places.size() / kLanes;
  switch (mma::elementBytes(format)) {
  case 2:
    for (std::size_t word = 0; word < count / 2; ++word)
      for (unsigned lane = 0; lane < kLanes; ++lane, next += 2) {
        const auto* elements = static_cast<const std::uint16_t*>(from);
        words[word].v[lane] = elements[places[next]] | std::uint32_t{elements[places[next + 1]]} << 16;
      }
    return;
  case 4:
    for (std::size_t word = 0; word < count; ++word)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        words[word].v[lane] = static_cast<const std::uint32_t*>(from)[places[next++]];
    return;
  default:
    for (std::size_t word = 0; word < count; ++word)
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        std::uint64_t value = static_cast<const std::uint64_t*>(from)[places[next++]];
        words[2 * word].v[lane] = static_cast<std::uint32_t>(value);
        words[2 * word + 1].v[lane] = static_cast<std::uint32_t>(value >> 32);
      }
  }
}

mma::Multiplier multiplierOf(const MmaForm& form, unsigned sm) {
  mma::Options options;
  if (form.c != form.d) options.c = form.c;
  options.saturate = form.saturate;
  options.bits = form.bits;
  const mma::Model& model = mma::findModel(sm, mma::Instruction::MmaSync, form.inputs, form.d);
  return {model, form.inputs, form.shape, options};
}

struct Selector {
  unsigned aByte, aPair, bByte, bLane;

  explicit Selector(std::uint32_t word)
      : aByte(word & 3), aPair(word >> 2 & 1), bByte(word >> 3 & 3), bLane(word >> 5 & 3) {}
};
constexpr std::uint32_t kSelectorBits = 0x7f;

unsigned scalesOf(const MmaForm& form) {
  return static_cast<unsigned>(form.shape.k / mma::blockOf(form.inputs.scaling));
}

} // namespace

MmaOperation::MmaOperation(const MmaForm& form, unsigned sm)
    : form_(form), multiplier_(multiplierOf(form, sm)) {
  int wordsOfBits = form.inputs.a == Format::B1 ? kWordBits : 1;
  a_ = placesOf(form, form.inputs.a, form.aWords(), form.shape.k / wordsOfBits, form.step ? stepA : regularA);
  b_ = placesOf(form, form.inputs.b, form.bWords(), form.shape.n, form.step ? stepB : regularB);
  c_ = placesOf(form, form.c, form.cWords(), form.shape.n, accumulatorLayout(form, form.c));
  d_ = placesOf(form, form.d, form.dWords(), form.shape.n, accumulatorLayout(form, form.d));
}

MmaOperation::Sources MmaOperation::sources(unsigned lane) const {
  if (form_.step) {
    LaneMask pair = LaneMask{0xf000f} << lane % 16 / 4 * 4;
    return {pair, pair, pair, 0};
  }
  constexpr LaneMask kFour = 0xf, kEight = 0xff;
  LaneMask rows = kFour << lane / 4 * 4, columns = kEight << lane % 4 * 8;
  return {rows, columns, laneBit(lane), form_.hasScales() ? rows | columns : 0};
}

bool MmaOperation::hasSelector(std::uint32_t selector) const {
  unsigned count = scalesOf(form_);
  Selector chosen(selector);
  return (selector & ~kSelectorBits) == 0 && chosen.aByte % count == 0 && chosen.bByte % count == 0;
}

/// The scales of A's row r are in lane 4·(r % 8) + r / 8 or two further, those of B's column c in one of the
/// lanes 4·c … 4·c + 3; one k after the other in neighbouring bytes (PTX, "Block Scaling for mma.sync"; CuTe,
/// SM120_16x8x64_TN_VS).
void MmaOperation::takeScales(const Scales& scales, std::uint8_t* a, std::uint8_t* b) const {
  unsigned count = scalesOf(form_);
  Selector chosen(scales.selector);
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned k = 0; k < count; ++k)
      a[row * count + k] = static_cast<std::uint8_t>(scales.a[row % 8 * 4 + chosen.aPair * 2 + row / 8] >>
                                                     8 * (chosen.aByte + k));
  for (unsigned column = 0; column < 8; ++column)
    for (unsigned k = 0; k < count; ++k)
      b[k * 8 + column] =
          static_cast<std::uint8_t>(scales.b[column * 4 + chosen.bLane] >> 8 * (chosen.bByte + k));
}

void MmaOperation::multiplySteps(void* d, const void* a, const void* b, const void* c) const {
  std::size_t aBytes = 8 * 4 * mma::elementBytes(form_.inputs.a), bBytes = aBytes;
  std::size_t cBytes = 8 * 8 * mma::elementBytes(form_.c), dBytes = 8 * 8 * mma::elementBytes(form_.d);
  for (std::size_t pair = 0; pair < 4; ++pair)
    multiplier_(static_cast<std::byte*>(d) + pair * dBytes, static_cast<const std::byte*>(a) + pair * aBytes,
                static_cast<const std::byte*>(b) + pair * bBytes,
                static_cast<const std::byte*>(c) + pair * cBytes);
}

void MmaOperation::multiply(Lanes* d, Words a, Words b, Words c, const Scales& scales) const {
  alignas(64) std::byte as[kMostBytes], bs[kMostBytes], cs[kMostBytes], ds[kMostBytes];
  spreadMatrix(as, a, form_.inputs.a, form_.shape, a_);
  spreadMatrix(bs, b, form_.inputs.b, form_.shape, b_);
  if (form_.step) std::memset(cs, 0, sizeof cs); // of a step there is only a part
  spreadMatrix(cs, c, form_.c, form_.shape, c_);
  if (form_.step) {
    multiplySteps(ds, as, bs, cs);
  } else if (form_.hasScales()) {
    std::uint8_t aScales[16 * 4], bScales[4 * 8];
    takeScales(scales, aScales, bScales);
    multiplier_(ds, as, bs, cs, aScales, bScales);
  } else {
    multiplier_(ds, as, bs, cs);
  }
  collectMatrix(d, ds, form_.d, d_);
}

const MmaOperation* findMmaOperation(const MmaForm& form, unsigned sm, std::string* why) {
  static std::mutex mutex;
  static std::map<std::pair<unsigned, MmaForm>, std::unique_ptr<const MmaOperation>> operations;
  std::pair key(sm, form);
  std::lock_guard lock(mutex);
  auto found = operations.find(key);
  if (found != operations.end()) return found->second.get();
  try {
    return operations.emplace(key, std::make_unique<const MmaOperation>(form, sm)).first->second.get();
  } catch (const mma::UnknownModel& error) {
    if (why) *why = error.what();
    return nullptr;
  }
}

std::string mmaRefusal(std::string_view text, unsigned sm) {
  auto instruction = parseInstruction(text);
  if (!instruction || !isMmaOpcode(instruction->opcode)) return {};
  auto form = mmaForm(*instruction);
  if (!form) return "no such tensor-core instruction is known";
  std::string why;
  findMmaOperation(*form, sm, &why);
  return why;
}

} // namespace harness::sass
