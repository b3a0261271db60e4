#include "harness/gpu/pool.h"

#include "harness/base/subprocess.h"

namespace harness::gpu {

Pool::Pool(Machine machine, Options options) : machine_(std::move(machine)), options_(std::move(options)) {
  for (const Device& device : machine_.devices)
    workers_.push_back(std::make_unique<Worker>(options_, device));
  isLent_.resize(workers_.size());
}

std::vector<std::size_t> Pool::devicesFor(std::string_view arch) const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < machine_.devices.size(); ++i) {
    const Device& device = machine_.devices[i];
    if (device.loads(arch) && (places.empty() || device.name == machine_.devices[places.front()].name))
      places.push_back(i);
  }
  return places;
}

Pool::Lease Pool::borrow(const std::vector<std::size_t>& places) {
  std::unique_lock lock(mutex_);
  for (;;) {
    throwIfInterrupted();
    for (std::size_t place : places)
      if (!isLent_[place]) {
        isLent_[place] = true;
        return Lease(*this, place);
      }
    returned_.wait_for(lock, std::chrono::milliseconds(100));
  }
}

void Pool::giveBack(std::size_t place) {
  std::lock_guard lock(mutex_);
  isLent_[place] = false;
  returned_.notify_all();
}

std::uint64_t Pool::processes() const {
  std::lock_guard lock(mutex_);
  std::uint64_t count = 0;
  for (const auto& worker : workers_)
    count += worker->processes();
  return count;
}

} // namespace harness::gpu
