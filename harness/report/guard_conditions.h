#pragma once

#include "harness/report/guard.h"

#include <nlohmann/json.hpp>

#include <string>

namespace harness {

// A guard in the languages of those who need it. Each is complete, with its comments, to be pasted as it is.
// All throw Error(Usage) for an architecture or a version that cannot be written so.

/// `#if …`, which defines CASE_MISCOMPILED as 1 or 0, by what nvcc and NVRTC define alike: __CUDACC_VER_*__
/// and, in device code, __CUDA_ARCH__; variants (sm_90a, sm_100f) are told apart only where they differ.
std::string preprocessorGuard(const Guard& guard);
/// Sets CASE_MISCOMPILED from CMAKE_CUDA_COMPILER_VERSION and CMAKE_CUDA_ARCHITECTURES. Needs CMake 3.18.
std::string cmakeGuard(const Guard& guard);
/// A function case_is_miscompiled((major, minor, build), "sm_90a").
std::string pythonGuard(const Guard& guard);

/// All three, one after the other; or one sentence where nothing is to be guarded.
std::string renderGuard(const Guard& guard);

/// The shape is fixed, keys may be added:
///   {"case","guarded","toolchains","archs",
///    "rules": [{"archs","ranges": [{"from","end" (null:
///    none),"end_included","last_good","first_bad","last_bad",
///               "first_good"}]}],
///    "bad_levels","good_levels","unmeasured","exceptions","bad_cells","unblamed_cells",
///    "preprocessor","cmake","python"}
/// where a toolchain that there is none of is null; the last three are null if nothing is to be guarded.
nlohmann::ordered_json guardJson(const Guard& guard);

} // namespace harness
