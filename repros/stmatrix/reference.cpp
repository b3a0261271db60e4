#include "harness/reference.h"

#include <initializer_list>

/// Element (row, column) of matrix m lies in half column % 2 of the m-th word of lane row * 4 + column / 2.
extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint16_t* out = static_cast<std::uint16_t*>(args[1]);
  struct Form {
    int firstWord, matrices;
    bool transposed;
  };
  for (Form form : {Form{0, 1, false}, Form{1, 2, true}, Form{0, 4, true}, Form{0, 4, false}})
    for (int m = 0; m < form.matrices; ++m)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
          int row = form.transposed ? j : i, column = form.transposed ? i : j;
          std::uint32_t word = in[(form.firstWord + m) * 32 + row * 4 + column / 2];
          *out++ = static_cast<std::uint16_t>(column % 2 == 0 ? word & 0xffff : word >> 16);
        }
}
