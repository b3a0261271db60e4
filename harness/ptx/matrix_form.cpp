#include "harness/ptx/matrix_form.h"

#include <algorithm>
#include <cfenv>
#include <charconv>
#include <span>
#include <utility>

namespace harness::ptx {

namespace {

using mma::Format;
using mma::Scaling;
using mma::Shape;
using enum mma::Format;

// ---- what there is

/// Formats of A and B that exist in the same shapes.
using Formats = std::span<const Format>;
constexpr Format kHalf[] = {F16}, kBfloat[] = {BF16}, kTf32[] = {TF32}, kDouble[] = {F64}, kByte[] = {S8, U8},
                 kNibble[] = {S4, U4}, kBit[] = {B1}, kFp8[] = {E4M3, E5M2}, kFp4[] = {E2M1},
                 kNarrow[] = {E4M3, E5M2, E3M2, E2M3, E2M1};

/// A row: it exists from this architecture on; `specific`: on those with an a or f behind their number.
struct ShapeRow {
  bool wmma;
  MatrixKind kind;
  Shape shape;
  Formats formats;
  unsigned sm;
  bool specific = false;
};

using enum MatrixKind;
// PTX ISA 9.7.14.4 and 9.7.14.5.14, "Target ISA Notes"; where the notes and ptxas 12.9.86 and 13.5.37 differ
// (.kind::f8f6f4 of e4m3 and e5m2, which exists on sm_100a), as ptxas has it.
constexpr ShapeRow kRows[] = {
    {false, Plain, {8, 8, 4}, kHalf, 70},
    {false, Plain, {16, 8, 8}, kHalf, 75},
    {false, Plain, {16, 8, 16}, kHalf, 80},
    {false, Plain, {16, 8, 8}, kBfloat, 80},
    {false, Plain, {16, 8, 16}, kBfloat, 80},
    {false, Plain, {16, 8, 4}, kTf32, 80},
    {false, Plain, {16, 8, 8}, kTf32, 80},
    {false, Plain, {8, 8, 4}, kDouble, 80},
    {false, Plain, {16, 8, 4}, kDouble, 90},
    {false, Plain, {16, 8, 8}, kDouble, 90},
    {false, Plain, {16, 8, 16}, kDouble, 90},
    {false, Plain, {8, 8, 16}, kByte, 75},
    {false, Plain, {16, 8, 16}, kByte, 80},
    {false, Plain, {16, 8, 32}, kByte, 80},
    {false, Plain, {8, 8, 32}, kNibble, 75},
    {false, Plain, {16, 8, 32}, kNibble, 80},
    {false, Plain, {16, 8, 64}, kNibble, 80},
    {false, Plain, {8, 8, 128}, kBit, 75},
    {false, Plain, {16, 8, 128}, kBit, 80},
    {false, Plain, {16, 8, 256}, kBit, 80},
    {false, Plain, {16, 8, 16}, kFp8, 89},
    {false, Plain, {16, 8, 32}, kFp8, 89},
    {false, F8f6f4, {16, 8, 16}, kFp8, 100, true},
    {false, F8f6f4, {16, 8, 32}, kFp8, 100, true},
    {false, F8f6f4, {16, 8, 32}, kNarrow, 120, true},
    {false, Mxf8f6f4, {16, 8, 32}, kNarrow, 120, true},
    {false, Mxf4, {16, 8, 64}, kFp4, 120, true},
    {false, Mxf4nvf4, {16, 8, 64}, kFp4, 120, true},
    {true, Plain, {16, 16, 16}, kHalf, 70},
    {true, Plain, {8, 32, 16}, kHalf, 70},
    {true, Plain, {32, 8, 16}, kHalf, 70},
    {true, Plain, {16, 16, 16}, kBfloat, 80},
    {true, Plain, {8, 32, 16}, kBfloat, 80},
    {true, Plain, {32, 8, 16}, kBfloat, 80},
    {true, Plain, {16, 16, 8}, kTf32, 80},
    {true, Plain, {8, 8, 4}, kDouble, 80},
    {true, Plain, {16, 16, 16}, kByte, 72},
    {true, Plain, {8, 32, 16}, kByte, 72},
    {true, Plain, {32, 8, 16}, kByte, 72},
    {true, Plain, {8, 8, 32}, kNibble, 75},
    {true, Plain, {8, 8, 128}, kBit, 75},
};

/// .block_scale: chunks of a row that have a scale each, 0 if they need not be named.
struct ScaleRow {
  MatrixKind kind;
  std::string_view scales, type;
  Scaling scaling;
  bool isDefault;
};
constexpr ScaleRow kScales[] = {
    {Mxf8f6f4, "scale_vec::1X", "ue8m0", Scaling::Mxf8f6f4, true},
    {Mxf4, "scale_vec::2X", "ue8m0", Scaling::Mxf4, true},
    {Mxf4nvf4, "scale_vec::2X", "ue8m0", Scaling::Mxf4, false},
    {Mxf4nvf4, "scale_vec::4X", "ue8m0", Scaling::Mxf4Per16, false},
    {Mxf4nvf4, "scale_vec::4X", "ue4m3", Scaling::Nvf4, false},
};

constexpr std::string_view kKinds[] = {"", "kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"};

bool has(Formats formats, Format format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

std::string name(Format format) {
  return std::string(mma::toString(format));
}

// ---- taking modifiers

/// The formats among the modifiers, in order, taken.
std::vector<Format> takeFormats(Binder& b) {
  std::vector<Format> formats;
  for (bool more = true; more;) {
    more = false;
    for (std::string_view modifier : b.modifiersLeft()) {
      auto format = mma::parseFormat(modifier);
      if (!format || mma::toString(*format) != modifier) continue;
      formats.push_back(*format);
      more = b.take(modifier);
      break;
    }
  }
  return formats;
}

/// The first of .row and .col that is left: true for .col.
std::optional<bool> takeLayout(Binder& b) {
  for (std::string_view modifier : b.modifiersLeft())
    if (modifier == "row" || modifier == "col") {
      b.take(modifier);
      return modifier == "col";
    }
  return std::nullopt;
}

std::optional<Shape> takeShape(Binder& b) {
  for (std::string_view modifier : b.modifiersLeft()) {
    if (modifier.size() < 6 || modifier[0] != 'm' || modifier.find('n') == std::string_view::npos) continue;
    for (const ShapeRow& row : kRows)
      if (mma::toString(row.shape) == modifier) {
        b.take(modifier);
        return row.shape;
      }
  }
  return std::nullopt;
}

std::string nameOf(const MatrixForm& form) {
  std::string text = mma::toString(form.shape) + " of " + name(form.a);
  if (form.a != form.b) text += " and " + name(form.b);
  if (form.kind != Plain) text += " with ." + std::string(kKinds[static_cast<std::size_t>(form.kind)]);
  return text;
}

// ---- rules

/// The row that has the form, on any architecture; the module's target must have it.
bool checkTarget(Binder& b, const MatrixForm& form) {
  const ShapeRow* found = nullptr;
  for (const ShapeRow& row : kRows)
    if (!found && row.wmma == form.wmma && row.kind == form.kind && row.shape == form.shape &&
        has(row.formats, form.a) && has(row.formats, form.b))
      found = &row;
  if (!found) {
    b.refuse("there is no " + nameOf(form));
    return false;
  }
  unsigned sm = found->sm;
  if (form.a == B1 && form.bits == mma::BitOperation::And) sm = 80;
  MatrixTarget target = targetOf(b.symbols().code().module);
  if (target.sm >= sm && (target.specific || !found->specific)) return true;
  b.refuse(nameOf(form) + " needs sm_" + std::to_string(sm) + (found->specific ? "a" : "") +
           "; the module's target is sm_" + std::to_string(target.sm));
  return false;
}

bool mayDiffer(const MatrixForm& form) {
  return !form.wmma && (has(kNarrow, form.a) || has(kByte, form.a) || has(kNibble, form.a));
}

bool areAccumulators(const MatrixForm& form) {
  bool same = form.c == form.d, isFloat = form.c == F32 || form.c == F16;
  if (form.a == F64) return same && form.c == F64;
  if (mma::isInteger(form.a)) return same && form.c == S32;
  if (form.a == BF16 || form.a == TF32 || form.scaling != Scaling::None) return same && form.c == F32;
  if (form.a != F16) return same && isFloat;
  bool all = isFloat && (form.d == F32 || form.d == F16);
  if (form.wmma) return all;
  return all && (same || (form.isQuarters() && form.d == F32));
}

bool checkTypes(Binder& b, const MatrixForm& form) {
  if (form.a != form.b && !mayDiffer(form)) {
    b.refuse("A of " + name(form.a) + " and B of " + name(form.b) + " cannot be multiplied");
    return false;
  }
  if (areAccumulators(form)) return true;
  b.refuse(nameOf(form) + " has no C of " + name(form.c) + " with D of " + name(form.d));
  return false;
}

bool takeTypes(Binder& b, MatrixForm& form) {
  std::vector<Format> formats = takeFormats(b);
  if (form.wmma && formats.size() == 2) { // D, C: A and B are f16
    form.d = formats[0];
    form.a = form.b = F16;
    form.c = formats[1];
    return true;
  }
  bool written = formats.size() == 4 && !(form.wmma && formats[1] == F16);
  if (!written) {
    b.refuse(form.wmma ? "the types of D, A, B and C are required, or of f16 those of D and C"
                       : "the types of D, A, B and C are required");
    return false;
  }
  form.d = formats[0];
  form.a = formats[1];
  form.b = formats[2];
  form.c = formats[3];
  return true;
}

bool takeLayouts(Binder& b, MatrixForm& form) {
  auto a = takeLayout(b), bLayout = takeLayout(b);
  if (!a || !bLayout) {
    b.refuse("the layouts of A and B are required");
    return false;
  }
  form.aColumns = *a;
  form.bColumns = *bLayout;
  bool any = form.isQuarters() || (form.wmma && !has(kNibble, form.a) && form.a != B1);
  if (any || (!*a && *bLayout)) return true;
  b.refuse("A must be .row and B .col");
  return false;
}

bool takeScales(Binder& b, MatrixForm& form) {
  bool scaled = b.take("block_scale");
  if (scaled != (form.kind > F8f6f4)) {
    b.refuse(scaled ? ".block_scale needs a .kind that has scales" : ".block_scale is required");
    return false;
  }
  if (!scaled) return true;
  std::string_view scales, type;
  for (std::string_view modifier : b.modifiersLeft()) {
    if (modifier.starts_with("scale_vec::")) scales = modifier;
    if (modifier == "ue8m0" || modifier == "ue4m3") type = modifier;
  }
  for (const ScaleRow& row : kScales) {
    if (row.kind != form.kind || row.type != type) continue;
    if (scales.empty() ? !row.isDefault : row.scales != scales) continue;
    b.take(row.type);
    b.take(row.scales);
    form.scaling = row.scaling;
    return true;
  }
  b.refuse("." + std::string(kKinds[static_cast<std::size_t>(form.kind)]) +
           " has no such .scale_vec and type of scales");
  return false;
}

bool takeBitOperation(Binder& b, MatrixForm& form) {
  if (form.a != B1) return true;
  unsigned operation = b.choice({"xor", "and"}, 2);
  form.bits = operation == 1 ? mma::BitOperation::And : mma::BitOperation::Xor;
  if (operation < 2 && b.take("popc")) return true;
  b.refuse(".xor.popc or .and.popc is required");
  return false;
}

void takeRounding(Binder& b, MatrixForm& form) {
  static constexpr int kDirections[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  form.rounding = form.a == F64 ? kDirections[b.choice({"rn", "rz", "rm", "rp"}, 0)] : FE_TONEAREST;
}

// ---- registers

/// What ptxas takes; a set for each format.
using Types = std::span<const Type>;
constexpr Type kWords[] = {Type::B32}, kFloats[] = {Type::B32, Type::F32},
               kHalves[] = {Type::B32, Type::F16x2}, kIntegers[] = {Type::B32, Type::U32, Type::S32},
               kDoubles[] = {Type::B64, Type::F64},
               kAnyWords[] = {Type::B32, Type::U32, Type::S32, Type::F32, Type::F16x2};

Types typesOf(Format format, MatrixKind kind) {
  switch (format) {
  case F16: return kHalves;
  case F32: return kFloats;
  case F64: return kDoubles;
  case E4M3:
  case E5M2: return kind == Plain ? Types(kAnyWords) : Types(kWords);
  default: return mma::isInteger(format) ? Types(kIntegers) : Types(kWords);
  }
}

unsigned elementsOf(MatrixRole role, const Shape& shape) {
  int count = role == MatrixRole::A   ? shape.m * shape.k
              : role == MatrixRole::B ? shape.k * shape.n
                                      : shape.m * shape.n;
  return static_cast<unsigned>(count);
}

unsigned storageBits(Format format) {
  if (format == B1) return 1;
  if (has(kNibble, format)) return 4;
  return static_cast<unsigned>(8 * mma::elementBytes(format));
}

} // namespace

MatrixTarget targetOf(const Module& module) {
  MatrixTarget target;
  for (std::string_view text : module.targets) {
    if (!text.starts_with("sm_")) continue;
    auto [end, error] = std::from_chars(text.data() + 3, text.data() + text.size(), target.sm);
    if (error != std::errc()) continue;
    target.specific = end != text.data() + text.size();
    break;
  }
  return target;
}

std::optional<MatrixForm> takeMatrixForm(Binder& b, bool wmma) {
  MatrixForm form;
  form.wmma = wmma;
  for (std::size_t kind = 1; kind < std::size(kKinds) && !wmma; ++kind)
    if (b.take(kKinds[kind])) form.kind = static_cast<MatrixKind>(kind);
  auto shape = takeShape(b);
  if (!shape) {
    b.refuse("there is no such shape");
    return std::nullopt;
  }
  form.shape = *shape;
  bool taken = takeScales(b, form) && takeTypes(b, form) && checkTypes(b, form) && takeLayouts(b, form) &&
               takeBitOperation(b, form) && checkTarget(b, form);
  if (!taken) return std::nullopt;
  if (mma::isInteger(form.a) && form.a != B1) form.saturate = b.take("satfinite");
  takeRounding(b, form);
  return form;
}

std::optional<WmmaOperand> takeWmmaOperand(Binder& b, MatrixRole role) {
  auto shape = takeShape(b);
  auto layout = takeLayout(b);
  std::vector<Format> formats = takeFormats(b);
  if (!shape || !layout || formats.size() != 1) {
    b.refuse("shape, layout and type are required");
    return std::nullopt;
  }
  // A form that has it: the one of the oldest architecture.
  MatrixTarget target = targetOf(b.symbols().code().module);
  const ShapeRow* found = nullptr;
  for (const ShapeRow& row : kRows) {
    if (!row.wmma || row.shape != *shape) continue;
    MatrixForm form;
    form.wmma = true;
    form.shape = *shape;
    form.a = form.b = row.formats.front();
    form.c = form.d = formats[0];
    bool fits = role == MatrixRole::Accumulator ? areAccumulators(form) : has(row.formats, formats[0]);
    if (fits && (!found || row.sm < found->sm)) found = &row;
  }
  std::string what = mma::toString(*shape) + " with a matrix of " + name(formats[0]);
  if (!found) {
    b.refuse("there is no " + what);
    return std::nullopt;
  }
  if (target.sm < found->sm) {
    b.refuse(what + " needs sm_" + std::to_string(found->sm) + "; the module's target is sm_" +
             std::to_string(target.sm));
    return std::nullopt;
  }
  bool subByte = has(kNibble, formats[0]) || formats[0] == B1;
  if (subByte && *layout != (role == MatrixRole::B)) {
    b.refuse("A must be .row and B .col");
    return std::nullopt;
  }
  return WmmaOperand{role, formats[0], *shape, *layout};
}

unsigned fragmentBits(Format format, MatrixKind kind) {
  if (format == B1) return 32;
  if (format == E2M1 && kind > Mxf8f6f4) return 4;
  return storageBits(format);
}

unsigned wmmaRegisters(MatrixRole role, Format format, const Shape& shape) {
  if (format == F16 && role != MatrixRole::Accumulator) return 8;
  unsigned bits = storageBits(format);
  return elementsOf(role, shape) * bits / (kLanes * (bits == 64 ? 64 : 32));
}

MatrixSize sizeOf(MatrixRole role, Format format, const Shape& shape) {
  auto m = static_cast<unsigned>(shape.m), n = static_cast<unsigned>(shape.n),
       k = static_cast<unsigned>(shape.k) / (format == B1 ? 32 : 1);
  switch (role) {
  case MatrixRole::A: return {m, k};
  case MatrixRole::B: return {k, n};
  default: return {m, n};
  }
}

bool checkRegisters(Binder& b, MatrixRole role, Format format, MatrixKind kind, unsigned registers) {
  static constexpr std::string_view kNames[] = {"A", "B", "C or D"};
  const Operand* operand = b.peek();
  std::string matrix(kNames[static_cast<std::size_t>(role)]);
  if (!operand || operand->kind != Operand::Kind::Vector || operand->elements.size() != registers) {
    b.refuse(matrix + " takes a vector of " + std::to_string(registers) + " registers");
    return false;
  }
  Types types = typesOf(format, kind);
  for (const Operand& element : operand->elements) {
    if (element.kind == Operand::Kind::Number || element.name == "_") continue;
    auto symbol = b.symbols().find(element.name);
    if (!symbol) continue; // binding it tells
    if (symbol->kind == Symbol::Kind::Register &&
        std::find(types.begin(), types.end(), symbol->type) != types.end())
      continue;
    std::string names;
    for (Type type : types)
      names += (names.empty() ? "." : " or .") + std::string(toString(type));
    b.refuse(matrix + " of " + name(format) + " takes registers of " + names);
    return false;
  }
  return true;
}

Type registerType(Format format) {
  if (format == F64) return Type::F64;
  return format == F32 ? Type::F32 : Type::B32;
}

} // namespace harness::ptx
