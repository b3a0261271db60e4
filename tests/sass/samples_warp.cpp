#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"R2UR UR4, R8"},
    {"S2R R10, SR_CTAID.X"},
    {"S2R R0, SR_LMEMHIOFF"},
    {"S2R R13, SR_TID.X"},
    {"S2UR UR7, SR_CTAID.X", 120},
    {"SHFL.BFLY P6, R14, R13, R12, R11"},
    {"SHFL.BFLY P0, RZ, R7, R14, R15", 80},
    {"SHFL.BFLY PT, R4, R6, 0x10, 0x1f"},
    {"SHFL.BFLY PT, R9, R6, R7, 0x1f"},
    {"SHFL.BFLY PT, R6, R6, R7, R9", 80},
    {"S2UR UR5, SR_CgaCtaId"},
};

} // namespace

std::span<const Sample> warpSamples() {
  return kSamples;
}

} // namespace harness::sass::test
