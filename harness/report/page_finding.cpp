#include "harness/report/page_finding.h"

#include "harness/base/text.h"
#include "harness/report/details.h"
#include "harness/report/machine.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDifferences = 8, kMostOffsets = 1 << 16, kMostBuffers = 8, kMostNotes = 8;
constexpr std::size_t kLongestText = 2000, kLongestLog = 8000;
constexpr std::size_t kMostPlaces = 12;

std::string shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most) + " …";
}

std::string textAt(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? shortened(found->get<std::string>(), kLongestText)
                                                     : "";
}

std::uint64_t numberAt(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

/// The objects of a list, `most` of them.
std::vector<Json> objectsAt(const Json& object, const char* key, std::size_t most) {
  std::vector<Json> objects;
  auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return objects;
  for (const Json& one : *found)
    if (one.is_object() && objects.size() < most) objects.push_back(one);
  return objects;
}

PageBuffer bufferOf(const Json& object) {
  PageBuffer buffer;
  buffer.name = textAt(object, "name");
  buffer.pattern = textAt(object, "pattern");
  buffer.bytes = numberAt(object, "bytes");
  buffer.bad = numberAt(object, "bad");
  buffer.record = numberAt(object, "record");
  if (auto histogram = object.find("histogram"); histogram != object.end() && histogram->is_array())
    for (const Json& count : *histogram)
      if (buffer.histogram.size() < kMostOffsets)
        buffer.histogram.push_back(count.is_number_unsigned() ? count.get<std::uint64_t>() : 0);
  for (const Json& one : objectsAt(object, "first", kMostDifferences))
    buffer.first.push_back({numberAt(one, "offset"), static_cast<unsigned>(numberAt(one, "expected") & 0xFF),
                            static_cast<unsigned>(numberAt(one, "actual") & 0xFF)});
  return buffer;
}

void readDetails(const std::string& recorded, PageFinding& finding) {
  Json details = parseRecorded(recorded);
  if (!details.is_object()) return;
  finding.message = textAt(details, "message");
  if (textAt(details, "oracle") == "ptx") finding.notes.emplace_back("judged by its PTX");
  for (const char* key : {"observations", "undefined"})
    if (auto lines = details.find(key); lines != details.end() && lines->is_array())
      for (const Json& line : *lines)
        if (line.is_string() && finding.notes.size() < kMostNotes)
          finding.notes.push_back(shortened(line.get<std::string>(), kLongestText));
  for (const Json& buffer : objectsAt(details, "buffers", kMostBuffers))
    if (PageBuffer one = bufferOf(buffer); one.bad > 0 || !one.first.empty())
      finding.buffers.push_back(std::move(one));
  auto blame = details.find("blame");
  if (blame == details.end() || !blame->is_object()) return;
  finding.because = textAt(*blame, "because");
  if (auto tried = blame->find("tried"); tried != blame->end() && tried->is_object())
    for (const auto& [what, result] : tried->items())
      if (result.is_string())
        finding.tried.emplace_back(what, shortened(result.get<std::string>(), kLongestText));
}

/// Numbers become '#', what stands in parentheses is dropped: two texts that differ in these alone tell the
/// same.
std::string likeness(const std::string& text) {
  std::string same;
  int depth = 0;
  for (char c : text) {
    if (c == '(') ++depth;
    if (depth == 0) {
      bool digit = std::isxdigit(static_cast<unsigned char>(c)) || c == 'x';
      if (!digit)
        same += c;
      else if (same.empty() || same.back() != '#')
        same += '#';
    }
    if (c == ')' && depth > 0) --depth;
  }
  return same;
}

std::string keyOf(const QueryRow& row) {
  const QueryExecutor* executor = decisiveExecutor(row);
  DetailSummary summary = executor ? summariseDetails(executor->details) : DetailSummary{};
  std::vector<std::string> parts{std::to_string(rankOf(row.outcome)),
                                 std::string(toString(row.verdict)),
                                 std::string(toString(row.blame)),
                                 row.why,
                                 likeness(summary.message),
                                 likeness(summary.pattern),
                                 summary.where};
  return join(parts, "\n");
}

std::vector<std::string> commandsToPaste(const QueryRow& row, const QueryRow* passing,
                                         const std::string& databaseArgument) {
  std::string cell = cellName(row);
  auto command = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "harness");
    return shellCommand(words) + databaseArgument;
  };
  std::vector<std::string> check{"harness", "check", cell};
  std::vector<std::string> commands{shellCommand(check), command({"show", cell})};
  if (row.verdict == Verdict::Mismatch) commands.push_back(command({"explain", cell}));
  if (passing) commands.push_back(command({"diff", cell, cellName(*passing)}));
  if (standingOf(row.verdict) == Standing::Bad) {
    commands.push_back(command({"bisect", row.caseId}));
    commands.push_back(command({"bundle", cell, "-o", row.caseId + ".tar"}));
  }
  return commands;
}

} // namespace

const QueryRow& representative(std::span<const QueryRow* const> rows) {
  auto best = std::find_if(rows.rbegin(), rows.rend(), [](const QueryRow* row) { return row->opt == "O3"; });
  return best == rows.rend() ? *rows.back() : **best;
}

std::string describePlaces(std::span<const QueryRow* const> rows, const ArchAxis& axis, std::size_t most) {
  std::vector<std::pair<std::string, std::string>> places;
  for (const QueryRow* row : rows)
    places.emplace_back(row->arch, row->opt);
  std::vector<std::string> parts;
  for (const Rectangle& rectangle : rectanglesOf(places))
    parts.push_back(axis.name(rectangle.archs) + " × " + nameLevels(rectangle.opts));
  return joinFew(parts, "; ", most);
}

std::vector<std::vector<const QueryRow*>> groupFindings(std::span<const QueryRow* const> rows) {
  std::vector<std::pair<std::string, std::vector<const QueryRow*>>> groups;
  for (const QueryRow* row : rows) {
    if (row->outcome == Outcome::Ok) continue;
    std::string key = keyOf(*row);
    auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == key; });
    if (same == groups.end()) same = groups.insert(groups.end(), {key, {}});
    same->second.push_back(row);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return rankOf(a.second.front()->outcome) < rankOf(b.second.front()->outcome);
  });
  std::vector<std::vector<const QueryRow*>> found;
  for (auto& [key, members] : groups)
    found.push_back(std::move(members));
  return found;
}

PageFinding describeFinding(std::span<const QueryRow* const> rows, const ArchAxis& axis,
                            const QueryRow* passing, const std::string& databaseArgument) {
  const QueryRow& row = representative(rows);
  PageFinding finding;
  finding.toolchain = row.toolchain;
  finding.outcome = row.outcome;
  finding.verdict = row.verdict;
  finding.blame = row.blame;
  if (isBlameDifferent(row)) finding.expectedBlame = row.expectedBlame;
  finding.cells = rows.size();
  finding.where = describePlaces(rows, axis, kMostPlaces);
  finding.found = shortened(describeFinding(rows), kLongestText);
  finding.why = shortened(row.why, kLongestText);
  finding.shown = cellName(row);
  finding.paste = commandsToPaste(row, passing, databaseArgument);
  if (const QueryExecutor* executor = decisiveExecutor(row)) readDetails(executor->details, finding);
  return finding;
}

} // namespace harness
