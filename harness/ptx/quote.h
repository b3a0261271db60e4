#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace harness::ptx {

/// 'text' as messages show what stands in a module: cut after `most` bytes ("…"), and bytes that a terminal
/// should not get as \xNN.
std::string quote(std::string_view text, std::size_t most = 120);

} // namespace harness::ptx
