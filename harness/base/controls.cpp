#include "harness/base/controls.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>

#include <algorithm>

namespace harness {

namespace {

/// Length of the UTF-8 sequence at the start of `text`; 0 if there is none that is whole and legal.
std::size_t sequenceLength(std::string_view text) {
  const auto* begin = reinterpret_cast<const llvm::UTF8*>(text.data());
  std::size_t length = llvm::getNumBytesForUTF8(*begin);
  return length <= text.size() && llvm::isLegalUTF8Sequence(begin, begin + length) ? length : 0;
}

/// Of C0, C1 or DEL: `sequence` is legal UTF-8.
bool isControl(std::string_view sequence) {
  auto byte = static_cast<unsigned char>(sequence.front());
  bool isC1 = byte == 0xc2 && static_cast<unsigned char>(sequence[1]) < 0xa0;
  return byte < 0x20 || byte == 0x7f || isC1;
}

} // namespace

std::string replaceControls(std::string_view text,
                            llvm::function_ref<std::string(std::string_view)> replacement) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = sequenceLength(text.substr(at));
    std::string_view sequence = text.substr(at, std::max<std::size_t>(length, 1));
    if (length == 0 || isControl(sequence))
      clean += replacement(sequence);
    else
      clean += sequence;
    at += sequence.size();
  }
  return clean;
}

std::string escapedBytes(std::string_view bytes) {
  return "\\x" + llvm::toHex(bytes, /*LowerCase=*/true);
}

} // namespace harness
