#pragma once

#include "harness/base/version.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {

enum class FrontEndKind {
  Nvcc,  ///< the nvcc driver with cicc (13.x wheels, installed toolkits)
  Nvrtc, ///< libnvrtc, called in a process of its own (12.x and 11.x wheels ship no nvcc)
};

std::string_view toString(FrontEndKind kind);

/// What turns CUDA C++ into PTX.
struct FrontEnd {
  FrontEndKind kind = FrontEndKind::Nvcc;
  Version build;           ///< 13.0.88
  std::string buildString; ///< as the compiler prints it, e.g. "Build cuda_13.0.r13.0/compiler.36424714_0"
  std::filesystem::path program;                  ///< nvcc, or libnvrtc.so.12
  std::filesystem::path cicc;                     ///< Nvcc only
  std::string ciccSha256;                         ///< of cicc, or of libnvrtc
  std::vector<std::filesystem::path> includeDirs; ///< toolkit headers; Nvrtc must be given them
  /// SHA-256 over every file that can change the PTX: programs, libdevice, headers.
  std::string identity;
};

/// What turns PTX into a cubin.
struct Ptxas {
  Version build;
  std::string buildString;
  std::filesystem::path program;
  std::string sha256;
  Version maxPtx;                 ///< the newest `.version` it takes
  std::vector<std::string> archs; ///< as `--help` lists them: sm_75, sm_90a …
};

/// One front end and one ptxas.
struct Toolchain {
  std::string name; ///< "13.0.88", "nvrtc-13.0.88", or "FE+PTXAS"
  FrontEnd frontEnd;
  Ptxas ptxas;
  std::filesystem::path root;

  /// Display only: "13.0".
  std::string label() const;
  bool knowsArch(std::string_view arch) const;
};

/// True for what is written as an architecture is: sm_75, sm_90a, sm_100f.
bool isArchName(std::string_view name);

/// nvdisasm, used to decode machine code.
struct Nvdisasm {
  std::filesystem::path program;
  std::string buildString;
  std::string sha256;
};

/// The installed toolchains below one directory.
///
/// Layout: `<dir>/<name>/` holds the files and `toolchain.json`, which records the identity found at
/// installation; a directory without that file is not a toolchain. `<dir>/nvdisasm-<version>/` the same.
class ToolchainDir {
public:
  /// `directory` need not exist yet.
  explicit ToolchainDir(std::filesystem::path directory);

  const std::filesystem::path& directory() const { return directory_; }

  /// All installed, ordered by version. Reads only toolchain.json; hashes nothing.
  std::vector<Toolchain> list() const;

  /// By name; `FE+PTXAS` is put together out of two installed ones. Throws Error(Environment) that names
  /// what is installed and the command that installs it.
  Toolchain get(std::string_view name) const;

  /// The newest installed nvdisasm. Throws Error(Environment) with the command that installs it.
  Nvdisasm nvdisasm() const;

  /// One pip requirement file of matrix/toolchains: installs it, smoke-compiles, publishes by rename.
  struct InstallOptions {
    std::filesystem::path requirementsDir; ///< matrix/toolchains
    std::filesystem::path wheels;          ///< a folder of wheels to use in place of an index; may be empty
    bool force = false;                    ///< reinstall what is there
    std::filesystem::path nvrtcProgram;    ///< the program harness-nvrtc; empty = beside this executable
  };
  enum class InstallOutcome { Installed, AlreadyThere };
  /// `version` names `<requirementsDir>/<version>.txt`, e.g. "13.0.88" or "nvdisasm". What is there but was
  /// made from other pins is made anew. Installs of several processes do not disturb each other. Throws
  /// Error(Usage) if there is no such file, Error(Environment) naming the requirement file and the way to
  /// install without network if pip fails, Error(Environment) if what came does not compile.
  InstallOutcome install(std::string_view version, const InstallOptions& options);

  /// Takes an installed toolkit (its root, with bin/nvcc or with lib/libnvrtc and bin/ptxas) as it lies,
  /// without copying; an nvdisasm in it becomes usable too. Returns its name. Adding the same toolkit again
  /// identifies it anew. Throws Error(Usage) if there is no usable compiler in it or the name is taken.
  std::string add(const std::filesystem::path& toolkit, const std::filesystem::path& nvrtcProgram = {});

  /// What changed since installation, one line a file; empty if all hashes agree.
  std::vector<std::string> verify(std::string_view name) const;

  /// Removes an installed toolchain (an added one is only forgotten).
  void remove(std::string_view name);

private:
  std::filesystem::path directory_;
};

} // namespace harness
