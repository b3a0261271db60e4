#include "tests/sass/samples.h"

#include "harness/sass/binder.h"

namespace harness::sass::test {

#define HARNESS_SASS_DECLARE_SAMPLES(family) std::span<const Sample> family##Samples();
HARNESS_SASS_FAMILIES(HARNESS_SASS_DECLARE_SAMPLES)

#define HARNESS_SASS_ADD_SAMPLES(family)                                                                     \
  for (const Sample& sample : family##Samples())                                                             \
    all.push_back(sample);

std::span<const Sample> samples() {
  static const std::vector<Sample> kAll = [] {
    std::vector<Sample> all;
    HARNESS_SASS_FAMILIES(HARNESS_SASS_ADD_SAMPLES)
    return all;
  }();
  return kAll;
}

} // namespace harness::sass::test
