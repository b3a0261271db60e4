#include "harness/matrix/validation.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/compile/source_tree.h"
#include "harness/cubin/cubin.h"
#include "harness/matrix/mangled_name.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>

namespace harness {

namespace fs = std::filesystem;

namespace {

using Status = ValidationCheck::Status;

constexpr std::uint8_t kPoisons[] = {0xaa, 0x55};

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// What fails for a reason that lies in the case is a failed check, not an error.
template <typename Body> ValidationCheck guarded(const std::string& name, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Usage) throw;
    return {name, Status::Failed, error.what()};
  }
}

std::string onShape(const CaseShape& shape) {
  return shape.name.empty() ? "" : "shape " + shape.name + ": ";
}

// ---- expectations

bool isGlob(const std::string& text) {
  return text.find_first_of("*?[{") != std::string::npos;
}

std::vector<std::string> usualOpts() {
  return {"O0", "O1", "O2", "O3", "G", "cicc-O1"};
}

bool anyIn(const std::optional<VersionRange>& range, const std::vector<Version>& releases) {
  return !range || std::any_of(releases.begin(), releases.end(),
                               [&](const Version& release) { return range->contains(release); });
}

bool anyMatches(const std::string& glob, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return globMatch(glob, name); });
}

/// What is wrong with one expectation; empty if nothing is.
std::string fault(const Expectation& expectation, const std::vector<Version>& releases,
                  const std::vector<std::string>& archs) {
  if (!anyIn(expectation.nvcc, releases)) return "no known toolchain is in its 'nvcc'";
  if (!anyIn(expectation.ptxas, releases)) return "no known toolchain is in its 'ptxas'";
  for (const std::string& arch : expectation.arch)
    if (!archs.empty() && !anyMatches(arch, archs))
      return "no installed toolchain knows its arch '" + arch + "'";
  for (const std::string& opt : expectation.opt) {
    if (!isGlob(opt))
      OptPoint::parse(opt); // says what is wrong
    else if (opt.find('+') == std::string::npos && !anyMatches(opt, usualOpts()))
      return "its opt '" + opt + "' matches none of " + join(usualOpts(), ", ");
  }
  return "";
}

// ---- reference

struct Written {
  std::size_t bytes = 0, untouched = 0;
};

/// Compares the outputs of the runs on the two poisons. Throws Error(Usage) where they differ in more than
/// what was left alone.
Written writtenBytes(const CaseShape& shape, const std::vector<std::string>& first,
                     const std::vector<std::string>& second) {
  Written written;
  std::size_t output = 0;
  for (const BufferSpec& buffer : shape.buffers) {
    if (!buffer.output) continue;
    const std::string &a = first.at(output), &b = second.at(output);
    ++output;
    for (std::size_t i = 0; i < a.size(); ++i) {
      bool left = buffer.poisoned && static_cast<std::uint8_t>(a[i]) == kPoisons[0] &&
                  static_cast<std::uint8_t>(b[i]) == kPoisons[1];
      if (a[i] != b[i] && !left)
        failUsage("{0}byte {1} of '{2}' depends on what the outputs hold before anything is written",
                  onShape(shape), i, buffer.name);
      written.untouched += left;
    }
    written.bytes += a.size();
  }
  return written;
}

ReferenceRunner::Options limited() {
  return {};
}

/// Each shape on both poisons.
std::vector<std::vector<std::string>> answers(const CaseManifest& manifest, ReferenceRunner& runner) {
  std::vector<std::vector<std::string>> all;
  for (const CaseShape& shape : manifest.shapes)
    for (std::uint8_t poison : kPoisons)
      all.push_back(runner.outputs(manifest, shape, shape.initialContents(poison)));
  return all;
}

// ---- kernel

std::string firstLines(std::string_view log) {
  std::string_view trimmed = trim(log);
  return std::string(trimmed.substr(0, 2000));
}

void requireArguments(const CaseManifest& manifest, const Kernel& kernel) {
  const std::vector<ArgSpec>& args = manifest.shapes.front().args;
  if (args.size() != kernel.params.size())
    failUsage("kernel '{0}' takes {1}, and the manifest gives {2}", kernel.name,
              counted(kernel.params.size(), "argument"), args.size());
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::size_t given = args[i].size();
    if (given != kernel.params[i].size)
      failUsage("argument {0} of kernel '{1}' has {2} bytes, and the manifest gives {3} ({4})", i,
                kernel.name, kernel.params[i].size, given,
                args[i].buffer.empty() ? "a value" : "buffer " + args[i].buffer);
  }
}

} // namespace

std::string_view toString(Status status) {
  switch (status) {
  case Status::Ok: return "ok";
  case Status::Note: return "note";
  case Status::Failed: break;
  }
  return "FAILED";
}

ValidationCheck checkManifest(const CaseManifest& manifest) {
  const CaseShape& shape = manifest.shapes.front();
  auto isOutput = [](const BufferSpec& buffer) { return buffer.output; };
  auto outputs =
      static_cast<std::size_t>(std::count_if(shape.buffers.begin(), shape.buffers.end(), isOutput));
  std::string detail = counted(manifest.shapes.size(), "shape") + ", " +
                       counted(shape.buffers.size(), "buffer") + " (" + counted(outputs, "output") + "), " +
                       counted(shape.args.size(), "argument") + ", " +
                       counted(manifest.expect.size(), "expectation");
  if (outputs == 0)
    return {"manifest", Status::Failed, detail + ": without an output nothing can be compared"};
  for (const BufferSpec& buffer : shape.buffers)
    if (std::none_of(shape.args.begin(), shape.args.end(),
                     [&](const ArgSpec& arg) { return arg.pointsTo(buffer.name); }))
      return {"manifest", Status::Failed, "buffer '" + buffer.name + "' is no argument of the kernel"};
  if (manifest.title.find("TODO") != std::string::npos)
    return {"manifest", Status::Note, detail + "; the title is still to be written"};
  return {"manifest", Status::Ok, detail};
}

ValidationCheck checkIndependence(const CaseManifest& manifest) {
  const std::string name = "independence";
  if (!manifest.reference)
    return {name, Status::Note, "there is no reference: the case is judged by its PTX"};
  return guarded(name, [&]() -> ValidationCheck {
    SourceTree tree = SourceTree::collect(manifest.source);
    std::string reference = readFile(*manifest.reference, 1 << 24);
    IncludeRequests includes = scanIncludes(reference);
    std::vector<std::string> asked = includes.quoted;
    asked.insert(asked.end(), includes.angled.begin(), includes.angled.end());
    for (const auto& [place, text] : tree.files())
      if (text == reference)
        failUsage("the reference is the file '{0}' of the kernel's", fs::path(place).filename().string());
    for (const auto& [place, text] : tree.files())
      for (const std::string& include : asked)
        if (fs::path(include).filename() == fs::path(place).filename())
          failUsage("the reference includes '{0}', which the kernel's source is made of too", include);
    return {name, Status::Ok,
            "the reference shares no file with the kernel's " + counted(tree.files().size(), "file")};
  });
}

ValidationCheck checkExpectations(const CaseManifest& manifest, const std::vector<Version>& releases,
                                  const std::vector<std::string>& archs) {
  const std::string name = "expectations";
  if (manifest.expect.empty()) return {name, Status::Ok, "none: a pass is expected everywhere"};
  return guarded(name, [&]() -> ValidationCheck {
    for (std::size_t i = 0; i < manifest.expect.size(); ++i)
      if (std::string wrong = fault(manifest.expect[i], releases, archs); !wrong.empty())
        failUsage("/expect/{0} matches nothing: {1}", i, wrong);
    return {name, Status::Ok, counted(manifest.expect.size(), "expectation") + ", of toolchains that exist"};
  });
}

ValidationCheck checkReference(const CaseManifest& manifest, ArtifactCache& cache) {
  const std::string name = "reference";
  if (!manifest.reference) return {name, Status::Note, "there is none: the case is judged by its PTX"};
  return guarded(name, [&]() -> ValidationCheck {
    ReferenceRunner runner(cache, limited());
    auto first = answers(manifest, runner);
    // Elsewhere nothing is remembered.
    TempDir scratch("harness-validate");
    ArtifactCache fresh(scratch.path());
    ReferenceRunner again(fresh, limited());
    if (answers(manifest, again) != first) failUsage("it gives another answer each time");
    Written total;
    for (std::size_t i = 0; i < manifest.shapes.size(); ++i) {
      Written written = writtenBytes(manifest.shapes[i], first[2 * i], first[2 * i + 1]);
      if (written.bytes > 0 && written.bytes == written.untouched)
        failUsage("{0}it writes nothing", onShape(manifest.shapes[i]));
      total.bytes += written.bytes;
      total.untouched += written.untouched;
    }
    std::string detail = "twice the same " + counted(total.bytes, "byte") + " of output";
    if (total.untouched == 0) return {name, Status::Ok, detail + ", all written"};
    return {name, Status::Note,
            detail + ", " + std::to_string(total.untouched) +
                " of them left as they were: the kernel must leave them alone too"};
  });
}

ValidationCheck checkKernel(const CaseManifest& manifest, const Toolchain& toolchain, const std::string& arch,
                            const OptPoint& opt, Compiler& compiler, ArtifactCache& cache) {
  const std::string name = "kernel";
  return guarded(name, [&]() -> ValidationCheck {
    StageResult stage = compiler.toPtx(manifest.source, toolchain, arch, opt);
    if (stage.status == CompileStatus::Ok) stage = compiler.toCubin(stage.hash, toolchain, arch, opt);
    if (stage.status != CompileStatus::Ok)
      failUsage("{0} of {1}: {2}", toString(stage.status), manifest.source.file.filename().string(),
                firstLines(stage.log));
    auto bytes = cache.getArtifact(stage.hash);
    if (!bytes) failEnvironment("the cubin vanishes from the cache '{0}'", cache.directory().string());
    Cubin cubin = Cubin::parse(*bytes, "the cubin");
    requireArguments(manifest, kernelOf(cubin, manifest.kernel));
    return {name, Status::Ok,
            "'" + manifest.kernel + "' compiles with " + toolchain.name + " for " + arch + " at " + opt.name};
  });
}

} // namespace harness
