// Predicates: logic on them, their way into registers and back, votes, and values that become a warp's.

#include "harness/sass/lanes.h"

#include <bit>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;

constexpr u32 kAllPredicates = 0x7f; ///< P0…P6 as bits

/// An operand that has to be printed exactly so.
void takeWord(Binder& b, std::string_view word) {
  const TextOperand* operand = b.any();
  if (!operand || operand->text != word) b.refuse();
}

// ---- PLOP3

/// Bit 4a+2b+c of `table`, for every lane.
LaneMask lookup(LaneMask a, LaneMask b, LaneMask c, u32 table) {
  LaneMask result = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (table >> i & 1) result |= ((i & 4) ? a : ~a) & ((i & 2) ? b : ~b) & ((i & 1) ? c : ~c);
  return result;
}

enum : u32 { kFirstTable, kSecondTable, kSigns, kNegatedSigns };

/// Source `i` of PLOP3: a predicate, or R4.SIGN, UR4.SIGN or c[0x0][0x160].SIGN, bit 31 of a word.
void takeLogicSource(Binder& b, unsigned i) {
  const TextOperand* operand = b.peek();
  bool isConstant = operand && operand->kind == OperandKind::Constant;
  bool isUniform = operand && operand->kind == OperandKind::UniformRegister;
  if (!operand || (operand->kind != OperandKind::Register && !isConstant && !isUniform)) {
    b.op.psrc[i] = b.predicate();
    return;
  }
  b.any();
  if (b.op.uniform || operand->suffixes != std::vector<std::string>{"SIGN"} || operand->negated ||
      operand->absolute || operand->base || operand->uniform)
    b.refuse();
  Source& source = b.op.src[i];
  source.kind = isConstant  ? Source::Kind::Constant
                : isUniform ? Source::Kind::Uniform
                            : Source::Kind::Register;
  source.index = static_cast<std::uint8_t>(operand->index);
  source.bank = static_cast<std::uint8_t>(operand->bank);
  if (isConstant) source.offset = static_cast<u32>(operand->number);
  b.op.option[kSigns] |= 1u << i;
  if (operand->inverted) b.op.option[kNegatedSigns] |= 1u << i;
}

LaneMask logicSource(Warp& w, const Op& op, unsigned i) {
  if (!(op.option[kSigns] >> i & 1)) return w.fetch(op.psrc[i]);
  Lanes scratch;
  const u32* value = w.fetch(op.src[i], scratch);
  LaneMask signs = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    signs |= (value[lane] >> 31) << lane;
  return (op.option[kNegatedSigns] >> i & 1) ? ~signs : signs;
}

/// PLOP3.LUT Pu, Pv, a, b, c, tableU, tableV
void bindPlop3(Binder& b) {
  if (!b.take("LUT")) b.refuse();
  b.op.pdst[0] = b.predicateDestination();
  b.op.pdst[1] = b.predicateDestination();
  for (unsigned i = 0; i < 3; ++i)
    takeLogicSource(b, i);
  for (u32 table : {kFirstTable, kSecondTable}) {
    std::uint64_t bits = b.number();
    if (bits > 0xff) b.refuse();
    b.op.option[table] = static_cast<u32>(bits);
  }
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask p = logicSource(w, op, 0), q = logicSource(w, op, 1), r = logicSource(w, op, 2);
    LaneMask first = lookup(p, q, r, op.option[kFirstTable]);
    LaneMask second = lookup(p, q, r, op.option[kSecondTable]);
    w.write(op.pdst[0], first, mask);
    w.write(op.pdst[1], second, mask);
  };
}

// ---- predicates as bits of a register

std::uint64_t takePredicateBits(Binder& b) {
  std::uint64_t bits = b.number();
  if (bits > kAllPredicates) b.refuse(); // whether there is a bit of PT is not known
  return bits & kAllPredicates;
}

/// P2R[.B1] R, PR, a, bits: a with the bits asked for, counted from the byte on, replaced by the predicates
/// of those numbers.
void bindP2r(Binder& b) {
  unsigned byte = b.choice({"B0", "B1", "B2", "B3"}, 4) % 4;
  b.op.dst = b.destination();
  takeWord(b, b.op.uniform ? "UPR" : "PR");
  b.op.src[0] = b.integer();
  b.op.option[0] = static_cast<u32>(takePredicateBits(b)) << 8 * byte;
  b.op.option[1] = 8 * byte;
  if (byte && b.op.uniform) b.refuse(); // not met
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u32 bits = op.option[0];
    if (op.uniform) {
      u32 predicates = 0;
      for (unsigned p = 0; p < 7; ++p)
        predicates |= u32{w.uniformPredicates[p]} << p;
      return map1(w, op, mask, [=](u32 a) { return (a & ~bits) | (predicates & bits); });
    }
    Lanes scratch, out;
    const u32* a = w.fetch(op.src[0], scratch);
    for (unsigned i = 0; i < kLanes; ++i) {
      u32 predicates = 0;
      for (unsigned p = 0; p < 7; ++p)
        predicates |= (w.predicates[p] >> i & 1) << (op.option[1] + p);
      out.v[i] = (a[i] & ~bits) | (predicates & bits);
    }
    w.write(op.dst, out.v, mask);
  };
}

/// R2P PR, a[.B1], bits: the predicates asked for become the bits of those numbers of a, or of one byte of
/// it.
void bindR2p(Binder& b) {
  takeWord(b, "PR");
  const TextOperand* operand = b.any();
  if (!operand) return;
  if (operand->kind != OperandKind::Register || operand->negated || operand->inverted || operand->absolute ||
      operand->suffixes.size() > 1)
    b.refuse();
  if (!operand->suffixes.empty()) {
    const std::string& byte = operand->suffixes[0];
    if (byte != "B0" && byte != "B1" && byte != "B2" && byte != "B3") return b.refuse();
    b.op.option[1] = static_cast<u32>(byte[1] - '0') * 8;
  }
  b.op.src[0].kind = Source::Kind::Register;
  b.op.src[0].index = static_cast<std::uint8_t>(operand->index);
  b.op.option[0] = static_cast<u32>(takePredicateBits(b));
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch;
    const u32* a = w.fetch(op.src[0], scratch);
    for (unsigned p = 0; p < 7; ++p) {
      if (!(op.option[0] >> p & 1)) continue;
      LaneMask value = 0;
      for (unsigned i = 0; i < kLanes; ++i)
        value |= (a[i] >> (op.option[1] + p) & 1) << i;
      w.write(PredicateDestination{static_cast<std::uint8_t>(p), false}, value, mask);
    }
  };
}

// ---- votes

enum : u32 { kAll, kAny, kEqual };

/// VOTE.ALL|ANY|EQ [R,] P, a: R = the lanes for which a holds, P = whether it holds for all, for any, for all
/// or none of those that vote.
void bindVoteInto(Binder& b, bool intoUniform) {
  unsigned mode = b.choice({"ALL", "ANY", "EQ"}, 3);
  if (mode == 3) b.refuse();
  b.op.option[0] = mode;
  if (!b.peekPredicate()) b.op.dst = intoUniform ? b.uniformDestination() : b.destination();
  b.op.pdst[0] = intoUniform ? b.uniformPredicateDestination() : b.predicateDestination();
  b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    LaneMask holds = w.fetch(op.psrc[0]) & mask;
    bool result = op.option[0] == kAll   ? holds == mask
                  : op.option[0] == kAny ? holds != 0
                                         : holds == mask || holds == 0;
    Lanes out;
    std::fill_n(out.v, kLanes, holds);
    w.write(op.dst, out.v, mask);
    w.write(op.pdst[0], result ? kAllLanes : 0, mask);
  };
}

void bindVote(Binder& b) {
  bindVoteInto(b, false);
}

void bindVoteu(Binder& b) {
  bindVoteInto(b, true);
}

// ---- a lane's value for the warp

/// R2UR [P,] UR, R: the value of the lowest active lane, and in P whether a lane's own is another. With .OR a
/// lane keeps a P that is set: a loop over the lanes' different values asks so for the second word of them.
/// FILL and BROADCAST were seen to do the same on an sm_120.
void bindR2ur(Binder& b) {
  b.ignore({"FILL", "BROADCAST"});
  bool keep = b.take("OR");
  b.op.option[0] = keep;
  bool predicate = b.peekPredicate();
  if (predicate) b.op.pdst[0] = b.predicateDestination();
  if (keep && !predicate) b.refuse();
  b.op.dst = b.uniformDestination();
  b.op.src[0] = b.integer();
  if (b.op.src[0].kind != Source::Kind::Register || b.op.src[0].transform != Transform::None) b.refuse();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch;
    const u32* value = w.fetch(op.src[0], scratch);
    u32 chosen = value[std::countr_zero(mask)];
    LaneMask differs = 0;
    for (unsigned i = 0; i < kLanes; ++i)
      differs |= LaneMask{value[i] != chosen} << i;
    w.write(op.dst, value, mask);
    if (op.option[0]) mask &= differs;
    if (mask) w.write(op.pdst[0], differs, mask);
  };
}

constexpr OpcodeRow kRows[] = {
    {"PLOP3", bindPlop3}, {"UPLOP3", uniform<bindPlop3>},
    {"P2R", bindP2r},     {"UP2UR", uniform<bindP2r>},
    {"R2P", bindR2p},     {"VOTE", bindVote},
    {"VOTEU", bindVoteu}, {"R2UR", bindR2ur},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::predicateOpcodes() {
  return kRows;
}

} // namespace harness::sass
