#pragma once

#include "harness/matrix/manifest.h"
#include "harness/matrix/variant.h"
#include "harness/store/store.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace harness {

/// What a shape of a case starts as, for each poison.
struct ShapeInputs {
  std::vector<std::string> initial[kPoisons]; ///< all buffers
  std::string launch[kPoisons];               ///< hash of all that a launch's result depends on but code
  std::string error;                          ///< why they cannot be had
};

/// What it must become.
struct ExpectedAnswer {
  std::string outputs[kPoisons]; ///< concatenated
  std::string outputHash[kPoisons];
  std::string error;        ///< why there is none
  bool unsupported = false; ///< with an error: it is no fault, but something that an executor lacks
};

/// The executions of a shape, a place a variant; null where it was not executed.
using VariantRuns = std::array<const ExecutionRecord*, kVariantCount>;

/// Judges the executions of one shape of a case. `outputs` gives the concatenated outputs of a hash.
///
/// The answers decide: how they ended, whether inputs are as they were, whether outputs equal the reference.
/// A right answer that comes out wrong in another order is `schedule-dependent`; one that comes out wrong
/// when approximate results move by an ulp is `approximate`, and so is a wrong answer of which no byte stays
/// as wrong as it was. A wrong answer stays a `mismatch` whatever other orders give.
/// An answer that does not come out the same whenever it is asked is `flaky`, and the details count what
/// came: {"repeats": 10, "outcomes": [{"count": 7, "end": "completed", "right": true}, …]}.
/// What the executions report stands in the details: `observations` and `undefined`, lists of lines.
VerdictRecord judgeRuns(const CaseShape& shape, const ExpectedAnswer& expected, const VariantRuns& runs,
                        const std::function<std::string(const std::string& hash)>& outputs);

} // namespace harness
