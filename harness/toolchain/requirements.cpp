#include "harness/toolchain/requirements.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/toolchain/names.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <vector>

namespace harness {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxFileBytes = 1 << 20;
constexpr llvm::StringRef kHash = "--hash=sha256:";

bool isHash(llvm::StringRef word) {
  return word.consume_front(kHash) && word.size() == 64 && llvm::all_of(word, llvm::isHexDigit);
}

/// Letters, digits and what pip allows between them: nothing that is an option, a path or a URL.
bool isWord(llvm::StringRef word) {
  return !word.empty() && llvm::isAlnum(word.front()) &&
         llvm::all_of(word, [](char c) { return llvm::isAlnum(c) || c == '.' || c == '_' || c == '-'; });
}

/// The names of the requirement files in `directory`, sorted.
std::vector<std::string> available(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(directory, ec))
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace

Requirements Requirements::parse(std::string_view text, const fs::path& file) {
  Requirements requirements{file, {}};
  std::string logical; // one requirement, its continued lines joined
  unsigned lineNumber = 0;
  for (const std::string& raw : split(text, '\n')) {
    ++lineNumber;
    llvm::StringRef line = llvm::StringRef(raw).trim();
    if (line.starts_with("#")) continue;
    bool continued = line.consume_back("\\");
    logical += line.str() + ' ';
    if (continued) continue;
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(logical, words);
    if (!words.empty()) {
      auto [package, version] = words[0].split("==");
      if (!isWord(package) || !isWord(version))
        failUsage("'{0}', line {1}: '{2}' is not PACKAGE==VERSION; only pinned packages are taken",
                  file.string(), lineNumber, words[0]);
      if (words.size() < 2 || !std::all_of(words.begin() + 1, words.end(), isHash))
        failUsage(
            "'{0}', line {1}: '{2}' is not followed by {3}… only; write the file with ci/update-toolchains",
            file.string(), lineNumber, words[0], kHash);
      requirements.pins[package.str()] = version.str();
    }
    logical.clear();
  }
  if (requirements.pins.empty() || !logical.empty())
    failUsage("'{0}' is cut off or names no package", file.string());
  return requirements;
}

Requirements Requirements::load(const fs::path& directory, std::string_view name) {
  fs::path file = directory / (std::string(name) + ".txt");
  if (!isWord(name) || !fs::is_regular_file(file)) {
    std::vector<std::string> names = available(directory);
    std::string near = nearestToolchain(name, names);
    failUsage("no toolchain '{0}': there is no '{1}'{2}; there are: {3}", name, file.string(),
              near.empty() ? "" : " (did you mean " + near + "?)", names.empty() ? "none" : join(names, " "));
  }
  return parse(readFile(file, kMaxFileBytes), file);
}

} // namespace harness
