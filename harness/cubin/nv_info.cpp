#include "harness/cubin/nv_info.h"

#include "harness/base/error.h"

#include <llvm/Support/Endian.h>

namespace harness {

namespace {

enum Format : std::uint8_t { kNoValue = 1, kByte = 2, kHalf = 3, kSized = 4 };

} // namespace

std::uint64_t InfoAttribute::number(std::size_t at, std::size_t size) const {
  if (at > payload.size() || payload.size() - at < size)
    failUsage("attribute {0:x} has {1} bytes, which is too short", unsigned(code), payload.size());
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(payload[at + i])} << (8 * i);
  return value;
}

std::vector<InfoAttribute> parseInfo(std::string_view contents) {
  std::vector<InfoAttribute> attributes;
  for (std::size_t at = 0; at < contents.size();) {
    if (contents.size() - at < 4) failUsage("attribute at offset {0} is cut off", at);
    auto format = static_cast<std::uint8_t>(contents[at]);
    auto code = static_cast<InfoCode>(contents[at + 1]);
    std::string_view value = contents.substr(at + 2, 2);
    at += 4;
    switch (format) {
    case kNoValue: attributes.push_back({code, {}}); break;
    case kByte: attributes.push_back({code, value.substr(0, 1)}); break;
    case kHalf: attributes.push_back({code, value}); break;
    case kSized: {
      std::size_t size = llvm::support::endian::read16le(value.data());
      if (contents.size() - at < size) failUsage("attribute at offset {0} is cut off", at - 4);
      attributes.push_back({code, contents.substr(at, size)});
      at += size;
      break;
    }
    default: failUsage("attribute at offset {0} has the unknown format {1}", at - 4, unsigned{format});
    }
  }
  return attributes;
}

} // namespace harness
