#include "harness/sass/mma_form.h"

#include "harness/sass/op.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace harness::sass {

namespace {

using mma::Format;
using mma::Scaling;

constexpr unsigned kWordBits = 32, kWarpBits = kLanes * kWordBits;

struct ShapeName {
  std::string_view name;
  mma::Shape shape;
};
constexpr ShapeName kHalfShapes[] = {{"1684", {16, 8, 4}}, {"1688", {16, 8, 8}}, {"16816", {16, 8, 16}}};
constexpr ShapeName kByteShapes[] = {{"8816", {8, 8, 16}}, {"16816", {16, 8, 16}}, {"16832", {16, 8, 32}}};
constexpr ShapeName kNibbleShapes[] = {{"8832", {8, 8, 32}}, {"16832", {16, 8, 32}}, {"16864", {16, 8, 64}}};
constexpr ShapeName kBitShapes[] = {
    {"88128", {8, 8, 128}}, {"168128", {16, 8, 128}}, {"168256", {16, 8, 256}}};
// Up to sm_89 in the older spelling.
constexpr ShapeName kDoubleShapes[] = {{"884", {8, 8, 4}},
                                       {"8x8x4", {8, 8, 4}},
                                       {"16x8x4", {16, 8, 4}},
                                       {"16x8x8", {16, 8, 8}},
                                       {"16x8x16", {16, 8, 16}}};
constexpr ShapeName kQuarterShapes[] = {{"16816", {16, 8, 16}}, {"16832", {16, 8, 32}}};
constexpr ShapeName kScaledShapes[] = {{"16832", {16, 8, 32}}};
constexpr ShapeName kFourBitShapes[] = {{"16864", {16, 8, 64}}};
constexpr mma::Shape kStepShape = {8, 8, 4};

struct FormatName {
  std::string_view name;
  Format format;
};
constexpr FormatName kHalves[] = {{"F16", Format::F16}, {"F32", Format::F32}};
constexpr FormatName kAlternates[] = {{"BF16", Format::BF16}, {"TF32", Format::TF32}};
constexpr FormatName kBytes[] = {{"S8", Format::S8}, {"U8", Format::U8}};
constexpr FormatName kNibbles[] = {{"S4", Format::S4}, {"U4", Format::U4}};
constexpr FormatName kSmallFloats[] = {{"E4M3", Format::E4M3},
                                       {"E5M2", Format::E5M2},
                                       {"E2M3", Format::E2M3},
                                       {"E3M2", Format::E3M2},
                                       {"E2M1", Format::E2M1}};
constexpr FormatName kFourBits[] = {{"E2M1", Format::E2M1}};

/// Takes modifiers in printed order, and does not forget one that did not fit.
class Names {
public:
  explicit Names(std::span<const std::string> names) : names_(names) {}

  bool take(std::string_view name) {
    if (next_ == names_.size() || names_[next_] != name) return false;
    ++next_;
    return true;
  }
  bool format(std::span<const FormatName> known, Format& format) {
    for (const FormatName& one : known)
      if (take(one.name)) {
        format = one.format;
        return true;
      }
    return false;
  }
  bool shape(std::span<const ShapeName> known, mma::Shape& shape) {
    for (const ShapeName& one : known)
      if (take(one.name)) {
        shape = one.shape;
        return true;
      }
    return false;
  }
  bool inputs(std::span<const FormatName> known, mma::Inputs& inputs) {
    return format(known, inputs.a) && format(known, inputs.b);
  }
  bool done() const { return next_ == names_.size(); }

private:
  std::span<const std::string> names_;
  std::size_t next_ = 0;
};

/// HMMA.884.F32.F16.STEP3: the formats of D and C.
bool halfStep(Names& names, MmaForm& form) {
  static constexpr std::string_view kSteps[] = {"STEP0", "STEP1", "STEP2", "STEP3"};
  form.shape = kStepShape;
  if (!names.format(kHalves, form.d) || !names.format(kHalves, form.c)) return false;
  for (unsigned step = 0; step < std::size(kSteps); ++step)
    if (names.take(kSteps[step])) form.step = step;
  return form.step && (form.d == Format::F32 || (form.c == Format::F16 && *form.step < 2));
}

bool half(Names& names, MmaForm& form) {
  if (names.take("884")) return halfStep(names, form);
  if (!names.shape(kHalfShapes, form.shape) || !names.format(kHalves, form.d)) return false;
  form.c = form.d;
  if (form.d == Format::F32 && names.format(kAlternates, form.inputs.a)) form.inputs.b = form.inputs.a;
  bool isTf32 = form.inputs.a == Format::TF32;
  return form.shape.k == 4 ? isTf32 : form.shape.k == 8 || !isTf32;
}

bool integer(Names& names, MmaForm& form) {
  form.d = form.c = Format::S32;
  // 16832 is of both widths.
  Names start = names;
  bool known = names.shape(kByteShapes, form.shape) && names.inputs(kBytes, form.inputs);
  if (!known) {
    names = start;
    known = names.shape(kNibbleShapes, form.shape) && names.inputs(kNibbles, form.inputs);
  }
  form.saturate = names.take("SAT");
  return known;
}

bool bit(Names& names, MmaForm& form) {
  form.d = form.c = Format::S32;
  form.inputs = {Format::B1, Format::B1, Scaling::None};
  if (!names.shape(kBitShapes, form.shape)) return false;
  form.bits = names.take("AND") ? mma::BitOperation::And : mma::BitOperation::Xor;
  if (form.bits == mma::BitOperation::Xor && !names.take("XOR")) return false;
  return names.take("POPC");
}

/// Rounded to nearest; .RZ, .RM and .RP have no model.
bool real64(Names& names, MmaForm& form) {
  form.d = form.c = Format::F64;
  form.inputs = {Format::F64, Format::F64, Scaling::None};
  return names.shape(kDoubleShapes, form.shape);
}

bool quarter(Names& names, MmaForm& form) {
  bool scaled = names.take("SF");
  auto shapes = scaled ? std::span<const ShapeName>(kScaledShapes) : kQuarterShapes;
  if (!names.shape(shapes, form.shape) || !names.format(kHalves, form.d) ||
      !names.inputs(kSmallFloats, form.inputs))
    return false;
  form.c = form.d;
  if (!scaled) return true;
  form.inputs.scaling = Scaling::Mxf8f6f4;
  return form.d == Format::F32 && names.take("E8");
}

bool fourBit(Names& names, MmaForm& form) {
  if (!names.take("SF") || !names.shape(kFourBitShapes, form.shape) || !names.take("F32") ||
      !names.inputs(kFourBits, form.inputs))
    return false;
  if (names.take("UE4M3")) {
    form.inputs.scaling = Scaling::Nvf4;
    return names.take("4X");
  }
  if (!names.take("E8")) return false;
  form.inputs.scaling = names.take("4X") ? Scaling::Mxf4Per16 : Scaling::Mxf4;
  return true;
}

struct Opcode {
  std::string_view name;
  bool (*parse)(Names&, MmaForm&);
};
constexpr Opcode kOpcodes[] = {{"HMMA", half},   {"IMMA", integer}, {"BMMA", bit},
                               {"DMMA", real64}, {"QMMA", quarter}, {"OMMA", fourBit}};

const Opcode* findMma(std::string_view name) {
  auto found = std::find_if(std::begin(kOpcodes), std::end(kOpcodes),
                            [name](const Opcode& opcode) { return opcode.name == name; });
  return found == std::end(kOpcodes) ? nullptr : found;
}

std::string_view layoutOf(const TextInstruction& instruction, std::size_t operand) {
  if (operand >= instruction.operands.size()) return {};
  const auto& suffixes = instruction.operands[operand].suffixes;
  return suffixes.size() == 1 ? std::string_view(suffixes[0]) : suffixes.empty() ? "" : "?";
}

/// R4.ROW, R8.COL are what most have, printed or not; HMMA.884 has all four.
bool takeLayouts(const TextInstruction& instruction, MmaForm& form) {
  std::string_view a = layoutOf(instruction, 1), b = layoutOf(instruction, 2);
  if (a.empty() && b.empty()) return !form.step;
  form.aColumns = a == "COL";
  form.bRows = b == "ROW";
  bool known = (form.aColumns || a == "ROW") && (form.bRows || b == "COL");
  return known && (form.step || (!form.aColumns && !form.bRows));
}

unsigned words(int elements, unsigned bits) {
  return static_cast<unsigned>(elements) * bits / kWarpBits;
}

} // namespace

unsigned registerBits(Format format, const mma::Shape& shape) {
  switch (format) {
  case Format::F64: return 64;
  case Format::F32:
  case Format::S32:
  case Format::TF32: return 32;
  case Format::F16:
  case Format::BF16: return 16;
  case Format::S4:
  case Format::U4: return 4;
  case Format::B1: return 1;
  case Format::E2M1: return shape.k == 64 ? 4 : 8;
  default: return 8;
  }
}

unsigned MmaForm::aWords() const {
  return step ? 2 : words(shape.m * shape.k, registerBits(inputs.a, shape));
}
unsigned MmaForm::bWords() const {
  return step ? 2 : words(shape.k * shape.n, registerBits(inputs.b, shape));
}
unsigned MmaForm::cWords() const {
  return step ? 2 : words(shape.m * shape.n, registerBits(c, shape));
}
unsigned MmaForm::dWords() const {
  return step ? 2 : words(shape.m * shape.n, registerBits(d, shape));
}

std::optional<MmaForm> mmaForm(const TextInstruction& instruction) {
  const Opcode* opcode = findMma(instruction.opcode);
  if (!opcode) return std::nullopt;
  MmaForm form;
  Names names(instruction.modifiers);
  if (!opcode->parse(names, form) || !names.done() || !takeLayouts(instruction, form)) return std::nullopt;
  return form;
}

bool isMmaOpcode(std::string_view opcode) {
  return findMma(opcode) != nullptr;
}

} // namespace harness::sass
