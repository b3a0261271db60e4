#pragma once

#include "harness/explain/alignment.h"
#include "harness/explain/history.h"

#include <optional>

namespace harness::explain {

/// Whether a predicate that a comparison of SASS wrote is what PTX has of the same comparison, which may
/// stand the other way round or be the opposite one (ISETP.GE for setp.lt). Nothing where that cannot be
/// told.
std::optional<bool> agrees(History& sass, History& ptx, Alignment& alignment, const ValueRef& sassPredicate);

} // namespace harness::explain
