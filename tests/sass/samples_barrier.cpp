#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"BAR.SYNC.DEFER_BLOCKING 0x0"},
    {"BAR.SYNC 0x2, 0x60", 75},
    {"BAR.SYNC 0x3, R15", 75},
    {"BAR.SYNC.DEFER_BLOCKING R13, R13"},
    {"BAR.SYNC.DEFER_BLOCKING R15, 0x40"},
    {"BAR.ARV 0x2, 0x60"},
    {"BAR.ARV R9, 0x40", 75},
    {"BAR.ARV R0, R0"},
    {"BAR.RED.POPC.DEFER_BLOCKING 0x0, P0"},
    {"BAR.RED.AND 0x1, 0x40, P1", 75},
    {"BAR.RED.OR.DEFER_BLOCKING R14, R14, !P0"},
    {"BAR.RED.POPC 0x3, R9, P0", 75},
    {"B2R.RESULT R12"},
    {"B2R.RESULT RZ, P0"},
};

} // namespace

std::span<const Sample> barrierSamples() {
  return kSamples;
}

} // namespace harness::sass::test
