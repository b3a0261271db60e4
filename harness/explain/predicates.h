#pragma once

#include "harness/explain/alignment.h"
#include "harness/explain/history.h"

#include <optional>

namespace harness::explain {

/// Whether a comparison of SASS comes to the outcome that PTX has for the same values, whatever predicate it
/// is combined with: it may be the opposite comparison, or have its operands the other way round. Nothing if
/// the two cannot be set side by side.
std::optional<bool> agrees(History& sass, History& ptx, Alignment& alignment, const ValueRef& sassPredicate);

/// The predicate that takes part in a comparison of SASS besides its operands: that step's read.
std::optional<ValueRef> combinedWith(History& sass, const ValueRef& sassPredicate);

/// Whether what a comparison of SASS reads is a value of 16 bits extended in another way than PTX compares
/// it, and than the other operand is.
bool isWronglyExtended(History& sass, History& ptx, Alignment& alignment, const ValueRef& read);

} // namespace harness::explain
