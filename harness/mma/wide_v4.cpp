constexpr int kLanes = 16;

#include "harness/mma/wide_code.h"

const harness::mma::WideCode harness::mma::kWideV4 = {"v4", kLanes, load, multiply};
