#pragma once

#include "harness/base/version.h"

#include <filesystem>
#include <string>
#include <vector>

namespace harness {

/// A compiler that pip can get and no requirement file has.
struct NewerCompiler {
  std::string package;
  Version version; ///< the newest
};

/// Of the packages that bring compilers, those whose newest version is newer than all that `requirementsDir`
/// pins. Throws Error(Environment), in one line, when pip cannot be asked, or does not answer within half a
/// minute.
std::vector<NewerCompiler> newerCompilers(const std::filesystem::path& requirementsDir);

} // namespace harness
