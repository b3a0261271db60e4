#include "harness/base/hash.h"

#include "harness/base/error.h"

#include <llvm/ADT/StringExtras.h>

#include <array>
#include <fstream>

namespace harness {

std::string sha256(std::string_view bytes) {
  llvm::SHA256 sha;
  sha.update(llvm::StringRef(bytes.data(), bytes.size()));
  return llvm::toHex(sha.final(), /*LowerCase=*/true);
}

std::string sha256File(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) failEnvironment("cannot read '{0}'", path.string());
  llvm::SHA256 sha;
  std::array<char, 1 << 16> chunk;
  while (in.read(chunk.data(), chunk.size()) || in.gcount() > 0)
    sha.update(llvm::StringRef(chunk.data(), static_cast<std::size_t>(in.gcount())));
  if (in.bad()) failEnvironment("cannot read '{0}' to its end", path.string());
  return llvm::toHex(sha.final(), /*LowerCase=*/true);
}

KeyHasher& KeyHasher::add(std::string_view name, std::string_view value) {
  for (std::string_view part : {name, value}) {
    std::array<std::uint8_t, 8> size;
    for (unsigned i = 0; i < 8; ++i)
      size[i] = static_cast<std::uint8_t>(std::uint64_t{part.size()} >> (8 * i));
    sha_.update(size);
    sha_.update(llvm::StringRef(part.data(), part.size()));
  }
  return *this;
}

KeyHasher& KeyHasher::add(std::string_view name, std::uint64_t value) {
  return add(name, std::string_view(std::to_string(value)));
}

bool isSha256(std::string_view text) {
  return text.size() == kSha256Digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string KeyHasher::hex() {
  return llvm::toHex(sha_.final(), /*LowerCase=*/true);
}

} // namespace harness
