#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"@P0 HADD2.F32 R7, -RZ, R7.H0_H0"},
    {"@P0 HADD2.F32 R7, R6.H0_H0, -RZ.H0_H0", 75},
    {"HADD2.F32 R6, -RZ, R6.H0_H0"},
    {"HADD2.F32 R0, R4.H0_H0, -RZ.H0_H0", 75},
    {"HFMA2 R7, -RZ, RZ, 0, 0", 120},
    {"HFMA2.MMA R9, -RZ, RZ, 0, 0"},
    {"HFMA2 R8, -RZ, RZ, 1.0009765625, 3.07559967041015625e-05", 120},
};

} // namespace

std::span<const Sample> halfSamples() {
  return kSamples;
}

} // namespace harness::sass::test
