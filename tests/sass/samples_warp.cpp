#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
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
    {"CS2R R14, SR_CLOCKLO"},
    {"CS2R R2, SRZ"},
    {"CS2R.32 R11, SR_CgaSize", 120},
    {"CS2R.32 R13, SR_CLOCKHI"},
    {"S2UR UR4, SR_GLOBALTIMERLO"},
    {"S2R R15, SR_VIRTUALSMID"},
    {"MATCH.ANY R6, R13"},
    {"MATCH.ANY.U64 R8, R2"},
    {"MATCH.ALL P3, R10, R13"},
    {"MATCH.ALL.U64 P6, R8, R2"},
    {"REDUX UR9, R0"},
    {"REDUX.OR UR9, R0"},
    {"REDUX.SUM.S32 UR8, R0"},
    {"REDUX.MIN.S32 UR11, R0"},
    {"REDUX.MAX UR7, R0"},
    {"CREDUX.MIN UR6, R6", 100},
    {"CREDUX.MAX.S32 UR6, R6", 100},
    {"CREDUX.MIN.F32 UR6, R0", 100},
    {"CREDUX.MAXABS.F32 UR7, R0", 100},
    {"CREDUX.MIN.F32.NAN UR8, R0", 100},
    {"CREDUX.MAXABS.F32.NAN UR9, R0", 100},
    {"CS2UR.32 UR6, SR_CLOCKLO", 120},
    {"S2R R4, SR_SWINLO"},
    {"ELECT P0, UR5, PT"},
    {"ELECT P1, URZ, P0"},
    {"ELECT P1, UR6, ~URZ"},
};

} // namespace

std::span<const Sample> warpSamples() {
  return kSamples;
}

} // namespace harness::sass::test
