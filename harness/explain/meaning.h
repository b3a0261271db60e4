#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace harness::explain {

/// What the bits of a value are to an instruction that takes them for a float: "half 0.0197", "float 1.5";
/// empty for anything else. `text` is an instruction of SASS or PTX; its first type is what it writes, its
/// last what it reads. `width` is the value's; a half lies in the lower part of a wider one.
std::string floatMeaning(std::string_view text, bool written, std::uint64_t bits, unsigned width);

} // namespace harness::explain
