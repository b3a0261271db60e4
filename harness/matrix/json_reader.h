#pragma once

#include "harness/base/error.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {

/// A JSON document that people write by hand; members keep the file's order.
using Json = nlohmann::ordered_json;

/// Reads and parses `path`. Throws Error(Usage): "FILE:LINE:COLUMN: …" for a syntax error, "FILE: /pointer:
/// …" for a key given twice. At most 1 MiB, nested at most 32 deep.
Json readJsonFile(const std::filesystem::path& path);

/// A place in a document, which must outlive it. Every accessor checks what it finds and throws Error(Usage)
/// "FILE: /json/pointer: what is wrong" if it is not what was asked for.
class JsonNode {
public:
  JsonNode(const Json& value, std::string file, std::string pointer = "")
      : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)) {}

  [[noreturn]] void fail(const std::string& what) const;
  const std::string& pointer() const { return pointer_; }

  /// Fails if this is no object, or has a key that is not among `keys` (suggesting the nearest of them).
  void onlyKeys(std::initializer_list<std::string_view> keys) const;
  bool has(std::string_view key) const { return value_->contains(key); }
  /// Fails if there is no such key.
  JsonNode at(std::string_view key) const;
  /// The members of an object in the file's order.
  std::vector<std::pair<std::string, JsonNode>> members() const;
  /// The elements of an array.
  std::vector<JsonNode> elements() const;
  /// The elements of an array of strings, or one string as a list of one.
  std::vector<std::string> strings() const;

  bool isString() const { return value_->is_string(); }
  bool isObject() const { return value_->is_object(); }
  bool isArray() const { return value_->is_array(); }
  bool isNumber() const { return value_->is_number(); }
  std::string string() const; ///< not empty
  bool boolean() const;
  double number() const;
  std::uint64_t unsignedInteger() const;
  /// A number as its shortest decimal text, or a string as it is: what elementBits() reads.
  std::string valueText() const;

  /// Calls `work`; an Error(Usage) out of it gets file and pointer before its text.
  template <typename Work> auto located(Work&& work) const {
    try {
      return work();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage) throw;
      fail(error.what());
    }
  }

private:
  const Json* value_;
  std::string file_, pointer_;
};

} // namespace harness
