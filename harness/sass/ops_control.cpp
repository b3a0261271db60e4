#include "harness/base/text.h"
#include "harness/sass/lanes.h"

#include <llvm/ADT/StringRef.h>

#include <bit>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

void bindNothing(Binder& b) {
  b.op.run = [](Warp&, const Op&, LaneMask) {};
}

/// BRA target, BRA P, target; BRA.CONV / BRA.DIV [UR,] target: taken if the active lanes are / are not
/// exactly those of the mask (all lanes where none is printed).
void bindBra(Binder& b) {
  unsigned form = b.choice({"CONV", "DIV"}, 2);
  b.op.src[0].immediate = kAllLanes;
  if (form != 2) {
    if (b.operandsLeft() > 1) {
      b.op.src[0] = b.integer();
      if (b.op.src[0].kind != Source::Kind::Uniform) b.refuse();
    }
    // Whether lanes that the guard excludes count is not known.
    if (b.op.guard.index != kTruePredicate || b.op.guard.negated) b.refuse();
    b.op.option[0] = form;
    b.op.target = b.target();
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
      Lanes scratch;
      bool converged = w.fetch(op.src[0], scratch)[0] == w.active;
      if (converged == (op.option[0] == 0)) w.branch(mask, op.target);
    };
    return;
  }
  b.op.psrc[0] = b.peekPredicate() ? b.predicate() : PredicateSource{};
  b.op.target = b.target();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.branch(mask & w.fetch(op.psrc[0]), op.target); };
}

/// CALL.REL.NOINC target, CALL.ABS.NOINC target: the return address is in a register that the caller has set.
void bindCall(Binder& b) {
  unsigned form = b.choice({"REL", "ABS"}, 2);
  if (form == 2 || !b.take("NOINC")) b.refuse();
  b.op.target = form == 0 ? b.target() : b.number();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.branch(mask, op.target); };
}

/// RET.REL.NODEC R4 0x100, RET.ABS.NODEC R20 0x0: to the register pair plus the printed number.
void bindRet(Binder& b) {
  unsigned form = b.choice({"REL", "ABS"}, 2);
  if (form == 2 || !b.take("NODEC")) b.refuse();
  const TextOperand* operand = b.any();
  if (!operand) return;
  std::vector<std::string> words = split(operand->text, ' ');
  llvm::StringRef base(words.back());
  bool negative = base.consume_front("-");
  u64 offset = 0;
  unsigned index = 0;
  if (words.size() != 2 || base.getAsInteger(0, offset) || !llvm::StringRef(words[0]).starts_with("R") ||
      llvm::StringRef(words[0]).drop_front().getAsInteger(10, index) || index > 252 || index % 2)
    return b.refuse();
  b.op.src[0].kind = Source::Kind::Register;
  b.op.src[0].index = static_cast<std::uint8_t>(index);
  b.op.target = (negative ? 0 - offset : offset) + (form == 0 ? b.encoding().sectionAddress : 0);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u64 targets[kLanes];
    w.fetch64(op.src[0], targets);
    for (u64& target : targets)
      target += op.target;
    w.branchIndirect(mask, targets);
  };
}

void bindExit(Binder& b) {
  b.op.run = [](Warp& w, const Op&, LaneMask mask) { w.exit(mask); };
}

void bindTrap(Binder& b) {
  if (!b.take("TRAP")) b.refuse();
  b.number();
  b.op.run = [](Warp&, const Op&, LaneMask mask) { fault("trap", std::countr_zero(mask)); };
}

// ---- convergence barriers

/// RECONVERGENT and RELIABLE say how the compiler came to it; they change nothing here.
void ignoreKind(Binder& b) {
  b.ignore({"RECONVERGENT", "RELIABLE"});
}

void bindBssy(Binder& b) {
  ignoreKind(b);
  b.op.option[0] = b.barrier();
  b.op.target = b.target(); // where it joins; BSYNC stands there
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.openConvergence(op.option[0], mask); };
}

void bindBsync(Binder& b) {
  ignoreKind(b);
  b.op.option[0] = b.barrier();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.waitConvergence(op.option[0], mask); };
}

void bindBreak(Binder& b) {
  ignoreKind(b);
  b.op.psrc[0] = b.peekPredicate() ? b.predicate() : PredicateSource{};
  b.op.option[0] = b.barrier();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    if (LaneMask leaving = mask & w.fetch(op.psrc[0])) w.breakConvergence(op.option[0], leaving);
  };
}

/// BMOV.32[.CLEAR] between B registers, registers and numbers; CLEAR empties the source.
void bindBmov(Binder& b) {
  if (!b.take("32")) b.refuse();
  bool clear = b.take("CLEAR");
  const TextOperand* first = b.peek();
  if (first && first->kind == OperandKind::Register) {
    // Reading a barrier that stays in use is not met.
    if (!clear) b.refuse();
    b.op.dst = b.destination();
    b.op.option[0] = b.barrier();
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
      w.write(op.dst, w.convergence[op.option[0]], mask);
      w.clearConvergence(op.option[0], mask, op.dst.index != kZeroRegister);
    };
    return;
  }
  b.op.option[0] = b.barrier();
  const TextOperand* second = b.peek();
  if (second && second->kind == OperandKind::Barrier) {
    if (!clear) b.refuse();
    b.op.option[1] = b.barrier();
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
      w.setConvergence(op.option[0], w.convergence[op.option[1]], mask);
      w.clearConvergence(op.option[1], mask, false);
    };
    return;
  }
  if (clear) b.refuse();
  b.op.src[0] = b.integer();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch;
    w.setConvergence(op.option[0], w.fetch(op.src[0], scratch), mask);
  };
}

/// WARPSYNC R: wait for the lanes in R; COLLECTIVE R, L goes on with them together up to ENDCOLLECTIVE, where
/// L is.
void bindWarpsync(Binder& b) {
  bool all = b.take("ALL"), collective = b.take("COLLECTIVE");
  b.op.src[0].immediate = kAllLanes;
  if (!all) b.op.src[0] = b.integer();
  if (collective) b.op.target = b.target();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch;
    w.waitWarpSync(mask, w.fetch(op.src[0], scratch));
  };
}

/// BAR.SYNC b: all threads of the block.
void bindBar(Binder& b) {
  if (!b.take("SYNC")) b.refuse();
  b.take("DEFER_BLOCKING");
  b.op.option[0] = static_cast<u32>(b.number());
  if (b.op.option[0] > 15) b.refuse();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.waitBlockBarrier(op.option[0], mask); };
}

constexpr OpcodeRow kRows[] = {
    {"NOP", bindNothing},       {"YIELD", bindNothing}, {"ENDCOLLECTIVE", bindNothing},
    {"BRA", bindBra},           {"CALL", bindCall},     {"RET", bindRet},
    {"EXIT", bindExit},         {"BPT", bindTrap},      {"BSSY", bindBssy},
    {"BSYNC", bindBsync},       {"BREAK", bindBreak},   {"BMOV", bindBmov},
    {"WARPSYNC", bindWarpsync}, {"BAR", bindBar},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::controlOpcodes() {
  return kRows;
}

} // namespace harness::sass
