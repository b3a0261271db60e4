#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"@P0 VIADD R3, R3, -UR8"},
    {"@P0 VIADD R8, R8, 0x1"},
    {"VIADD R7, R10, 0x2"},
    {"UVIADD UR4, UR5, 0x1", 120},
    {"VIADD.16x2 R5, R10, R11", 120},
    {"VIADD.16x2 R7, -R2, R6", 120},
    {"VIADD.U8x4 R7, R2, -R5", 120},
    {"VIADD.S8x4 R7, -R2, RZ", 120},
    {"VIADD.U8x4.ISAT R9, -R2, UR6", 120},
    {"VIADD.S32.ISAT R9, -R0, R11", 120},
    {"VIADD.S32.ISAT R13, R0.reuse, 0x3e8", 120},
    {"IMNMX R4, R5, R6, !PT", 80},
    {"IMNMX.U32 R4, R5, c[0x0][0x168], PT", 80},
    {"UIMNMX UR4, UR5, UR6, UPT", 80},
    {"IMNMX.S64 PT, PT, R8, R8, R10, !PT, !PT", 120},
    {"IMNMX.U64 PT, PT, R6, R6, -0x7, PT, !PT", 120},
    {"UIMNMX.U64 UPT, UPT, UR6, UR6, 0x5, UPT, !UPT", 120},
    {"VIMNMX R4, R5, R6, !PT"},
    {"VIMNMX R7, PT, PT, R4, R11, !PT", 100},
    {"VIMNMX.U32 R5, PT, PT, R0, UR4, !PT", 100},
    {"VIMNMX.RELU R9, R0, -0x3, !PT"},
    {"VIMNMX.S32.RELU R6, R5, R4, PT", 120},
    {"VIMNMX.S16x2 R3, PT, PT, R0.reuse, R6, PT", 100},
    {"VIMNMX.S16x2.RELU R3, R5, R6, !PT"},
    {"VIMNMX.U16x2 R3, P0, P0, R0, R6, !PT", 100},
    {"VIMNMX.U8x4 R3, R4, R5, PT", 120},
    {"UVIMNMX UR4, UR5, UR6, UPT", 120},
    {"UVIMNMX.U32 UR4, UR5, 0x1f, UPT", 120},
    {"VIMNMX3 R7, R0, UR6, R7, !PT"},
    {"VIMNMX3.U32 R7, R0, R7, R6, PT"},
    {"VIMNMX3.RELU R9, R0.reuse, R7.reuse, R6.reuse, PT"},
    {"VIMNMX3.S16x2 R7, R0, R3, R7, !PT"},
    {"VIADDMNMX R7, R0, -R7, R6, !PT"},
    {"VIADDMNMX R5, R0, R7, 0x64, PT"},
    {"VIADDMNMX.U32 R7, R0, UR6, R7, !PT"},
    {"VIADDMNMX.RELU R7, R6, R7, UR5, !PT"},
    {"VIADDMNMX.S16x2.RELU R11, R10, R11, R6, !PT"},
    {"VABSDIFF R7, R0, c[0x0][0x174], R7", 80},
    {"VABSDIFF.U32 R7, R0, R7, R6"},
    {"VABSDIFF4 R9, R11.reuse, R0.reuse, RZ", 80},
    {"VABSDIFF4.U8.ACC R7, R11, R0, R4", 80},
    {"IDP.4A.S8.U8 R8, R3, R8, R5"},
    {"IDP.4A.U8.U8 R7, R0, c[0x2][0x0], R7", 80},
    {"IDP.2A.LO.S16.S8 R9, R0.reuse, UR6, R7.reuse"},
    {"IDP.2A.HI.U16.U8 R8, R3, R8, R4"},
    {"I2I.S8.S32.SAT R6, R0"},
    {"I2I.U16.S32.SAT R7, c[0x0][0x170]", 80},
    {"I2IP.S16.S32.SAT R9, R15.reuse, R0.reuse, RZ"},
    {"I2IP.U8.S32.SAT R11, R0.reuse, UR6, R7"},
    {"I2IP.S4.S32.SAT R11, R0.reuse, UR6, R7.reuse.24"},
    {"I2IP.U2.S32.SAT R9, R11.reuse, c[0x0][0x174], R6.28", 80},
};

} // namespace

std::span<const Sample> videoSamples() {
  return kSamples;
}

} // namespace harness::sass::test
