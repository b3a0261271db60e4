#include "harness/reference.h"

namespace {

struct Stream {
  const std::uint32_t* word;
  std::uint32_t words;

  std::int64_t field(std::uint32_t from, std::uint32_t width) const {
    std::int64_t value = 0;
    for (std::uint32_t i = from + width; i-- > from;)
      value = value * 2 + (i / 32 < words ? word[i / 32] >> i % 32 & 1 : 0);
    return value;
  }

  std::int32_t signedField(std::uint32_t from, std::uint32_t width) const {
    std::int64_t value = field(from, width), range = std::int64_t{1} << width;
    return static_cast<std::int32_t>(value >= range / 2 ? value - range : value);
  }
};

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* fields = static_cast<std::int32_t*>(args[1]);
  auto* mixed = static_cast<std::int32_t*>(args[2]);
  Stream stream{static_cast<const std::uint32_t*>(args[0]), *static_cast<const std::uint32_t*>(args[3])};
  std::uint32_t width = *static_cast<const std::uint32_t*>(args[4]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    fields[2 * t] = static_cast<std::int32_t>(stream.field(t * width, width));
    fields[2 * t + 1] = stream.signedField(t * width, width);
    mixed[t] = stream.signedField(3 * t, 1 + t % 32);
  }
}
