#pragma once

#include "harness/ptx/type.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace harness::ptx {

struct Warp;
struct Lanes;

/// A special register (PTX ISA, section 10): its place in the table of special.cpp.
std::optional<std::uint32_t> specialNamed(std::string_view name);
/// Its type.
Type specialType(std::uint32_t special);
/// Its value in every lane.
void readSpecial(const Warp& warp, std::uint32_t special, Lanes& value);

} // namespace harness::ptx
