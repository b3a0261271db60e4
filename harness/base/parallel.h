#pragma once

#include <cstddef>
#include <functional>

namespace harness {

/// Calls `work(i)` for every i in [0, count) on up to `threads` threads, in increasing order of
/// start. The first exception stops further starts and is rethrown here once all threads have ended.
void parallelFor(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

} // namespace harness
