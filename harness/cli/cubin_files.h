#pragma once

#include "harness/cli/workspace.h"
#include "harness/cubin/cubin.h"
#include "harness/sass/listing.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace harness::cli {

/// A cubin from a file, disassembled.
struct CubinFile {
  std::string origin; ///< the path
  std::shared_ptr<const Cubin> cubin;
  std::vector<sass::Listing> listings; ///< of its code sections
};

/// Reads cubins from anywhere; nvdisasm is started once an architecture. Throws Error(Usage) naming the file
/// that is none; with `damaged`, such a file is left out, and what is wrong with it is appended there.
std::vector<CubinFile> readCubins(const std::vector<std::filesystem::path>& files, const Workspace& workspace,
                                  std::vector<std::string>* damaged = nullptr);

/// The cubins in the artifact cache, by path.
std::vector<std::filesystem::path> cachedCubins(const Workspace& workspace);

} // namespace harness::cli
