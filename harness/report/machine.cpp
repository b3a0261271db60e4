#include "harness/report/machine.h"

namespace harness {

std::string csvLine(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
      line += field;
      continue;
    }
    line += '"';
    for (char c : field)
      line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

nlohmann::ordered_json parseRecorded(std::string_view text) {
  using Json = nlohmann::ordered_json;
  constexpr int kDeepest = 32; // the library frees and prints by recursion
  auto keep = [](int depth, Json::parse_event_t, Json&) { return depth <= kDeepest; };
  Json value = Json::parse(text, keep, /*allow_exceptions=*/false);
  return value.is_object() ? value : Json(nullptr);
}

std::string compactJson(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace harness
