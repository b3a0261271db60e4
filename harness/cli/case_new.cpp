#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/cli/case_commands.h"
#include "harness/compile/source_tree.h"
#include "harness/matrix/scaffold.h"

#include <cstdio>
#include <memory>

namespace harness::cli {

namespace fs = std::filesystem;

namespace {

struct NewArguments {
  std::string source, kernel, id, parent, toolchain, arch = "sm_80";
  std::vector<std::string> include, define;
};

KernelSource kernelSource(const NewArguments& arguments) {
  KernelSource source{fs::absolute(arguments.source), {}, arguments.define};
  for (const std::string& directory : arguments.include)
    source.include.push_back(fs::absolute(directory));
  return source;
}

std::string ptxOf(const NewArguments& arguments, const KernelSource& source, const Workspace& workspace) {
  ArtifactCache cache(workspace.cacheDir() / "artifacts");
  Compiler compiler(cache, {});
  Toolchain toolchain = toolchainOrNewest(arguments.toolchain, workspace);
  StageResult result = compiler.toPtx(source, toolchain, arguments.arch, OptPoint::parse("O3"));
  if (result.status != CompileStatus::Ok)
    failUsage("'{0}' does not compile with {1} for {2} ({3}):\n{4}", arguments.source, toolchain.name,
              arguments.arch, toString(result.status), trim(result.log));
  auto text = cache.getArtifact(result.hash);
  if (!text) failEnvironment("the PTX vanishes from the cache '{0}'", cache.directory().string());
  return *text;
}

void requireFree(const std::string& id, const fs::path& folder, const Workspace& workspace) {
  std::vector<fs::path> places{folder, workspace.root() / "repros" / id, workspace.root() / "cu" / id};
  std::error_code ec;
  for (const fs::path& place : places)
    if (fs::exists(fs::symlink_status(place, ec)))
      failUsage("'{0}' is there already, and is left as it is; give another name with --id", place.string());
}

/// All or nothing: the folder appears when it is complete.
void publish(const CaseScaffold& scaffold, const fs::path& folder, const fs::path& source, bool copy) {
  std::error_code ec;
  fs::create_directories(folder.parent_path(), ec);
  requireWritable(folder.parent_path() / ".new-case");
  TempDir fresh(".new-case", folder.parent_path());
  writeFileAtomically(fresh.path() / "case.json", scaffold.manifest);
  writeFileAtomically(fresh.path() / "reference.cpp", scaffold.reference);
  writeFileAtomically(fresh.path() / "notes.md", scaffold.notes);
  if (copy) writeFileAtomically(fresh.path() / source.filename(), readFile(source));
  fs::permissions(fresh.path(), fs::perms(0755), ec);
  fs::rename(fresh.path(), folder, ec);
  if (ec) failEnvironment("cannot make '{0}': {1}", folder.string(), ec.message());
  fresh.release();
}

ExitCode makeCase(const NewArguments& arguments, const Workspace& workspace) {
  workspace.requireArch(arguments.arch);
  KernelSource source = kernelSource(arguments);
  if (!fs::is_regular_file(source.file)) failUsage("there is no file '{0}'", arguments.source);
  std::string given = arguments.id.empty() ? source.file.filename().string() : arguments.id;
  std::string id = caseIdFrom(given);
  if (!arguments.id.empty() && id != arguments.id)
    failUsage("'{0}' is no name for a case: lower-case letters, digits and '-', e.g. '{1}'", arguments.id,
              id);
  fs::path folder =
      fs::absolute(arguments.parent.empty() ? workspace.root() / "repros" : fs::path(arguments.parent)) / id;
  requireFree(id, folder, workspace);

  std::vector<KernelSignature> kernels =
      kernelSignatures(ptxOf(arguments, source, workspace), readFile(source.file, 1 << 24));
  const KernelSignature& kernel = chooseKernel(kernels, arguments.kernel);
  // With files of its own beside it, a source stays where it is.
  bool copy = arguments.include.empty() && SourceTree::collect(source).files().size() == 1;
  std::vector<std::string> include;
  for (const fs::path& directory : source.include)
    include.push_back(directory.lexically_proximate(folder).string());
  std::string name =
      copy ? source.file.filename().string() : source.file.lexically_proximate(folder).string();
  CaseScaffold scaffold = scaffoldCase(id, name, kernel, include, arguments.define);
  publish(scaffold, folder, source.file, copy);

  std::printf("made %s, a case of kernel %s with %zu parameter%s; to be decided:\n", folder.c_str(),
              kernel.name.c_str(), kernel.parameters.size(), kernel.parameters.size() == 1 ? "" : "s");
  for (const std::string& line : scaffold.todo)
    std::printf("  %s\n", line.c_str());
  std::printf("then: harness case validate %s\n",
              shellCommand(std::vector<std::string>{folder.string()}).c_str());
  return ExitCode::Ok;
}

} // namespace

void addCaseNew(CLI::App& command, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<NewArguments>();
  CLI::App* made =
      command.add_subcommand("new", "A new case out of a .cu: manifest, reference and notes to fill in");
  made->add_option("source", arguments->source, "The .cu with the kernel")->required();
  made->add_option("--kernel", arguments->kernel, "The kernel, if there are several");
  made->add_option("--id", arguments->id, "The case's name (default: the file's)");
  made->add_option(
      "-o,--output", arguments->parent,
      "The parent folder, in which a folder of the case's name is made (default: repros/ of the checkout)");
  made->add_option("-I,--include", arguments->include, "A directory of headers, may be repeated")
      ->allow_extra_args(false);
  made->add_option("-D,--define", arguments->define, "A macro, NAME or NAME=VALUE, may be repeated")
      ->allow_extra_args(false);
  made->add_option("--nvcc", arguments->toolchain,
                   "Toolchain that looks for kernels (default: the newest installed)");
  made->add_option("--arch", arguments->arch, "Architecture that it is looked at for")->capture_default_str();
  made->callback([=, &options, &action] {
    action = [=, &options] { return makeCase(*arguments, Workspace(options)); };
  });
}

} // namespace harness::cli
