#include "harness/report/collapse.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace harness {

namespace {

/// From this many on, "all N" says more than the list.
constexpr std::size_t kFewArchs = 4;

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Consecutive architectures of the axis, from this many on, are named by the first and the last.
constexpr std::size_t kLongRun = 4;
/// Up to this many missing ones, "all but …" is easier to grasp than what is there.
constexpr std::size_t kFewMissing = 2;

/// The names `list` has one after the other, "sm_75 80 86 100…121a": the common prefix once. `axis` is in
/// order, and so are its members in `list`.
std::string listArchs(const std::vector<std::string>& list, const std::vector<std::string>& axis) {
  std::string text;
  auto shortName = [&](const std::string& arch) {
    bool repeats = !text.empty() && arch.starts_with("sm_") && list.front().starts_with("sm_");
    return repeats ? arch.substr(3) : arch;
  };
  for (std::size_t i = 0; i < list.size();) {
    auto at = std::find(axis.begin(), axis.end(), list[i]);
    auto ends = std::mismatch(list.begin() + static_cast<std::ptrdiff_t>(i), list.end(), at, axis.end());
    auto run = static_cast<std::size_t>(ends.second - at);
    if (run < kLongRun) run = 1;
    if (i > 0) text += " ";
    text += shortName(list[i]);
    if (run > 1) text += "…" + shortName(list[i + run - 1]);
    i += run;
  }
  return text;
}

} // namespace

std::vector<Rectangle> rectanglesOf(const std::vector<std::pair<std::string, std::string>>& archAndOpt) {
  std::vector<Rectangle> rows; // one an architecture, then merged
  for (std::size_t i = 0; i < archAndOpt.size(); ++i) {
    const auto& [arch, opt] = archAndOpt[i];
    auto row =
        std::find_if(rows.begin(), rows.end(), [&](const Rectangle& r) { return r.archs.front() == arch; });
    if (row == rows.end()) row = rows.insert(rows.end(), Rectangle{{arch}, {}, {}});
    row->opts.push_back(opt);
    row->members.push_back(i);
  }
  std::vector<Rectangle> merged;
  for (Rectangle& row : rows) {
    auto same = std::find_if(merged.begin(), merged.end(), [&](const Rectangle& r) {
      return std::is_permutation(r.opts.begin(), r.opts.end(), row.opts.begin(), row.opts.end());
    });
    if (same == merged.end()) {
      merged.push_back(std::move(row));
    } else {
      same->archs.push_back(row.archs.front());
      same->members.insert(same->members.end(), row.members.begin(), row.members.end());
    }
  }
  return merged;
}

std::string nameLevels(const std::vector<std::string>& opts) {
  std::string text;
  auto isLevel = [](const std::string& name) { return name.size() == 2 && name[0] == 'O'; };
  for (std::size_t i = 0; i < opts.size();) {
    std::size_t last = i;
    while (last + 1 < opts.size() && isLevel(opts[last]) && isLevel(opts[last + 1]) &&
           opts[last + 1][1] == opts[last][1] + 1)
      ++last;
    text += (text.empty() ? "" : " ") + opts[i] + (last > i ? "–" + opts[last] : "");
    i = last + 1;
  }
  return text;
}

void ArchAxis::add(const std::string& arch) {
  if (contains(archs_, arch)) return;
  auto after = [](const std::string& a, const std::string& b) {
    return llvm::StringRef(a).compare_numeric(b) < 0;
  };
  archs_.insert(std::upper_bound(archs_.begin(), archs_.end(), arch, after), arch);
}

bool ArchAxis::tellsAll() const {
  return archs_.size() >= kFewArchs;
}

std::string ArchAxis::name(const std::vector<std::string>& archs) const {
  std::vector<std::string> here, missing;
  for (const std::string& arch : archs_)
    (contains(archs, arch) ? here : missing).push_back(arch);
  if (!tellsAll()) return listArchs(here, {});
  if (missing.empty()) return "all " + std::to_string(archs_.size());
  if (missing.size() <= kFewMissing && missing.size() < here.size())
    return "all but " + listArchs(missing, {});
  return listArchs(here, archs_);
}

std::string ArchAxis::legend() const {
  if (!tellsAll()) return "";
  return "all " + std::to_string(archs_.size()) + " architectures: " + listArchs(archs_, {}) + "\n";
}

} // namespace harness
