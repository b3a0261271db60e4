#pragma once

#include "harness/base/files.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace harness {

/// The committed cubins of data/ (see data/make.sh).
inline std::string testCubin(std::string_view name) {
  return readFile(std::filesystem::path(CUBIN_TEST_DATA) / (std::string(name) + ".cubin"));
}

/// `bytes` with the only occurrence of `from` replaced by `to`, of the same length.
inline std::string patched(std::string bytes, std::string_view from, std::string_view to) {
  std::size_t at = bytes.find(from);
  if (at == std::string::npos || bytes.find(from, at + 1) != std::string::npos || from.size() != to.size())
    throw std::logic_error("patched: the pattern must occur once and keep its length");
  return bytes.replace(at, from.size(), to);
}

} // namespace harness
