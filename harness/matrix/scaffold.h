#pragma once

#include "harness/matrix/kernel_signature.h"

#include <string>
#include <vector>

namespace harness {

/// The texts of a new case.
struct CaseScaffold {
  std::string manifest;          ///< case.json
  std::string reference;         ///< reference.cpp: compiles, and fails whenever it runs
  std::string notes;             ///< notes.md
  std::vector<std::string> todo; ///< what a person must decide, a sentence each
};

/// A case of that kernel which runs: buffers and sizes are plausible, what cannot be known is in `todo`.
/// `source` as the manifest names it. Throws Error(Usage) for a kernel without a pointer that it could write
/// through.
CaseScaffold scaffoldCase(const std::string& id, const std::string& source, const KernelSignature& kernel,
                          const std::vector<std::string>& include, const std::vector<std::string>& defines);

/// The kernel that `wanted` names: by entry, by its name in C++ ("ns::axpy<double>"; blanks do not matter),
/// or by that without namespace and template arguments if no other has it; the only one if it is empty.
/// Throws Error(Usage), with the names that are there.
const KernelSignature& chooseKernel(const std::vector<KernelSignature>& kernels, const std::string& wanted);

/// A case's id out of a file's name: "My_Kernel.cu" gives "my-kernel". Throws Error(Usage) if nothing is
/// left.
std::string caseIdFrom(const std::string& name);

} // namespace harness
