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

/// A link leads to a folder that is looked at by its own name, or to what is none of the toolkit's.
bool isOwnDirectory(const fs::path& path) {
  std::error_code ec;
  return fs::symlink_status(path, ec).type() == fs::file_type::directory;
}

/// The toolkit itself, and what wheels unpack to.
std::vector<fs::path> packagesIn(const fs::path& root) {
  std::vector<fs::path> packages{root};
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(root / "nvidia", ec))
    if (isOwnDirectory(entry.path())) packages.push_back(entry.path());
  return packages;
}

/// libnvrtc.so.12; not libnvrtc-builtins.so or libnvrtc.alt.so.
bool isNvrtc(const fs::path& file) {
  return file.filename().string().starts_with("libnvrtc.so.");
}

/// Of two candidates the one with the shorter path, then the lesser: libnvrtc.so.13 before
/// libnvrtc.so.13.0.88.
void offer(fs::path& chosen, const fs::path& candidate) {
  auto rank = [](const fs::path& path) { return std::pair(path.native().size(), path); };
  if (isFile(candidate) && (chosen.empty() || rank(candidate) < rank(chosen))) chosen = candidate;
}

void offerNvrtc(fs::path& chosen, const fs::path& directory) {
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(directory, ec))
    if (isNvrtc(entry.path())) offer(chosen, entry.path());
}

bool holdsHeaders(const fs::path& directory) {
  return isFile(directory / "cuda_runtime.h") || isFile(directory / "crt/host_defines.h") ||
         isFile(directory / "nv/target");
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
  for (const fs::path& package : packagesIn(root)) {
    if (fs::path bin = package / "bin"; isOwnDirectory(bin)) {
      offer(layout.nvcc, bin / "nvcc");
      offer(layout.cicc, bin / "cicc");
      offer(layout.ptxas, bin / "ptxas");
      offer(layout.nvdisasm, bin / "nvdisasm");
    }
    offer(layout.cicc, package / "nvvm/bin/cicc");
    offer(layout.libdevice, package / "nvvm/libdevice/libdevice.10.bc");
    // A toolkit for cross compilation keeps the files of other machines in targets/ too.
    for (const fs::path& base : {package, package / "targets" / kTargetDir}) {
      for (const char* folder : {"lib", "lib64"})
        if (isOwnDirectory(base / folder)) offerNvrtc(layout.nvrtc, base / folder);
      if (!isOwnDirectory(base / "include")) continue;
      for (const fs::path& directory : {base / "include", base / "include/cccl"})
        if (holdsHeaders(directory)) layout.includeDirs.push_back(directory);
    }
  }
  if (fs::path cicc = expectedCicc(layout.nvcc); layout.hasNvcc() && isFile(cicc)) layout.cicc = cicc;
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
