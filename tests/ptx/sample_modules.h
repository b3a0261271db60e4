#pragma once

#include <span>
#include <string_view>

namespace harness::ptx::test {

/// Modules that together hold every form of the language that the parser knows. ptxas 13.0 takes each, but
/// for the first, whose forms belong to old versions.
std::span<const std::string_view> sampleModules();

} // namespace harness::ptx::test
