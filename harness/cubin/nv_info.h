#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace harness {

/// Codes of the `.nv.info` attributes that are read (NVIDIA's EIATTR_* names and numbers).
enum class InfoCode : std::uint8_t {
  ParamCbank = 0x0a,       ///< u32 symbol, u16 offset in bank 0, u16 size
  FrameSize = 0x11,        ///< u32 symbol, u32 bytes
  MinStackSize = 0x12,     ///< u32 symbol, u32 bytes
  KparamInfo = 0x17,       ///< u32 index, u16 ordinal, u16 offset, u32 with the size in bits 31:18
  CbankParamSize = 0x19,   ///< u16 bytes
  ExitInstrOffsets = 0x1c, ///< u32 each
  CrsStackSize = 0x1e,     ///< u32 bytes
  RegCount = 0x2f,         ///< u32 symbol, u32 registers
  KparamInfoV2 =
      0x45, ///< as KparamInfo, with the size in bits 15:0 (kernels with more than 4 KiB of parameters)
  NumBarriers = 0x4c, ///< u8
};

/// One attribute of a `.nv.info` section.
struct InfoAttribute {
  InfoCode code{};
  std::string_view payload;

  /// Little-endian numbers at a byte offset of the payload; throw Error(Usage) past its end.
  std::uint32_t u32(std::size_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
  std::uint16_t u16(std::size_t at) const { return static_cast<std::uint16_t>(number(at, 2)); }
  std::uint8_t u8(std::size_t at) const { return static_cast<std::uint8_t>(number(at, 1)); }

private:
  std::uint64_t number(std::size_t at, std::size_t size) const;
};

/// The attributes of one section: a format byte (1 no value, 2 a byte, 3 a half, 4 a half with the length of
/// what follows), a code byte, the value. Throws Error(Usage) for any other format or a payload past the end.
std::vector<InfoAttribute> parseInfo(std::string_view contents);

} // namespace harness
