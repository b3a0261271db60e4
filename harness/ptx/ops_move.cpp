// mov in all its forms: copies, addresses, special registers, packing and unpacking of vectors.

#include "harness/ptx/lanes.h"

#include <algorithm>

namespace harness::ptx {

namespace {

void runCopy(Warp& w, const Op& op, LaneMask mask) {
  for (unsigned i = 0; i < op.destinations; ++i) {
    Lanes scratch;
    w.write(op.dst[i], w.fetch(op.src[i], scratch), mask);
  }
}

/// option[0] = bits of an element.
void runPack(Warp& w, const Op& op, LaneMask mask) {
  unsigned width = op.option[0], perWord = 64 / width;
  for (unsigned word = 0; word < op.destinations; ++word) {
    Lanes out = {};
    for (unsigned i = 0; i < perWord && word * perWord + i < op.sources; ++i) {
      Lanes scratch;
      const std::uint64_t* element = w.fetch(op.src[word * perWord + i], scratch);
      std::uint64_t keep = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
      for (unsigned lane = 0; lane < kLanes; ++lane)
        out.v[lane] |= (element[lane] & keep) << (i * width % 64);
    }
    w.write(op.dst[word], out.v, mask);
  }
}

void runUnpack(Warp& w, const Op& op, LaneMask mask) {
  unsigned width = op.option[0], perWord = 64 / width;
  std::uint64_t keep = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  Lanes scratch[2];
  const std::uint64_t* words[2] = {};
  for (unsigned i = 0; i < op.sources; ++i)
    words[i] = w.fetch(op.src[i], scratch[i]);
  Lanes copies[2]; // a destination may be a source
  for (unsigned i = 0; i < op.sources; ++i)
    std::copy_n(words[i], kLanes, copies[i].v);
  for (unsigned i = 0; i < op.destinations; ++i) {
    Lanes out;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      out.v[lane] = copies[i / perWord].v[lane] >> (i % perWord * width) & keep;
    w.write(op.dst[i], out.v, mask);
  }
}

void bindPredicateMove(Binder& b) {
  b.predicateDestination();
  if (b.peekNumber()) {
    auto number = b.number();
    b.op.psrc[0] = {0, number && *number != 0 ? false : true, true};
  } else {
    b.predicate(0);
  }
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    w.writePredicate(op.pdst[0], w.fetch(op.psrc[0]), mask);
  };
}

bool atVector(const Binder& b) {
  return b.peek() && b.peek()->kind == Operand::Kind::Vector;
}

Type untyped(unsigned bits) {
  switch (bits) {
  case 8: return Type::B8;
  case 16: return Type::B16;
  case 32: return Type::B32;
  default: return Type::B64;
  }
}

void bindMov(Binder& b) {
  Type type = b.type();
  if (type == Type::Pred) return bindPredicateMove(b);
  unsigned bits = bitsOf(type);
  if (atVector(b)) {
    auto count = static_cast<unsigned>(b.peek()->elements.size());
    if (count == 0 || bits % count != 0 || bits / count < 8) return b.refuse();
    b.op.option[0] = bits / count;
    b.destinations(untyped(bits / count), count);
    b.source(type);
    b.op.run = runUnpack;
    return;
  }
  b.destination(type);
  if (!atVector(b)) {
    b.source(type);
    b.op.run = runCopy;
    return;
  }
  auto count = static_cast<unsigned>(b.peek()->elements.size());
  if (count == 0 || bits % count != 0 || bits / count < 8) return b.refuse();
  b.op.option[0] = bits / count;
  b.sources(untyped(bits / count), count);
  b.op.run = runPack;
}

// ---- cvta, isspacep

std::optional<AddressSpace> takeSpace(Binder& b) {
  b.ignorePrefix("shared::");
  static constexpr AddressSpace kSpaces[] = {AddressSpace::Global, AddressSpace::Const, AddressSpace::Shared,
                                             AddressSpace::Local, AddressSpace::Param};
  unsigned space = b.choice({"global", "const", "shared", "local", "param"}, 5);
  if (space == 5) return std::nullopt;
  return kSpaces[space];
}

/// Where the window of a space begins; 0 = generic addresses are the space's own.
std::uint64_t windowOf(AddressSpace space) {
  switch (space) {
  case AddressSpace::Shared: return kSharedWindow;
  case AddressSpace::Local: return kLocalWindow;
  default: return 0;
  }
}

std::uint64_t toGeneric(AddressSpace space, std::uint64_t address) {
  // A device function's parameters are local; a kernel's have generic addresses already.
  if (space == AddressSpace::Param) return address < kWindowSize ? address + kLocalWindow : address;
  return windowOf(space) ? (address & 0xffffffff) + windowOf(space) : address;
}

std::uint64_t fromGeneric(AddressSpace space, std::uint64_t address) {
  if (space == AddressSpace::Param)
    return address - kLocalWindow < kWindowSize ? address - kLocalWindow : address;
  return windowOf(space) ? address - windowOf(space) : address;
}

void bindCvta(Binder& b) {
  bool to = b.take("to");
  bool cluster = b.has("shared::cta") || b.has("shared::cluster");
  auto space = takeSpace(b);
  if (cluster) space = AddressSpace::Shared;
  Type type = b.type();
  if (!space || (type != Type::U64 && type != Type::U32)) return b.refuse();
  b.destination(type);
  b.source(type);
  b.op.option[0] = static_cast<std::uint32_t>(*space);
  b.op.option[1] = to;
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    auto where = static_cast<AddressSpace>(op.option[0]);
    if (op.option[1])
      map1<std::uint64_t>(w, op, mask, [=](std::uint64_t a) { return fromGeneric(where, a); });
    else
      map1<std::uint64_t>(w, op, mask, [=](std::uint64_t a) { return toGeneric(where, a); });
  };
}

bool lies(AddressSpace space, std::uint64_t address) {
  auto inside = [&](std::uint64_t window) { return address - window < kWindowSize; };
  switch (space) {
  case AddressSpace::Shared: return inside(kSharedWindow);
  case AddressSpace::Local: return inside(kLocalWindow);
  case AddressSpace::Param: return inside(kParamWindow);
  case AddressSpace::Global: return !inside(kSharedWindow) && !inside(kLocalWindow);
  default: return false;
  }
}

void bindIsspacep(Binder& b) {
  bool cluster = b.has("shared::cta") || b.has("shared::cluster");
  auto space = takeSpace(b);
  if (cluster) space = AddressSpace::Shared;
  // Constant variables lie in global memory here, so nothing tells them apart.
  if (!space || *space == AddressSpace::Const) return b.refuse();
  b.predicateDestination();
  b.source(Type::B64);
  b.op.option[0] = static_cast<std::uint32_t>(*space);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch;
    const std::uint64_t* a = w.fetch(op.src[0], scratch);
    auto where = static_cast<AddressSpace>(op.option[0]);
    w.writePredicate(op.pdst[0], lanesWhere([&](unsigned lane) { return lies(where, a[lane]); }), mask);
  };
}

constexpr OpcodeRow kRows[] = {
    {"mov", TypeClass::Any, bindMov},
    {"cvta", TypeClass::Any, bindCvta},
    {"isspacep", TypeClass::Any, bindIsspacep},
};

} // namespace

std::span<const OpcodeRow> moveOpcodes() {
  return kRows;
}

} // namespace harness::ptx
