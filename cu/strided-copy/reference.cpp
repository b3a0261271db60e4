#include "harness/reference.h"

namespace {

struct Arguments {
  const std::uint16_t* from;
  std::uint16_t* to;
  std::uint8_t dims;
  std::int32_t size[4];
  std::int64_t step[4];
  std::int32_t outStep[4];
};

void copy(const Arguments& arguments, unsigned dim, const std::uint16_t* from, std::uint16_t* to) {
  if (dim == arguments.dims) {
    *to = *from;
    return;
  }
  for (std::int32_t at = 0; at < arguments.size[dim]; ++at)
    copy(arguments, dim + 1, from + at * arguments.step[dim], to + at * arguments.outStep[dim]);
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto& arguments = *static_cast<const Arguments*>(args[0]);
  copy(arguments, 0, arguments.from, arguments.to);
}
