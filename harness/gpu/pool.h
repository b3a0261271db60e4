#pragma once

#include "harness/gpu/device.h"
#include "harness/gpu/worker.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace harness::gpu {

/// The devices of a machine, each with a worker of its own, lent to one thread at a time: two launches side
/// by side on one device would share its time, and a kernel that hangs would hold up the other. Thread-safe.
class Pool {
public:
  Pool(Machine machine, Options options);

  const Machine& machine() const { return machine_; }
  const Options& options() const { return options_; }
  /// Those that take machine code for `arch` and are of one model, so that it does not matter which is taken:
  /// that of the first one. Places in machine().devices; empty if there are none.
  std::vector<std::size_t> devicesFor(std::string_view arch) const;

  /// Holds a worker as long as it lives.
  class Lease {
  public:
    Lease(Pool& pool, std::size_t place) : pool_(&pool), place_(place) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { pool_->giveBack(place_); }
    Worker& worker() const { return *pool_->workers_[place_]; }

  private:
    Pool* pool_;
    std::size_t place_;
  };
  /// Waits until one of `places` is free. Throws Error(Interrupted) after Ctrl-C.
  Lease borrow(const std::vector<std::size_t>& places);

  /// That were started for launches so far.
  std::uint64_t processes() const;

private:
  void giveBack(std::size_t place);

  Machine machine_;
  Options options_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<bool> isLent_;
  mutable std::mutex mutex_;
  std::condition_variable returned_;
};

} // namespace harness::gpu
