#include "harness/cli/cubin_files.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/subprocess.h"
#include "harness/sass/disassembler.h"

#include <algorithm>
#include <fstream>
#include <map>

namespace harness::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

/// nvdisasm's name of an architecture with everything that its variants can do: a cubin does not say which
/// variant it is for.
std::string fullArch(unsigned sm) {
  return "sm_" + std::to_string(sm) + (sm >= 90 ? "a" : "");
}

/// A 64-bit ELF file for CUDA, by its first bytes.
bool looksLikeCubin(const fs::path& file) {
  char head[20] = {};
  std::ifstream(file, std::ios::binary).read(head, sizeof head);
  constexpr char kCudaMachine = static_cast<char>(190);
  return std::string_view(head, 5) == "\x7f"
                                      "ELF\x02" &&
         head[18] == kCudaMachine && head[19] == 0;
}

} // namespace

std::vector<CubinFile> readCubins(const std::vector<fs::path>& files, const Workspace& workspace,
                                  std::vector<std::string>* damaged) {
  std::vector<CubinFile> result;
  std::map<std::string, std::vector<CubinFile*>> byArch;
  for (const fs::path& file : files) {
    throwIfInterrupted();
    try {
      result.push_back({file.string(),
                        std::make_shared<Cubin>(Cubin::parse(readFile(file, kMaxBytes), file.string())),
                        {}});
    } catch (const Error& error) {
      if (!damaged || error.kind() != ErrorKind::Usage) throw;
      damaged->emplace_back(error.what());
    }
  }
  for (CubinFile& file : result)
    byArch[fullArch(file.cubin->smVersion)].push_back(&file);

  ArtifactCache cache(workspace.cacheDir() / "artifacts");
  sass::Disassembler disassembler(cache, workspace.toolchains().nvdisasm(), {});
  for (const auto& [arch, group] : byArch) {
    std::vector<const Cubin*> cubins;
    for (const CubinFile* file : group)
      cubins.push_back(file->cubin.get());
    auto listings = sass::disassembleCubins(disassembler, arch, cubins);
    for (std::size_t i = 0; i < group.size(); ++i)
      group[i]->listings = std::move(listings[i]);
  }
  return result;
}

std::vector<fs::path> cachedCubins(const Workspace& workspace) {
  std::vector<fs::path> files;
  std::error_code ec;
  fs::recursive_directory_iterator entries(workspace.cacheDir() / "artifacts" / "artifact", ec);
  for (; !ec && entries != fs::recursive_directory_iterator(); entries.increment(ec)) {
    throwIfInterrupted();
    if (entries->is_regular_file(ec) && looksLikeCubin(entries->path())) files.push_back(entries->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace harness::cli
