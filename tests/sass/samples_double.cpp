#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"DADD R2, R2, -c[0x0][0x178]", 80},
    {"DADD R2, R2, -3"},
    {"DADD R2, -RZ, |R2|"},
    {"DADD.RM R4, |R4|, -R6"},
    {"DADD R4, -R4, UR6", 120},
    {"DMUL R2, R2, c[0x2][0x0]", 80},
    {"DMUL.RP R6, R4, R8"},
    {"DFMA R2, R2, R4, 3"},
    {"DFMA R10, R10, 2, -R12"},
    {"DFMA.RZ R8, -R4, R6, UR8", 120},
    {"DFMA R4, R4, R6, |R8|"},
    {"DSETP.GE.XOR P0, PT, R2, UR4, P1"},
    {"DSETP.NEU.AND P0, PT, |R4|, +INF , PT"},
    {"DSETP.GTU.AND P0, PT, |R4|, -R6, !P0"},
    {"DSETP.MAX.AND P0, P1, R2, 3, PT"},
    {"DSETP.MIN.AND P0, P1, R2, R4, PT"},
};

} // namespace

std::span<const Sample> doubleSamples() {
  return kSamples;
}

} // namespace harness::sass::test
