#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"@!P0 F2FP.F16.F32.PACK_AB R5, RZ, R5"},
};

} // namespace

std::span<const Sample> packSamples() {
  return kSamples;
}

} // namespace harness::sass::test
