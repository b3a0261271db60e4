#include "harness/cli/asked_kernel.h"

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/gpu/executor.h"
#include "harness/sass/executor.h"

#include <algorithm>
#include <cstring>

namespace harness::cli {

AskedKernel makeKernel(const std::function<std::string(const std::string& version)>& ptxOf,
                       const std::string& arch, const Version* cuda, const Workspace& workspace) {
  std::vector<Toolchain> installed = workspace.toolchains().list();
  auto toolchain = std::find_if(installed.rbegin(), installed.rend(), [&](const Toolchain& one) {
    bool isKnown = !cuda || one.ptxas.build.parts.front() <= cuda->parts.front();
    return isKnown && one.knowsArch(arch) && !one.ptxas.maxPtx.parts.empty();
  });
  if (toolchain == installed.rend())
    failEnvironment("no installed toolchain makes machine code for {0}{1}; 'harness toolchain install' "
                    "installs one",
                    arch, cuda ? " that a driver of CUDA " + cuda->str() + " takes" : "");
  ArtifactCache cache(workspace.cacheDir() / "artifacts");
  Compiler compiler(cache, {});
  StageResult made = compiler.toCubin(cache.putArtifact(ptxOf(toolchain->ptxas.maxPtx.str())), *toolchain,
                                      arch, OptPoint::parse("O3"));
  if (made.status != CompileStatus::Ok)
    failUsage("{0} does not make the kernel that asks: {1}", toolchain->name, trim(made.log).substr(0, 500));
  AskedKernel kernel;
  kernel.bytes = cache.getArtifact(made.hash).value();
  kernel.cubin = std::make_shared<Cubin>(Cubin::parse(kernel.bytes, "the kernel that asks"));
  kernel.toolchain = toolchain->name;
  return kernel;
}

std::string KernelRunner::run(const AskedKernel& kernel, const std::string& in, std::size_t outBytes,
                              std::uint32_t blocks, std::uint32_t threads) {
  GlobalMemory memory;
  Launch launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  auto addBuffer = [&](const char* name, std::size_t size) {
    std::uint64_t address = memory.allocate(name, size, std::byte{0xAA}).address;
    std::memcpy(launch.args.emplace_back(sizeof address).data(), &address, sizeof address);
  };
  addBuffer("in", in.size());
  addBuffer("out", outBytes);
  std::memcpy(memory.bytes("in").data(), in.data(), in.size());
  ExecutionResult result = execute(kernel, launch, memory);
  if (result.end != ExecutionEnd::Completed)
    failUsage("the kernel that asks does not answer ({0}): {1}", toString(result.end), result.message);
  std::span<std::byte> out = memory.bytes("out");
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

DeviceRunner::DeviceRunner(gpu::Pool& pool, const std::string& arch)
    : pool_(pool), places_(pool.devicesFor(arch)) {
  if (places_.empty()) failUsage("no device here takes machine code for {0}", arch);
}

ExecutionResult DeviceRunner::execute(const AskedKernel& kernel, const Launch& launch, GlobalMemory& memory) {
  ExecutionResult result;
  try {
    result = gpu::execute(pool_, places_, kernel.bytes, kernel.kernel(), launch, {{0, 0}, {1, 0}}, memory,
                          device_);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Usage) throw;
    failEnvironment("{0}", error.what()); // the launch is ours, so it is the device that fails
  }
  if (result.end != ExecutionEnd::Completed)
    failEnvironment("{0} does not answer the kernel that asks ({1}): {2}", gpu::describe(device_),
                    toString(result.end), result.message);
  return result;
}

SassRunner::SassRunner(const Workspace& workspace, std::string arch)
    : cache_(workspace.cacheDir() / "artifacts"),
      disassembler_(cache_, workspace.toolchains().nvdisasm(), {}), arch_(std::move(arch)) {}

void SassRunner::prepare(const std::vector<AskedKernel>& kernels) {
  std::vector<const Cubin*> cubins;
  for (const AskedKernel& kernel : kernels)
    cubins.push_back(kernel.cubin.get());
  sass::disassembleCubins(disassembler_, arch_, cubins); // which remembers them
}

ExecutionResult SassRunner::execute(const AskedKernel& kernel, const Launch& launch, GlobalMemory& memory) {
  auto listings = sass::disassembleCubins(disassembler_, arch_, {kernel.cubin.get()}).front();
  sass::Program program(kernel.cubin, listings);
  return sass::execute(program, kernel.kernel(), launch, memory, {});
}

} // namespace harness::cli
