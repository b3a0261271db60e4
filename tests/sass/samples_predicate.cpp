#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"PLOP3.LUT P0, PT, R4.SIGN, UR6.SIGN, R9.SIGN, 0x2, 0x0"},
    {"PLOP3.LUT P0, PT, R4.SIGN, c[0x2] [0x0].SIGN, R9.SIGN, 0x2, 0x0", 75},
    {"PLOP3.LUT P0, PT, R0.SIGN, UR6.SIGN, R7.SIGN, 0x2, 0x0"},
    {"PLOP3.LUT P0, PT, P0, P1, PT, 0x2a, 0x0"},
    {"PLOP3.LUT P0, PT, P0, PT, PT, 0x8, 0x0"},
    {"PLOP3.LUT P0, PT, R5.SIGN, PT, PT, 0x80, 0x8"},
    {"PLOP3.LUT P1, PT, PT, PT, UP0, 0x80, 0x8"},
    {"UPLOP3.LUT UP0, UPT, UP1, UPT, UPT, 0x80, 0x8"},
    {"P2R R22, PR, RZ, 0x2"},
    {"P2R R0, PR, R0, 0x7f", 75},
    {"P2R.B1 R248, PR, R248, 0xf", 80},
    {"P2R.B2 R247, PR, R247, 0x3", 80},
    {"UP2UR UR4, UPR, URZ, 0x1"},
    {"R2P PR, R9, 0x6"},
    {"R2P PR, R9.B1, 0x7f", 120},
    {"VOTE.ANY R1, PT, !P5", 75},
    {"VOTE.ANY R1, P3, P5"},
    {"VOTE.ALL P1, P0"},
    {"VOTE.EQ P1, P1"},
    {"VOTE.ALL R1, PT, P5", 75},
    {"VOTEU.ANY UR4, UPT, PT"},
    {"VOTEU.ALL UP1, P0"},
    {"R2UR UR4, R8"},
    {"R2UR P3, UR4, R24"},
    {"R2UR.OR P1, UR7, R3"},
    {"R2UR.BROADCAST UR6, R7", 120},
    {"R2UR.FILL UR6, R7", 120},
};

} // namespace

std::span<const Sample> predicateSamples() {
  return kSamples;
}

} // namespace harness::sass::test
