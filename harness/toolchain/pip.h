#pragma once

#include "harness/toolchain/requirements.h"

#include <filesystem>
#include <string_view>

namespace harness {

/// Unpacks the wheels of a requirement file into `target` with `python3 -m pip install --target`. The user's
/// pip configuration (index, proxy, certificates) applies; with `wheels` not empty no index is asked. `name`
/// is what the user asked for. Throws Error(Environment) that says what pip said and how to install without a
/// network.
void pipInstall(const Requirements& requirements, std::string_view name, const std::filesystem::path& wheels,
                const std::filesystem::path& target);

} // namespace harness
