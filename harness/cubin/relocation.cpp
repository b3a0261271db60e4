#include "harness/cubin/relocation.h"

#include <algorithm>
#include <array>

namespace harness {

namespace {

/// The types that ptxas 11.8 to 13.5 leave in executables for sm_75 to sm_121a, -O0 to -O3 and -G. The bits
/// of the instruction types were checked by patching addresses in and reading them back with nvdisasm -b.
/// Names as in NVIDIA's tools; "G" are those of variables, in generic form.
constexpr auto kRules = std::to_array<RelocationRule>({
    {2, "R_CUDA_64", {{0, 64, 0}}},
    {4, "R_CUDA_G64", {{0, 64, 0}}},
    {56, "R_CUDA_ABS32_LO_32", {{32, 32, 0}}},              // MOV, UMOV: low half of an address
    {57, "R_CUDA_ABS32_HI_32", {{32, 32, 32}}},             // and the high half
    {58, "R_CUDA_ABS47_34", {{34, 47, 2}}},                 // CALL.ABS up to sm_89
    {75, "R_CUDA_ABS55_16_34", {{16, 8, 2}, {34, 47, 10}}}, // CALL.ABS from sm_90 on
    {76, "R_CUDA_8_0", {{0, 8, 0}}}, // the eight bytes of an address in a packed structure
    {77, "R_CUDA_8_8", {{0, 8, 8}}},
    {78, "R_CUDA_8_16", {{0, 8, 16}}},
    {79, "R_CUDA_8_24", {{0, 8, 24}}},
    {80, "R_CUDA_8_32", {{0, 8, 32}}},
    {81, "R_CUDA_8_40", {{0, 8, 40}}},
    {82, "R_CUDA_8_48", {{0, 8, 48}}},
    {83, "R_CUDA_8_56", {{0, 8, 56}}},
    {84, "R_CUDA_G8_0", {{0, 8, 0}}},
    {85, "R_CUDA_G8_8", {{0, 8, 8}}},
    {86, "R_CUDA_G8_16", {{0, 8, 16}}},
    {87, "R_CUDA_G8_24", {{0, 8, 24}}},
    {88, "R_CUDA_G8_32", {{0, 8, 32}}},
    {89, "R_CUDA_G8_40", {{0, 8, 40}}},
    {90, "R_CUDA_G8_48", {{0, 8, 48}}},
    {91, "R_CUDA_G8_56", {{0, 8, 56}}},
});

} // namespace

std::size_t RelocationRule::span() const {
  unsigned bits = 0;
  for (const RelocationField& field : fields)
    bits = std::max<unsigned>(bits, field.width ? field.bit + field.width : 0);
  return (bits + 7) / 8;
}

void RelocationRule::apply(std::span<char> place, std::uint64_t value) const {
  for (const RelocationField& field : fields) {
    for (unsigned i = 0; i < field.width; ++i) {
      unsigned bit = field.bit + i;
      auto mask = static_cast<unsigned char>(1u << (bit % 8));
      bool set = (value >> field.shift >> i) & 1;
      auto byte = static_cast<unsigned char>(place[bit / 8]);
      place[bit / 8] = static_cast<char>(set ? byte | mask : byte & ~mask);
    }
  }
}

bool RelocationRule::blank(std::span<const char> place) const {
  for (const RelocationField& field : fields) {
    for (unsigned bit = field.bit; bit < unsigned{field.bit} + field.width; ++bit)
      if (static_cast<unsigned char>(place[bit / 8]) >> (bit % 8) & 1) return false;
  }
  return true;
}

const RelocationRule* findRelocationRule(std::uint32_t type) {
  auto found = std::ranges::lower_bound(kRules, type, {}, &RelocationRule::type);
  return found != kRules.end() && found->type == type ? &*found : nullptr;
}

} // namespace harness
