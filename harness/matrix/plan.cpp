#include "harness/matrix/plan.h"

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/toolchain/names.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

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

std::vector<std::string> casesOf(const CellProduct& product, const std::vector<std::string>& caseIds,
                                 const std::filesystem::path& path) {
  for (const std::string& glob : product.cases) {
    if (!wanted(caseIds, {glob}).empty()) continue;
    std::string near = nearest(glob, caseIds);
    failUsage("{0}: no case matches '{1}'{2}", path.string(), glob,
              near.empty() ? std::string() : "; did you mean '" + near + "'?");
  }
  return wanted(caseIds, product.cases);
}

/// Of "13.0.88", "nvrtc-13.0.88" or "13.0.88+13.1.80" the front end's build; nothing for other names.
std::optional<Version> frontEndBuild(std::string_view toolchain) {
  llvm::StringRef name(toolchain.data(), toolchain.size());
  name.consume_front("nvrtc-");
  name = name.split('+').first;
  return Version::parse(std::string_view(name.data(), name.size()));
}

std::vector<std::string> wantedToolchains(const std::vector<std::string>& names,
                                          const std::optional<VersionRange>& range) {
  if (!range) return names;
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    auto build = frontEndBuild(name);
    if (build && range->contains(*build)) kept.push_back(name);
  }
  return kept;
}

/// Of a product, with cases by their ids, what the filter leaves.
CellProduct narrowed(const CellProduct& product, const PlanFilter& filter) {
  return {wanted(product.cases, filter.cases), wantedToolchains(product.toolchains, filter.nvcc),
          wanted(product.archs, filter.archs), wanted(product.opts, filter.opts)};
}

/// What of a product is empty, so that it has no cell; empty if it has one.
std::string_view emptyList(const CellProduct& product) {
  if (product.cases.empty()) return "case";
  if (product.toolchains.empty()) return "toolchain";
  if (product.archs.empty()) return "arch";
  return product.opts.empty() ? "opt" : "";
}

/// That list of all products and of the expansion, each name once.
std::vector<std::string> namesOf(const MatrixFile& matrix, std::vector<std::string> CellProduct::* list) {
  std::vector<CellProduct> products = matrix.products;
  if (matrix.expand) products.push_back(*matrix.expand);
  std::vector<std::string> names;
  for (const CellProduct& product : products)
    for (const std::string& name : product.*list)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

/// Throws Error(Usage) for the first of `globs` that matches none of `names`, the `kind`s of the matrix.
void requireMatches(const MatrixFile& matrix, std::string_view kind, const std::vector<std::string>& globs,
                    const std::vector<std::string>& names) {
  for (const std::string& glob : globs) {
    if (wanted(names, {glob}).empty())
      failUsage("no {0} of {1} matches '{2}'{3}", kind, matrix.path.string(), glob, namesHint(glob, names));
  }
}

/// What is asked for and in no product, nor in what the matrix is expanded to, is mistyped.
void requireMatches(const MatrixFile& matrix, const std::vector<std::string>& caseIds,
                    const PlanFilter& filter) {
  requireMatches(matrix, "case", filter.cases, wanted(caseIds, namesOf(matrix, &CellProduct::cases)));
  requireMatches(matrix, "arch", filter.archs, namesOf(matrix, &CellProduct::archs));
  requireMatches(matrix, "opt", filter.opts, namesOf(matrix, &CellProduct::opts));
}

/// Cells of several products, each once; those that share PTX lie together.
class Groups {
public:
  void add(const CellProduct& product) {
    for (const std::string& caseId : product.cases)
      for (const std::string& toolchain : product.toolchains)
        for (const std::string& arch : product.archs) {
          std::vector<CellName>& group = groupOf(caseId, toolchain, arch);
          for (const std::string& opt : product.opts)
            if (std::none_of(group.begin(), group.end(), [&](const CellName& one) { return one.opt == opt; }))
              group.push_back({caseId, toolchain, arch, opt});
        }
  }

  std::vector<CellName> shard(Shard shard) const {
    std::vector<CellName> cells;
    for (std::size_t i = shard.index - 1; i < groups_.size(); i += shard.count)
      cells.insert(cells.end(), groups_[i].begin(), groups_[i].end());
    return cells;
  }

private:
  std::vector<CellName>& groupOf(const std::string& caseId, const std::string& toolchain,
                                 const std::string& arch) {
    auto [place, isNew] = places_.try_emplace({caseId, toolchain, arch}, groups_.size());
    if (isNew) groups_.emplace_back();
    return groups_[place->second];
  }

  std::map<std::array<std::string, 3>, std::size_t> places_;
  std::vector<std::vector<CellName>> groups_;
};

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
  Groups groups;
  std::string_view empty;
  for (const CellProduct& product : matrix.products)
    casesOf(product, caseIds, matrix.path);
  requireMatches(matrix, caseIds, filter);
  for (CellProduct product : matrix.products) {
    product.cases = casesOf(product, caseIds, matrix.path);
    product = narrowed(product, filter);
    if (empty.empty()) empty = emptyList(product);
    groups.add(product);
  }
  std::vector<CellName> cells = groups.shard({});
  if (cells.empty())
    failUsage("nothing of {0} is left: no {1} matches what was asked for{2}", matrix.path.string(), empty,
              empty == "toolchain" ? "; it has " + joinFew(namesOf(matrix, &CellProduct::toolchains), ", ")
                                   : "");
  return shard.count == 1 ? cells : groups.shard(shard);
}

std::vector<CellName> planExpansion(const MatrixFile& matrix, const std::vector<std::string>& failingCases,
                                    const PlanFilter& filter, const std::vector<CellName>& planned) {
  if (!matrix.expand) return {};
  CellProduct product = *matrix.expand;
  product.cases = failingCases;
  Groups groups;
  groups.add(narrowed(product, filter));
  std::set<std::string> known;
  for (const CellName& name : planned)
    known.insert(name.str());
  std::vector<CellName> cells = groups.shard({});
  std::erase_if(cells, [&known](const CellName& name) { return known.contains(name.str()); });
  return cells;
}

} // namespace harness
