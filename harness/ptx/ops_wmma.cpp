// wmma.load, wmma.store (9.7.14.4.3 and 4); wmma.mma is bound with mma.

#include "harness/ptx/matrix_form.h"
#include "harness/ptx/ops_matrix.h"
#include "harness/ptx/ops_mma.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace harness::ptx {

/// A matrix in memory and in registers. Elements of 4 bits and of one are moved in words of 32 bits, which
/// follow each other in memory as in a fragment.
struct WmmaAccess {
  Fragment fragment;
  unsigned elementBytes;
  unsigned inElement; ///< elements of the matrix in one that is moved
  bool columnMajor;
  unsigned width; ///< elements of the matrix in a row, or column, of memory: the least stride
};

namespace {

WmmaAccess accessOf(const WmmaOperand& operand) {
  unsigned bits = fragmentBits(operand.format, MatrixKind::Plain);
  unsigned inElement = operand.format == mma::Format::B1 ? 32 : bits < 8 ? 32 / bits : 1;
  auto [rows, columns] = sizeOf(operand.role, operand.format, operand.shape);
  unsigned along = operand.columnMajor ? rows : columns; // in elements, or words of .b1
  unsigned width = operand.format == mma::Format::B1 ? along * 32 : along;
  if (bits < 8) (operand.columnMajor ? rows : columns) = along / inElement;
  unsigned moved = std::max(bits, inElement > 1 ? 32u : 8u);
  unsigned registers = wmmaRegisters(operand.role, operand.format, operand.shape);
  // wmma.mma does not say how accumulators lie in memory.
  bool byColumns = operand.columnMajor && operand.role != MatrixRole::Accumulator;
  return {wmmaFragment(rows, columns, moved, registers, byColumns), moved / 8, inElement, operand.columnMajor,
          width};
}

/// Where elements lie, from the address and stride of the first lane.
struct Lying {
  std::uint64_t start, stride; ///< bytes
};

LaneMask lanesThatDiffer(const std::uint64_t (&values)[kLanes], LaneMask mask) {
  std::uint64_t first = values[std::countr_zero(mask)];
  LaneMask other = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    other |= (mask >> lane & 1) && values[lane] != first ? laneBit(lane) : 0;
  return other;
}

/// src[0], of a store behind the registers: the stride, if there is one.
Lying lying(Warp& w, const Op& op, const WmmaAccess& access, LaneMask mask) {
  constexpr std::uint64_t kAlignment = 16; // of less, where the fragment is smaller
  auto first = static_cast<unsigned>(std::countr_zero(mask));
  std::uint64_t addresses[kLanes], stride = access.width;
  w.addresses(op.address, addresses);
  if (LaneMask other = lanesThatDiffer(addresses, mask))
    w.reportUndefined("a matrix at addresses that differ from lane to lane", other);
  if (op.option[1]) {
    Lanes scratch, copy;
    std::copy_n(w.fetch(op.src[op.sources - 1], scratch), kLanes, copy.v);
    if (LaneMask other = lanesThatDiffer(copy.v, mask))
      w.reportUndefined("strides that differ from lane to lane", other);
    stride = copy.v[first] & 0xffffffff;
    if (stride < access.width) w.reportUndefined("a stride less than the matrix's own", mask);
  }
  Lying at{addresses[first], stride * access.elementBytes / access.inElement};
  unsigned registerBytes = access.fragment.bits == 64 ? 8 : 4;
  std::uint64_t alignment = std::min<std::uint64_t>(access.fragment.registers * registerBytes, kAlignment);
  if (at.start % alignment || at.stride % alignment || stride % access.inElement)
    w.reportUndefined("a matrix whose rows or columns do not begin at multiples of " +
                          std::to_string(alignment) + " bytes",
                      mask);
  return at;
}

std::uint64_t addressOf(const Lying& at, const WmmaAccess& access, const FragmentElement& element) {
  std::uint64_t line = access.columnMajor ? element.column : element.row,
                inLine = access.columnMajor ? element.row : element.column;
  return at.start + line * at.stride + inLine * access.elementBytes;
}

Warp::Place placeOf(Warp& w, const Op& op, std::uint64_t address, std::uint32_t bytes, Warp::Access kind,
                    unsigned lane) {
  Warp::Place place = w.resolve(op.address.space, address, bytes, kind, lane);
  if (place.space != AddressSpace::Global && place.space != AddressSpace::Shared)
    fault("a matrix that is not in global or shared memory", static_cast<int>(lane));
  return place;
}

/// option[0] = the access, option[1]: there is a stride.
void runLoad(Warp& w, const Op& op, LaneMask mask) {
  checkWarpIsWhole(w, mask);
  const WmmaAccess& access = *w.machine.code.wmmaAccesses.all[op.option[0]];
  Lying at = lying(w, op, access, mask);
  std::array<Lanes, kOperands> out{};
  std::array<LaneMask, kOperands> unknown{};
  for (const FragmentElement& element : access.fragment.elements) {
    if (!(mask >> element.lane & 1)) continue;
    Warp::Place place =
        placeOf(w, op, addressOf(at, access, element), access.elementBytes, Warp::Access::Read, element.lane);
    std::uint64_t value = 0;
    std::memcpy(&value, place.host, access.elementBytes);
    out[element.reg].v[element.lane] |= value << element.shift;
    if (place.written && std::find(place.written, place.written + access.elementBytes, 0) !=
                             place.written + access.elementBytes)
      unknown[element.reg] |= laneBit(element.lane);
  }
  for (unsigned reg = 0; reg < op.destinations; ++reg) {
    w.write(op.dst[reg], out[reg].v, mask);
    w.markUndefined(op.dst[reg].slot, unknown[reg]);
  }
}

void runStore(Warp& w, const Op& op, LaneMask mask) {
  checkWarpIsWhole(w, mask);
  const WmmaAccess& access = *w.machine.code.wmmaAccesses.all[op.option[0]];
  if (LaneMask unknown = mask & ~w.written(op.address.base))
    w.reportUnwritten("its address is a value that nobody wrote", unknown);
  Lying at = lying(w, op, access, mask);
  const std::vector<Source>& sources = w.machine.code.moreSources;
  std::array<Lanes, kOperands> scratch;
  std::array<const std::uint64_t*, kOperands> values{};
  std::array<LaneMask, kOperands> known{};
  for (unsigned reg = 0; reg < access.fragment.registers; ++reg) {
    values[reg] = w.fetch(sources[op.moreBegin + reg], scratch[reg]);
    known[reg] = w.written(sources[op.moreBegin + reg]);
  }
  LaneMask leaked = 0;
  for (const FragmentElement& element : access.fragment.elements) {
    if (!(mask >> element.lane & 1)) continue;
    Warp::Place place = placeOf(w, op, addressOf(at, access, element), access.elementBytes,
                                Warp::Access::Write, element.lane);
    std::uint64_t value = values[element.reg][element.lane] >> element.shift;
    std::memcpy(place.host, &value, access.elementBytes);
    bool isKnown = known[element.reg] >> element.lane & 1;
    if (place.written)
      std::fill_n(place.written, access.elementBytes, static_cast<std::uint8_t>(isKnown));
    else if (!isKnown)
      leaked |= laneBit(element.lane);
  }
  if (leaked) w.reportUnwritten("stores a value that nobody wrote", leaked);
}

AddressSpace takeSpace(Binder& b) {
  if (b.take("shared") || b.take("shared::cta")) return AddressSpace::Shared;
  return b.take("global") ? AddressSpace::Global : AddressSpace::Generic;
}

void bindStride(Binder& b) {
  b.op.option[1] = b.operandsLeft() > 0;
  if (b.op.option[1]) b.source(Type::B32);
}

void bindAccess(Binder& b, MatrixRole role, bool store) {
  bindMatrixTogether(b);
  AddressSpace space = takeSpace(b);
  auto operand = takeWmmaOperand(b, role);
  if (!operand) return;
  Forms<WmmaAccess>& known = b.symbols().code().wmmaAccesses;
  std::string key = std::to_string(static_cast<int>(role)) + std::string(mma::toString(operand->format)) +
                    mma::toString(operand->shape) + (operand->columnMajor ? "col" : "row");
  auto [place, isNew] = known.places.emplace(key, static_cast<std::uint32_t>(known.all.size()));
  if (isNew) known.all.push_back(std::make_shared<WmmaAccess>(accessOf(*operand)));
  unsigned registers = known.all[place->second]->fragment.registers;
  b.op.option[0] = place->second;
  b.op.run = store ? runStore : runLoad;
  if (store) b.address(space);
  if (!checkRegisters(b, role, operand->format, MatrixKind::Plain, registers)) return;
  if (store)
    b.moreSources(registerType(operand->format));
  else
    b.destinations(registerType(operand->format), registers);
  if (!store) b.address(space);
  bindStride(b);
}

void bindWmma(Binder& b) {
  if (b.take("mma")) return bindMatrixProduct(b, true);
  if (b.take("store")) {
    if (!b.take("d")) return b.refuse(".d is required");
    return bindAccess(b, MatrixRole::Accumulator, true);
  }
  if (!b.take("load")) return b.refuse();
  unsigned role = b.choice({"a", "b", "c"}, 3);
  if (role == 3) return b.refuse(".a, .b or .c is required");
  bindAccess(b, static_cast<MatrixRole>(role), false);
}

constexpr OpcodeRow kRows[] = {{"wmma", TypeClass::Any, bindWmma}};

} // namespace

std::span<const OpcodeRow> wmmaOpcodes() {
  return kRows;
}

} // namespace harness::ptx
