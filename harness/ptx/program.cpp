#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/ptx/binder.h"
#include "harness/ptx/executor.h"
#include "harness/ptx/joins.h"
#include "harness/ptx/machine.h"
#include "harness/ptx/quote.h"
#include "harness/ptx/symbols.h"

#include <llvm/Support/FormatVariadic.h>

namespace harness::ptx {

namespace {

void runUnknown(Warp& warp, const Op&, LaneMask) {
  const auto& reasons = warp.machine.code.whyUnknown;
  auto why = reasons.find(warp.machine.at);
  unsupported("the executor does not know this instruction or form" +
              (why == reasons.end() ? "" : ": " + why->second));
}

bool isDynamicShared(const Variable& variable) {
  return variable.space == Space::Shared && variable.linkage == "extern";
}

/// Where shared variables end if this one follows them.
std::uint64_t endOfShared(std::uint64_t begin, const Variable& variable, const std::string& file) {
  std::uint64_t align = alignOf(variable);
  return (begin + align - 1) / align * align + sizeOf(variable, file);
}

/// Where the static shared variables of a scope end.
std::uint64_t endOfShared(std::uint64_t begin, const Scope& scope, const std::string& file) {
  for (const Statement& statement : scope.statements) {
    if (const auto* variable = std::get_if<Variable>(&statement)) {
      if (variable->space == Space::Shared && !isDynamicShared(*variable))
        begin = endOfShared(begin, *variable, file);
    } else if (const auto* inner = std::get_if<std::unique_ptr<Scope>>(&statement)) {
      begin = endOfShared(begin, **inner, file);
    }
  }
  return begin;
}

/// Binds one function's body.
class FunctionBinder {
public:
  FunctionBinder(Code& code, const ModuleSymbols& module, FunctionCode& function)
      : code_(code), function_(function), symbols_(code, module, function, function.function->entry) {}

  void bind() {
    const Function& tree = *function_.function;
    std::size_t firstPlace = code_.places.size(), firstTable = code_.tables.size();
    function_.begin = static_cast<std::uint32_t>(code_.ops.size());
    if (tree.entry) {
      for (const Variable& parameter : tree.parameters)
        symbols_.declareKernelParameter(parameter);
    } else {
      for (const Variable& result : tree.results)
        function_.results.push_back(symbols_.declareFormal(result));
      for (const Variable& parameter : tree.parameters)
        function_.parameters.push_back(symbols_.declareFormal(parameter));
    }
    bind(*tree.body);
    labels_.front() = static_cast<std::uint32_t>(code_.ops.size());
    append(returnAtEnd(), nullptr);
    function_.end = static_cast<std::uint32_t>(code_.ops.size());
    patch(firstTable);
    for (std::size_t i = firstPlace; i < code_.places.size(); ++i)
      if (code_.places[i] & FunctionSymbols::kPredicateBit)
        code_.places[i] = function_.registers + (code_.places[i] & ~FunctionSymbols::kPredicateBit);
    findJoins(code_, function_);
  }

private:
  static Op returnAtEnd() {
    Op op;
    op.run = [](Warp& warp, const Op&, LaneMask) { warp.doReturn(); };
    op.flow = Flow::End;
    return op;
  }

  void bind(const Scope& scope) {
    symbols_.open();
    declareLabels(scope);
    for (const Statement& statement : scope.statements)
      std::visit([this](const auto& what) { take(what); }, statement);
    symbols_.close();
  }

  /// A branch may come before its label.
  void declareLabels(const Scope& scope) {
    for (const Statement& statement : scope.statements) {
      Symbol symbol;
      if (const auto* label = std::get_if<Label>(&statement)) {
        symbol.kind = Symbol::Kind::Label;
        symbol.index = static_cast<std::uint32_t>(labels_.size());
        labels_.push_back(Code::kNowhere);
        symbols_.declare(label->name, symbol, label->line);
      } else if (const auto* targets = std::get_if<Targets>(&statement)) {
        symbol.kind = Symbol::Kind::Targets;
        symbol.targets = targets;
        symbols_.declare(targets->name, symbol, targets->line);
      } else if (const auto* prototype = std::get_if<Prototype>(&statement)) {
        symbol.kind = Symbol::Kind::Prototype;
        symbol.prototype = prototype;
        symbols_.declare(prototype->name, symbol, prototype->line);
      }
    }
  }

  void take(const Variable& variable) {
    if (isDynamicShared(variable)) {
      Symbol symbol;
      symbol.kind = Symbol::Kind::Shared;
      symbol.index = code_.dynamicSharedAt;
      symbol.type = variable.type;
      return symbols_.declare(variable.name, symbol, variable.line);
    }
    symbols_.declare(variable);
  }
  void take(const Label& label) {
    labels_[symbols_.find(label.name)->index] = static_cast<std::uint32_t>(code_.ops.size());
  }
  void take(const std::unique_ptr<Scope>& scope) { bind(*scope); }
  void take(const Location&) {}
  void take(const Targets&) {}
  void take(const Prototype&) {}
  void take(const Remark&) {}

  void take(const Instruction& instruction) {
    Binder binder(instruction, symbols_);
    std::size_t calls = code_.calls.size();
    const OpcodeRow* row = findOpcode(instruction);
    if (row) row->bind(binder);
    if (!row || !binder.complete()) {
      code_.calls.resize(calls);
      Op unknown;
      unknown.run = runUnknown;
      unknown.guard = binder.op.guard;
      auto at = static_cast<std::uint32_t>(code_.ops.size());
      code_.unknown.push_back(at);
      if (!binder.whyRefused().empty()) code_.whyUnknown[at] = binder.whyRefused();
      return append(unknown, &instruction);
    }
    Op op = binder.op;
    auto add = [this](const std::vector<std::uint32_t>& places, std::uint32_t& begin, std::uint32_t& end) {
      begin = static_cast<std::uint32_t>(code_.places.size());
      code_.places.insert(code_.places.end(), places.begin(), places.end());
      end = static_cast<std::uint32_t>(code_.places.size());
    };
    add(binder.reads(), op.readsBegin, op.readsEnd);
    add(binder.writes(), op.writesBegin, op.writesEnd);
    append(op, &instruction);
  }

  void append(const Op& op, const Instruction* instruction) {
    code_.ops.push_back(op);
    code_.instructions.push_back(instruction);
  }

  /// Targets are numbers of labels until all labels are known.
  void patch(std::size_t firstTable) {
    for (std::uint32_t at = function_.begin; at < function_.end; ++at)
      if (Op& op = code_.ops[at]; op.flow == Flow::Branch) op.target = labels_.at(op.target);
    for (std::size_t table = firstTable; table < code_.tables.size(); ++table)
      for (std::uint32_t& target : code_.tables[table])
        target = labels_.at(target);
  }

  Code& code_;
  FunctionCode& function_;
  FunctionSymbols symbols_;
  /// Where they are, in Code::ops. The first is the function's end, to which `ret` goes.
  std::vector<std::uint32_t> labels_{Code::kNowhere};
};

/// Binds a module.
class ModuleBinder {
public:
  explicit ModuleBinder(Code& code) : code_(code) {}

  void bind() {
    for (const Item& item : code_.module.items) {
      if (const auto* variable = std::get_if<Variable>(&item)) declare(*variable);
      if (const auto* function = std::get_if<Function>(&item)) declare(*function);
    }
    for (const Item& item : code_.module.items)
      if (const auto* alias = std::get_if<Alias>(&item)) declare(*alias);
    placeDynamicShared();
    for (FunctionCode& function : code_.functions)
      if (function.function->body) FunctionBinder(code_, names_, function).bind();
  }

private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& what) const {
    failUsage("{0}:{1}: {2}", code_.name, line, what);
  }

  void declare(const Variable& variable) {
    Symbol symbol;
    symbol.type = variable.type;
    if (isDynamicShared(variable)) {
      symbol.kind = Symbol::Kind::Shared;
      dynamic_.push_back(&variable);
    } else if (variable.space == Space::Shared) {
      symbol.kind = Symbol::Kind::Shared;
      symbol.size = sizeOf(variable, code_.name);
      std::uint64_t end = endOfShared(code_.sharedBytes, variable, code_.name);
      if (end > (1u << 20)) fail(variable.line, "the module has more than 1 MiB of shared memory");
      symbol.index = static_cast<std::uint32_t>(end - symbol.size);
      code_.shared.push_back({&variable, symbol.index, symbol.size, alignOf(variable)});
      code_.sharedBytes = static_cast<std::uint32_t>(end);
    } else if (variable.linkage == "extern" ||
               (variable.space != Space::Global && variable.space != Space::Const)) {
      // Its storage is elsewhere, or it is a texture: who uses it is not understood.
      symbol.kind = Symbol::Kind::Prototype;
    } else {
      symbol.kind = Symbol::Kind::Variable;
      symbol.index = appendVariable(code_, variable);
      symbol.size = code_.variables.back().size;
      code_.variableNames[variable.name] = symbol.index;
    }
    auto [place, added] = names_.emplace(variable.name, symbol);
    if (added) return;
    if (place->second.kind != Symbol::Kind::Prototype && symbol.kind != Symbol::Kind::Prototype)
      fail(variable.line, quote(variable.name) + " is declared twice");
    if (symbol.kind != Symbol::Kind::Prototype) place->second = symbol;
  }

  void declare(const Function& function) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::Function;
    symbol.index = static_cast<std::uint32_t>(code_.functions.size());
    auto [place, added] = names_.emplace(function.name, symbol);
    if (added) {
      code_.functionNames[function.name] = symbol.index;
      code_.functions.emplace_back().function = &function;
      return;
    }
    if (place->second.kind != Symbol::Kind::Function)
      fail(function.line, quote(function.name) + " is declared twice");
    FunctionCode& known = code_.functions[place->second.index];
    if (!function.body) return;
    if (known.function->body) fail(function.line, quote(function.name) + " has two bodies");
    known.function = &function;
  }

  void declare(const Alias& alias) {
    auto target = names_.find(alias.target);
    if (target == names_.end() || target->second.kind != Symbol::Kind::Function)
      fail(alias.line, quote(alias.target) + " is no function");
    if (auto known = names_.find(alias.name);
        known != names_.end() &&
        (known->second.kind != Symbol::Kind::Function || code_.functions[known->second.index].function->body))
      fail(alias.line, quote(alias.name) + " is an alias and something else too");
    names_[alias.name] = target->second;
    code_.functionNames[alias.name] = target->second.index;
  }

  /// Extern shared variables begin where the last static one ends.
  void placeDynamicShared() {
    std::uint64_t end = code_.sharedBytes, align = 16;
    for (const FunctionCode& function : code_.functions)
      if (function.function->body) end = endOfShared(end, *function.function->body, code_.name);
    for (const Variable* variable : dynamic_)
      align = std::max(align, alignOf(*variable));
    if (align > 4096 || end > (1u << 20))
      fail(1, "the module has more shared memory or alignment than there is");
    code_.dynamicSharedAt = static_cast<std::uint32_t>((end + align - 1) / align * align);
    for (const Variable* variable : dynamic_)
      names_[variable->name].index = code_.dynamicSharedAt;
  }

  Code& code_;
  ModuleSymbols names_;
  std::vector<const Variable*> dynamic_;
};

} // namespace

std::string Code::describe(std::uint32_t at) const {
  constexpr std::size_t kLongestShown = 240;
  if (at < instructions.size() && instructions[at])
    return llvm::formatv("line {0} {1}", instructions[at]->line,
                         quote(print(*instructions[at]), kLongestShown))
        .str();
  for (const FunctionCode& code : functions)
    if (at >= code.begin && at < code.end) return "the end of " + quote(code.function->name);
  return "nowhere";
}

std::vector<std::string> Code::kernelNames() const {
  std::vector<std::string> names;
  for (const FunctionCode& code : functions)
    if (code.function->entry && code.function->body) names.push_back(code.function->name);
  return names;
}

const FunctionCode& Code::kernel(std::string_view kernelName) const {
  auto found = functionNames.find(kernelName);
  if (found != functionNames.end()) {
    const FunctionCode& code = functions[found->second];
    if (code.function->entry && code.function->body) return code;
  }
  std::string names = joinFew(kernelNames(), ", ");
  failUsage("{0} has no kernel '{1}'; it has {2}", name, std::string(kernelName),
            names.empty() ? "none" : names);
}

Code bind(Module module, std::string name) {
  if (module.addressSize != 64)
    failUsage("{0}: addresses of {1} bits are not supported; compile it for 64", name, module.addressSize);
  Code code;
  code.module = std::move(module);
  code.name = std::move(name);
  ModuleBinder(code).bind();
  return code;
}

Program::Program(Module module, std::string name)
    : code_(std::make_unique<Code>(bind(std::move(module), std::move(name)))) {}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;

std::vector<std::string> Program::kernels() const {
  return code_->kernelNames();
}

std::vector<std::size_t> Program::parameterSizes(std::string_view kernel) const {
  std::vector<std::size_t> sizes;
  for (const Placed& parameter : code_->kernel(kernel).kernelParameters)
    sizes.push_back(parameter.size);
  return sizes;
}

} // namespace harness::ptx
