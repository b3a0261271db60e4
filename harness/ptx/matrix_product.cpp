#include "harness/ptx/matrix_product.h"

#include "harness/ptx/floats.h"

#include <algorithm>
#include <cfenv>
#include <cstring>

namespace harness::ptx {

namespace {

using mma::Format;
using mma::Scaling;

std::size_t size(int count) {
  return static_cast<std::size_t>(count);
}

// ---- the model

const mma::Model& modelOf(const MatrixForm& form, unsigned sm) {
  if (sm == 72) sm = mma::isInteger(form.a) ? 75 : 70;
  mma::Inputs inputs{form.a, form.b, form.scaling};
  try {
    return mma::findModel(sm, mma::Instruction::MmaSync, inputs, form.d);
  } catch (const mma::UnknownModel&) {
    if (form.a != Format::E4M3 && form.a != Format::E5M2) throw;
    return mma::findModel(sm, mma::Instruction::MmaSyncExpanded, inputs, form.d);
  }
}

/// The form's own, or the least deep one of those that are deeper.
mma::Shape shapeIn(const mma::Model& model, const mma::Shape& wanted) {
  if (model.has(wanted)) return wanted;
  const mma::Shape* found = nullptr;
  for (const mma::Shape& shape : model.shapes)
    if (shape.k >= wanted.k && (!found || shape.k < found->k)) found = &shape;
  if (!found) throw mma::UnknownModel(model.name() + " has no shape like " + mma::toString(wanted));
  return *found;
}

mma::Multiplier multiplierOf(const MatrixForm& form, const MatrixTarget& target) {
  const mma::Model& model = modelOf(form, target.sm);
  mma::Options options;
  if (form.c != form.d) options.c = form.c;
  options.saturate = form.saturate;
  options.bits = form.bits;
  return {model, {form.a, form.b, form.scaling}, shapeIn(model, form.shape), options};
}

SumRule ruleOf(const MatrixForm& form, const mma::Model& model) {
  if (form.a == Format::F64) return {53, -1074, 1024, true, form.rounding};
  bool half = form.d == Format::F16;
  int precision = model.step.outFraction + 1;
  return {precision, (half ? -14 : -126) - (precision - 1), half ? 16 : 128};
}

// ---- codes

std::uint64_t codeAt(const std::vector<std::byte>& codes, std::size_t bytes, std::size_t i) {
  std::uint64_t code = 0;
  std::memcpy(&code, codes.data() + i * bytes, bytes);
  return code;
}

void putCode(std::vector<std::byte>& codes, std::size_t bytes, std::size_t i, std::uint64_t code) {
  std::memcpy(codes.data() + i * bytes, &code, bytes);
}

/// 9.7.14.5.14: in a container of 8 bits, the 4 bits of .e2m1 are the middle ones, the 6 of .e3m2 and .e2m3
/// the low ones; the others are padding.
std::uint64_t unpadded(std::uint64_t code, Format format, unsigned bits) {
  if (format == Format::E2M1 && bits == 8) return code >> 2 & 0xf;
  return format == Format::E3M2 || format == Format::E2M3 ? code & 0x3f : code;
}

double scaleOf(Scaling scaling, std::uint8_t code) {
  if (scaling == Scaling::Nvf4) return mma::toDouble(Format::E4M3, code & 0x7f);
  return code == 0xff ? std::bit_cast<double>(kNan64) : std::ldexp(1, code - 127);
}

/// IEEE's fma in the current rounding; the payload of the first NaN stays.
double fuse(double a, double b, double c) {
  constexpr std::uint64_t kQuiet = 0x0008000000000000;
  double result = std::fma(a, b, c);
  if (result == result) return result;
  for (double operand : {a, b, c})
    if (operand != operand) return std::bit_cast<double>(std::bit_cast<std::uint64_t>(operand) | kQuiet);
  return std::bit_cast<double>(kNan64);
}

Fragment fragmentOf(const MatrixForm& form, MatrixRole role, Format format) {
  bool columnMajor = role == MatrixRole::A ? form.aColumns : role == MatrixRole::B && form.bColumns;
  unsigned bits = fragmentBits(format, form.kind);
  if (!form.wmma && form.isQuarters()) return quarterFragment(role, columnMajor, bits);
  auto [rows, columns] = sizeOf(role, format, form.shape);
  if (!form.wmma) return mmaFragment(role, rows, columns, bits);
  return wmmaFragment(rows, columns, bits, wmmaRegisters(role, format, form.shape), columnMajor);
}

} // namespace

MatrixProduct::MatrixProduct(const MatrixForm& form, const MatrixTarget& target)
    : form_(form), multiplier_(multiplierOf(form, target)),
      products_(!form.wmma && form.isQuarters() ? 4 : 1),
      depth_(size(multiplier_.shape().k) / (form.a == Format::B1 ? 32 : 1)),
      a_(fragmentOf(form, MatrixRole::A, form.a)), b_(fragmentOf(form, MatrixRole::B, form.b)),
      c_(fragmentOf(form, MatrixRole::Accumulator, form.c)),
      d_(fragmentOf(form, MatrixRole::Accumulator, form.d)), rule_(ruleOf(form, multiplier_.model())) {}

std::size_t MatrixProduct::blocks() const {
  int block = mma::blockOf(form_.scaling);
  return block ? size(form_.shape.k / block) : 0;
}

// ---- registers

void MatrixProduct::gather(const Fragment& fragment, Registers registers, Format format, std::size_t stride,
                           std::vector<std::byte>& to) const {
  std::size_t bytes = mma::elementBytes(format);
  std::uint64_t keep = fragment.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << fragment.bits) - 1;
  for (const FragmentElement& element : fragment.elements) {
    std::uint64_t code = registers[element.reg][element.lane] >> element.shift & keep;
    putCode(to, bytes, element.row * stride + element.column, unpadded(code, format, fragment.bits));
  }
}

void MatrixProduct::gatherA(Registers registers, MatrixData& data) const {
  data.a.assign(rows() * depth_ * mma::elementBytes(form_.a), std::byte{0});
  gather(a_, registers, form_.a, depth_, data.a);
}

void MatrixProduct::gatherB(Registers registers, MatrixData& data) const {
  std::size_t bytes = mma::elementBytes(form_.b), row = columns() * bytes;
  std::size_t k = sizeOf(MatrixRole::B, form_.b, form_.shape).rows;
  data.b.assign(products_ * k * row, std::byte{0});
  gather(b_, registers, form_.b, columns(), data.b);
  if (k == depth_) return;
  std::vector<std::byte> deeper(products_ * depth_ * row);
  for (std::size_t product = 0; product < products_; ++product)
    std::memcpy(deeper.data() + product * depth_ * row, data.b.data() + product * k * row, k * row);
  data.b = std::move(deeper);
}

void MatrixProduct::gatherC(Registers registers, MatrixData& data) const {
  data.c.resize(rows() * columns() * mma::elementBytes(form_.c));
  gather(c_, registers, form_.c, columns(), data.c);
}

void MatrixProduct::scatterD(const MatrixData& data, std::span<Lanes> registers) const {
  std::size_t bytes = mma::elementBytes(form_.d);
  for (Lanes& lanes : registers)
    std::fill_n(lanes.v, kLanes, std::uint64_t{0});
  for (const FragmentElement& element : d_.elements)
    registers[element.reg].v[element.lane] |= codeAt(data.d, bytes, element.row * columns() + element.column)
                                              << element.shift;
}

// ---- arithmetic

void MatrixProduct::multiply(MatrixData& data) const {
  data.d.resize(rows() * columns() * mma::elementBytes(form_.d));
  if (form_.a == Format::F64 && form_.rounding != FE_TONEAREST) return multiplyDirected(data);
  mma::Shape shape = form_.shape;
  shape.k = multiplier_.shape().k;
  std::size_t m = size(shape.m), n = columns();
  for (std::size_t product = 0; product < products_; ++product)
    multiplier_.multiply(shape, {data.d.data() + product * m * n * mma::elementBytes(form_.d),
                                 data.a.data() + product * m * depth_ * mma::elementBytes(form_.a),
                                 data.b.data() + product * depth_ * n * mma::elementBytes(form_.b),
                                 data.c.data() + product * m * n * mma::elementBytes(form_.c), n, depth_, n,
                                 n, data.aScales.empty() ? nullptr : data.aScales.data(),
                                 data.bScales.empty() ? nullptr : data.bScales.data()});
}

void MatrixProduct::multiplyDirected(MatrixData& data) const {
  RoundingScope rounding(form_.rounding);
  auto at = [](const std::vector<std::byte>& codes, std::size_t i) {
    return std::bit_cast<double>(codeAt(codes, sizeof(double), i));
  };
  for (std::size_t i = 0; i < rows(); ++i)
    for (std::size_t j = 0; j < columns(); ++j) {
      double sum = at(data.c, i * columns() + j);
      for (std::size_t k = 0; k < depth_; ++k)
        sum = fuse(at(data.a, i * depth_ + k), at(data.b, k * columns() + j), sum);
      putCode(data.d, sizeof sum, i * columns() + j, std::bit_cast<std::uint64_t>(sum));
    }
}

OpenSums MatrixProduct::openSums(const MatrixData& data, std::size_t product) const {
  std::size_t m = size(form_.shape.m), n = columns(), k = size(form_.shape.k);
  auto valueAt = [](Format format, const std::vector<std::byte>& codes, std::size_t i) {
    return mma::toDouble(format, codeAt(codes, mma::elementBytes(format), i));
  };
  std::vector<double> a(m * k), b(k * n), c(m * n);
  std::size_t block = blocks() ? k / blocks() : k;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t l = 0; l < k; ++l) {
      a[i * k + l] = valueAt(form_.a, data.a, (product * m + i) * depth_ + l);
      if (blocks()) a[i * k + l] *= scaleOf(form_.scaling, data.aScales[i * blocks() + l / block]);
    }
  for (std::size_t l = 0; l < k; ++l)
    for (std::size_t j = 0; j < n; ++j) {
      b[l * n + j] = valueAt(form_.b, data.b, (product * depth_ + l) * n + j);
      if (blocks()) b[l * n + j] *= scaleOf(form_.scaling, data.bScales[l / block * n + j]);
    }
  for (std::size_t i = 0; i < m * n; ++i)
    c[i] = valueAt(form_.c, data.c, product * m * n + i);
  return {rule_, m, n, k, std::move(a), b, std::move(c)};
}

std::vector<OpenSums> MatrixProduct::openSums(const MatrixData& data) const {
  std::vector<OpenSums> sums;
  for (std::size_t product = 0; product < products_ && !mma::isInteger(form_.a); ++product)
    sums.push_back(openSums(data, product));
  return sums;
}

void MatrixProduct::putOther(MatrixData& data, std::size_t row, std::size_t column, double value) const {
  std::uint64_t code = form_.d == Format::F64   ? std::bit_cast<std::uint64_t>(value)
                       : form_.d == Format::F16 ? toHalf(value)
                       : value == value         ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                                : kNan32;
  putCode(data.d, mma::elementBytes(form_.d), row * columns() + column, code);
}

} // namespace harness::ptx
