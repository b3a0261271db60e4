#include "benchmarks/execution_runs.h"

#include "harness/base/error.h"
#include "harness/compile/compile.h"
#include "harness/parity/buffer.h"

#include "tests/compile/toolchains.h"

#include <cstring>

namespace harness::bench {

namespace {

constexpr const char* kKernels = R"(
#include <cuda_fp16.h>

extern "C" __global__ void integer_loop(unsigned* out, unsigned steps) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = i * 2654435761u, b = i ^ 0x9e3779b9u;
  for (unsigned step = 0; step < steps; ++step) {
    a = a * 1664525u + b;
    b ^= a >> 13;
    b += (a << 7) | step;
  }
  out[i] = a + b;
}

extern "C" __global__ void saxpy(float* y, const float* x, float a, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void reduction(unsigned* out, const unsigned* in) {
  __shared__ unsigned sums[256];
  unsigned lane = threadIdx.x, i = blockIdx.x * 512 + lane;
  sums[lane] = in[i] + in[i + 256];
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (lane < half) sums[lane] += sums[lane + half];
    __syncthreads();
  }
  if (lane == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void byte_store(unsigned char* out, const float* in, unsigned records) {
  unsigned record = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (record >= records) return;
  float value = in[record * 32 + lane], most = fabsf(value);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  unsigned short bits = __half_as_ushort(__float2half_rn(most * (1.0f / 127)));
  unsigned char* bytes = out + record * 34;
  if (lane == 0) {
    bytes[0] = (unsigned char)(bits & 0xff);
    bytes[1] = (unsigned char)(bits >> 8);
  }
  bytes[2 + lane] = (unsigned char)(int)(value * 100.0f);
}
)";

} // namespace

CompiledKernels::CompiledKernels()
    : toolchains(test::installedToolchains()), cache(directory.path() / "cache") {
  Toolchain toolchain = toolchains.get("13.0.88");
  Compiler compiler(cache, {});
  std::filesystem::path source = directory.path() / "kernels.cu";
  writeFileAtomically(source, kKernels);
  OptPoint opt = OptPoint::parse("O3");
  StageResult front = compiler.toPtx({source, {}, {}}, toolchain, kArch, opt);
  if (front.status != CompileStatus::Ok) failEnvironment("{0}", front.log);
  StageResult back = compiler.toCubin(front.hash, toolchain, kArch, opt);
  if (back.status != CompileStatus::Ok) failEnvironment("{0}", back.log);
  ptx = cache.getArtifact(front.hash).value();
  cubin = cache.getArtifact(back.hash).value();
}

const std::vector<Run>& runs() {
  static const std::vector<Run> all = {
      {"integer_loop", 16, 256, {16 * 256 * 4}, {1000}},
      {"saxpy", 64, 256, {1 << 20, 1 << 20}, {0x40490fdb, 1 << 18}},
      {"reduction", 256, 256, {256 * 4, 256 * 512 * 4}, {}},
      {"byte_store", 512, 256, {4096 * 34 + 4, 4096 * 128}, {4096}},
  };
  return all;
}

Arena::Arena(const Run& run) : launch{{run.blocks, 1, 1}, {run.threads, 1, 1}, 0, {}} {
  for (std::size_t i = 0; i < run.buffers.size(); ++i) {
    std::string contents = makeContents(ElementType::F32, run.buffers[i] / 4, InitRandom{i, 0.0, 1.0});
    Allocation& buffer = memory.allocate("buffer " + std::to_string(i), contents.size(), std::byte{0});
    std::memcpy(buffer.host, contents.data(), contents.size());
    addArgument(buffer.address, 8);
  }
  for (std::uint32_t scalar : run.scalars)
    addArgument(scalar, 4);
}

std::unique_ptr<GlobalMemory> Arena::copy() const {
  auto other = std::make_unique<GlobalMemory>();
  for (const Allocation& from : memory.allocations())
    std::memcpy(other->allocate(from.name, from.size, std::byte{0}).host, from.host, from.size);
  return other;
}

void Arena::addArgument(std::uint64_t value, std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::memcpy(bytes.data(), &value, size);
  launch.args.push_back(std::move(bytes));
}

} // namespace harness::bench
