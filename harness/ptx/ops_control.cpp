// Branches, calls and ends.

#include "harness/ptx/lanes.h"
#include "harness/ptx/quote.h"

namespace harness::ptx {

namespace {

void runBranch(Warp& w, const Op& op, LaneMask mask) {
  w.branch(mask, op.target, op.join);
}

void bindBra(Binder& b) {
  b.ignore({"uni"});
  const Operand* target = b.any();
  if (!target || target->kind != Operand::Kind::Name) return b.refuse();
  b.op.target = b.symbols().labelOf(target->name, b.instruction().line);
  b.op.flow = Flow::Branch;
  b.op.run = runBranch;
}

/// To the end of the function, where its lanes return together.
void bindRet(Binder& b) {
  b.ignore({"uni"});
  b.op.target = 0;
  b.op.flow = Flow::Branch;
  b.op.run = runBranch;
}

void runIndexed(Warp& w, const Op& op, LaneMask mask) {
  Lanes scratch;
  const std::uint64_t* index = w.fetch(op.src[0], scratch);
  const std::vector<std::uint32_t>& table = w.machine.code.tables[op.target];
  std::uint32_t targets[kLanes] = {};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    auto at = as<std::uint32_t>(index[lane]);
    if (at >= table.size())
      fault("brx.idx with index " + std::to_string(at) + " of " + std::to_string(table.size()) + " targets",
            static_cast<int>(lane));
    targets[lane] = table[at];
  }
  w.branchIndirect(mask, targets, op.join);
}

void bindBrx(Binder& b) {
  b.ignore({"uni"});
  if (!b.take("idx")) return b.refuse();
  b.source(Type::U32);
  b.needsDefined();
  const Operand* name = b.any();
  auto symbol = name ? b.symbols().find(name->name) : std::nullopt;
  if (!symbol || symbol->kind != Symbol::Kind::Targets || symbol->targets->calls) return b.refuse();
  b.op.target = b.symbols().tableOf(*symbol->targets, b.instruction().line);
  b.op.flow = Flow::Indexed;
  b.op.run = runIndexed;
}

void bindExit(Binder& b) {
  b.op.flow = Flow::End;
  b.op.run = [](Warp& w, const Op&, LaneMask mask) { w.exit(mask); };
}

void bindTrap(Binder& b) {
  b.op.flow = Flow::End;
  b.op.run = [](Warp&, const Op&, LaneMask mask) { fault("trap", std::countr_zero(mask)); };
}

void bindBrkpt(Binder& b) {
  b.op.run = [](Warp&, const Op&, LaneMask mask) { fault("brkpt", std::countr_zero(mask)); };
}

void bindNanosleep(Binder& b) {
  if (b.type() != Type::U32) b.refuse();
  b.source(Type::U32);
  b.op.run = [](Warp& w, const Op&, LaneMask) { w.wantsYield = true; };
}

/// A performance counter's event: nothing that the program sees.
void bindPmevent(Binder& b) {
  b.ignore({"mask"});
  b.number();
  b.op.run = [](Warp&, const Op&, LaneMask) {};
}

// ---- calls

/// An argument or result of a call site: a register, a number, a .param variable.
bool pass(Binder& b, const Operand& operand, bool result, std::vector<Passed>& list) {
  Passed passed;
  if (operand.kind == Operand::Kind::Number && !result) {
    passed.isRegister = true;
    passed.size = 8;
    auto source = b.sourceOf(operand, Type::U64);
    if (!source) return false;
    passed.source = *source;
    list.push_back(passed);
    return true;
  }
  if (operand.kind != Operand::Kind::Name) return false;
  auto symbol = b.symbols().find(operand.name);
  if (!symbol) b.symbols().fail(b.instruction().line, "nothing declares " + quote(operand.name));
  if (symbol->kind == Symbol::Kind::Stack) {
    passed.offset = symbol->index;
    passed.size = static_cast<std::uint32_t>(symbol->size);
  } else if (symbol->kind == Symbol::Kind::Register && symbol->type != Type::B128) {
    passed.isRegister = true;
    passed.size = bitsOf(symbol->type) / 8;
    passed.source = {Source::Kind::Register, symbol->index};
    passed.destination = {symbol->index, static_cast<std::uint8_t>(bitsOf(symbol->type))};
  } else {
    return false;
  }
  list.push_back(passed);
  return true;
}

bool passAll(Binder& b, bool result, std::vector<Passed>& list) {
  for (const Operand& operand : b.any()->elements)
    if (!pass(b, operand, result, list)) return false;
  return true;
}

bool atList(const Binder& b) {
  return b.peek() && b.peek()->kind == Operand::Kind::List;
}

/// call (result), function, (arguments), prototype;
void bindCall(Binder& b) {
  b.ignore({"uni"});
  Call call;
  if (atList(b) && !passAll(b, true, call.results)) return b.refuse();
  const Operand* callee = b.any();
  if (!callee || callee->kind != Operand::Kind::Name) return b.refuse();
  if (atList(b) && !passAll(b, false, call.arguments)) return b.refuse();
  if (b.operandsLeft() == 1) b.any(); // a prototype or list of targets says nothing that the callee does not
  auto symbol = b.symbols().find(callee->name);
  if (!symbol) b.symbols().fail(b.instruction().line, "nothing declares " + quote(callee->name));
  if (symbol->kind == Symbol::Kind::Function) {
    call.function = symbol->index;
  } else {
    auto pointer = b.sourceOf(*callee, Type::B64);
    if (!pointer) return b.refuse();
    call.indirect = true;
    call.pointer = *pointer;
    b.needsDefined();
  }
  b.op.target = static_cast<std::uint32_t>(b.symbols().code().calls.size());
  b.symbols().code().calls.push_back(std::move(call));
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { w.call(w.machine.code.calls[op.target], mask); };
}

constexpr OpcodeRow kRows[] = {
    {"bra", TypeClass::Any, bindBra},
    {"ret", TypeClass::Any, bindRet},
    {"brx", TypeClass::Any, bindBrx},
    {"exit", TypeClass::Any, bindExit},
    {"trap", TypeClass::Any, bindTrap},
    {"brkpt", TypeClass::Any, bindBrkpt},
    {"pmevent", TypeClass::Any, bindPmevent},
    {"call", TypeClass::Any, bindCall},
    {"nanosleep", TypeClass::Integer, bindNanosleep},
};

} // namespace

std::span<const OpcodeRow> controlOpcodes() {
  return kRows;
}

} // namespace harness::ptx
