#include "harness/matrix/reference.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/matrix/reference_header.h"
#include "harness/matrix/reference_protocol.h"

#include <algorithm>
#include <cstring>

namespace harness {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kCompilerOptions = {"-O1", "-ffp-contract=off", "-std=c++20", "-shared",
                                                   "-fPIC"};

template <typename T> void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The first lines of what a program printed.
std::string excerpt(std::string_view text) {
  constexpr std::size_t kLimit = 2000;
  std::string_view trimmed = trim(text);
  return trimmed.empty() ? "" : ":\n" + std::string(trimmed.substr(0, kLimit));
}

[[noreturn]] void failCase(const CaseManifest& manifest, const std::string& what) {
  failUsage("case '{0}': {1}", manifest.id, what);
}

/// Where an argument's buffer stands in the shape.
std::size_t bufferIndex(const CaseShape& shape, const std::string& name) {
  auto found = std::find_if(shape.buffers.begin(), shape.buffers.end(),
                            [&](const BufferSpec& buffer) { return buffer.name == name; });
  if (found == shape.buffers.end()) throw Error(ErrorKind::Internal, "an argument without its buffer");
  return static_cast<std::size_t>(found - shape.buffers.begin());
}

/// Of all that a run of the library depends on.
std::string runKey(const CaseShape& shape, const std::vector<std::string>& initial,
                   const std::string& library) {
  KeyHasher key("reference-run/1");
  key.add("library", library);
  for (std::uint32_t size : shape.grid)
    key.add("grid", size);
  for (std::uint32_t size : shape.block)
    key.add("block", size);
  key.add("shared", shape.shared);
  for (std::size_t i = 0; i < initial.size(); ++i)
    key.add("buffer", initial[i]).add("output", shape.buffers[i].output);
  for (const ArgSpec& arg : shape.args) {
    key.add("scalar", arg.value);
    key.add("argument", arg.buffer.empty() ? 0 : bufferIndex(shape, arg.buffer) + 1);
    for (const ArgSpec::Pointer& pointer : arg.pointers)
      key.add("offset", pointer.offset).add("pointer", bufferIndex(shape, pointer.buffer));
  }
  return key.hex();
}

} // namespace

ReferenceRunner::ReferenceRunner(ArtifactCache& cache, Options options)
    : cache_(cache), options_(std::move(options)) {
  if (options_.program.empty()) options_.program = besideThisProgram("harness-reference");
}

std::string ReferenceRunner::compilerIdentity() {
  // The driver carries its version, and the compiler proper comes with it.
  try {
    return programSha256(options_.compiler);
  } catch (const Error& error) {
    failEnvironment("{0} to build the references of the cases; install g++", error.what());
  }
}

std::string ReferenceRunner::build(const CaseManifest& manifest) {
  if (!manifest.reference) failCase(manifest, "it has no reference");
  std::string source = readFile(*manifest.reference, 1 << 24);
  std::lock_guard lock(mutex_);
  std::string key = KeyHasher("reference-build/1")
                        .add("source", source)
                        .add("header", kReferenceHeader)
                        .add("options", join(kCompilerOptions, " "))
                        .add("compiler", compilerIdentity())
                        .hex();
  if (auto hash = cache_.getAction(key); hash && cache_.getArtifact(*hash)) return *hash;
  std::string hash = cache_.putArtifact(compile(manifest, source));
  cache_.putAction(key, hash);
  return hash;
}

std::string ReferenceRunner::compile(const CaseManifest& manifest, const std::string& source) {
  TempDir dir("harness-reference");
  fs::create_directories(dir.path() / "harness");
  writeFileAtomically(dir.path() / "harness/reference.h", kReferenceHeader);
  writeFileAtomically(dir.path() / "reference.cpp", source);
  ProcessSpec spec;
  spec.argv = {options_.compiler};
  spec.argv.insert(spec.argv.end(), kCompilerOptions.begin(), kCompilerOptions.end());
  spec.argv.insert(spec.argv.end(), {"-I.", "-o", "reference.so", "reference.cpp"});
  spec.directory = dir.path();
  spec.limits = options_.compileLimits;
  ProcessResult result = runProcess(spec);
  throwIfInterrupted();
  if (!result.ok())
    failCase(manifest, "its reference does not compile, '" + shellCommand(spec.argv) + "' " +
                           result.describe() + excerpt(result.err));
  return readFile(dir.path() / "reference.so");
}

std::string ReferenceRunner::run(const CaseManifest& manifest, const CaseShape& shape,
                                 const std::vector<std::string>& initial, const std::string& library) {
  ReferenceRequest request;
  std::copy(shape.grid.begin(), shape.grid.end(), request.grid);
  std::copy(shape.block.begin(), shape.block.end(), request.block);
  request.shared = shape.shared;
  request.buffers = static_cast<std::uint32_t>(shape.buffers.size());
  request.arguments = static_cast<std::uint32_t>(shape.args.size());
  ProcessSpec spec;
  spec.argv = {options_.program.string(), cache_.artifactPath(library).string()};
  append(spec.input, request);
  std::uint64_t replyBytes = sizeof kReferenceMagic;
  for (std::size_t i = 0; i < initial.size(); ++i) {
    append(spec.input, ReferenceBuffer{initial[i].size(), shape.buffers[i].output});
    spec.input += initial[i];
    if (shape.buffers[i].output) replyBytes += initial[i].size();
  }
  for (const ArgSpec& arg : shape.args) {
    std::uint64_t buffer = arg.buffer.empty() ? ReferenceArgument::kValue : bufferIndex(shape, arg.buffer);
    append(spec.input, ReferenceArgument{buffer, arg.value.size(), arg.pointers.size()});
    spec.input += arg.value;
    for (const ArgSpec::Pointer& pointer : arg.pointers)
      append(spec.input, ReferencePointer{pointer.offset, bufferIndex(shape, pointer.buffer)});
  }
  spec.limits = options_.runLimits;
  spec.limits.outputBytes += replyBytes;
  if (spec.limits.memoryBytes) spec.limits.memoryBytes += spec.input.size();

  ProcessResult result = runProcess(spec);
  throwIfInterrupted();
  if (!result.ok())
    failCase(manifest,
             "its reference " + result.describe() +
                 (result.end == ProcessEnd::Signalled
                      ? "; does it read `args` as they stand in the manifest, and no buffer beyond its end?"
                      : "") +
                 excerpt(result.err));
  std::uint64_t magic = 0;
  if (result.out.size() == replyBytes) std::memcpy(&magic, result.out.data(), sizeof magic);
  if (magic != kReferenceMagic) failCase(manifest, "its reference ended the process before it returned");
  return result.out.substr(sizeof magic);
}

std::vector<std::string> ReferenceRunner::outputs(const CaseManifest& manifest, const CaseShape& shape,
                                                  const std::vector<std::string>& initial) {
  if (initial.size() != shape.buffers.size())
    throw Error(ErrorKind::Internal, "a reference without its buffers");
  std::string library = build(manifest);
  std::string key = runKey(shape, initial, library);
  std::optional<std::string> bytes;
  if (auto hash = cache_.getAction(key)) bytes = cache_.getArtifact(*hash);
  if (!bytes) {
    bytes = run(manifest, shape, initial, library);
    cache_.putAction(key, cache_.putArtifact(*bytes));
  }
  std::vector<std::string> outputs;
  std::size_t from = 0;
  for (std::size_t i = 0; i < initial.size(); ++i) {
    if (!shape.buffers[i].output) continue;
    outputs.push_back(bytes->substr(from, initial[i].size()));
    from += initial[i].size();
  }
  return outputs;
}

} // namespace harness
