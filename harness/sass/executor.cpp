#include "harness/sass/executor.h"

#include "harness/base/error.h"
#include "harness/sass/binder.h"
#include "harness/sass/machine.h"
#include "harness/simt/launch_limits.h"

#include <llvm/Support/FormatVariadic.h>

namespace harness::sass {

namespace {

/// What an instruction that is not understood does.
void refuseOp(Warp& warp, const Op& op, LaneMask) {
  throw ExecutionStop{op.option[0] ? ExecutionEnd::Fault : ExecutionEnd::Unsupported,
                      warp.machine.refusal(op)};
}

/// Op of one listed instruction.
Op decode(const ListedInstruction& listed, const Encoding& encoding) {
  Op refused;
  refused.run = refuseOp;
  refused.option[0] = listed.illegal;
  return listed.illegal ? refused : bindInstruction(listed.text, encoding).value_or(refused);
}

void checkLaunch(const Kernel& kernel, const Launch& launch) {
  kernel.requireArguments(launch.args);
  requireLaunchable(launch);
  constexpr std::uint64_t kMaxShared = 256 * 1024;
  if (std::uint64_t{kernel.staticShared} + launch.dynamicShared > kMaxShared)
    failUsage("kernel '{0}' would use {1} bytes of shared memory, more than {2}", kernel.name,
              std::uint64_t{kernel.staticShared} + launch.dynamicShared, kMaxShared);
  if (localBytes(kernel) > 512 * 1024)
    failUsage("kernel '{0}' would use {1} bytes of local memory a thread", kernel.name, localBytes(kernel));
}

} // namespace

Program::Program(std::shared_ptr<const Cubin> cubin, const std::vector<Listing>& listings)
    : cubin_(std::move(cubin)), code_(std::make_unique<Code>()) {
  if (listings.size() != cubin_->sections.size())
    throw Error(ErrorKind::Internal, "a listing is missing for a code section");
  std::size_t count = cubin_->code.size() / 16;
  Op gap; // between sections: whoever jumps there has lost its way
  gap.run = refuseOp;
  gap.option[0] = true;
  code_->ops.assign(count, gap);
  code_->texts.assign(count, "(no code)");
  for (std::size_t s = 0; s < listings.size(); ++s) {
    const CodeSection& section = cubin_->sections[s];
    Encoding encoding;
    encoding.sm = cubin_->smVersion;
    encoding.sectionAddress = section.address;
    for (std::size_t i = 0; i < listings[s].instructions.size(); ++i) {
      const ListedInstruction& listed = listings[s].instructions[i];
      encoding.low = listed.low;
      encoding.high = listed.high;
      encoding.address = section.address + i * 16;
      std::size_t line = encoding.address / 16;
      if (line >= count) throw Error(ErrorKind::Internal, "a listing is longer than its section");
      auto unsupportedWord = cubin_->unsupportedWords.find(encoding.address);
      if (unsupportedWord != cubin_->unsupportedWords.end()) {
        code_->ops[line].option[0] = false;
        code_->texts[line] = listed.text + " (" + unsupportedWord->second + ")";
        continue;
      }
      code_->ops[line] = decode(listed, encoding);
      code_->texts[line] = listed.illegal ? "(illegal encoding)" : listed.text;
    }
  }
  code_->complete();
}

Program::Program(std::shared_ptr<const Cubin> cubin, std::unique_ptr<Code> code)
    : cubin_(std::move(cubin)), code_(std::move(code)) {}

std::string Program::describe(std::uint32_t line) const {
  return llvm::formatv("at {0:x} '{1}'", std::uint64_t{line} * 16, code_->texts.at(line)).str();
}

Program::~Program() = default;
Program::Program(Program&&) noexcept = default;

ExecutionResult execute(const Program& program, const Kernel& kernel, const Launch& launch,
                        GlobalMemory& memory, const ExecutionOptions& options, Observer* observer) {
  checkLaunch(kernel, launch);
  if (!kernel.unsupported.empty()) {
    ExecutionResult refused;
    refused.end = ExecutionEnd::Unsupported;
    refused.message = kernel.unsupported;
    return refused;
  }
  const Cubin& cubin = program.cubin();
  auto place = [&memory](const char* name, const std::string& contents, std::uint64_t address) {
    if (contents.empty()) return;
    Allocation& allocation = memory.allocate(name, contents.size(), std::byte{0}, address);
    std::memcpy(allocation.host, contents.data(), contents.size());
  };
  place("(variables of the module)", cubin.globals, Cubin::kGlobalBase);
  if (auto bank = kernel.constants.find(3); bank != kernel.constants.end())
    place("(constant bank 3)", bank->second, Cubin::kConstantBase);
  Machine machine(program.decoded(), cubin, kernel, launch, memory, options, observer);
  return machine.run();
}

} // namespace harness::sass
