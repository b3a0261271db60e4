#include "harness/report/details.h"

#include "harness/base/text.h"
#include "harness/report/machine.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kFewOffsets = 4;

std::string textAt(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The offsets in a record where bytes are bad, if they are few and not simply all of them.
std::string describeOffsets(const Json& buffer) {
  auto record = buffer.find("record"), histogram = buffer.find("histogram");
  if (record == buffer.end() || !record->is_number_unsigned() || *record == 0u) return "";
  if (histogram == buffer.end() || !histogram->is_array()) return "";
  std::string offsets;
  std::size_t count = 0;
  for (std::size_t i = 0; i < histogram->size(); ++i) {
    const Json& bad = (*histogram)[i];
    if (!bad.is_number_unsigned() || bad == 0u) continue;
    offsets += (count++ ? ", " : "") + std::to_string(i);
  }
  if (count == 0 || count > kFewOffsets || count == *record) return "";
  return "all at offset " + offsets + " of the " + std::to_string(record->get<std::uint64_t>()) +
         "-byte record";
}

struct Range {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;

  void add(std::uint64_t number) {
    least = std::min(least, number);
    most = std::max(most, number);
  }
  std::string str() const {
    return least == most ? std::to_string(most) : std::to_string(least) + "…" + std::to_string(most);
  }
};

/// What all say alike; otherwise the first and how many others there are.
std::string common(const std::vector<std::string>& texts) {
  std::vector<std::string> distinct;
  for (const std::string& text : texts)
    if (!text.empty() && std::find(distinct.begin(), distinct.end(), text) == distinct.end())
      distinct.push_back(text);
  if (distinct.empty()) return "";
  if (distinct.size() == 1) return distinct.front();
  return distinct.front() + " (and " + std::to_string(distinct.size() - 1) + " other)";
}

DetailSummary detailsOf(const QueryRow& row) {
  const QueryExecutor* executor = decisiveExecutor(row);
  return executor ? summariseDetails(executor->details) : DetailSummary{};
}

} // namespace

DetailSummary summariseDetails(std::string_view text) {
  DetailSummary summary;
  Json details = parseRecorded(text);
  if (!details.is_object()) return summary;
  summary.message = textAt(details, "message");
  if (auto blame = details.find("blame"); blame != details.end() && blame->is_object())
    summary.because = textAt(*blame, "because");
  if (textAt(details, "oracle") == "ptx") summary.oracle = "judged by its PTX";
  auto buffers = details.find("buffers");
  if (buffers == details.end() || !buffers->is_array()) return summary;
  for (const Json& buffer : *buffers) {
    if (!buffer.is_object()) continue;
    if (summary.pattern.empty()) summary.pattern = textAt(buffer, "pattern");
    if (summary.where.empty()) summary.where = describeOffsets(buffer);
  }
  return summary;
}

const QueryExecutor* decisiveExecutor(const QueryRow& row) {
  auto decisive =
      std::find_if(row.executors.begin(), row.executors.end(),
                   [&](const QueryExecutor& executor) { return executor.verdict == row.verdict; });
  return decisive == row.executors.end() ? nullptr : &*decisive;
}

std::string describeFinding(std::span<const QueryRow* const> rows) {
  if (rows.empty()) return "";
  Range bytes, bad, builds;
  std::vector<std::string> firsts, wheres, patterns, messages, becauses, oracles;
  for (const QueryRow* row : rows) {
    bytes.add(row->bytes);
    bad.add(row->bad);
    builds.add(row->builds);
    DetailSummary details = detailsOf(*row);
    firsts.push_back(row->firstBad.empty() ? "" : "first " + row->firstBad);
    wheres.push_back(std::move(details.where));
    patterns.push_back(std::move(details.pattern));
    messages.push_back(std::move(details.message));
    becauses.push_back(std::move(details.because));
    oracles.push_back(std::move(details.oracle));
  }
  std::vector<std::string> parts;
  if (bad.most > 0)
    parts.push_back(bad.str() + " of " + bytes.str() + " bytes wrong");
  else if (rows.front()->verdict == Verdict::Pass)
    parts.push_back(bytes.str() + " bytes equal");
  for (const auto& texts : {firsts, wheres, patterns, messages, oracles, becauses})
    if (std::string text = common(texts); !text.empty()) parts.push_back(text);
  if (builds.most > 1)
    parts.push_back("nondeterministic: " + std::to_string(builds.most) + " different builds");
  return join(parts, ", ");
}

} // namespace harness
