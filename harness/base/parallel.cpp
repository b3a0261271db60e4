#include "harness/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace harness {

void parallelFor(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::exception_ptr firstError;
  std::mutex errorMutex;
  auto loop = [&] {
    for (std::size_t i; !stop && (i = next++) < count;) {
      try {
        work(i);
      } catch (...) {
        std::lock_guard lock(errorMutex);
        if (!firstError) firstError = std::current_exception();
        stop = true;
      }
    }
  };
  std::size_t extra = std::min<std::size_t>(std::max(threads, 1u), count);
  std::vector<std::jthread> workers;
  for (std::size_t i = 1; i < extra; ++i)
    workers.emplace_back(loop);
  loop();
  workers.clear();
  if (firstError) std::rethrow_exception(firstError);
}

} // namespace harness
