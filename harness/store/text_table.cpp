#include "harness/store/text_table.h"

#include "harness/base/hash.h"

namespace harness {

namespace {
std::string digestOf(std::string_view value) {
  return sha256(value).substr(0, 32);
}
} // namespace

std::optional<RowId> TextTable::find(std::string_view value) {
  std::string text(value);
  if (auto known = ids_.find(text); known != ids_.end()) return known->second;
  Cursor cursor = connection_.prepare("SELECT id FROM text WHERE digest = ?");
  if (!cursor.bind(digestOf(value)).step()) return std::nullopt;
  return ids_[text] = cursor.integer(0);
}

RowId TextTable::intern(std::string_view value) {
  if (auto id = find(value)) return *id;
  RowId id = connection_.insert("INSERT INTO text (digest, value) VALUES (?, ?)", digestOf(value), value);
  return ids_[std::string(value)] = id;
}

const std::string& TextTable::value(RowId id) {
  if (auto known = values_.find(id); known != values_.end()) return known->second;
  Cursor cursor = connection_.prepare("SELECT value FROM text WHERE id = ?");
  if (!cursor.bind(id).step()) connection_.failDamaged("it holds no text " + std::to_string(id));
  return values_[id] = cursor.text(0);
}

void TextTable::forget() {
  ids_.clear();
  values_.clear();
}

} // namespace harness
