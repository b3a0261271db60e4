#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"LDSM.16.M88 R5, [R0+UR4+0x10]"},
    {"LDSM.16.M88 R5, [R0+0x10]"},
    {"LDSM.16.M88.2 R4, [R0+UR4+0x10]"},
    {"LDSM.16.M88.2 R4, [R0+0x10]"},
    {"LDSM.16.M88.4 R4, [R0+UR4+0x10]"},
    {"LDSM.16.M88.4 R4, [R0+0x10]"},
    {"LDSM.16.MT88 R5, [R0+UR4+0x10]"},
    {"LDSM.16.MT88 R5, [R0+0x10]"},
    {"LDSM.16.MT88.2 R4, [R0+UR4+0x10]"},
    {"LDSM.16.MT88.2 R4, [R0+0x10]"},
    {"LDSM.16.MT88.4 R4, [R0+UR4+0x10]"},
    {"LDSM.16.MT88.4 R4, [R0+0x10]"},
    {"MOVM.16.MT88 R5, R0"},
    {"STSM.16.M88 [R5+0x10], R2"},
    {"STSM.16.M88.2 [R0+0x10], R2"},
    {"STSM.16.M88.4 [R0+0x10], R4"},
    {"STSM.16.MT88 [R5+0x10], R2"},
    {"STSM.16.MT88.2 [R0+0x10], R2"},
    {"STSM.16.MT88.4 [R0+0x10], R4"},
    {"STSM.8.MT168 [R5+0x10], R2", 100},
    {"STSM.8.MT168.2 [R0+0x10], R2", 100},
    {"STSM.8.MT168.4 [R0+0x10], R4", 100},
};

} // namespace

std::span<const Sample> matrixSamples() {
  return kSamples;
}

} // namespace harness::sass::test
