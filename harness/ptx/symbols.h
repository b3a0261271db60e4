#pragma once

#include "harness/ptx/code.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::ptx {

/// What a name stands for inside a function.
struct Symbol {
  enum class Kind : std::uint8_t {
    Register,  ///< index = slot
    Predicate, ///< index = slot
    Stack,     ///< a local or .param variable: index = offset in the frame's local memory
    Parameter, ///< of a kernel: index = offset in the parameter block
    Shared,    ///< index = address in shared memory
    Variable,  ///< of the module: index into Code::variables
    Function,  ///< index into Code::functions
    Label,     ///< index = number of the label in its function
    Targets,
    Prototype,
  };
  Kind kind = Kind::Register;
  std::uint32_t index = 0;
  std::uint32_t count = 0; ///< of a range %r<count>: names are the prefix and a number below it
  Type type = Type::B32;   ///< of registers and variables
  std::uint64_t size = 0;  ///< bytes, of variables
  const Targets* targets = nullptr;
  const Prototype* prototype = nullptr;
};

/// Names of the module.
using ModuleSymbols = std::map<std::string, Symbol, std::less<>>;

/// The names that a function's instructions see, scope by scope, and what they need.
class FunctionSymbols {
public:
  FunctionSymbols(Code& code, const ModuleSymbols& module, FunctionCode& function, bool entry);

  void open() { scopes_.push_back({{}, {}, stackTop_}); }
  /// Local memory of the scope's variables may be used again.
  void close();

  /// Declares a variable or registers in the innermost scope; throws Error(Usage) if the name is there.
  void declare(const Variable& variable);
  /// The kernel's next parameter, or a device function's formal parameter or result.
  void declareKernelParameter(const Variable& variable);
  Passed declareFormal(const Variable& variable);
  void declare(const std::string& name, Symbol symbol, std::uint32_t line);

  /// The innermost declaration of that name, a register of a range among them; null: nobody declares it.
  std::optional<Symbol> find(std::string_view name) const;

  Source constant(std::uint64_t value);
  /// The address of a module's variable plus bytes.
  Source addressOf(std::uint32_t variable, std::int64_t offset);
  /// Where the table of a .branchtargets lies in Code::tables: numbers of labels until all are known.
  std::uint32_t tableOf(const Targets& targets, std::uint32_t line);
  /// The number of a label; throws Error(Usage) if there is none of that name.
  std::uint32_t labelOf(const std::string& name, std::uint32_t line) const;
  /// Slots for what goes to the sink.
  Slot sink() const { return 0; }
  /// The predicate that is the carry flag CC.CF (PTX ISA, section 9.7.2).
  Slot carry() const { return kCarry; }
  static constexpr Slot kCarry = 1;
  std::uint32_t registerPlace(Slot slot) const { return slot; }
  /// Predicates' places follow the registers', whose number is known at the end: until then they have this
  /// bit.
  static constexpr std::uint32_t kPredicateBit = std::uint32_t{1} << 31;

  Code& code() { return code_; }
  FunctionCode& function() { return function_; }
  /// "name:31"
  [[noreturn]] void fail(std::uint32_t line, const std::string& what) const;

private:
  struct Level {
    std::map<std::string, Symbol, std::less<>> names;
    std::map<std::string, Symbol, std::less<>> ranges; ///< by prefix
    std::uint32_t stackTop;
  };
  void declareRegisters(const Variable& variable);
  void declareMemory(const Variable& variable);
  Source append(std::uint64_t value);
  std::uint32_t allocateStack(std::uint64_t size, std::uint64_t align, std::uint32_t line);

  Code& code_;
  const ModuleSymbols& module_;
  FunctionCode& function_;
  bool entry_;
  std::vector<Level> scopes_;
  std::uint32_t stackTop_ = 0;
  std::map<const Targets*, std::uint32_t> tables_;
};

/// Bytes of a variable, and the alignment it has. Throws Error(Usage) for one that is too large.
std::uint64_t sizeOf(const Variable& variable, const std::string& file);
std::uint64_t alignOf(const Variable& variable);

/// Appends to Code::variables and returns the place. Throws Error(Usage) if all together are too large.
std::uint32_t appendVariable(Code& code, const Variable& variable);

} // namespace harness::ptx
