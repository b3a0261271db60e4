#pragma once

#include "harness/cubin/cubin.h"
#include "harness/sass/listing.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace harness::sass {

/// What one instruction is an example of: everything of its text but register numbers, values and offsets.
struct InstructionForm {
  std::string opcode; ///< "LDG"
  std::string form;   ///< with modifiers: "LDG.E.64"
  std::string shape;  ///< "R, desc[UR][R.64+imm]"

  auto operator<=>(const InstructionForm&) const = default;
  std::string str() const; ///< "LDG.E.64 R, desc[UR][R.64+imm]"
};

/// The form of an instruction as nvdisasm prints it; guards and `.reuse` do not count.
InstructionForm formOf(std::string_view text);

/// True if the executor executes this instruction on sm_<sm>.
bool understands(const ListedInstruction& instruction, unsigned sm);

struct FormCount {
  std::uint64_t instructions = 0; ///< met, in distinct code
  std::uint64_t unsupported = 0;  ///< of them not understood; operand values can make the difference
};

/// One kernel, and what keeps it from being executed: forms, and other reasons as text.
struct KernelCoverage {
  std::string kernel;
  std::set<std::string> missing;

  bool executable() const { return missing.empty(); }
};

/// Opcodes and forms met, by architecture.
class Coverage {
public:
  /// Counts a cubin's code, equal sections once, and says which of its kernels could run: those that
  /// understand all of their own code and, where they call, of all functions. `listings` belong to
  /// `cubin.sections`.
  std::vector<KernelCoverage> add(const Cubin& cubin, const std::vector<Listing>& listings);

  using Forms = std::map<InstructionForm, FormCount>;
  const std::map<unsigned, Forms>& forms() const { return forms_; } ///< by SM version

private:
  std::map<unsigned, Forms> forms_;
  std::set<std::string> seen_; ///< hashes of code
};

} // namespace harness::sass
