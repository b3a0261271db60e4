#pragma once

#include <cstddef>

namespace harness::gpu {

// The part of the CUDA driver API that is used, declared here because nothing of CUDA need be installed where
// this is compiled. Values and signatures are those of the stable binary interface: what cuda.h of any
// release maps the names to.

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUhandle = void*; ///< context, module, function, stream, link state

inline constexpr CUresult kSuccess = 0;

/// CUdevice_attribute.
enum DeviceAttribute : int {
  kClockRate = 13, ///< kHz
  kMultiprocessors = 16,
  kComputeMode = 20,
  kEccEnabled = 32,
  kMemoryClockRate = 36, ///< kHz
  kComputeMajor = 75,
  kComputeMinor = 76,
  kSharedPerBlockOptin = 97, ///< bytes
};

inline constexpr int kMaxDynamicShared = 8;      ///< CUfunction_attribute
inline constexpr int kLimitStackSize = 0;        ///< CUlimit
inline constexpr unsigned kScheduleBlocking = 4; ///< CU_CTX_SCHED_BLOCKING_SYNC
inline constexpr int kInputPtx = 1;              ///< CUjitInputType

/// CUjit_option.
enum JitOption : int {
  kJitMaxRegisters = 0,
  kJitInfoLog = 3,
  kJitInfoLogBytes = 4,
  kJitErrorLog = 5,
  kJitErrorLogBytes = 6,
  kJitOptimizationLevel = 7,
  kJitDebugInfo = 11,
  kJitLineInfo = 13,
};

/// Member, exported name, signature: one row a function.
#define HARNESS_CUDA_FUNCTIONS(X)                                                                            \
  X(init, cuInit, (unsigned flags))                                                                          \
  X(driverGetVersion, cuDriverGetVersion, (int* version))                                                    \
  X(deviceGetCount, cuDeviceGetCount, (int* count))                                                          \
  X(deviceGet, cuDeviceGet, (CUdevice * device, int ordinal))                                                \
  X(deviceGetName, cuDeviceGetName, (char* name, int size, CUdevice device))                                 \
  X(deviceGetUuid, cuDeviceGetUuid, (unsigned char(*uuid)[16], CUdevice device))                             \
  X(deviceGetAttribute, cuDeviceGetAttribute, (int* value, int attribute, CUdevice device))                  \
  X(deviceTotalMem, cuDeviceTotalMem_v2, (std::size_t* bytes, CUdevice device))                              \
  X(deviceGetPciBusId, cuDeviceGetPCIBusId, (char* id, int size, CUdevice device))                           \
  X(primaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, (CUdevice device, unsigned flags))                    \
  X(primaryCtxRetain, cuDevicePrimaryCtxRetain, (CUhandle * context, CUdevice device))                       \
  X(ctxSetCurrent, cuCtxSetCurrent, (CUhandle context))                                                      \
  X(ctxSetLimit, cuCtxSetLimit, (int limit, std::size_t value))                                              \
  X(ctxSynchronize, cuCtxSynchronize, ())                                                                    \
  X(moduleLoadData, cuModuleLoadData, (CUhandle * module, const void* image))                                \
  X(moduleUnload, cuModuleUnload, (CUhandle module))                                                         \
  X(moduleGetFunction, cuModuleGetFunction, (CUhandle * function, CUhandle module, const char* name))        \
  X(funcSetAttribute, cuFuncSetAttribute, (CUhandle function, int attribute, int value))                     \
  X(memAlloc, cuMemAlloc_v2, (CUdeviceptr * address, std::size_t bytes))                                     \
  X(memFree, cuMemFree_v2, (CUdeviceptr address))                                                            \
  X(memsetD8, cuMemsetD8_v2, (CUdeviceptr address, unsigned char value, std::size_t bytes))                  \
  X(memcpyHtoD, cuMemcpyHtoD_v2, (CUdeviceptr to, const void* from, std::size_t bytes))                      \
  X(memcpyDtoH, cuMemcpyDtoH_v2, (void* to, CUdeviceptr from, std::size_t bytes))                            \
  X(launchKernel, cuLaunchKernel,                                                                            \
    (CUhandle function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,    \
     unsigned blockZ, unsigned sharedBytes, CUhandle stream, void** arguments, void** extra))                \
  X(linkCreate, cuLinkCreate_v2, (unsigned count, int* options, void** values, CUhandle* state))             \
  X(linkAddData, cuLinkAddData_v2,                                                                           \
    (CUhandle state, int type, void* data, std::size_t size, const char* name, unsigned count, int* options, \
     void** values))                                                                                         \
  X(linkComplete, cuLinkComplete, (CUhandle state, void** cubin, std::size_t* size))                         \
  X(linkDestroy, cuLinkDestroy, (CUhandle state))                                                            \
  X(getErrorName, cuGetErrorName, (CUresult result, const char** name))                                      \
  X(getErrorString, cuGetErrorString, (CUresult result, const char** text))

/// What libcuda exports.
struct Driver {
#define X(member, symbol, signature) CUresult(*member) signature = nullptr;
  HARNESS_CUDA_FUNCTIONS(X)
#undef X
};

/// Opens a driver's library (`HARNESS_LIBCUDA`, else libcuda.so.1) and looks up every function. Null and
/// `error` if it cannot be opened or lacks one.
const Driver* loadDriver(char* error, std::size_t errorSize);

// What nvidia-ml tells beside it. Nothing depends on it.

using NvmlDevice = void*;

#define HARNESS_NVML_FUNCTIONS(X)                                                                            \
  X(init, nvmlInit_v2, ())                                                                                   \
  X(driverVersion, nvmlSystemGetDriverVersion, (char* text, unsigned size))                                  \
  X(deviceByPci, nvmlDeviceGetHandleByPciBusId_v2, (const char* id, NvmlDevice* device))                     \
  X(clock, nvmlDeviceGetClockInfo, (NvmlDevice device, int kind, unsigned* mhz))

inline constexpr int kNvmlSmClock = 1, kNvmlMemoryClock = 2;

struct Nvml {
#define X(member, symbol, signature) int(*member) signature = nullptr;
  HARNESS_NVML_FUNCTIONS(X)
#undef X
};

/// `HARNESS_LIBNVML`, else libnvidia-ml.so.1, made ready. Null if it is not there or does not answer.
const Nvml* loadNvml();

} // namespace harness::gpu
