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

// ---- branches

/// The guard must say the same for all active lanes.
void requireUniform(const Warp& w, LaneMask mask, const char* what) {
  if (mask != w.active) unsupported(std::string(what) + ", which lanes disagree on");
}

/// BRA.CONV / BRA.DIV [UR,] target: taken if the active lanes are / are not exactly those of the mask (all
/// lanes where none is printed).
void bindBraOnMask(Binder& b, bool converged) {
  b.op.src[0].immediate = kAllLanes;
  if (b.operandsLeft() > 1) {
    b.op.src[0] = b.integer();
    if (b.op.src[0].kind != Source::Kind::Uniform) b.refuse();
  }
  b.op.option[0] = converged;
  b.op.target = b.target();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch;
    requireUniform(w, mask, "BRA.CONV or BRA.DIV"); // where lanes go that the guard excludes is not known
    bool isMask = w.fetch(op.src[0], scratch)[0] == w.active;
    if (isMask == (op.option[0] != 0)) w.branch(mask, op.target);
  };
}

/// BRA [P,] target; BRA.U [UP,] target, which all lanes take or none; BRA.U.ANY target, which all take if one
/// does.
void bindBra(Binder& b) {
  unsigned onMask = b.choice({"CONV", "DIV"}, 2);
  if (onMask != 2) return bindBraOnMask(b, onMask == 0);
  bool uniform = b.take("U"), any = b.take("ANY");
  if (any && !uniform) b.refuse();
  if (any || !b.peekPredicate())
    b.op.psrc[0] = PredicateSource{};
  else
    b.op.psrc[0] = b.predicate();
  b.op.target = b.target();
  if (any)
    b.op.run = [](Warp& w, const Op& op, LaneMask) { w.branch(w.active, op.target); };
  else if (uniform)
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
      LaneMask taken = mask & w.fetch(op.psrc[0]);
      if (taken) requireUniform(w, taken, "BRA.U");
      w.branch(taken, op.target);
    };
  else
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.branch(mask & w.fetch(op.psrc[0]), op.target); };
}

/// "R4 0x100", "UR4 -0x80", "R6": a register pair and what is added to it, in one operand.
struct RegisterTarget {
  Source pair;
  u64 offset = 0;
};

std::optional<RegisterTarget> parseRegisterTarget(const TextOperand& operand) {
  std::vector<std::string> words = split(operand.text, ' ');
  if (words.empty() || words.size() > 2) return std::nullopt;
  RegisterTarget result;
  if (words.size() == 2) {
    llvm::StringRef number(words[1]);
    bool negative = number.consume_front("-");
    if (number.getAsInteger(0, result.offset)) return std::nullopt;
    if (negative) result.offset = 0 - result.offset;
  }
  llvm::StringRef name(words[0]);
  bool uniform = name.consume_front("U");
  unsigned index = 0;
  if (!name.consume_front("R") || name.getAsInteger(10, index) || index > (uniform ? 60u : 252u) || index % 2)
    return std::nullopt;
  result.pair.kind = uniform ? Source::Kind::Uniform : Source::Kind::Register;
  result.pair.index = static_cast<std::uint8_t>(index);
  return result;
}

/// Takes the operand; the lanes go to the pair's value + the printed number + `base`.
void bindRegisterTarget(Binder& b, u64 base) {
  const TextOperand* operand = b.any();
  if (!operand) return;
  auto target = parseRegisterTarget(*operand);
  if (!target) return b.refuse();
  b.op.src[0] = target->pair;
  b.op.target = target->offset + base;
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u64 targets[kLanes];
    w.fetch64(op.src[0], targets);
    for (u64& to : targets)
      to += op.target;
    w.branchIndirect(mask, targets);
  };
}

/// BRX R4 -0x270: relative to the next instruction.
void bindBrx(Binder& b) {
  const TextOperand* operand = b.peek();
  if (operand && operand->kind == OperandKind::Register) b.refuse(); // the offset is missing
  bindRegisterTarget(b, b.encoding().address + 16);
}

/// JMP target, JMX R4 0x0: addresses in the code space.
void bindJmp(Binder& b) {
  b.op.target = b.number();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.branch(mask, op.target); };
}

void bindJmx(Binder& b) {
  const TextOperand* operand = b.peek();
  if (operand && operand->kind == OperandKind::Register) b.refuse(); // the offset is missing
  bindRegisterTarget(b, 0);
}

/// CALL.REL.NOINC target, CALL.REL.NOINC R2 0x0, CALL.ABS.NOINC target, CALL.ABS.NOINC R2: the return address
/// is in a register that the caller has set.
void bindCall(Binder& b) {
  unsigned form = b.choice({"REL", "ABS"}, 2);
  if (form == 2 || !b.take("NOINC")) b.refuse();
  const TextOperand* operand = b.peek();
  if (operand && operand->kind != OperandKind::Number) {
    bool bare = operand->kind == OperandKind::Register;
    if (bare != (form == 1)) b.refuse();
    return bindRegisterTarget(b, form == 0 ? b.encoding().sectionAddress : 0);
  }
  b.op.target = form == 0 ? b.target() : b.number();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.branch(mask, op.target); };
}

/// RET.REL.NODEC R4 0x100, RET.ABS.NODEC R20 0x0
void bindRet(Binder& b) {
  unsigned form = b.choice({"REL", "ABS"}, 2);
  if (form == 2 || !b.take("NODEC")) b.refuse();
  const TextOperand* operand = b.peek();
  if (operand && operand->kind == OperandKind::Register) b.refuse(); // the offset is missing
  bindRegisterTarget(b, form == 0 ? b.encoding().sectionAddress : 0);
}

/// LEPC R: the instruction's own address, up to sm_89; LEPC R, target: that address.
void bindLepc(Binder& b) {
  b.op.dst = b.destination64();
  b.op.target = b.encoding().sm >= 90 ? b.target() : b.encoding().address;
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    u64 address[kLanes];
    std::fill_n(address, kLanes, op.target);
    w.write64(op.dst, address, mask);
  };
}

/// EXIT [P]. KEEPREFCOUNT and NO_ATEXIT are about resources and a handler that a kernel does not have.
void bindExit(Binder& b) {
  b.ignore({"KEEPREFCOUNT", "NO_ATEXIT"});
  if (b.peekPredicate()) b.op.psrc[0] = b.predicate();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    if (LaneMask leaving = mask & w.fetch(op.psrc[0])) w.exit(leaving);
  };
}

void bindTrap(Binder& b) {
  if (!b.take("TRAP")) b.refuse();
  b.number();
  b.op.run = [](Warp&, const Op&, LaneMask mask) { fault("trap", std::countr_zero(mask)); };
}

/// NANOSLEEP: how long is no matter; the others get on meanwhile.
void bindNanosleep(Binder& b) {
  b.ignore({"WARP", "RAND", "SYNCS"});
  b.op.src[0] = b.integer();
  b.op.run = [](Warp& w, const Op&, LaneMask) { w.sleep(); };
}

/// USETMAXREG: registers here are as many as the code uses, so there are always enough.
void bindSetMaxRegisters(Binder& b) {
  unsigned form = b.choice({"DEALLOC", "TRY_ALLOC"}, 2);
  if (form == 2 || !b.take("CTAPOOL")) b.refuse();
  if (form == 1) b.op.pdst[0] = b.uniformPredicateDestination();
  b.number();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.write(op.pdst[0], kAllLanes, mask); };
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

/// RPCMOV.32 between half of Rpc and a register. Rpc is meant for a return address; ptxas for sm_120 also
/// keeps values in it for which it has no register.
void bindRpcmov(Binder& b) {
  if (!b.take("32")) b.refuse();
  auto takeHalf = [&b] {
    const TextOperand* operand = b.any();
    if (!operand || (operand->text != "Rpc.LO" && operand->text != "Rpc.HI")) b.refuse();
    b.op.option[0] = operand && operand->text == "Rpc.HI";
  };
  const TextOperand* first = b.peek();
  if (first && first->kind == OperandKind::Register) {
    b.op.dst = b.destination();
    takeHalf();
    b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
      w.write(op.dst, w.returnPc[op.option[0]].v, mask);
    };
    return;
  }
  takeHalf();
  b.op.src[0] = b.integer();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch;
    const u32* value = w.fetch(op.src[0], scratch);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (mask >> lane & 1) w.returnPc[op.option[0]].v[lane] = value[lane];
  };
}

/// WARPSYNC[.EXCLUSIVE] R, WARPSYNC.ALL: wait for the lanes in R, or for all. WARPSYNC.COLLECTIVE R, L and
/// WARPSYNC.COLLECTIVE.ALL L: the lanes go on together up to ENDCOLLECTIVE, which L follows. ptxas puts it in
/// front of a shuffle or vote that lanes may come to on different paths, a copy for every path, and all
/// copies use the same registers.
void bindWarpsync(Binder& b) {
  bool all = b.take("ALL");
  unsigned kind = b.choice({"EXCLUSIVE", "COLLECTIVE"}, 2);
  bool collective = kind == 1;
  b.op.option[0] = static_cast<u32>(kind == 0    ? WarpSync::Exclusive
                                    : collective ? WarpSync::Collective
                                                 : WarpSync::Plain);
  if (all && kind == 0) b.refuse();
  b.op.src[0].immediate = kAllLanes;
  if (!all) b.op.src[0] = b.integer();
  if (collective) b.op.target = b.target();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch;
    w.waitWarpSync(mask, w.fetch(op.src[0], scratch), static_cast<WarpSync>(op.option[0]), op.target);
  };
}

void bindEndCollective(Binder& b) {
  b.op.run = [](Warp& w, const Op&, LaneMask mask) { w.endCollective(mask); };
}

// YIELD, ACQBULK, PREEXIT and CGAERRBAR: hints to the scheduler, the waits of dependent launches, an error
// barrier; they change no value here.
constexpr OpcodeRow kRows[] = {
    {"NOP", bindNothing},
    {"YIELD", bindNothing},
    {"ACQBULK", bindNothing},
    {"PREEXIT", bindNothing},
    {"CGAERRBAR", bindNothing},
    {"NANOSLEEP", bindNanosleep},
    {"USETMAXREG", bindSetMaxRegisters},
    {"BRA", bindBra},
    {"BRX", bindBrx},
    {"BRXU", bindBrx},
    {"JMP", bindJmp},
    {"JMX", bindJmx},
    {"CALL", bindCall},
    {"RET", bindRet},
    {"LEPC", bindLepc},
    {"EXIT", bindExit},
    {"KILL", bindExit},
    {"BPT", bindTrap},
    {"BSSY", bindBssy},
    {"BSYNC", bindBsync},
    {"BREAK", bindBreak},
    {"BMOV", bindBmov},
    {"RPCMOV", bindRpcmov},
    {"WARPSYNC", bindWarpsync},
    {"ENDCOLLECTIVE", bindEndCollective},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::controlOpcodes() {
  return kRows;
}

} // namespace harness::sass
