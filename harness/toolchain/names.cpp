#include "harness/toolchain/names.h"

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/base/version.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace harness {

namespace {

/// "nvrtc-13.0.88" taken apart.
struct BuildName {
  std::string_view prefix;
  std::optional<Version> version;

  explicit BuildName(std::string_view name) {
    std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
    prefix = name.substr(0, digits);
    version = Version::parse(name.substr(digits));
  }
};

/// How far two versions are apart, to be compared from the left: 12.9.86 lies (0, 1, -85) below 12.10.1.
std::array<int, 4> apart(const Version& a, const Version& b) {
  const Version &low = std::min(a, b), &high = std::max(a, b);
  auto part = [](const Version& version, std::size_t i) {
    return i < version.parts.size() ? static_cast<int>(version.parts[i]) : 0;
  };
  std::array<int, 4> difference{};
  for (std::size_t i = 0; i < difference.size(); ++i)
    difference[i] = part(high, i) - part(low, i);
  return difference;
}

/// The number in an architecture's name; nothing if there is none.
std::optional<int> numberOf(std::string_view arch) {
  llvm::StringRef rest(arch.data(), arch.size());
  int number = 0;
  if (rest.drop_until(llvm::isDigit).take_while(llvm::isDigit).getAsInteger(10, number)) return std::nullopt;
  return number;
}

} // namespace

std::string nearestToolchain(std::string_view name, std::span<const std::string> names) {
  BuildName wanted(name);
  if (!wanted.version) return nearest(name, names);
  std::string best;
  std::array<int, 4> bestDistance{std::numeric_limits<int>::max()};
  for (const std::string& candidate : names) {
    BuildName there(candidate);
    if (!there.version || there.prefix != wanted.prefix) continue;
    std::array<int, 4> distance = apart(*wanted.version, *there.version);
    if (distance >= bestDistance) continue;
    bestDistance = distance;
    best = candidate;
  }
  return best;
}

const std::vector<std::string>& releasedArchs() {
  static const std::vector<std::string> archs{
      "sm_35",   "sm_37",   "sm_50",   "sm_52",   "sm_53",   "sm_60",   "sm_61",   "sm_62",
      "sm_70",   "sm_72",   "sm_75",   "sm_80",   "sm_86",   "sm_87",   "sm_88",   "sm_89",
      "sm_90",   "sm_90a",  "sm_100",  "sm_100a", "sm_100f", "sm_101",  "sm_101a", "sm_101f",
      "sm_103",  "sm_103a", "sm_103f", "sm_107",  "sm_107a", "sm_107f", "sm_110",  "sm_110a",
      "sm_110f", "sm_120",  "sm_120a", "sm_120f", "sm_121",  "sm_121a", "sm_121f"};
  return archs;
}

std::string nearestArchsHint(std::string_view name, std::span<const std::string> archs) {
  auto wanted = numberOf(name);
  std::vector<std::string> best;
  int bestDistance = std::numeric_limits<int>::max();
  for (const std::string& arch : archs) {
    auto number = numberOf(arch);
    if (!wanted || !number) continue;
    int distance = std::abs(*number - *wanted);
    if (distance > bestDistance) continue;
    if (distance < bestDistance) best.clear();
    bestDistance = distance;
    if (std::find(best.begin(), best.end(), arch) == best.end()) best.push_back(arch);
  }
  if (best.empty()) return "; one is written sm_75, sm_90a, sm_120";
  return (best.size() > 1 ? "; the nearest are " : "; the nearest is ") + join(best, ", ");
}

void requireKnownArch(const std::string& arch, std::span<const std::string> known) {
  if (std::find(known.begin(), known.end(), arch) == known.end())
    failUsage("no compiler knows an architecture '{0}'{1}", arch, nearestArchsHint(arch, known));
}

std::string namesHint(std::string_view name, std::span<const std::string> names) {
  constexpr std::size_t kFew = 24; // as many as a ptxas has architectures
  std::string near = nearest(name, names);
  if (names.size() > kFew && !near.empty()) return " (did you mean '" + near + "'?)";
  return names.empty() ? "" : "; it has " + joinFew(names, ", ", kFew);
}

} // namespace harness
