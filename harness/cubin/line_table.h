#pragma once

#include "harness/cubin/cubin.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace harness {

/// From which line of the PTX each instruction of a cubin comes, by its place in `cubin.code` / 16; 0 = the
/// table does not say. `bytes` are those that `cubin` was read from. Empty if the cubin has no such table:
/// only ptxas -lineinfo and -G write one (a DWARF 2 line program of its own, `.nv_debug_line_sass`). Throws
/// Error(Usage) that starts with `origin` for a damaged table.
std::vector<std::uint32_t> ptxLines(std::string_view bytes, const Cubin& cubin, std::string_view origin);

} // namespace harness
