constexpr int kLanes = 4;

#include "harness/mma/wide_code.h"

const harness::mma::WideCode harness::mma::kWideBaseline = {"baseline", kLanes, load, multiply};
