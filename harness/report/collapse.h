#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// Some architectures by some options, every combination of them.
struct Rectangle {
  std::vector<std::string> archs, opts;
  std::vector<std::size_t> members; ///< indices into what was collapsed
};

/// Covers a set of distinct (arch, opt) pairs by rectangles, exactly: what a rectangle names is in the set.
/// Names keep the order of their first appearance.
std::vector<Rectangle> rectanglesOf(const std::vector<std::pair<std::string, std::string>>& archAndOpt);

/// "O1–O3 G": neighbouring levels by the first and the last.
std::string nameLevels(const std::vector<std::string>& opts);

/// All architectures that a report is about, to name some of them shortly.
class ArchAxis {
public:
  void add(const std::string& arch);

  /// "all 18", "all but sm_90 90a", or "sm_75 80 100…121a" (neighbours on the axis), whichever is right and
  /// short.
  std::string name(const std::vector<std::string>& archs) const;
  /// What "all" means, one line with its newline; empty if there are too few for `name` to say it.
  std::string legend() const;

private:
  bool tellsAll() const;

  std::vector<std::string> archs_; ///< in order
};

} // namespace harness
