#pragma once

#include "harness/report/page.h"

#include <string>

namespace harness {

/// The page as one HTML5 document: no script, nothing from elsewhere, for light and dark screens of any
/// width. Equal pages give equal bytes.
std::string renderHtml(const Page& page);

} // namespace harness
