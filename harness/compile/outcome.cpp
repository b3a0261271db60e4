#include "harness/compile/outcome.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>

#include <csignal>

namespace harness {

namespace {

/// Messages that tell more than the exit code does. The first that occurs decides; case does not count.
struct Symptom {
  std::string_view text;
  CompileStatus status;
};

constexpr Symptom kSymptoms[] = {
    {"harness-driver-ptxas: cannot", CompileStatus::InfraError},
    {"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", CompileStatus::Skipped}, // the driver is too old for the PTX
    {"out of memory", CompileStatus::InfraError},
    {"memory allocation failure", CompileStatus::InfraError},
    {"bad_alloc", CompileStatus::InfraError},
    {"died due to signal 9 ",
     CompileStatus::InfraError},                        // nvcc of its cicc or ptxas: the kernel's OOM killer
    {"died due to signal 24 ", CompileStatus::Timeout}, // processor time limit
    {"died due to signal 25 ", CompileStatus::InfraError}, // file size limit
    {"harness-nvrtc: cannot", CompileStatus::InfraError},
    {"NVRTC_ERROR_BUILTIN_OPERATION_FAILURE", CompileStatus::InfraError},
    {"died due to signal", CompileStatus::Ice},
    {"NVRTC_ERROR_INTERNAL_ERROR", CompileStatus::Ice},
    {"internal error", CompileStatus::Ice},
    {"internal compiler error", CompileStatus::Ice},
    {"LLVM ERROR", CompileStatus::Ice},
    {"assertion failed", CompileStatus::Ice},
    {"unsupported gpu architecture", CompileStatus::Skipped},
    {"is not defined for option 'gpu-name'", CompileStatus::Skipped},
    {"invalid value for --gpu-architecture", CompileStatus::Skipped},
    {"unknown option", CompileStatus::Skipped},
    {"unrecognized option", CompileStatus::Skipped},
    {"NVRTC_ERROR_INVALID_OPTION", CompileStatus::Skipped},
};

bool contains(std::string_view log, std::string_view text) {
  return llvm::StringRef(log.data(), log.size()).contains_insensitive({text.data(), text.size()});
}

/// What compilers quote of the source (its lines, an #error's text) is no message of theirs.
bool quotesSource(llvm::StringRef line) {
  if (line.starts_with(" ") || line.contains("): error")) return true;
  return line.contains(": error:") && !line.starts_with("nvrtc:");
}

std::string withoutQuotes(std::string_view log) {
  std::string kept;
  for (const std::string& line : split(log, '\n'))
    if (!quotesSource(line)) kept += line + "\n";
  return kept;
}

CompileStatus judgeSignal(int signal) {
  switch (signal) {
  case SIGKILL: // the kernel's OOM killer, or someone's
  case SIGTERM:
  case SIGHUP:
  case SIGXCPU:
  case SIGXFSZ: return CompileStatus::InfraError;
  default: return CompileStatus::Ice;
  }
}

} // namespace

CompileStatus judge(const ProcessResult& result, std::string_view log, bool wroteOutput) {
  switch (result.end) {
  case ProcessEnd::Interrupted: throw Error(ErrorKind::Interrupted, "interrupted");
  case ProcessEnd::TimedOut: return CompileStatus::Timeout;
  case ProcessEnd::TooMuchOutput: return CompileStatus::InfraError;
  case ProcessEnd::Signalled:
  case ProcessEnd::Exited: break;
  }
  if (result.ok()) return wroteOutput ? CompileStatus::Ok : CompileStatus::Ice;
  std::string messages = withoutQuotes(log);
  if (contains(messages, "no space left on device"))
    failEnvironment("the disk for temporary files is full: free some, or set TMPDIR to another");
  for (const Symptom& symptom : kSymptoms)
    if (contains(messages, symptom.text)) return symptom.status;
  return result.end == ProcessEnd::Signalled ? judgeSignal(result.signal) : CompileStatus::CompileError;
}

std::string boundedLog(std::string text) {
  constexpr std::size_t kLimit = std::size_t{64} << 10, kTail = std::size_t{4} << 10;
  constexpr std::string_view kCut = "\n[cut]\n";
  constexpr std::size_t kHead = kLimit - kTail - kCut.size();
  if (!llvm::json::isUTF8(text)) text = llvm::json::fixUTF8(text);
  if (text.size() <= kLimit) return text;
  auto insideCharacter = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t head = kHead, tail = text.size() - kTail;
  while (insideCharacter(head))
    --head;
  while (tail < text.size() && insideCharacter(tail))
    ++tail;
  return text.substr(0, head).append(kCut).append(text, tail);
}

} // namespace harness
