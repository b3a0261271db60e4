#include "harness/toolchain/layout.h"

#include "harness/base/error.h"

#include <algorithm>
#include <fstream>

namespace harness {

namespace fs = std::filesystem;

namespace {

#if defined(__aarch64__)
constexpr std::string_view kTargetDir = "sbsa-linux";
#else
constexpr std::string_view kTargetDir = "x86_64-linux";
#endif

bool isFile(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec);
}

/// A toolkit for cross compilation keeps the files of other machines in targets/.
bool isOtherTarget(const fs::path& directory) {
  return directory.parent_path().filename() == "targets" && directory.filename() != kTargetDir;
}

/// libnvrtc.so.12; not libnvrtc-builtins.so, libnvrtc.alt.so or the stub for linking.
bool isNvrtc(const fs::path& file) {
  return file.filename().string().starts_with("libnvrtc.so.") && file.parent_path().filename() != "stubs";
}

/// Of two candidates the one with the shorter path, then the lesser: libnvrtc.so.13 before
/// libnvrtc.so.13.0.88.
void offer(fs::path& chosen, const fs::path& candidate) {
  auto rank = [](const fs::path& path) { return std::pair(path.native().size(), path); };
  if (isFile(candidate) && (chosen.empty() || rank(candidate) < rank(chosen))) chosen = candidate;
}

/// Where nvcc starts cicc from.
fs::path expectedCicc(const fs::path& nvcc) {
  return nvcc.parent_path().parent_path() / "nvvm" / "bin" / "cicc";
}

bool looksExecutable(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  char magic[4] = {};
  in.read(magic, sizeof magic);
  std::string_view head(magic, static_cast<std::size_t>(in.gcount()));
  return head.starts_with("\x7f"
                          "ELF") ||
         head.starts_with("#!");
}

void addIfFile(std::vector<fs::path>& files, const fs::path& file) {
  if (isFile(file)) files.push_back(file);
}

} // namespace

Layout Layout::find(const fs::path& root) {
  Layout layout;
  auto options = fs::directory_options::skip_permission_denied;
  for (auto at = fs::recursive_directory_iterator(root, options); at != fs::recursive_directory_iterator();
       ++at) {
    const fs::path& path = at->path();
    if (at->is_directory()) {
      if (isOtherTarget(path)) at.disable_recursion_pending();
      continue;
    }
    std::string name = path.filename().string();
    fs::path parent = path.parent_path();
    bool inBin = parent.filename() == "bin";
    if (inBin && name == "nvcc")
      offer(layout.nvcc, path);
    else if (inBin && name == "cicc")
      offer(layout.cicc, path);
    else if (inBin && name == "ptxas")
      offer(layout.ptxas, path);
    else if (inBin && name == "nvdisasm")
      offer(layout.nvdisasm, path);
    else if (name == "libdevice.10.bc")
      offer(layout.libdevice, path);
    else if (isNvrtc(path))
      offer(layout.nvrtc, path);
    else if (name == "cuda_runtime.h")
      layout.includeDirs.push_back(parent);
    else if (name == "host_defines.h" && parent.filename() == "crt")
      layout.includeDirs.push_back(parent.parent_path());
    else if (name == "target" && parent.filename() == "nv")
      layout.includeDirs.push_back(parent.parent_path());
  }
  if (fs::path cicc = expectedCicc(layout.nvcc); isFile(cicc)) layout.cicc = cicc;
  std::sort(layout.includeDirs.begin(), layout.includeDirs.end());
  layout.includeDirs.erase(std::unique(layout.includeDirs.begin(), layout.includeDirs.end()),
                           layout.includeDirs.end());
  return layout;
}

std::vector<std::string> mendLayout(const fs::path& root, Layout& layout) {
  std::vector<std::string> done;
  auto relative = [&](const fs::path& path) { return path.lexically_relative(root).string(); };
  for (const fs::path& program : {layout.nvcc, layout.cicc, layout.ptxas, layout.nvdisasm}) {
    if (program.empty()) continue;
    for (const auto& entry : fs::directory_iterator(program.parent_path())) {
      auto executable = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
      if (!entry.is_regular_file() || (entry.status().permissions() & executable) == executable) continue;
      if (!looksExecutable(entry.path())) continue;
      fs::permissions(entry.path(), executable, fs::perm_options::add);
      done.push_back("made executable: " + relative(entry.path()));
    }
  }
  if (layout.hasNvcc()) {
    fs::path wanted = expectedCicc(layout.nvcc);
    if (!isFile(wanted)) {
      fs::create_directories(wanted.parent_path());
      fs::path target = layout.cicc.lexically_relative(wanted.parent_path());
      fs::create_symlink(target, wanted);
      done.push_back("linked " + relative(wanted) + " to " + target.string());
      layout.cicc = wanted;
    }
  }
  return done;
}

std::vector<fs::path> frontEndFiles(const Layout& layout, FrontEndKind kind) {
  std::vector<fs::path> files;
  if (kind == FrontEndKind::Nvcc) {
    fs::path bin = layout.nvcc.parent_path();
    for (const fs::path& file :
         {layout.nvcc, bin / "nvcc.profile", bin / "cudafe++", layout.cicc, layout.libdevice})
      addIfFile(files, file);
  } else {
    // The compiler, and the builtins it loads from its own folder.
    for (const auto& entry : fs::directory_iterator(layout.nvrtc.parent_path())) {
      std::string name = entry.path().filename().string();
      bool ours = entry.path() == layout.nvrtc || name.starts_with("libnvrtc-builtins.so");
      if (ours) addIfFile(files, entry.path());
    }
  }
  for (const fs::path& directory : layout.includeDirs)
    for (const auto& entry : fs::recursive_directory_iterator(directory))
      addIfFile(files, entry.path());
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

} // namespace harness
