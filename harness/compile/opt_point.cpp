#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/compile/compile.h"

#include <algorithm>
#include <iterator>

namespace harness {

namespace {

/// What stands first in a name.
struct Base {
  std::string_view name;
  std::vector<std::string> frontEnd, cicc, ptxas;
};

/// `G` is what `nvcc -G --dryrun` shows its stages to get; a plain `nvcc` gives ptxas no level.
const std::vector<Base>& bases() {
  static const std::vector<Base> table = {
      {"O0", {}, {}, {"-O0"}},
      {"O1", {}, {}, {"-O1"}},
      {"O2", {}, {}, {"-O2"}},
      {"O3", {}, {}, {"-O3"}},
      {"G", {"-G"}, {}, {"-g", "--dont-merge-basicblocks", "--return-at-end"}},
      {"cicc-O1", {}, {"-O1"}, {}},
  };
  return table;
}

enum class ValueKind { None, Boolean, Registers, FastCompile };

/// An addition and the option each stage gets for it, as `nvcc --dryrun` shows. `$` stands for the value;
/// empty = this stage gets none.
struct Addition {
  std::string_view name;
  ValueKind value;
  std::string_view frontEnd, ptxas;
};

constexpr Addition kAdditions[] = {
    {"fmad", ValueKind::Boolean, "-fmad=$", "--fmad=$"},
    {"ftz", ValueKind::Boolean, "-ftz=$", ""},
    {"prec-div", ValueKind::Boolean, "-prec-div=$", ""},
    {"prec-sqrt", ValueKind::Boolean, "-prec-sqrt=$", ""},
    {"use_fast_math", ValueKind::None, "-use_fast_math", ""},
    {"extra-device-vectorization", ValueKind::None, "-extra-device-vectorization", ""},
    {"restrict", ValueKind::None, "-restrict", ""},
    {"lineinfo", ValueKind::None, "-lineinfo", "--generate-line-info"},
    {"maxrregcount", ValueKind::Registers, "-maxrregcount=$", "-maxrregcount=$"},
    {"Ofc", ValueKind::FastCompile, "-Ofc=$", "--Ofast-compile=$"},
    {"allow-expensive-optimizations", ValueKind::Boolean, "", "--allow-expensive-optimizations=$"},
};

std::string_view placeholder(ValueKind kind) {
  switch (kind) {
  case ValueKind::None: return "";
  case ValueKind::Boolean: return "=true|false";
  case ValueKind::Registers: return "=1…255";
  case ValueKind::FastCompile: return "=0|min|mid|max";
  }
  return "";
}

bool valueFits(ValueKind kind, std::string_view value) {
  switch (kind) {
  case ValueKind::None: return value.empty();
  case ValueKind::Boolean: return value == "true" || value == "false";
  case ValueKind::FastCompile: return value == "0" || value == "min" || value == "mid" || value == "max";
  case ValueKind::Registers: {
    unsigned count = 0;
    return !llvm::StringRef(value.data(), value.size()).getAsInteger(10, count) && count >= 1 && count <= 255;
  }
  }
  return false;
}

std::string knownNames() {
  std::vector<std::string> names, additions;
  for (const Base& base : bases())
    names.emplace_back(base.name);
  for (const Addition& addition : kAdditions)
    additions.push_back("+" + std::string(addition.name) + std::string(placeholder(addition.value)));
  return join(names, ", ") + ", and additions " + join(additions, ", ");
}

[[noreturn]] void failPart(std::string_view name, std::string_view part, std::string_view why) {
  failUsage("opt '{0}': {1} '{2}'; known are {3}", name, why, part, knownNames());
}

void append(std::vector<std::string>& options, std::string_view spelling, std::string_view value) {
  if (spelling.empty()) return;
  std::size_t at = spelling.find('$');
  if (at == std::string_view::npos)
    options.emplace_back(spelling);
  else
    options.push_back(std::string(spelling.substr(0, at)) + std::string(value));
}

bool ptxasHasIt(const std::string& frontEndOption) {
  std::string_view option = frontEndOption;
  option = option.substr(0, option.find('='));
  for (const Base& base : bases())
    if (std::find(base.frontEnd.begin(), base.frontEnd.end(), option) != base.frontEnd.end())
      return !base.ptxas.empty();
  for (const Addition& addition : kAdditions)
    if (addition.frontEnd.substr(0, addition.frontEnd.find('=')) == option) return !addition.ptxas.empty();
  return false;
}

} // namespace

std::string OptPoint::frontEndOnly() const {
  if (!cicc.empty()) return "-Xcicc " + cicc.front();
  auto found = std::find_if_not(frontEnd.begin(), frontEnd.end(), ptxasHasIt);
  return found == frontEnd.end() ? "" : *found;
}

OptPoint OptPoint::parse(std::string_view name) {
  std::vector<std::string> parts = split(name, '+');
  auto base = std::find_if(bases().begin(), bases().end(), [&](const Base& b) { return b.name == parts[0]; });
  if (base == bases().end()) failPart(name, parts[0], "it does not start with a known name but with");

  OptPoint point{std::string(name), base->frontEnd, base->cicc, base->ptxas};
  std::vector<std::string_view> given;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::string_view part = parts[i];
    std::string_view key = part.substr(0, part.find('='));
    std::string_view value = key.size() < part.size() ? part.substr(key.size() + 1) : "";
    auto addition = std::find_if(std::begin(kAdditions), std::end(kAdditions),
                                 [&](const Addition& a) { return a.name == key; });
    if (addition == std::end(kAdditions)) failPart(name, part, "unknown addition");
    bool hasValue = key.size() < part.size();
    if (hasValue != (addition->value != ValueKind::None) || !valueFits(addition->value, value))
      failPart(name, part, "bad value in");
    if (std::find(given.begin(), given.end(), key) != given.end()) failPart(name, key, "given twice:");
    given.push_back(addition->name);
    append(point.frontEnd, addition->frontEnd, value);
    append(point.ptxas, addition->ptxas, value);
  }
  return point;
}

} // namespace harness
