#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace harness {

/// Element types of buffers and scalar arguments.
enum class ElementType { U8, I8, U16, I16, U32, I32, U64, I64, F16, BF16, F32, F64, E4M3, E5M2 };

std::optional<ElementType> parseElementType(std::string_view name); ///< "u8", "f16", "e4m3" …
std::string_view toString(ElementType type);
std::size_t sizeOf(ElementType type); ///< bytes
bool isFloat(ElementType type);

/// How a buffer starts: `init` of a manifest (matrix/manifest.h).
struct InitZero {};
struct InitFill {
  std::string value;
}; ///< one value, written as in InitValues
/// Element i is start + i * step: integers modulo 2^bits, floats computed in double and rounded once.
struct InitIota {
  double start = 0, step = 1;
};
/// Cycled if shorter than the buffer; each as elementBits() reads it.
struct InitValues {
  std::vector<std::string> values;
};
/// Philox4x32-10 with counter = element index and key = seed; x = word[0] + 2^32 * word[1] of the block.
/// Integers: min + floor(x * (max - min + 1) / 2^64). Floats: min + floor(x / 2^11) * 2^-53 * (max - min),
/// computed in double and rounded once to the type. Without bounds: the low bits of x, so every bit pattern
/// of the type.
struct InitRandom {
  std::uint64_t seed = 0;
  std::optional<double> min, max;
};
struct InitEdges {}; ///< the edge values of the type, cycled
struct InitFile {
  std::filesystem::path path;
};
using BufferInit = std::variant<InitZero, InitFill, InitIota, InitValues, InitRandom, InitEdges, InitFile>;

/// One Philox4x32-10 block: four 32-bit words for a 128-bit counter and a 64-bit key.
struct PhiloxBlock {
  std::uint32_t word[4];
};
PhiloxBlock philox4x32(std::uint64_t counterLow, std::uint64_t counterHigh, std::uint64_t key);

/// The bits of one value of `type`: `text` is "0x" and its bits in hex, or a decimal number, rounded once to
/// nearest-even; for floats also "nan", "inf" and "-inf". Throws Error(Usage) if it is none of these or does
/// not fit.
std::uint64_t elementBits(ElementType type, std::string_view text);

/// The edge values of a type, as bits: zeros, ones, extremes and their neighbours, subnormals, infinities,
/// NaNs.
std::vector<std::uint64_t> edgeValues(ElementType type);

/// The low `size` bytes of `bits`, little endian.
std::string littleEndian(std::uint64_t bits, std::size_t size);

/// `count` elements of `type`, little endian. Throws Error(Usage) for a value that does not fit the type,
/// a file that is missing or of another size.
std::string makeContents(ElementType type, std::uint64_t count, const BufferInit& init);

} // namespace harness
