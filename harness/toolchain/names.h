#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// The name of a toolchain that a mistyped one may have meant: of those with the same prefix ("nvrtc-") the
/// one whose version is nearest as a number (13.0.88 for 13.0.99); without a version, the nearest by letters,
/// or empty if none is near enough.
std::string nearestToolchain(std::string_view name, std::span<const std::string> names);

/// The architectures that the ptxas of some release from 11.8 to 13.5 makes code for, by number.
const std::vector<std::string>& releasedArchs();

/// What to say behind "…knows no architecture NAME": "; the nearest are sm_90, sm_90a", by number.
std::string nearestArchsHint(std::string_view name, std::span<const std::string> archs);

/// Throws Error(Usage) that names the nearest of `known` if the architecture is none of them.
void requireKnownArch(const std::string& arch, std::span<const std::string> known);

/// What to say behind "…has no NAME": "; it has a, b, c", or, of many, " (did you mean 'b'?)".
std::string namesHint(std::string_view name, std::span<const std::string> names);

} // namespace harness
