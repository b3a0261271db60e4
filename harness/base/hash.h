#pragma once

#include <llvm/Support/SHA256.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace harness {

/// SHA-256 of `bytes`, 64 lower-case hex digits.
std::string sha256(std::string_view bytes);

inline constexpr std::size_t kSha256Digits = 64;
/// True for what sha256() can give.
bool isSha256(std::string_view text);

/// SHA-256 of a file's contents, read in pieces. Throws Error(Environment) when it cannot be read.
std::string sha256File(const std::filesystem::path& path);

/// Builds a key out of named fields. Every field is length-prefixed, so that no two different
/// sequences of fields give the same key.
class KeyHasher {
public:
  /// `domain` names what the key is for and its version, e.g. "ptx/1".
  explicit KeyHasher(std::string_view domain) { add("domain", domain); }
  KeyHasher& add(std::string_view name, std::string_view value);
  KeyHasher& add(std::string_view name, std::uint64_t value);
  /// 64 lower-case hex digits.
  std::string hex();

private:
  llvm::SHA256 sha_;
};

} // namespace harness
