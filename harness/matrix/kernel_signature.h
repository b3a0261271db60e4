#pragma once

#include "harness/parity/buffer.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// One parameter of a kernel. Its size is what PTX says; name, type and `const` are what the source says.
struct KernelParameter {
  std::string name; ///< "arg3" where the source gives none
  bool pointer = false;
  bool readOnly = false;              ///< a pointer to const
  ElementType type = ElementType::U8; ///< of the scalar, or of what the pointer points to
  bool guessed = false;               ///< nothing told the type
  /// Of a structure by value: its size in bytes; `type` is that of its members, unless it is guessed. 0 = it
  /// is none.
  std::uint64_t structBytes = 0;
};

struct KernelSignature {
  std::string entry; ///< as PTX names it: mangled, unless it is extern "C"
  std::string name;  ///< as C++ writes it, "ns::axpy<double>"; that of the entry where it is not mangled
  std::vector<KernelParameter> parameters;
  std::array<std::uint32_t, 3> block{}; ///< of .reqntid or .maxntid; 0 = not given
  bool dynamicShared = false;           ///< it reaches extern shared memory
};

/// The kernels of a PTX text, and what their mangled names and a scan of the source that it was made from
/// tell of their parameters. The scan knows no preprocessor: where neither tells a type, it is guessed from
/// the PTX. Throws Error(Usage) for text that is no PTX.
std::vector<KernelSignature> kernelSignatures(std::string_view ptx, std::string_view source);

} // namespace harness
