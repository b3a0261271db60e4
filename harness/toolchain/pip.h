#pragma once

#include "harness/base/version.h"
#include "harness/toolchain/requirements.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace harness {

/// Unpacks the wheels of a requirement file into `target` with `python3 -m pip install --target`. The user's
/// pip configuration (index, proxy, certificates) applies; with `wheels` not empty no index is asked. `name`
/// is what the user asked for. Throws Error(Environment) that says what pip said and how to install without a
/// network.
void pipInstall(const Requirements& requirements, std::string_view name, const std::filesystem::path& wheels,
                const std::filesystem::path& target);

/// The versions of `package` that `pip index versions` offers for this machine, in its order. Throws
/// Error(Environment), in one line, when pip fails or does not answer within half a minute.
std::vector<Version> pipVersions(std::string_view package);

} // namespace harness
