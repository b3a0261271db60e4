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
std::size_t sizeOf(ElementType type);

/// How a buffer starts (DESIGN section 5).
struct InitZero {};
struct InitFill { double value = 0; std::optional<std::uint64_t> bits; }; ///< `bits` when written in hex
struct InitIota { double start = 0, step = 1; };
/// Cycled if shorter than the buffer. A number is converted to the type, a hex string is its bits.
struct InitValues { std::vector<std::string> values; };
/// Philox4x32-10; counter = element index, key = seed. Integers: uniform in [min, max]; floats: uniform in
/// [min, max) computed in double and rounded once; without bounds: all bit patterns of the type.
struct InitRandom { std::uint64_t seed = 0; std::optional<double> min, max; };
struct InitEdges {}; ///< the edge values of the type, cycled
struct InitFile { std::filesystem::path path; };
using BufferInit = std::variant<InitZero, InitFill, InitIota, InitValues, InitRandom, InitEdges, InitFile>;

/// One Philox4x32-10 block: four 32-bit words for a 128-bit counter and a 64-bit key.
struct PhiloxBlock { std::uint32_t word[4]; };
PhiloxBlock philox4x32(std::uint64_t counterLow, std::uint64_t counterHigh, std::uint64_t key);

/// `count` elements of `type`, little endian. Throws Error(Usage) for a value that does not fit the type,
/// a file that is missing or of another size.
std::string makeContents(ElementType type, std::uint64_t count, const BufferInit& init);

} // namespace harness
