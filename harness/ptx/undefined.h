#pragma once

#include "harness/ptx/executor.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace harness::ptx {

/// The memory of a launch before it starts; the same in every call.
using FreshMemory = std::function<std::unique_ptr<GlobalMemory>()>;

/// Why a launch's outputs are not determined by its PTX: what it did that PTX leaves undefined, and where
/// values that nobody wrote reached memory, a branch or an address, if outputs do hang on them. That is
/// tried: the launch runs a few times more, with other values in everything that nobody has written, and a
/// dependence is believed when any buffer, or the way it ends, comes out differently. So padding that is
/// carried along is no finding; one that every value tried treats alike is missed. Empty if there is nothing.
std::vector<std::string> findUndefined(const Program& program, std::string_view kernel, const Launch& launch,
                                       const FreshMemory& memory, const ExecutionOptions& options);

} // namespace harness::ptx
