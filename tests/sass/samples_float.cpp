#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"FADD R8, -RZ, -R8"},
    {"FADD R11, -RZ, |R5|"},
    {"FADD R6, |R3|, -RZ"},
    {"FADD.FTZ R10, -R8, -RZ"},
    {"FADD.FTZ R16, -RZ, -R8"},
    {"FADD.FTZ R18, -RZ, |R10|"},
    {"FADD.FTZ R5, R4, 127"},
    {"FADD.FTZ R9, R10, R9"},
    {"FCHK P0, R9, R4"},
    {"@!P0 FFMA R8, R4, 1.84467440737095516160e+19, RZ"},
    {"FFMA R6, -R4, R5, 1"},
    {"FFMA R8, R5, -R4, 1"},
    {"FFMA R5, R6, 127, RZ"},
    {"FFMA R12, R5, R10, 1"},
    {"FFMA R6, R5, R6, R5"},
    {"FFMA R8, R5, R14, RZ"},
    {"FFMA R12, R10, R5, UR4"},
    {"FFMA R5, R11, UR4, RZ"},
    {"FFMA.RM R8, R11, R10.reuse, R12.reuse"},
    {"FFMA.RP R7, R11, R10, R12"},
    {"FFMA.RZ R7, R11, R10.reuse, R12.reuse"},
    {"FMNMX R7, R5, R4, !PT"},
    {"FMNMX R5, |R3|, R4, !PT"},
    {"@P0 FMUL R6, R7, 256"},
    {"FMUL R3, R3, R6"},
    {"FSETP.EQ.FTZ.AND P0, PT, R18, R19, PT"},
    {"FSETP.GT.AND P0, PT, R4, RZ, PT"},
    {"FSETP.GTU.FTZ.AND P0, PT, R18, R19, PT"},
    {"FSETP.GTU.FTZ.AND P0, PT, |R4|, +INF , PT"},
    {"FSETP.LEU.AND P0, PT, R6, RZ, PT"},
    {"FSETP.NEU.FTZ.AND P0, PT, R7, R8, PT"},
    {"FSETP.NEU.FTZ.AND P0, PT, |R4|, +INF , PT"},
    {"MUFU.RCP R4, R4"},
    {"MUFU.RCP R3, UR4", 120},
    {"MUFU.RSQ R5, -QNAN"},
    {"MUFU.RSQ R8, R8"},
    {"FSEL R4, R5, R6, P0"},
    {"UFSEL UR4, UR5, UR6, UP0", 120},
    {"UFADD UR4, UR5, UR6", 120},
    {"UFMUL UR4, UR5, UR6", 120},
    {"UFFMA UR4, UR5, UR6, UR7", 120},
    {"UFMNMX UR4, UR5, UR6, UPT", 120},
    {"UFSETP.GT.AND UP0, UPT, UR4, URZ, UPT", 120},
};

} // namespace

std::span<const Sample> floatSamples() {
  return kSamples;
}

} // namespace harness::sass::test
