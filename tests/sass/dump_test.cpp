#include "harness/sass/dump.h"

#include <gtest/gtest.h>

namespace harness::sass {
namespace {

TEST(SassDump, Form) {
  Cubin cubin;
  cubin.sections = {{".text.k", 0x80, 48}, {".text.f", 0x100, 16}};
  cubin.relocations = {
      {".text.k", 0x18, 56, "f", 0}, {".text.k", 0x10, 57, "table", 8}, {".text.f", 0x20, 56, "none", 0}};
  Listing kernel, function;
  kernel.instructions = {{0x794d, 0xfea0003800000, "EXIT", false},
                         {0x1234567890abcdef, 0xfedcba0987654321, "MOV R2, 0x0", false},
                         {1, 2, "", true}};
  function.instructions = {{3, 4, "NOP", false}};
  EXPECT_EQ(renderDump(cubin, {kernel, function}),
            ".text.k (48 bytes)\n"
            "  0000   EXIT                                            "
            "               B------:R-:W-:-:S05 000fea0003800000 000000000000794d\n"
            "  0010   MOV R2, 0x0                                     "
            "               B0-23-5:R6:W2:-:S13 fedcba0987654321 1234567890abcdef"
            " ; f, table+0x8\n"
            "  0020   (illegal encoding)                              "
            "               B------:R0:W0:Y:S00 0000000000000002 0000000000000001\n"
            ".text.f (16 bytes)\n"
            "  0000   NOP                                             "
            "               B------:R0:W0:Y:S00 0000000000000004 0000000000000003\n");
}

TEST(SassDump, Nothing) {
  EXPECT_EQ(renderDump(Cubin(), {}), "");
}

} // namespace
} // namespace harness::sass
