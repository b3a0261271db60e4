#pragma once

#include "harness/matrix/executor.h"
#include "harness/matrix/manifest.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <memory>
#include <string>
#include <vector>

namespace harness {

/// Device memory before a launch of `shape` whose buffers hold `initial` (CaseShape::initialContents).
std::unique_ptr<GlobalMemory> memoryOf(const CaseShape& shape, const std::vector<std::string>& initial);

/// The launch itself. Its pointers hold in every memory of the shape.
BoundLaunch launchOf(const CaseShape& shape, const std::vector<std::string>& initial);

} // namespace harness
