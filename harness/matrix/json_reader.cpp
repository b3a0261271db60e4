#include "harness/matrix/json_reader.h"

#include "harness/base/controls.h"
#include "harness/base/files.h"
#include "harness/base/text.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace harness {

namespace {

constexpr std::uint64_t kMaxBytes = 1 << 20;
constexpr int kMaxDepth = 32;

/// One token of a JSON pointer.
std::string pointerToken(std::string_view key) {
  std::string token;
  for (char c : key) {
    if (c == '~')
      token += "~0";
    else if (c == '/')
      token += "~1";
    else
      token += c;
  }
  return token;
}

/// Follows the parser's events: where it is, and which keys each open object already has.
class DuplicateKeys {
public:
  explicit DuplicateKeys(std::string file) : file_(std::move(file)) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    switch (event) {
    case Event::object_start:
    case Event::array_start:
      if (depth >= kMaxDepth) failUsage("{0}: nested more than {1} deep", file_, kMaxDepth);
      beginElement();
      levels_.push_back({event == Event::array_start, {}, {}, 0});
      break;
    case Event::object_end:
    case Event::array_end: levels_.pop_back(); break;
    case Event::key: {
      Level& level = levels_.back();
      level.key = parsed.get<std::string>();
      if (!level.keys.insert(level.key).second)
        failUsage("{0}: {1}: the key '{2}' is given twice", file_, pointer(), level.key);
      break;
    }
    case Event::value: beginElement(); break;
    }
    return true;
  }

private:
  struct Level {
    bool isArray;
    std::string key;
    std::set<std::string> keys;
    std::size_t elements;
  };

  void beginElement() {
    if (!levels_.empty() && levels_.back().isArray) ++levels_.back().elements;
  }

  std::string pointer() const {
    std::string text;
    for (const Level& level : levels_)
      text += "/" + (level.isArray ? std::to_string(level.elements - 1) : pointerToken(level.key));
    return text;
  }

  std::string file_;
  std::vector<Level> levels_;
};

/// "LINE:COLUMN" of a byte, both from 1.
std::string position(std::string_view text, std::size_t byte) {
  std::string_view before = text.substr(0, std::min(byte, text.size()));
  std::size_t line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  std::size_t lastBreak = before.rfind('\n');
  std::size_t column = before.size() - (lastBreak == std::string_view::npos ? 0 : lastBreak + 1) + 1;
  return llvm::formatv("{0}:{1}", line, column).str();
}

/// The library's text after its "[json.exception…] parse error at line …: " preface.
std::string reason(const nlohmann::json::parse_error& error) {
  std::string text = error.what();
  std::size_t at = text.find(": ");
  return at == std::string::npos ? text : text.substr(at + 2);
}

/// The number that ends before `end`, a place at most two bytes behind it: its first byte and itself.
std::pair<std::size_t, std::string_view> numberBefore(std::string_view text, std::size_t end) {
  constexpr std::string_view kInNumbers = "+-.0123456789eE";
  std::size_t last = text.substr(0, end).find_last_of(kInNumbers);
  if (last == std::string_view::npos) return {0, {}};
  std::size_t before = text.substr(0, last).find_last_not_of(kInNumbers);
  std::size_t first = before == std::string_view::npos ? 0 : before + 1;
  return {first, text.substr(first, last + 1 - first)};
}

} // namespace

Json readJsonFile(const std::filesystem::path& path) {
  std::string text = readFile(path, kMaxBytes);
  std::istringstream in(text); // tells how far the parser came
  try {
    return Json::parse(in, DuplicateKeys(path.string()));
  } catch (const nlohmann::json::parse_error& error) {
    // `byte` is the number of bytes read, the last of them the offending one.
    failUsage("{0}:{1}: {2}", path.string(), position(text, error.byte ? error.byte - 1 : 0), reason(error));
  } catch (const nlohmann::json::out_of_range&) {
    in.clear();
    auto [first, number] = numberBefore(text, static_cast<std::size_t>(in.tellg()));
    failUsage("{0}:{1}: the number {2} is too large", path.string(), position(text, first), number);
  }
}

void JsonNode::fail(const std::string& what) const {
  // Names out of the document may hold anything, and this is one line.
  failUsage("{0}: {1}", file_,
            replaceControls((pointer_.empty() ? "/" : pointer_) + ": " + what, escapedBytes));
}

void JsonNode::onlyKeys(std::initializer_list<std::string_view> keys) const {
  std::vector<std::string> known(keys.begin(), keys.end());
  for (const auto& [key, child] : members()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string near = nearest(key, known);
    child.fail(near.empty() ? "unknown key; known are " + join(known, ", ")
                            : "unknown key; did you mean '" + near + "'?");
  }
}

JsonNode JsonNode::at(std::string_view key) const {
  if (!has(key)) fail("'" + std::string(key) + "' is missing");
  return {value_->at(std::string(key)), file_, pointer_ + "/" + pointerToken(key)};
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
  if (!value_->is_object()) fail("an object is expected here");
  std::vector<std::pair<std::string, JsonNode>> list;
  for (const auto& [key, child] : value_->items())
    list.emplace_back(key, JsonNode(child, file_, pointer_ + "/" + pointerToken(key)));
  return list;
}

std::vector<JsonNode> JsonNode::elements() const {
  if (!value_->is_array()) fail("an array is expected here");
  std::vector<JsonNode> list;
  for (const Json& child : *value_)
    list.emplace_back(child, file_, pointer_ + "/" + std::to_string(list.size()));
  return list;
}

std::vector<std::string> JsonNode::strings() const {
  if (isString()) return {string()};
  std::vector<std::string> list;
  for (const JsonNode& element : elements())
    list.push_back(element.string());
  return list;
}

std::string JsonNode::string() const {
  if (!isString()) fail("a string is expected here");
  auto text = value_->get<std::string>();
  if (text.empty()) fail("the string must not be empty");
  return text;
}

bool JsonNode::boolean() const {
  if (!value_->is_boolean()) fail("true or false is expected here");
  return value_->get<bool>();
}

double JsonNode::number() const {
  if (!isNumber()) fail("a number is expected here");
  return value_->get<double>();
}

std::uint64_t JsonNode::unsignedInteger() const {
  if (!value_->is_number_unsigned()) fail("a whole number, 0 or more, is expected here");
  return value_->get<std::uint64_t>();
}

std::string JsonNode::valueText() const {
  if (isNumber()) return value_->dump();
  if (!isString()) fail("a number or a string is expected here");
  return string();
}

} // namespace harness
