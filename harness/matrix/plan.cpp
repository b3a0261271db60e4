#include "harness/matrix/plan.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace harness {

namespace {

bool matchesAny(const std::vector<std::string>& globs, std::string_view text) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return globMatch(glob, text); });
}

std::vector<std::string> wanted(const std::vector<std::string>& names,
                                const std::vector<std::string>& globs) {
  if (globs.empty()) return names;
  std::vector<std::string> kept;
  for (const std::string& name : names)
    if (matchesAny(globs, name)) kept.push_back(name);
  return kept;
}

std::vector<std::string> casesOf(const MatrixFile& matrix, const std::vector<std::string>& caseIds) {
  for (const std::string& glob : matrix.cases) {
    if (!wanted(caseIds, {glob}).empty()) continue;
    std::string near = nearest(glob, caseIds);
    failUsage("{0}: no case matches '{1}'{2}", matrix.path.string(), glob,
              near.empty() ? std::string() : "; did you mean '" + near + "'?");
  }
  return wanted(caseIds, matrix.cases);
}

/// Of "13.0.88", "nvrtc-13.0.88" or "13.0.88+13.1.80" the front end's build; nothing for other names.
std::optional<Version> frontEndBuild(std::string_view toolchain) {
  llvm::StringRef name(toolchain.data(), toolchain.size());
  name.consume_front("nvrtc-");
  name = name.split('+').first;
  return Version::parse(std::string_view(name.data(), name.size()));
}

std::vector<std::string> toolchainsOf(const MatrixFile& matrix, const std::optional<VersionRange>& range) {
  if (!range) return matrix.toolchains;
  std::vector<std::string> kept;
  for (const std::string& name : matrix.toolchains) {
    auto build = frontEndBuild(name);
    if (build && range->contains(*build)) kept.push_back(name);
  }
  return kept;
}

} // namespace

Shard Shard::parse(std::string_view text) {
  auto [first, second] = llvm::StringRef(text.data(), text.size()).split('/');
  Shard shard;
  if (first.getAsInteger(10, shard.index) || second.getAsInteger(10, shard.count) || shard.index < 1 ||
      shard.index > shard.count)
    failUsage("'{0}' is no shard; a shard is written I/N with 1 <= I <= N, as in 2/4", text);
  return shard;
}

std::vector<CellName> planCells(const MatrixFile& matrix, const std::vector<std::string>& caseIds,
                                const PlanFilter& filter, Shard shard) {
  std::vector<std::string> cases = wanted(casesOf(matrix, caseIds), filter.cases);
  std::vector<std::string> toolchains = toolchainsOf(matrix, filter.nvcc);
  std::vector<std::string> archs = wanted(matrix.archs, filter.archs),
                           opts = wanted(matrix.opts, filter.opts);
  if (cases.empty() || toolchains.empty() || archs.empty() || opts.empty())
    failUsage("nothing of {0} is left: no {1} matches what was asked for", matrix.path.string(),
              cases.empty()        ? "case"
              : toolchains.empty() ? "toolchain"
              : archs.empty()      ? "arch"
                                   : "opt");
  std::vector<CellName> cells;
  std::size_t group = 0;
  for (const std::string& caseId : cases)
    for (const std::string& toolchain : toolchains)
      for (const std::string& arch : archs)
        if (group++ % shard.count == shard.index - 1)
          for (const std::string& opt : opts)
            cells.push_back({caseId, toolchain, arch, opt});
  return cells;
}

} // namespace harness
