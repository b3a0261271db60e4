#include "harness/gpu/driver.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace harness::gpu {

namespace {

const char* libraryName(const char* variable, const char* byDefault) {
  const char* given = std::getenv(variable);
  return given && *given ? given : byDefault;
}

} // namespace

const Driver* loadDriver(char* error, std::size_t errorSize) {
  const char* name = libraryName("HARNESS_LIBCUDA", "libcuda.so.1");
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::snprintf(error, errorSize,
                  "no NVIDIA driver: %s; leave out the executor gpu and toolchains with +driver, or let "
                  "HARNESS_LIBCUDA name the driver's library",
                  dlerror());
    return nullptr;
  }
  static Driver driver;
  const char* missing = nullptr;
#define X(member, symbol, signature)                                                                         \
  driver.member = reinterpret_cast<CUresult(*) signature>(dlsym(library, #symbol));                          \
  if (!driver.member && !missing) missing = #symbol;
  HARNESS_CUDA_FUNCTIONS(X)
#undef X
  if (!missing) return &driver;
  std::snprintf(error, errorSize, "the driver is too old: '%s' has no %s", name, missing);
  return nullptr;
}

const Nvml* loadNvml() {
  void* library = dlopen(libraryName("HARNESS_LIBNVML", "libnvidia-ml.so.1"), RTLD_NOW | RTLD_LOCAL);
  if (!library) return nullptr;
  static Nvml nvml;
  bool complete = true;
#define X(member, symbol, signature)                                                                         \
  nvml.member = reinterpret_cast<int(*) signature>(dlsym(library, #symbol));                                 \
  complete = complete && nvml.member;
  HARNESS_NVML_FUNCTIONS(X)
#undef X
  return complete && nvml.init() == 0 ? &nvml : nullptr;
}

} // namespace harness::gpu
