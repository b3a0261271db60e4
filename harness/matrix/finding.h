#pragma once

#include "harness/matrix/manifest.h"
#include "harness/parity/compare.h"
#include "harness/store/store.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// VerdictRecord::details of a verdict that is a message: {"message": "…"}.
std::string messageDetails(std::string_view message);

/// VerdictRecord::details as an object; empty if it says nothing.
nlohmann::ordered_json detailsOf(const VerdictRecord& record);
void addDetail(VerdictRecord& record, const char* key, nlohmann::ordered_json value);

/// Compares every output of a shape with its reference. All three lists hold one text an output, in order;
/// `otherPoison` may be empty.
std::vector<BufferComparison> compareOutputs(const CaseShape& shape,
                                             const std::vector<std::string_view>& expected,
                                             const std::vector<std::string_view>& actual,
                                             const std::vector<std::string_view>& otherPoison);

/// Writes what was found into a verdict: pass or mismatch, counts, first difference, and as details
///   {"poison": 170, "buffers": [{"name", "bytes", "bad", "record", "histogram": [bad by offset in the
///   record],
///    "pattern", "first": [{"offset", "expected", "actual"}], "ulp"}]}
void describeComparisons(const std::vector<BufferComparison>& comparisons, std::uint8_t poison,
                         VerdictRecord& record);

} // namespace harness
