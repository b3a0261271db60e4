#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  std::uint32_t* row = static_cast<std::uint32_t*>(args[0]);
  const std::uint32_t *grid = launch->grid, *block = launch->block;
  std::uint32_t sizes =
      grid[0] + grid[1] * 16 + grid[2] * 256 + block[0] * 4096 + block[1] * 65536 + block[2] * 1048576;
  for (std::uint32_t bz = 0; bz < grid[2]; ++bz)
    for (std::uint32_t by = 0; by < grid[1]; ++by)
      for (std::uint32_t bx = 0; bx < grid[0]; ++bx) {
        std::uint32_t thread = 0;
        for (std::uint32_t z = 0; z < block[2]; ++z)
          for (std::uint32_t y = 0; y < block[1]; ++y)
            for (std::uint32_t x = 0; x < block[0]; ++x, ++thread, row += 6) {
              row[0] = x + y * 256 + z * 65536;
              row[1] = bx + by * 256 + bz * 65536;
              row[2] = sizes;
              row[3] = thread % 32;
              row[4] = (std::uint32_t{1} << thread % 32) - 1;
              row[5] = ~row[4] ^ 32;
            }
      }
}
