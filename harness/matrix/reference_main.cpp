// harness-reference LIBRARY: runs one reference in this process. It stands alone, so that it starts quickly
// and that a reference which corrupts memory harms nothing else.

#include "harness/matrix/reference_protocol.h"
#include "harness/reference.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace {

using namespace harness;

[[noreturn]] void end(ReferenceExit code, const char* message) {
  std::fprintf(stderr, "%s\n", message);
  _exit(static_cast<int>(code));
}

void readAll(void* into, std::size_t size) {
  auto* at = static_cast<char*>(into);
  while (size > 0) {
    ssize_t n = read(STDIN_FILENO, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) end(ReferenceExit::BadRequest, "the request ends too early");
    at += n;
    size -= static_cast<std::size_t>(n);
  }
}

void writeAll(int fd, const void* from, std::size_t size) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    ssize_t n = write(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) end(ReferenceExit::CannotWrite, "the outputs cannot be written");
    at += n;
    size -= static_cast<std::size_t>(n);
  }
}

constexpr std::size_t kPage = 4096;

/// A buffer in pages of its own. It ends at a page that may not be touched, give or take the 16 bytes that
/// keep its start aligned; an input may not be written.
struct Buffer {
  ReferenceBuffer header;
  char* bytes = nullptr;

  explicit Buffer(const ReferenceBuffer& from) : header(from) {
    std::size_t aligned = (header.bytes + 15) / 16 * 16;
    std::size_t pages = (aligned + kPage - 1) / kPage * kPage;
    void* memory = mmap(nullptr, pages + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) end(ReferenceExit::BadRequest, "no memory for the buffers");
    char* guard = static_cast<char*>(memory) + pages;
    bytes = guard - aligned;
    readAll(bytes, header.bytes);
    if (!header.output) mprotect(memory, pages, PROT_READ);
    mprotect(guard, kPage, PROT_NONE);
  }
};

constexpr std::size_t kPadding = 64;

/// A scalar or a structure, aligned as any type may want it, with zeros behind it: who reads more than the
/// manifest gives is to come to an end, so that the kernel's own sizes can be compared with the manifest's.
std::unique_ptr<char[]> readValue(const ReferenceArgument& header, const std::vector<Buffer>& buffers) {
  if (header.bytes > ReferenceArgument::kMostBytes)
    end(ReferenceExit::BadRequest, "an argument is too large");
  auto value = std::make_unique<char[]>(header.bytes + kPadding);
  readAll(value.get(), header.bytes);
  for (std::uint64_t i = 0; i < header.pointers; ++i) {
    ReferencePointer pointer;
    readAll(&pointer, sizeof pointer);
    if (pointer.buffer >= buffers.size() || header.bytes < sizeof(char*) ||
        pointer.offset > header.bytes - sizeof(char*))
      end(ReferenceExit::BadRequest, "a bad pointer");
    std::memcpy(value.get() + pointer.offset, &buffers[pointer.buffer].bytes, sizeof(char*));
  }
  return value;
}

using Function = void (*)(const HarnessLaunch*, void* const*);

Function load(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) end(ReferenceExit::CannotLoad, dlerror());
  void* symbol = dlsym(library, "reference");
  if (!symbol) end(ReferenceExit::NoFunction, "there is no extern \"C\" function named reference");
  return reinterpret_cast<Function>(symbol);
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) end(ReferenceExit::BadRequest, "usage: harness-reference LIBRARY");
  ReferenceRequest request;
  readAll(&request, sizeof request);
  if (request.magic != kReferenceMagic) end(ReferenceExit::BadRequest, "this is no request");
  std::vector<Buffer> buffers;
  for (std::uint32_t i = 0; i < request.buffers; ++i) {
    ReferenceBuffer header;
    readAll(&header, sizeof header);
    buffers.emplace_back(header);
  }
  std::vector<std::unique_ptr<char[]>> values;
  std::vector<void*> arguments;
  for (std::uint32_t i = 0; i < request.arguments; ++i) {
    ReferenceArgument header;
    readAll(&header, sizeof header);
    if (header.buffer == ReferenceArgument::kValue) {
      values.push_back(readValue(header, buffers));
      arguments.push_back(values.back().get());
      continue;
    }
    if (header.buffer >= buffers.size()) end(ReferenceExit::BadRequest, "a bad argument");
    arguments.push_back(buffers[header.buffer].bytes);
  }

  // What the reference prints must not get among the outputs.
  int results = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  HarnessLaunch launch{{request.grid[0], request.grid[1], request.grid[2]},
                       {request.block[0], request.block[1], request.block[2]},
                       request.shared};
  load(argv[1])(&launch, arguments.data());

  writeAll(results, &kReferenceMagic, sizeof kReferenceMagic);
  for (const Buffer& buffer : buffers)
    if (buffer.header.output) writeAll(results, buffer.bytes, buffer.header.bytes);
  _exit(0);
}
