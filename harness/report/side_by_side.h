#pragma once

#include "harness/sass/listing.h"

#include <string>

namespace harness {

/// Two listings side by side, aligned by their instructions' texts: address, text and control word of each,
/// and between them a mark: '|' another text, '~' another control word, '<' and '>' only on that side, ' '
/// equal. Without `all`, equal instructions stand only near a difference. "no difference" if there is none.
std::string renderSideBySide(const sass::Listing& left, const sass::Listing& right, bool all);

} // namespace harness
