#pragma once

#include "harness/ptx/op.h"
#include "harness/ptx/syntax.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace harness::ptx {

/// A variable or parameter and where it lies.
struct Placed {
  const Variable* variable = nullptr;
  std::uint64_t offset = 0, size = 0, align = 1; ///< bytes, in its space; of `variables`: after those before
};

/// Where a call's argument or result lies: a register, or bytes of a local (.param) variable.
struct Passed {
  bool isRegister = false;
  Source source;                      ///< register or number, of an argument
  Destination destination;            ///< register, of a result
  std::uint32_t offset = 0, size = 0; ///< of a variable: in the frame's local memory
};

/// A call site.
struct Call {
  std::uint32_t function = 0; ///< index into Code::functions, of a direct call
  bool indirect = false;
  Source pointer; ///< of an indirect call
  std::vector<Passed> arguments, results;
};

/// A kernel or device function.
struct FunctionCode {
  const Function* function = nullptr;
  std::uint32_t begin = 0, end = 0; ///< its instructions in Code::ops; none: it has no body
  Slot registers = 0, predicates = 0;
  std::uint32_t stackBytes = 0; ///< of local memory: formal parameters, .param and .local variables
  std::vector<Passed> parameters, results; ///< formal ones of a device function
  std::vector<Placed> kernelParameters;    ///< of a kernel, in its parameter block
  std::uint32_t parameterBytes = 0;        ///< of a kernel
};

/// A constant whose value a launch decides: the address of a variable of the module.
struct AddressConstant {
  std::uint32_t constant = 0; ///< index into Code::constants
  std::uint32_t variable = 0; ///< index into Code::variables
  std::int64_t offset = 0;
};

class MatrixProduct;
struct WmmaAccess;

/// What instructions of one form share, each form once.
template <typename T> struct Forms {
  std::vector<std::shared_ptr<const T>> all;
  std::map<std::string, std::uint32_t, std::less<>> places; ///< in `all`, by the form's modifiers
};

/// A module bound: all instructions of all functions in one line, and its data.
struct Code {
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  Module module;
  std::string name; ///< the file's, for messages
  std::vector<Op> ops;
  std::vector<const Instruction*> instructions;    ///< of each op; null: the end of a function
  std::vector<std::uint32_t> unknown;              ///< ops that end an execution as unsupported
  std::map<std::uint32_t, std::string> whyUnknown; ///< of those where more can be said
  std::vector<std::uint32_t> places;               ///< Op::reads…, Op::writes…
  std::vector<Source> moreSources;                 ///< Op::more…
  Forms<MatrixProduct> products;                   ///< of mma and wmma.mma
  Forms<WmmaAccess> wmmaAccesses;                  ///< of wmma.load and wmma.store
  std::vector<Lanes> constants;
  std::map<std::uint64_t, std::uint32_t> numbers; ///< where a number lies among the constants
  std::vector<AddressConstant> addresses;
  std::vector<FunctionCode> functions;
  std::vector<Call> calls;
  std::vector<std::vector<std::uint32_t>> tables; ///< of brx.idx: targets

  std::vector<Placed> variables;     ///< .global and .const, of the module and of functions
  std::vector<Placed> shared;        ///< statically sized .shared
  std::uint32_t sharedBytes = 0;     ///< static
  std::uint32_t dynamicSharedAt = 0; ///< where all of `extern .shared x[]` begin
  /// Index into `functions` or `variables`, of names in initialisers.
  std::map<std::string, std::uint32_t, std::less<>> functionNames, variableNames;

  /// The kernel of that name. Throws Error(Usage) with the names that are there.
  const FunctionCode& kernel(std::string_view kernelName) const;
  std::vector<std::string> kernelNames() const;

  /// "line 31 'st.global.u8 [%rd4], %rs1;'"
  std::string describe(std::uint32_t at) const;
};

/// Where generic addresses see shared and local memory and a kernel's parameters, and what a function's
/// address is. Nothing in PTX fixes them; the kernel sees them only through generic pointers.
inline constexpr std::uint64_t kSharedWindow = 0x7fa000000000;
inline constexpr std::uint64_t kLocalWindow = 0x7fb000000000;
inline constexpr std::uint64_t kParamWindow = 0x7fc000000000;
inline constexpr std::uint64_t kCodeWindow = 0x7fd000000000; ///< + 16 × index of the function
inline constexpr std::uint64_t kWindowSize = std::uint64_t{1} << 32;

/// Binds a module. Throws Error(Usage) as Program's constructor says.
Code bind(Module module, std::string name);

} // namespace harness::ptx
