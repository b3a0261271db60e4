#include "harness/toolchain/identify.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Regex.h>

#include <algorithm>

namespace harness {

namespace fs = std::filesystem;

namespace {

/// The first group of `pattern` in `text`, or empty.
std::string firstGroup(const char* pattern, std::string_view text) {
  llvm::SmallVector<llvm::StringRef> groups;
  llvm::Regex regex(pattern, llvm::Regex::Newline);
  return regex.match(llvm::StringRef(text.data(), text.size()), &groups) ? groups[1].str() : "";
}

std::optional<ToolVersion> parseVersion(std::string_view text, const char* buildPattern) {
  auto build = Version::parse(firstGroup("release [0-9.]+, V([0-9]+\\.[0-9]+\\.[0-9]+)", text));
  if (!build) return std::nullopt;
  std::string buildString = firstGroup(buildPattern, text);
  if (buildString.empty()) buildString = firstGroup("(release [0-9.]+, V[0-9.]+)", text);
  return ToolVersion{*build, buildString};
}

/// Runs a compiler that only has to say something; stdout and stderr together.
std::string ask(const std::vector<std::string>& argv) {
  ProcessResult result =
      runProcess({.argv = argv, .environment = {}, .directory = {}, .input = {}, .limits = {}});
  throwIfInterrupted();
  return result.out + result.err;
}

[[noreturn]] void failUnderstand(const fs::path& program, std::string_view what, std::string_view printed) {
  failEnvironment("cannot tell {0} of '{1}'; it printed:\n{2}", what, program.string(),
                  trim(printed.substr(0, 2000)));
}

Version askMaxPtx(const fs::path& program, const std::string& arch) {
  TempDir scratch("harness-ptx-version");
  fs::path ptx = scratch.path() / "version.ptx";
  writeFileAtomically(ptx, ".version 99.9\n.target " + arch + "\n.address_size 64\n");
  std::string printed = ask(
      {program.string(), "-arch=" + arch, ptx.string(), "-o", (scratch.path() / "version.cubin").string()});
  auto version = parseMaxPtx(printed);
  if (!version) failUnderstand(program, "the newest PTX version", printed);
  return *version;
}

} // namespace

std::optional<ToolVersion> parseToolVersion(std::string_view output) {
  return parseVersion(output, "^(Build [^\n]+)$");
}

std::optional<ToolVersion> parsePtxHeader(std::string_view ptx) {
  return parseVersion(ptx.substr(0, ptx.find("\n.version")), "^// (Compiler Build ID: CL-[^\n]+)$");
}

std::vector<std::string> parseArchs(std::string_view help) {
  llvm::StringRef text(help.data(), help.size());
  text = text.substr(text.find("--gpu-name"));
  text = text.substr(text.find("Allowed values"));
  text = text.substr(0, text.find("Default value"));
  std::vector<std::pair<unsigned, std::string>> found;
  llvm::SmallVector<llvm::StringRef> pieces;
  text.split(pieces, '\'');
  for (llvm::StringRef piece : pieces) {
    llvm::StringRef number = piece;
    unsigned value = 0;
    if (number.consume_front("sm_") && !number.consumeInteger(10, value))
      found.emplace_back(value, piece.str());
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> archs;
  for (auto& [number, name] : found)
    archs.push_back(std::move(name));
  archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
  return archs;
}

std::optional<Version> parseMaxPtx(std::string_view complaint) {
  return Version::parse(firstGroup("current version is '([0-9]+\\.[0-9]+)'", complaint));
}

ToolVersion identifyTool(const fs::path& program) {
  std::string printed = ask({program.string(), "--version"});
  auto version = parseToolVersion(printed);
  if (!version) failUnderstand(program, "the version", printed);
  return *version;
}

Ptxas identifyPtxas(const fs::path& program) {
  ToolVersion version = identifyTool(program);
  std::string help = ask({program.string(), "--help"});
  std::vector<std::string> archs = parseArchs(help);
  if (archs.empty()) failUnderstand(program, "the architectures", help);
  Version maxPtx = askMaxPtx(program, archs.front());
  return {version.build, version.buildString, program, sha256File(program), maxPtx, std::move(archs)};
}

} // namespace harness
