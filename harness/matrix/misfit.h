#pragma once

#include "harness/matrix/manifest.h"

#include <string>
#include <string_view>

namespace harness {

/// What is wrong when a case's manifest and its kernel do not fit, and where to correct it.
std::string describeMisfit(const CaseManifest& manifest, std::string_view what);

} // namespace harness
