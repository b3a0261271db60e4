// mma and wmma.mma: products of matrices that a warp holds.

#include "harness/ptx/ops_mma.h"

#include "harness/ptx/matrix_product.h"
#include "harness/ptx/ops_matrix.h"

#include <algorithm>
#include <array>
#include <bitset>

namespace harness::ptx {

namespace {

constexpr std::size_t kMostSources = 30; ///< 8 each of A, B, C; two scales with their selectors

/// The sources of an instruction, all lanes of each.
struct Fetched {
  Fetched(const Warp& w, const Op& op) {
    const std::vector<Source>& all = w.machine.code.moreSources;
    count = op.moreEnd - op.moreBegin;
    for (std::size_t i = 0; i < count; ++i) {
      const Source& source = all[op.moreBegin + i];
      values[i] = w.fetch(source, scratch[i]);
      known[i] = w.written(source);
    }
  }
  std::size_t count;
  std::array<const std::uint64_t*, kMostSources> values;
  std::array<LaneMask, kMostSources> known;
  std::array<Lanes, kMostSources> scratch;
};

/// Which elements of D are made of values that nobody wrote.
class Unknown {
public:
  explicit Unknown(const MatrixProduct& product) : product_(product) {}

  void addA(const LaneMask* known) {
    add(product_.a(), known, [this](auto& e) { rows_.set(e.row); });
  }
  void addB(const LaneMask* known) {
    std::size_t k = sizeOf(MatrixRole::B, product_.form().b, product_.form().shape).rows;
    add(product_.b(), known, [&](auto& e) { columns_.set(e.row / k * product_.columns() + e.column); });
  }
  void addC(const LaneMask* known) {
    add(product_.c(), known, [this](auto& e) { elements_.set(e.row * kMost + e.column); });
  }
  void addRow(std::size_t row) { rows_.set(row); }
  void addColumn(std::size_t column) { columns_.set(column); }

  void mark(Warp& w, const Op& op) const {
    if (rows_.none() && columns_.none() && elements_.none()) return;
    std::array<LaneMask, kOperands> lanes{};
    for (const FragmentElement& e : product_.d().elements) {
      std::size_t first = e.row / static_cast<std::size_t>(product_.form().shape.m) * product_.columns();
      if (rows_[e.row] || columns_[first + e.column] || elements_[e.row * kMost + e.column])
        lanes[e.reg] |= laneBit(e.lane);
    }
    for (unsigned reg = 0; reg < op.destinations; ++reg)
      w.markUndefined(op.dst[reg].slot, lanes[reg]);
  }

private:
  static constexpr std::size_t kMost = 32; ///< rows, columns

  template <typename F> static void add(const Fragment& fragment, const LaneMask* known, F set) {
    if (std::all_of(known, known + fragment.registers, [](LaneMask mask) { return mask == kAllLanes; }))
      return;
    for (const FragmentElement& element : fragment.elements)
      if (!(known[element.reg] >> element.lane & 1)) set(element);
  }

  const MatrixProduct& product_;
  std::bitset<kMost> rows_, columns_; ///< columns of all products
  std::bitset<kMost * kMost> elements_;
};

// ---- scales (9.7.14.3)

bool isValidByte(std::uint64_t byte, std::size_t blocks) {
  return byte < 4 && byte % blocks == 0;
}

/// A scale, {byte, thread} and the lanes that hold the scales of a row or column.
struct ScaleSource {
  const std::uint64_t* data;
  LaneMask known;
  unsigned byte, thread;
};

/// Of A (at most 2 threads) or B (4).
ScaleSource scaleSource(Warp& w, const Fetched& sources, std::size_t at, std::size_t blocks, unsigned threads,
                        LaneMask mask) {
  const std::uint64_t *byte = sources.values[at + 1], *thread = sources.values[at + 2];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if ((byte[lane] & 0xffff) != (byte[0] & 0xffff) || (thread[lane] & 0xffff) != (thread[0] & 0xffff)) {
      w.reportUndefined("selectors of scales that differ from lane to lane", mask);
      break;
    }
  auto byteId = static_cast<unsigned>(byte[0] & 0xffff), threadId = static_cast<unsigned>(thread[0] & 0xffff);
  if (!isValidByte(byteId, blocks) || threadId >= threads) {
    w.reportUndefined("selectors of scales that are out of range", mask);
    byteId = 0;
    threadId = 0;
  }
  return {sources.values[at], sources.known[at] & sources.known[at + 1] & sources.known[at + 2], byteId,
          threadId};
}

std::uint8_t scaleAt(const ScaleSource& source, unsigned lane, std::size_t block) {
  return static_cast<std::uint8_t>(source.data[lane] >> 8 * (source.byte + block));
}

/// Rows r and r + 8 of A have their scales in the two lanes of quad r that `thread` selects, column c of B in
/// lane `thread` of quad c.
void gatherScales(Warp& w, const Fetched& sources, std::size_t at, const MatrixProduct& product,
                  LaneMask mask, MatrixData& data, Unknown& unknown) {
  std::size_t blocks = product.blocks(), columns = product.columns();
  ScaleSource a = scaleSource(w, sources, at, blocks, 2, mask),
              b = scaleSource(w, sources, at + 3, blocks, 4, mask);
  data.aScales.resize(product.rows() * blocks);
  data.bScales.resize(columns * blocks);
  for (unsigned row = 0; row < product.rows(); ++row) {
    unsigned lane = row % 8 * 4 + a.thread * 2 + row / 8;
    if (!(a.known >> lane & 1)) unknown.addRow(row);
    for (std::size_t block = 0; block < blocks; ++block)
      data.aScales[row * blocks + block] = scaleAt(a, lane, block);
  }
  for (unsigned column = 0; column < columns; ++column) {
    unsigned lane = column * 4 + b.thread;
    if (!(b.known >> lane & 1)) unknown.addColumn(column);
    for (std::size_t block = 0; block < blocks; ++block)
      data.bScales[block * columns + column] = scaleAt(b, lane, block);
  }
}

// ---- execution

/// Counts what PTX leaves open and, if the execution asks for it, takes another result.
void moveOpenSums(Warp& w, const MatrixProduct& product, MatrixData& data) {
  std::uint64_t seed = w.machine.options.approximationSeed;
  auto m = static_cast<std::size_t>(product.form().shape.m);
  std::vector<OpenSums> sums = product.openSums(data);
  for (std::size_t row = 0; row < m * sums.size(); ++row)
    for (std::size_t column = 0; column < product.columns(); ++column) {
      const OpenSums& sum = sums[row / m];
      if (!sum.isOpen(row % m, column)) continue;
      ++w.approximated;
      if (seed) product.putOther(data, row, column, sum.other(row % m, column, seed));
    }
}

/// option[0] = the form.
void run(Warp& w, const Op& op, LaneMask mask) {
  checkWarpIsWhole(w, mask);
  const MatrixProduct& product = *w.machine.code.products.all[op.option[0]];
  Fetched sources(w, op);
  std::size_t b = product.a().registers, c = b + product.b().registers, scales = c + product.c().registers;
  std::span all(sources.values);
  thread_local MatrixData data;
  Unknown unknown(product);
  product.gatherA(all, data);
  product.gatherB(all.subspan(b), data);
  product.gatherC(all.subspan(c), data);
  unknown.addA(&sources.known[0]);
  unknown.addB(&sources.known[b]);
  unknown.addC(&sources.known[c]);
  data.aScales.clear();
  data.bScales.clear();
  if (product.blocks()) gatherScales(w, sources, scales, product, mask, data, unknown);
  product.multiply(data);
  moveOpenSums(w, product, data);
  std::array<Lanes, kOperands> out;
  product.scatterD(data, std::span(out).first(op.destinations));
  w.undefined = 0;
  for (unsigned reg = 0; reg < op.destinations; ++reg)
    w.write(op.dst[reg], out[reg].v, mask);
  unknown.mark(w, op);
}

// ---- binding

/// {byte-id, thread-id}; numbers must be valid.
void bindSelector(Binder& b, std::size_t blocks, std::uint64_t threads) {
  const Operand* operand = b.peek();
  if (!operand || operand->kind != Operand::Kind::Vector || operand->elements.size() != 2)
    return b.refuse("the scales of A and B each take {byte-id, thread-id}");
  const Operand &byte = operand->elements[0], &thread = operand->elements[1];
  auto isNumber = [](const Operand& one) { return one.kind == Operand::Kind::Number; };
  if ((isNumber(byte) && !isValidByte(byte.number.bits, blocks)) ||
      (isNumber(thread) && thread.number.bits >= threads))
    return b.refuse("a byte-id or thread-id that selects no scale");
  b.moreSources(Type::B16);
}

void bindScales(Binder& b, std::size_t blocks) {
  for (std::uint64_t threads : {2u, 4u}) {
    const Operand* data = b.peek();
    if (data && data->kind == Operand::Kind::Vector && data->elements.size() == 1) data = &data->elements[0];
    auto symbol = data ? b.symbols().find(data->name) : std::nullopt;
    if (!symbol || symbol->kind != Symbol::Kind::Register || symbol->type != Type::B32)
      return b.refuse("scales take a register of .b32");
    b.moreSources(Type::B32);
    bindSelector(b, blocks, threads);
  }
}

/// The form's product, made once for all instructions of the form.
std::optional<std::uint32_t> productOf(Binder& b, const MatrixForm& form) {
  Forms<MatrixProduct>& known = b.symbols().code().products;
  std::string key = b.instruction().opcode;
  for (const std::string& modifier : b.instruction().modifiers)
    key += '.' + modifier;
  auto [place, isNew] = known.places.emplace(key, static_cast<std::uint32_t>(known.all.size()));
  if (!isNew) return place->second;
  try {
    known.all.push_back(std::make_shared<MatrixProduct>(form, targetOf(b.symbols().code().module)));
  } catch (const mma::UnknownModel& error) {
    known.places.erase(place);
    b.refuse(error.what());
    return std::nullopt;
  }
  return place->second;
}

void bindSources(Binder& b, MatrixRole role, mma::Format format, MatrixKind kind, const Fragment& fragment) {
  if (checkRegisters(b, role, format, kind, fragment.registers)) b.moreSources(registerType(format));
}

void bindMma(Binder& b) {
  for (const char* sparse : {"sp", "sp::ordered_metadata"})
    if (b.has(sparse)) return b.refuse("sparse matrices are not executed");
  bindMatrixProduct(b, false);
}

constexpr OpcodeRow kRows[] = {{"mma", TypeClass::Any, bindMma}};

} // namespace

void bindMatrixProduct(Binder& b, bool wmma) {
  bindMatrixTogether(b);
  auto form = takeMatrixForm(b, wmma);
  if (!form) return;
  auto place = productOf(b, *form);
  if (!place) return;
  const MatrixProduct& product = *b.symbols().code().products.all[*place];
  b.op.option[0] = *place;
  b.op.run = run;
  if (!checkRegisters(b, MatrixRole::Accumulator, form->d, form->kind, product.d().registers)) return;
  b.destinations(registerType(form->d), product.d().registers);
  bindSources(b, MatrixRole::A, form->a, form->kind, product.a());
  bindSources(b, MatrixRole::B, form->b, form->kind, product.b());
  bindSources(b, MatrixRole::Accumulator, form->c, form->kind, product.c());
  if (product.blocks()) bindScales(b, product.blocks());
}

std::span<const OpcodeRow> mmaOpcodes() {
  return kRows;
}

} // namespace harness::ptx
