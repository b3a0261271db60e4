#include "harness/matrix/trials.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace harness {

namespace {

/// Indices into `versions`, which ascend: the newest, those around `own`, the oldest.
std::vector<std::size_t> orderOfTrials(const std::vector<Version>& versions, const Version& own) {
  std::vector<std::size_t> order;
  auto add = [&](std::size_t i) {
    if (i < versions.size() && order.size() < kTrialToolchains &&
        std::find(order.begin(), order.end(), i) == order.end())
      order.push_back(i);
  };
  if (versions.empty()) return order;
  auto newer =
      static_cast<std::size_t>(std::upper_bound(versions.begin(), versions.end(), own) - versions.begin());
  add(versions.size() - 1);
  if (newer > 0) add(newer - 1);
  add(newer);
  add(0);
  return order;
}

struct Candidate {
  const Toolchain* toolchain;
  Version version;
  std::string identity; ///< two with one are the same compiler
};

/// Each compiler once, but for the one that `own` is.
std::vector<const Toolchain*> choose(std::vector<Candidate> candidates, const Candidate& own) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.version < b.version; });
  std::vector<Candidate> distinct;
  for (Candidate& candidate : candidates) {
    auto same = [&](const Candidate& other) { return other.identity == candidate.identity; };
    if (candidate.identity != own.identity && std::none_of(distinct.begin(), distinct.end(), same))
      distinct.push_back(std::move(candidate));
  }
  std::vector<Version> versions;
  for (const Candidate& candidate : distinct)
    versions.push_back(candidate.version);
  std::vector<const Toolchain*> chosen;
  for (std::size_t i : orderOfTrials(versions, own.version))
    chosen.push_back(distinct[i].toolchain);
  return chosen;
}

Candidate byPtxas(const Toolchain& toolchain) {
  return {&toolchain, toolchain.ptxas.build, toolchain.ptxas.sha256};
}

Candidate byFrontEnd(const Toolchain& toolchain) {
  return {&toolchain, toolchain.frontEnd.build, toolchain.frontEnd.identity};
}

} // namespace

TrialBuild unfusedTrial(const Toolchain& toolchain, const OptPoint& opt) {
  TrialBuild trial{toolchain.name + " and -fmad=false", toolchain, opt};
  trial.opt.ptxas.push_back("-fmad=false");
  return trial;
}

std::vector<TrialBuild> levelTrials(const Toolchain& toolchain, const OptPoint& opt) {
  std::vector<TrialBuild> trials;
  for (const char* level : {"O3", "O2", "O1", "O0"}) {
    OptPoint point = OptPoint::parse(level);
    bool isDefault = opt.ptxas.empty() && point.name == "O3"; // what ptxas does without a level
    if (!isDefault && point.ptxas != opt.ptxas)
      trials.push_back({toolchain.ptxas.build.str() + " at " + level, toolchain, std::move(point)});
  }
  return trials;
}

std::vector<TrialBuild> ptxasTrials(const Toolchain& toolchain, const std::vector<Toolchain>& installed,
                                    std::string_view arch, const OptPoint& opt,
                                    const std::optional<Version>& version) {
  std::vector<Candidate> candidates;
  for (const Toolchain& other : installed)
    if (other.knowsArch(arch) &&
        (!version || other.ptxas.maxPtx.parts.empty() || *version <= other.ptxas.maxPtx))
      candidates.push_back(byPtxas(other));
  std::vector<TrialBuild> trials;
  for (const Toolchain* other : choose(std::move(candidates), byPtxas(toolchain))) {
    Toolchain pair = toolchain;
    pair.ptxas = other->ptxas;
    pair.name = toolchain.frontEnd.build.str() + "+" + other->ptxas.build.str();
    trials.push_back({other->ptxas.build.str(), std::move(pair), opt});
  }
  return trials;
}

std::vector<TrialBuild> frontEndTrials(const Toolchain& toolchain, const std::vector<Toolchain>& installed,
                                       std::string_view arch, const OptPoint& opt) {
  std::vector<Candidate> candidates;
  for (const Toolchain& other : installed)
    if (other.knowsArch(arch)) candidates.push_back(byFrontEnd(other));
  std::vector<TrialBuild> trials;
  for (const Toolchain* other : choose(std::move(candidates), byFrontEnd(toolchain)))
    trials.push_back({other->name, *other, opt});
  return trials;
}

} // namespace harness
