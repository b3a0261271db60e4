#include "harness/toolchain/smoke.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"

#include <algorithm>

namespace harness {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSource = R"cu(#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void smoke(const __nv_fp8_storage_t* in, __half* out) {
  auto block = cooperative_groups::this_thread_block();
  auto warp = cooperative_groups::tiled_partition<32>(block);
  __half value(__nv_cvt_fp8_to_halfraw(in[block.thread_rank()], __NV_E4M3));
  value = __hadd(value, warp.shfl_down(value, 1));
  block.sync();
  out[block.thread_rank()] = value;
}
)cu";

constexpr std::size_t kLogBytes = 4000;

/// Runs one stage and reads what it wrote. harness-nvrtc leaves the compiler's words in `log`.
std::string runStage(ProcessSpec spec, const fs::path& output, const fs::path& log) {
  ProcessResult result = runProcess(spec);
  throwIfInterrupted();
  if (result.ok() && fs::is_regular_file(output)) return readFile(output);
  std::string said = result.out + result.err;
  if (fs::is_regular_file(log)) said += readFile(log);
  failEnvironment("it does not compile a test kernel: {0}\n{1} {2}\n{3}", shellCommand(spec.argv),
                  fs::path(spec.argv[0]).filename().string(),
                  result.ok() ? "wrote nothing" : result.describe(),
                  trim(std::string_view(said).substr(0, kLogBytes)));
}

ProcessSpec nvccCommand(const FrontEnd& frontEnd, const std::string& virtualArch, const fs::path& scratch) {
  ProcessSpec spec;
  spec.argv = {
      frontEnd.program.string(), "-ptx", "-arch=" + virtualArch, "-std=c++17", "smoke.cu", "-o", "smoke.ptx"};
  spec.directory = scratch;
  return spec;
}

ProcessSpec nvrtcCommand(const FrontEnd& frontEnd, const std::string& virtualArch, const fs::path& scratch,
                         const fs::path& nvrtcProgram) {
  ProcessSpec spec;
  spec.argv = {findNvrtcProgram(nvrtcProgram).string(),
               "--lib",
               frontEnd.program.string(),
               "--out",
               "smoke.ptx",
               "--log",
               "smoke.log",
               "smoke.cu",
               "--",
               "--gpu-architecture=" + virtualArch,
               "--std=c++17"};
  for (const fs::path& directory : frontEnd.includeDirs)
    spec.argv.push_back("--include-path=" + directory.string());
  spec.directory = scratch;
  return spec;
}

} // namespace

std::string smokeCompile(const FrontEnd& frontEnd, const Ptxas& ptxas, const fs::path& nvrtcProgram) {
  bool hasSm80 = std::find(ptxas.archs.begin(), ptxas.archs.end(), "sm_80") != ptxas.archs.end();
  std::string arch = hasSm80 ? "sm_80" : ptxas.archs.front();
  std::string virtualArch = "compute_" + arch.substr(3);
  TempDir scratch("harness-smoke");
  writeFileAtomically(scratch.path() / "smoke.cu", kSource);
  ProcessSpec spec = frontEnd.kind == FrontEndKind::Nvcc
                         ? nvccCommand(frontEnd, virtualArch, scratch.path())
                         : nvrtcCommand(frontEnd, virtualArch, scratch.path(), nvrtcProgram);
  std::string ptx = runStage(std::move(spec), scratch.path() / "smoke.ptx", scratch.path() / "smoke.log");

  ProcessSpec assemble;
  assemble.argv = {ptxas.program.string(), "-arch=" + arch, "smoke.ptx", "-o", "smoke.cubin"};
  assemble.directory = scratch.path();
  runStage(std::move(assemble), scratch.path() / "smoke.cubin", {});
  return ptx;
}

fs::path findNvrtcProgram(const fs::path& given) {
  if (!given.empty()) return fs::absolute(given);
  std::error_code ec;
  fs::path beside = besideThisProgram("harness-nvrtc");
  if (!fs::is_regular_file(beside, ec))
    failEnvironment(
        "'{0}' is missing: a compiler without nvcc is used through it; build the target harness-nvrtc",
        beside.string());
  return beside;
}

} // namespace harness
