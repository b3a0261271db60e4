#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/report/bundle.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace harness {

namespace {

constexpr std::uint64_t kMaxEmbedded = std::uint64_t{8} << 20;
constexpr std::uint32_t kSharedWithoutAsking = 48 * 1024; ///< more must be asked for (cudaFuncSetAttribute)

/// The host side that is the same in every repro.
constexpr const char* kHostSide = R"(
// ---- The host side: fill, launch, copy back, compare. ----

namespace repro {

using Bytes = std::vector<unsigned char>;

struct Buffer {
  const char* name;
  unsigned record; // bytes; 0 = none
  Bytes initial;   // before the launch: contents of an input, poison of an output
  Bytes expected;  // after it; empty = unchanged
  void* device = nullptr;
};

inline Bytes fill(std::size_t size, unsigned char value) { return Bytes(size, value); }

inline Bytes hex(const char* digits) {
  Bytes bytes;
  for (; digits[0] != 0; digits += 2) {
    char byte[3] = {digits[0], digits[1], 0};
    bytes.push_back(static_cast<unsigned char>(std::strtoul(byte, nullptr, 16)));
  }
  return bytes;
}

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}

// Prints the first differences and where in the record they lie; returns their number.
inline std::size_t compare(const Buffer& buffer, const Bytes& actual) {
  const Bytes& expected = buffer.expected.empty() ? buffer.initial : buffer.expected;
  std::vector<std::size_t> histogram(buffer.record);
  std::size_t bad = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    if (bad++ < 16) std::printf("  %s+0x%zx: expected 0x%02x, got 0x%02x\n", buffer.name, i, expected[i], actual[i]);
    if (buffer.record) ++histogram[i % buffer.record];
  }
  std::printf("%s: %zu of %zu bytes differ\n", buffer.name, bad, expected.size());
  for (unsigned offset = 0; offset < buffer.record; ++offset)
    if (histogram[offset])
      std::printf("  at offset %u of the %u-byte record: %zu\n", offset, buffer.record, histogram[offset]);
  return bad;
}

)";

/// Text for one line of a `//` comment.
std::string commentLine(std::string_view text) {
  std::string line(trim(text));
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  while (!line.empty() && line.back() == '\\')
    line.pop_back();
  return line;
}

/// An expression that makes these bytes.
std::string bytesExpression(std::string_view bytes) {
  constexpr std::size_t kBytesPerLine = 48;
  if (bytes.size() > 8 && bytes.find_first_not_of(bytes[0]) == std::string_view::npos)
    return llvm::formatv("fill({0}, {1:x})", bytes.size(), unsigned{static_cast<unsigned char>(bytes[0])});
  if (bytes.empty()) return "Bytes()";
  std::string text = "hex(";
  for (std::size_t at = 0; at < bytes.size(); at += kBytesPerLine) {
    std::string_view part = bytes.substr(at, kBytesPerLine);
    if (bytes.size() > kBytesPerLine) text += "\n         ";
    text += '"' + llvm::toHex(llvm::StringRef(part.data(), part.size()), /*LowerCase=*/true) + '"';
  }
  return text + ")";
}

std::size_t bufferIndex(const BundleInput& input, const std::string& name) {
  auto found = std::ranges::find(input.buffers, name, &BundleBuffer::name);
  if (found == input.buffers.end())
    failUsage("{0}: an argument names the buffer '{1}', which is none", input.cell, name);
  return static_cast<std::size_t>(found - input.buffers.begin());
}

void checkInput(const BundleInput& input) {
  if (input.source.empty() || input.kernel.empty())
    failUsage("{0}: a bundle needs the kernel's CUDA source; there is none", input.cell);
  std::uint64_t total = 0;
  for (const BundleBuffer& buffer : input.buffers) {
    if (!buffer.expected.empty() && buffer.expected.size() != buffer.initial.size())
      failUsage("{0}: buffer '{1}' has {2} bytes, but {3} are expected of it", input.cell, buffer.name,
                buffer.initial.size(), buffer.expected.size());
    if (buffer.record > buffer.initial.size())
      failUsage("{0}: buffer '{1}' is shorter than its record of {2} bytes", input.cell, buffer.name,
                buffer.record);
    total += buffer.initial.size() + buffer.expected.size();
  }
  if (total > kMaxEmbedded)
    failUsage(
        "{0}: its buffers hold {1} bytes; at most {2} MiB can stand in a source file: use a smaller shape",
        input.cell, total, kMaxEmbedded >> 20);
}

std::string defineLine(std::string_view define) {
  std::size_t equals = define.find('=');
  std::string name(define.substr(0, equals));
  // -DNAME means 1.
  return "#define " + name + " " +
         (equals == std::string_view::npos ? "1" : std::string(define.substr(equals + 1))) + "\n";
}

std::string dim3Expression(const std::array<std::uint32_t, 3>& size) {
  return llvm::formatv("dim3({0}, {1}, {2})", size[0], size[1], size[2]);
}

/// `run()`: the data, the arguments, the launch.
std::string runFunction(const BundleInput& input) {
  std::string text = "static int run() {\n  std::vector<Buffer> buffers = {\n";
  for (const BundleBuffer& buffer : input.buffers)
    text += llvm::formatv("      {{\"{0}\", {1}, {2},\n       {3}},\n", buffer.name, buffer.record,
                          bytesExpression(buffer.initial), bytesExpression(buffer.expected))
                .str();
  text += R"(  };
  for (Buffer& buffer : buffers) {
    check(cudaMalloc(&buffer.device, buffer.initial.size() + 1), "cudaMalloc");
    check(cudaMemcpy(buffer.device, buffer.initial.data(), buffer.initial.size(), cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
  }

)";
  std::vector<std::string> pointers;
  for (std::size_t i = 0; i < input.args.size(); ++i) {
    const BundleArg& arg = input.args[i];
    if (!arg.buffer.empty()) {
      pointers.push_back(llvm::formatv("&buffers[{0}].device", bufferIndex(input, arg.buffer)));
      continue;
    }
    if (arg.value.empty()) failUsage("{0}: argument {1} is neither a buffer nor a value", input.cell, i);
    std::vector<std::string> bytes;
    for (unsigned char byte : arg.value)
      bytes.push_back(llvm::formatv("{0:x}", unsigned{byte}));
    text += llvm::formatv("  alignas(16) unsigned char arg{0}[] = {{{1}};\n", i, join(bytes, ", ")).str();
    for (const auto& [offset, buffer] : arg.pointers)
      text += llvm::formatv("  std::memcpy(arg{0} + {1}, &buffers[{2}].device, sizeof(void*));\n", i, offset,
                            bufferIndex(input, buffer))
                  .str();
    pointers.push_back(llvm::formatv("arg{0}", i));
  }
  pointers.push_back("nullptr");
  text += "  void* args[] = {" + join(pointers, ", ") + "};\n";
  text += "  const void* kernel = reinterpret_cast<const void*>(" + input.kernel + ");\n";
  if (input.shared > kSharedWithoutAsking)
    text += llvm::formatv(
                "  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {0}),\n"
                "        \"cudaFuncSetAttribute\");\n",
                input.shared)
                .str();
  text += llvm::formatv("  check(cudaLaunchKernel(kernel, {0}, {1}, args, {2}, 0), \"cudaLaunchKernel\");\n",
                        dim3Expression(input.grid), dim3Expression(input.block), input.shared)
              .str();
  text += R"(  check(cudaDeviceSynchronize(), "the kernel");

  std::size_t bad = 0;
  for (const Buffer& buffer : buffers) {
    Bytes actual(buffer.initial.size());
    check(cudaMemcpy(actual.data(), buffer.device, actual.size(), cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    bad += compare(buffer, actual);
  }
  std::printf(bad ? "WRONG\n" : "right\n");
  return bad ? 1 : 0;
}

} // namespace repro

int main() { return repro::run(); }
)";
  return text;
}

} // namespace

std::string makeReproSource(const BundleInput& input) {
  checkInput(input);
  std::string text = "// " + commentLine(input.title) + "\n// " + commentLine(input.cell) + ": " +
                     commentLine(input.verdict) + "\n//\n";
  text += "// Build: " + commentLine(reproBuildCommand(input)) + "\n";
  text += "// Run:   ./repro    exits with 0 if the answer is right, 1 if it is wrong, 2 on a CUDA error\n\n";
  text += "#include <cuda_runtime.h>\n\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include "
          "<vector>\n\n";
  for (const std::string& define : input.defines)
    text += defineLine(define);
  if (!input.defines.empty()) text += '\n';
  text += "// ---- The kernel, as it stands in its case. ----\n\n" + input.source;
  if (input.source.back() != '\n') text += '\n';
  return text + kHostSide + runFunction(input);
}

std::string reproBuildCommand(const BundleInput& input) {
  std::vector<std::string> command = {"nvcc", "-std=c++17", "-arch=" + input.arch};
  command.insert(command.end(), input.nvccOptions.begin(), input.nvccOptions.end());
  command.insert(command.end(), {"-o", "repro", "repro.cu"});
  return shellCommand(command);
}

} // namespace harness
