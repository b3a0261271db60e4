#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"@!P0 F2F.F16.F32 R8, R2"},
    {"F2F.F16.F32 R5, R6"},
    {"@!P0 F2FP.F16.F32.PACK_AB R5, RZ, R5"},
    {"@!P0 F2FP.PACK_AB R0, RZ, R4", 80},
    {"F2I.FTZ.U32.TRUNC.NTZ R3, R2"},
    {"F2I.NTZ R13, R6"},
    {"@!P0 F2I.U8.F16.TRUNC.NTZ R9, R8"},
    {"F2I.U8.F16.TRUNC.NTZ R10, R5"},
    {"I2F.U32.RP R15, R11"},
    {"I2F.U32.RP R4, UR8"},
    {"UI2F.U32.RP UR4, UR6", 120},
    {"I2FP.F32.S32 R4, R5"},
    {"UI2FP.F32.U32 UR4, UR5", 120},
    {"F2I.S64.F64.TRUNC R4, R6"},
};

} // namespace

std::span<const Sample> convertSamples() {
  return kSamples;
}

} // namespace harness::sass::test
