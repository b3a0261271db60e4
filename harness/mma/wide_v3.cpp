constexpr int kLanes = 8;

#include "harness/mma/wide_code.h"

const harness::mma::WideCode harness::mma::kWideV3 = {"v3", kLanes, load, multiply};
