#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"CGAERRBAR"},
    {"ERRBAR"},
    {"LD.E R4, [R4.64]", 80},
    {"LD.E R4, desc[UR4][R4.64]"},
    {"LD.E.SYS R4, [R4]", 75},
    {"LD.E.U16 R4, [R4.64]", 80},
    {"LD.E.U16 R4, desc[UR4][R4.64]"},
    {"LD.E.U16.SYS R4, [R4]", 75},
    {"LD.E.U8 R4, [R4.64]", 80},
    {"LD.E.U8 R4, desc[UR4][R4.64]"},
    {"LD.E.U8.SYS R4, [R4]", 75},
    {"LDC R1, c[0x0][0x28]"},
    {"LDC R0, c[0x0][R0+0x160]"},
    {"LDC R9, c[0x0][RZ]"},
    {"@!P0 LDC.64 R2, c[0x0][0x210]"},
    {"LDC.64 R22, c[0x0][0x208]"},
    {"LDC.64 R2, c[0x0][R2+0x160]"},
    {"LDCU UR4, c[0x0][0x390]", 120},
    {"LDCU.64 UR4, c[0x0][0x358]", 120},
    {"@!P0 LDG.E R2, [R2.64]", 80},
    {"@!P0 LDG.E R2, desc[UR4][R2.64]"},
    {"LDG.E R6, [R6.64]", 80},
    {"LDG.E R6, desc[UR4][R6.64]"},
    {"LDG.E.CONSTANT R3, [R4.64]", 80},
    {"LDG.E.CONSTANT R6, desc[UR8][R6.64]"},
    {"LDG.E.CONSTANT.SYS R3, [R4]", 75},
    {"@!P0 LDG.E.SYS R2, [R2]", 75},
    {"LDG.E.SYS R2, [R2]", 75},
    {"LDG.E.U8.CONSTANT R6, [R6.64]", 80},
    {"LDG.E.U8.CONSTANT R4, desc[UR8][R4.64]"},
    {"LDG.E.U8.CONSTANT.SYS R6, [R6.U32+UR4]", 75},
    {"LDG.E.U8.CONSTANT.SYS R6, [R6]", 75},
    {"LDL R16, [R1+0x4]"},
    {"LDL R2, [R1]"},
    {"MEMBAR.SC.VC"},
    {"ST.E.U16 [R4.64], R7", 80},
    {"ST.E.U16 desc[UR4][R4.64], R7"},
    {"ST.E.U16.SYS [R4], R7", 75},
    {"ST.E.U8 [R4.64], R0", 80},
    {"ST.E.U8 desc[UR4][R4.64], R0"},
    {"ST.E.U8.SYS [R4], R3", 75},
    {"@!P0 STG.E.U16 [R2.64], R0", 80},
    {"@!P0 STG.E.U16 desc[UR8][R2.64], R0"},
    {"STG.E.U16 [R6.64], R0", 80},
    {"STG.E.U16 desc[UR4][R8.64], R0"},
    {"@!P0 STG.E.U16.SYS [R2], R7", 75},
    {"STG.E.U16.SYS [R8], R0", 75},
    {"@!P0 STG.E.U8 [R4.64+0x1], R11", 80},
    {"@!P0 STG.E.U8 [R4.64], R9", 80},
    {"@!P0 STG.E.U8 desc[UR4][R4.64+0x1], R11"},
    {"@!P0 STG.E.U8 desc[UR4][R4.64], R9"},
    {"STG.E.U8 [R2.64+0x1], R5", 80},
    {"STG.E.U8 [R6.64], R13", 80},
    {"STG.E.U8 desc[UR4][R2.64+0x1], R5"},
    {"STG.E.U8 desc[UR4][R6.64], R3"},
    {"@!P0 STG.E.U8.SYS [R4+0x1], R11", 75},
    {"@!P0 STG.E.U8.SYS [R4], R9", 75},
    {"STG.E.U8.SYS [R4+0x1], R3", 75},
    {"STG.E.U8.SYS [R6], R13", 75},
    {"STL [R1+0x10], R21"},
    {"STL [R1], R2"},
    {"ULDC UR4, c[0x0][0x0]"},
    {"ULDC.64 UR4, c[0x0][0x118]"},
    {"STS [R24+UR4], R23"},
    {"STS [RZ], R17", 75},
    {"STG.E.64.SYS [UR4+0x80], R4", 75},
    {"STG.E.64 desc[UR8][R2.64+0x88], R6", 120},
    {"LDS.128 R4, [R8+0x10]"},
};

} // namespace

std::span<const Sample> memorySamples() {
  return kSamples;
}

} // namespace harness::sass::test
