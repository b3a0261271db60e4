#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// One line of CSV (RFC 4180, but with a plain line feed).
std::string csvLine(const std::vector<std::string>& fields);

/// A JSON object that was recorded; null if `text` is none. What is nested deeper than anything of ours is
/// dropped.
nlohmann::ordered_json parseRecorded(std::string_view text);

/// JSON in one line; malformed UTF-8 in it becomes U+FFFD.
std::string compactJson(const nlohmann::ordered_json& value);

/// A JSON array of `count` values, one a line, so that line tools can be used on it too.
template <typename ValueAt> std::string jsonLines(std::size_t count, ValueAt&& valueAt) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i)
    text += (i ? ",\n" : "\n") + compactJson(valueAt(i));
  return text + (count ? "\n]\n" : "]\n");
}

} // namespace harness
