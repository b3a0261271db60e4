#include "harness/cli/exec_launch.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/parity/buffer.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>

namespace harness::cli {

namespace {

bool isSameFile(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code ec;
  if (std::filesystem::exists(one, ec) && !std::filesystem::is_regular_file(one, ec)) return false;
  auto whole = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ec), ec);
  };
  return whole(one) == whole(other);
}

/// " (8, 8, 4 bytes)"
std::string describe(const std::vector<std::size_t>& sizes) {
  std::string text;
  for (std::size_t size : sizes)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return text.empty() ? text : " (" + text + " bytes)";
}

} // namespace

ExecLaunch::ExecLaunch(const std::vector<std::string>& arguments, std::byte poison) {
  for (const std::string& text : arguments)
    add(text, ExecArgument::parse(text), poison);
}

void ExecLaunch::checkAgainst(const std::string& kernel, const std::vector<std::size_t>& sizes) const {
  if (sizes.size() != launch.args.size())
    failUsage("kernel '{0}' takes {1} arguments{2}, and {3} are given", kernel, sizes.size(), describe(sizes),
              launch.args.size());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (launch.args[i].size() != sizes[i])
      failUsage("argument {0} of kernel '{1}' has {2} bytes, and --arg {3} has {4}", i, kernel, sizes[i],
                texts_[i], launch.args[i].size());
}

void ExecLaunch::checkOutputs(const std::string& code) const {
  for (auto one = outputs_.begin(); one != outputs_.end(); ++one) {
    const std::string& file = one->second;
    requireWritable(file);
    if (isSameFile(file, code))
      failUsage("'{0}' is what is executed: write the output to another file", file);
    for (auto other = outputs_.begin(); other != one; ++other)
      if (isSameFile(file, other->second))
        failUsage("{0} and {1} are both written to '{2}': name a file for each", other->first, one->first,
                  file);
  }
}

void ExecLaunch::keepOutputs() {
  for (const auto& [name, file] : outputs_) {
    std::span<std::byte> bytes = memory.bytes(name);
    writeFileAtomically(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    std::printf("wrote %zu bytes to %s\n", bytes.size(), file.c_str());
  }
}

void ExecLaunch::add(const std::string& text, const ExecArgument& argument, std::byte poison) {
  std::string bytes = argument.scalar;
  if (argument.isBuffer) {
    std::string contents = argument.inputFile.empty() ? std::string() : readFile(argument.inputFile);
    std::uint64_t size = argument.inputFile.empty() ? argument.size : contents.size();
    std::string name = "argument " + std::to_string(texts_.size());
    Allocation& allocation = memory.allocate(name, size, argument.zero ? std::byte{0} : poison);
    std::memcpy(allocation.host, contents.data(), contents.size());
    bytes = littleEndian(allocation.address, sizeof allocation.address);
    if (!argument.outputFile.empty()) outputs_.emplace_back(name, argument.outputFile);
  }
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  launch.args.emplace_back(data, data + bytes.size());
  texts_.push_back(text);
}

} // namespace harness::cli
