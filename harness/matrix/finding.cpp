#include "harness/matrix/finding.h"

#include <llvm/Support/FormatVariadic.h>
#include <nlohmann/json.hpp>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::string messageDetails(std::string_view message) {
  return dump({{"message", message}});
}

Json detailsOf(const VerdictRecord& record) {
  Json details = Json::parse(record.details, nullptr, /*allow_exceptions=*/false);
  return details.is_object() ? details : Json::object();
}

void addDetail(VerdictRecord& record, const char* key, Json value) {
  Json details = detailsOf(record);
  details[key] = std::move(value);
  record.details = dump(details);
}

std::vector<BufferComparison> compareOutputs(const CaseShape& shape,
                                             const std::vector<std::string_view>& expected,
                                             const std::vector<std::string_view>& actual,
                                             const std::vector<std::string_view>& otherPoison) {
  std::vector<BufferComparison> comparisons;
  std::size_t output = 0;
  for (const BufferSpec& buffer : shape.buffers) {
    if (!buffer.output) continue;
    comparisons.push_back(compareBuffer(buffer.name, expected.at(output), actual.at(output),
                                        otherPoison.empty() ? std::string_view() : otherPoison.at(output),
                                        buffer.record, buffer.type, buffer.compare));
    ++output;
  }
  return comparisons;
}

void describeComparisons(const std::vector<BufferComparison>& comparisons, std::uint8_t poison,
                         VerdictRecord& record) {
  Json buffers = Json::array();
  record.bytes = record.bad = 0;
  record.firstBad.clear();
  for (const BufferComparison& comparison : comparisons) {
    record.bytes += comparison.bytes;
    record.bad += comparison.bad;
    if (record.firstBad.empty() && !comparison.first.empty()) {
      const ByteDifference& first = comparison.first.front();
      record.firstBad = llvm::formatv("{0}+{1:x}: {2:x2} -> {3:x2}", comparison.buffer, first.offset,
                                      unsigned{first.expected}, unsigned{first.actual})
                            .str();
    }
    Json first = Json::array();
    for (const ByteDifference& difference : comparison.first)
      first.push_back(
          {{"offset", difference.offset}, {"expected", difference.expected}, {"actual", difference.actual}});
    buffers.push_back({{"name", comparison.buffer},
                       {"bytes", comparison.bytes},
                       {"bad", comparison.bad},
                       {"record", comparison.record},
                       {"histogram", comparison.histogram},
                       {"pattern", comparison.describePattern()},
                       {"first", first}});
  }
  record.verdict = record.bad ? Verdict::Mismatch : Verdict::Pass;
  record.details = record.bad ? dump({{"poison", poison}, {"buffers", buffers}}) : "";
}

} // namespace harness
