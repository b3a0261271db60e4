#pragma once

#include <cstddef>

namespace harness {

/// Where among the arguments of a launch the address of an allocation stands: a device needs its own there.
struct PointerPlace {
  std::size_t argument = 0; ///< by its place
  std::size_t offset = 0;   ///< bytes from its start
};

} // namespace harness
