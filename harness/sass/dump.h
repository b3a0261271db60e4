#pragma once

#include "harness/cubin/cubin.h"
#include "harness/sass/listing.h"

#include <string>
#include <vector>

namespace harness::sass {

/// The SASS of a cubin as it is kept and shown: a header for every code section, then a line an instruction:
/// section-relative address, nvdisasm's text, the control word (ControlWord::str), the encoding (high word,
/// low word), and the symbol of a relocation that was applied to it. `listings` belong to `cubin.sections`,
/// in their order. Equal code gives equal text.
std::string renderDump(const Cubin& cubin, const std::vector<Listing>& listings);

} // namespace harness::sass
