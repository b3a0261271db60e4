#include "harness/report/bundle.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/TarWriter.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace harness {

namespace fs = std::filesystem;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>; ///< path in the bundle, contents

/// `text` with the user's home directory written as "~".
std::string withoutHome(std::string text) {
  const char* value = std::getenv("HOME");
  std::string home = value ? value : "";
  while (!home.empty() && home.back() == '/')
    home.pop_back();
  if (home.empty()) return text;
  for (std::size_t at = 0; (at = text.find(home, at)) != std::string::npos;) {
    std::size_t end = at + home.size();
    bool whole = end == text.size() || !(llvm::isAlnum(text[end]) || text[end] == '_' || text[end] == '-');
    if (whole) text.replace(at, home.size(), "~");
    at += whole ? 1 : home.size();
  }
  return text;
}

/// A cell of a Markdown table.
std::string tableCell(std::string_view text) {
  std::string cell;
  for (char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string codeBlock(std::string_view text) {
  return "```\n" + std::string(text) + (text.ends_with('\n') ? "" : "\n") + "```\n\n";
}

std::string toolchainTable(const std::vector<BundleToolchain>& toolchains) {
  std::string table = "| toolchain | front end | ptxas | verdict |\n|---|---|---|---|\n";
  for (const BundleToolchain& row : toolchains)
    table += "| " + tableCell(row.name) + " | " + tableCell(row.frontEnd) + " | " + tableCell(row.ptxas) +
             " | " + tableCell(row.verdict) + " |\n";
  return table + "\n";
}

Files bundleFiles(const BundleInput& input) {
  Files files = {{"README.md", makeBundleReadme(input)}, {"repro.cu", makeReproSource(input)}};
  auto addText = [&](const char* name, const std::string& text) {
    if (!text.empty()) files.emplace_back(name, withoutHome(text));
  };
  addText("kernel.ptx", input.ptx);
  addText("bad.sass", input.badSass);
  addText("good.sass", input.goodSass);
  addText("explanation.txt", input.explanation);
  for (const auto& [name, contents] : input.headers) {
    fs::path path = fs::path(name).lexically_normal();
    if (path.empty() || path.is_absolute() || *path.begin() == "..")
      failUsage("{0}: the header '{1}' lies outside the bundle", input.cell, name);
    files.emplace_back(path.string(), contents);
  }
  return files;
}

void writeDirectory(const Files& files, const fs::path& directory) {
  for (const auto& [name, contents] : files) {
    fs::path path = directory / name;
    std::error_code ec;
    fs::create_directories(path.parent_path(), ec);
    if (ec) failEnvironment("cannot make '{0}': {1}", path.parent_path().string(), ec.message());
    writeFileAtomically(path, contents);
  }
}

/// A file in memory, by a path that can be opened.
class MemoryFile {
public:
  MemoryFile() : fd_(memfd_create("bundle", MFD_CLOEXEC)) {
    if (fd_ < 0) failEnvironment("cannot make a file in memory: {0}", std::strerror(errno));
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

private:
  int fd_;
};

/// The archive's bytes. TarWriter writes to a path and ends the program when the disk is full, so it gets a
/// path in memory.
std::string makeTar(const Files& files, const std::string& baseDir) {
  MemoryFile memory;
  if (auto tar = llvm::TarWriter::create(memory.path(), baseDir))
    for (const auto& [name, contents] : files)
      (*tar)->append(name, contents);
  else
    failEnvironment("cannot make the archive: {0}", llvm::toString(tar.takeError()));
  return readFile(memory.path());
}

} // namespace

std::string makeBundleReadme(const BundleInput& input) {
  std::string text = "# " + input.title + "\n\n";
  text += "`" + input.cell + "`: **" + input.verdict +
          "**, blame: " + (input.blame.empty() ? "unknown" : input.blame) +
          (input.because.empty() ? "" : " (" + input.because + ")") + ".\n\n";
  if (!input.why.empty()) text += input.why + "\n\n";

  text += "## Build and run\n\n" + codeBlock(reproBuildCommand(input) + "\n./repro");
  text += "`./repro` prints the differences and exits with 0 if the answer is right, 1 if it is wrong, 2 on "
          "a CUDA "
          "error. It needs a device that runs " +
          input.arch + " code. Without one, compare `bad.sass`" +
          (input.goodSass.empty() ? std::string() : " with `good.sass`") + ".\n\n";

  text += "## Expected and got\n\n" + codeBlock(input.findings);
  if (!input.toolchains.empty()) text += "## Toolchains\n\n" + toolchainTable(input.toolchains);
  if (!input.commands.empty())
    text +=
        "## Command lines of the failing build\n\n" + codeBlock(join(input.commands, "\n")) +
        "Programs are named from the toolchain's folder; the source is the kernel's part of `repro.cu`, and "
        "what the first command writes is `kernel.ptx`.\n\n";

  text += "## Files\n\n- `repro.cu`: the kernel, its data, launch and comparison in one program\n";
  if (!input.ptx.empty()) text += "- `kernel.ptx`: what ptxas was given\n";
  if (!input.badSass.empty()) text += "- `bad.sass`: the code that gives the wrong answer\n";
  if (!input.goodSass.empty())
    text += "- `good.sass`: the code of " + input.goodToolchain + ", which gives the right one, from " +
            (input.goodHasSamePtx ? "the same PTX" : "the PTX of its own front end") + "\n";
  if (!input.explanation.empty())
    text += "- `explanation.txt`: from the first wrong byte back through machine code and PTX\n";
  if (!input.noExplanation.empty())
    text += "- no `explanation.txt`, which 'harness explain' makes: " + tableCell(input.noExplanation) + "\n";
  for (const auto& [name, contents] : input.headers)
    text += "- `" + name + "`: included by repro.cu\n";
  return withoutHome(std::move(text));
}

void writeBundle(const BundleInput& input, const fs::path& path) {
  Files files = bundleFiles(input);
  if (path.empty()) failUsage("a bundle needs a file or directory to go to");
  if (!path.has_filename()) return writeDirectory(files, path);
  fs::path stem = path.extension() == ".tar" ? path.stem() : path.filename();
  writeFileAtomically(path, makeTar(files, stem.string()));
}

} // namespace harness
