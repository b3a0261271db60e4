#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"MUFU.RCP R4, R4"},
    {"MUFU.RCP R3, UR4", 120},
    {"MUFU.RCP R4, c[0x0][0x170]", 80},
    {"MUFU.RSQ R5, -QNAN"},
    {"MUFU.RSQ R8, -R8"},
    {"MUFU.SQRT R8, |R8|"},
    {"MUFU.EX2 R0, 3.1415927410125732422"},
    {"MUFU.LG2 R5, R4"},
    {"MUFU.SIN R7, R7"},
    {"MUFU.COS R7, R7"},
    {"MUFU.TANH R7, -R2"},
    {"MUFU.RCP64H R7, c[0x0][0x17c]", 80},
    {"MUFU.RSQ64H R7, R5"},
    {"MUFU.EX2.F16 R7, R2.H1"},
    {"MUFU.TANH.F16 R6, R2"},
    {"MUFU.EX2.BF16 R6, R2"},
    {"MUFU.TANH.BF16 R7, R2.H1"},
};

} // namespace

std::span<const Sample> mufuSamples() {
  return kSamples;
}

} // namespace harness::sass::test
