#pragma once

#include "harness/store/store.h"

#include <string>

namespace harness::cli {

/// What a cell's verdict rests on, over all shapes: "40400 bytes compared", and by what it was judged if that
/// is no reference: "400 bytes compared, judged by its PTX".
std::string describeCompared(const CellRecord& record);

} // namespace harness::cli
