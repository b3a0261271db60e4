#include "harness/base/error.h"
#include "harness/base/hash.h"
#include "harness/gpu/executor.h"
#include "harness/matrix/executor.h"
#include "harness/matrix/gpu_executor_version.h"

namespace harness {

namespace {

class GpuKernel : public Executable {
public:
  GpuKernel(std::shared_ptr<gpu::Pool> pool, std::vector<std::size_t> places, std::string bytes,
            std::shared_ptr<const Cubin> cubin, const Kernel& kernel)
      : pool_(std::move(pool)), places_(std::move(places)), bytes_(std::move(bytes)),
        cubin_(std::move(cubin)), kernel_(kernel) {}

  Executed execute(const BoundLaunch& launch, GlobalMemory& memory, const ExecutionOptions&,
                   bool /*watched*/) const override {
    gpu::Device device;
    Executed executed =
        gpu::execute(*pool_, places_, bytes_, kernel_, launch, launch.pointers, memory, device);
    executed.device = gpu::toJson(device, pool_->machine().driver);
    return executed;
  }

  ExecutionResult findUnwritten(const BoundLaunch&, const FreshMemory&,
                                const ExecutionOptions&) const override {
    throw Error(ErrorKind::Internal, "a device does not tell what nobody wrote");
  }

private:
  std::shared_ptr<gpu::Pool> pool_;
  std::vector<std::size_t> places_;
  std::string bytes_;
  std::shared_ptr<const Cubin> cubin_;
  const Kernel& kernel_; ///< of cubin_
};

class RealGpuExecutor : public GpuExecutor {
public:
  explicit RealGpuExecutor(const gpu::Options& options)
      : pool_(std::make_shared<gpu::Pool>(gpu::findMachine(options), options)) {}

  std::string refusal(std::string_view arch) const override {
    if (!pool_->devicesFor(arch).empty()) return "";
    std::string text = "no device takes machine code for " + std::string(arch) + "; there is";
    for (const gpu::Device& device : pool_->machine().devices)
      text += (&device == &pool_->machine().devices.front() ? " " : ", ") + device.name + " (" +
              device.arch() + ")";
    return text;
  }

  std::string version(std::string_view arch) const override {
    std::vector<std::size_t> places = pool_->devicesFor(arch);
    if (places.empty()) return "";
    const gpu::Machine& machine = pool_->machine();
    return machine.devices[places.front()].name + ", " + machine.driver.str() + ", " +
           std::string(kGpuExecutorVersion);
  }

  std::unique_ptr<Executable> load(std::string bytes, const std::shared_ptr<const Cubin>& cubin,
                                   const Kernel& kernel, std::string_view arch) const override {
    return std::make_unique<GpuKernel>(pool_, pool_->devicesFor(arch), std::move(bytes), cubin, kernel);
  }

private:
  std::shared_ptr<gpu::Pool> pool_;
};

} // namespace

std::shared_ptr<const GpuExecutor> gpuExecutor(const gpu::Options& options) {
  return std::make_shared<RealGpuExecutor>(options);
}

} // namespace harness
