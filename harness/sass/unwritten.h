#pragma once

#include "harness/cubin/cubin.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace harness::sass {

class Program;

/// The memory of a launch before it starts, where what nobody has written holds `poison`.
using FreshMemory = std::function<std::unique_ptr<GlobalMemory>(std::byte poison)>;

/// Where a launch first depends on what nobody has written: registers, predicates, shared and local memory,
/// and whatever `memory` fills with the poison. It is run with two poisons; the first branch, address or
/// stored value that differs is a proof, so there are no false alarms, and a dependence that leaves no trace
/// in these is no finding. `schedule` and limits are those of `options`. At most 4 million branches and
/// accesses are looked at.
/// Gives a line that names instruction, lane and both values; nothing if nothing differs.
std::optional<std::string> findUnwritten(const Program& program, const Kernel& kernel, const Launch& launch,
                                         const FreshMemory& memory, const ExecutionOptions& options);

} // namespace harness::sass
