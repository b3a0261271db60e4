#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace harness::explain {

/// Some bytes of a value: bit 0 is the lowest byte. Registers of SASS have four.
using Bytes = std::uint8_t;
constexpr Bytes kNoBytes = 0, kLowHalf = 0x3, kHighHalf = 0xc, kWholeWord = 0xf, kAllBytes = 0xff;

/// The bits that the bytes are.
std::uint64_t maskOf(Bytes bytes);
/// Whether the upper half of a word is the zero- or the sign-extension of its lower one.
bool isZeroExtended(std::uint64_t word);
bool isSignExtended(std::uint64_t word);

/// The bytes of a register that a SASS instruction which writes one register makes the bytes `wanted` of its
/// result from. All of them, where that is not known.
Bytes bytesRead(std::string_view text, std::string_view name, Bytes wanted);

/// A register that a SASS instruction hands on: some low bytes of it, with zeros or its sign above.
struct Copied {
  std::string name;
  Bytes bytes = kWholeWord;
};
/// Nothing if the instruction does more than that.
std::optional<Copied> copiedBy(std::string_view text);

} // namespace harness::explain
