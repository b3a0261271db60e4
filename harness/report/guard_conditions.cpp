#include "harness/report/guard_conditions.h"

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/report/collapse.h"
#include "harness/report/table.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>
#include <vector>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string>;

constexpr std::size_t kColumns = 100;
// A build as one number: 13.0.88 is 130000088.
constexpr unsigned kMajor = 10'000'000, kMinor = 100'000;

struct Arch {
  unsigned number = 0;     ///< 90
  std::string_view suffix; ///< "", "a", "f"
};

Arch parseArch(std::string_view name) {
  Arch arch;
  std::string_view rest = name;
  if (rest.starts_with("sm_")) rest.remove_prefix(3);
  auto [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), arch.number);
  arch.suffix = rest.substr(static_cast<std::size_t>(end - rest.data()));
  bool known = arch.suffix.empty() || arch.suffix == "a" || arch.suffix == "f";
  if (!name.starts_with("sm_") || ec != std::errc() || !known || arch.number > 9999)
    failUsage("the database names an architecture '{0}', for which no condition is known", printable(name));
  return arch;
}

std::array<unsigned, 3> parts(const Version& version) {
  std::array<unsigned, 3> three{};
  for (std::size_t i = 0; i < std::min<std::size_t>(3, version.parts.size()); ++i)
    three[i] = version.parts[i];
  if (three[0] > 999 || three[1] >= kMajor / kMinor || three[2] >= kMinor)
    failUsage("the database names a compiler {0}, for which no condition can be written", version.str());
  return three;
}

/// The case's name as a part of identifiers.
std::string identifier(const std::string& caseId, bool upper) {
  std::string name = upper ? "CASE_" : "case_";
  bool digitFirst = caseId.empty() || std::isdigit(static_cast<unsigned char>(caseId.front()));
  if (!digitFirst) name.clear();
  for (char c : caseId) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = byte < 128 && std::isalnum(byte);
    name += plain ? static_cast<char>(upper ? std::toupper(byte) : std::tolower(byte)) : '_';
  }
  return name;
}

// What was measured, in sentences.

std::string describe(const GuardRange& range) {
  std::string text = "bad " + range.firstBad;
  if (range.lastBad != range.firstBad) text += " … " + range.lastBad;
  if (!range.firstGood.empty())
    text += ", good " + range.firstGood + "; what lies between these two was not measured and is guarded";
  else
    text += "; not measured beyond " + range.lastBad + (range.unlimited ? ", guarded without end" : "");
  if (range.lastGood.empty()) return text + "; not measured before " + range.firstBad;
  return text + "; good " + range.lastGood + ", what lies between it and " + range.firstBad +
         " was not measured and is not guarded";
}

Lines remarks(const Guard& guard) {
  Lines lines;
  std::string span = guard.toolchains.front();
  if (guard.toolchains.size() > 1) span += " … " + guard.toolchains.back();
  lines.push_back(llvm::formatv("{0} is miscompiled, as measured on {1} toolchain{2}, {3}:", guard.caseId,
                                guard.toolchains.size(), guard.toolchains.size() == 1 ? "" : "s", span)
                      .str());
  ArchAxis axis;
  for (const std::string& arch : guard.archs)
    axis.add(arch);
  for (const GuardRule& rule : guard.rules)
    for (const GuardRange& range : rule.ranges) {
      std::string archs = axis.name(rule.archs);
      lines.push_back(archs + (archs.starts_with("all ") ? " architectures: " : ": ") + describe(range));
    }
  if (!guard.unmeasured.empty())
    lines.push_back("Not measured, but guarded: " + join(guard.unmeasured, ", ") + ".");
  if (!guard.goodLevels.empty())
    lines.push_back("Wrong at " + nameLevels(guard.badLevels) + ", right at " + nameLevels(guard.goodLevels) +
                    ": no condition on the compiler sees the level of ptxas.");
  if (guard.unblamedCells)
    lines.push_back(llvm::formatv("For {0} of {1} wrong cells no compiler is blamed: it may be the source.",
                                  guard.unblamedCells, guard.badCells)
                        .str());
  for (const std::string& exception : guard.exceptions)
    lines.push_back("Exception: " + exception + ".");
  return lines;
}

/// "sm_75 80 90a": the prefix once. What a name that is none looks like does not matter here.
std::string shortNames(const Lines& archs) {
  Lines names;
  for (const std::string& arch : archs)
    names.push_back(names.empty() || !arch.starts_with("sm_") ? arch : arch.substr(3));
  return join(names, " ");
}

/// What becomes of the architectures that were not measured; `alike` are numbers whose variants are all held
/// to be as those that were.
std::string describeMeasured(const Guard& guard, const Lines& alike) {
  std::string text = "Measured: " + shortNames(guard.archs) + "; others are let through";
  if (!alike.empty())
    text += ", but variants of " + shortNames(alike) +
            " that were not measured are taken to be as those that were";
  return text + ".";
}

/// Broken at spaces, what follows the first line a bit further in.
void addWrapped(std::string& text, const std::string& prefix, const std::string& sentence) {
  std::string line = prefix;
  for (const std::string& word : split(printable(sentence), ' ')) {
    if (line.size() > prefix.size() + 2 && displayWidth(line) + 1 + displayWidth(word) > kColumns) {
      text += line + "\n";
      line = prefix + "   " + word;
    } else {
      line += " " + word;
    }
  }
  text += line + "\n";
}

std::string comment(const Guard& guard, const std::string& prefix, const Lines& more) {
  std::string text;
  for (const std::string& line : remarks(guard))
    addWrapped(text, prefix, line);
  for (const std::string& line : more)
    addWrapped(text, prefix, line);
  return text;
}

// The conditions.

std::string buildNumber(const Version& version) {
  auto [major, minor, build] = parts(version);
  return std::to_string(std::uint64_t{major} * kMajor + minor * kMinor + build);
}

std::string tuple(const Version& version) {
  auto [major, minor, build] = parts(version);
  return llvm::formatv("({0}, {1}, {2})", major, minor, build).str();
}

/// `parts` joined by `separator`, in brackets if there are several.
std::string anyOf(const Lines& alternatives, const std::string& separator) {
  std::string text = join(alternatives, separator);
  return alternatives.size() == 1 ? text : "(" + text + ")";
}

/// `parts` joined by `separator`, on as many lines as they need; `lineEnd` stands at the end of all but the
/// last.
std::string filled(const Lines& parts, const std::string& separator, const std::string& lineEnd,
                   std::size_t indent) {
  std::string text, line;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string part = parts[i] + (i + 1 < parts.size() ? separator : "");
    if (!line.empty() && indent + line.size() + part.size() > kColumns) {
      text += line.substr(0, line.find_last_not_of(' ') + 1) + lineEnd + "\n" + std::string(indent, ' ');
      line.clear();
    }
    line += part;
  }
  return text + line;
}

/// An architecture as the preprocessor sees it. A number stands for all its variants where those that were
/// measured agree.
Lines archTests(const Guard& guard, const GuardRule& rule) {
  Lines tests;
  for (const std::string& name : rule.archs) {
    Arch arch = parseArch(name);
    auto isVariant = [&](const std::string& other) { return parseArch(other).number == arch.number; };
    std::string number = "__CUDA_ARCH__ == " + std::to_string(arch.number * 10);
    if (std::count_if(guard.archs.begin(), guard.archs.end(), isVariant) ==
        std::count_if(rule.archs.begin(), rule.archs.end(), isVariant)) {
      if (tests.empty() || tests.back() != number) tests.push_back(number);
      continue;
    }
    std::string specific = "defined(__CUDA_ARCH_FEAT_SM" + std::to_string(arch.number) + "_ALL)";
    std::string family = "defined(__CUDA_ARCH_FAMILY_SPECIFIC__)";
    std::string variant = arch.suffix == "a"   ? specific
                          : arch.suffix == "f" ? "!" + specific + " && " + family
                                               : "!" + specific + " && !" + family;
    tests.push_back("(" + number + " && " + variant + ")");
  }
  return tests;
}

/// Numbers whose variants were not all measured: sm_90 and sm_90a, from sm_100 on sm_100f too.
Lines assumedAlike(const Guard& guard) {
  Lines names;
  for (const GuardRule& rule : guard.rules)
    for (const std::string& name : rule.archs) {
      Arch arch = parseArch(name);
      auto variants = std::count_if(guard.archs.begin(), guard.archs.end(), [&](const std::string& other) {
        return parseArch(other).number == arch.number;
      });
      std::string number = "sm_" + std::to_string(arch.number);
      bool all = variants >= (arch.number >= 100 ? 3 : arch.number >= 90 ? 2 : 1);
      if (!all && std::find(names.begin(), names.end(), number) == names.end()) names.push_back(number);
    }
  return names;
}

Lines preprocessorRanges(const GuardRule& rule) {
  Lines ranges;
  for (const GuardRange& range : rule.ranges) {
    std::string text = "(HARNESS_CUDA_BUILD >= " + buildNumber(range.from);
    if (!range.unlimited)
      text += std::string(" && HARNESS_CUDA_BUILD <") + (range.endIncluded ? "=" : "") + " " +
              buildNumber(range.end);
    ranges.push_back(text + ")");
  }
  return ranges;
}

Lines cmakeRanges(const GuardRule& rule) {
  Lines ranges;
  for (const GuardRange& range : rule.ranges) {
    std::string text = "(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL " + range.from.str();
    if (!range.unlimited)
      text += std::string(" AND CMAKE_CUDA_COMPILER_VERSION VERSION_LESS") +
              (range.endIncluded ? "_EQUAL " : " ") + range.end.str();
    ranges.push_back(text + ")");
  }
  return ranges;
}

Lines pythonRanges(const GuardRule& rule) {
  Lines ranges;
  for (const GuardRange& range : rule.ranges)
    ranges.push_back(range.unlimited ? tuple(range.from) + " <= version"
                                     : tuple(range.from) + " <= version <" +
                                           (range.endIncluded ? "= " : " ") + tuple(range.end));
  return ranges;
}

Lines mapped(const Lines& names, const std::function<std::string(const std::string&)>& change) {
  Lines result;
  std::transform(names.begin(), names.end(), std::back_inserter(result), change);
  return result;
}

Json orNull(const std::string& name) {
  return name.empty() ? Json(nullptr) : Json(name);
}

Json jsonOf(const GuardRange& range) {
  return {{"from", range.from.str()},
          {"end", range.unlimited ? Json(nullptr) : Json(range.end.str())},
          {"end_included", range.endIncluded && !range.unlimited},
          {"last_good", orNull(range.lastGood)},
          {"first_bad", range.firstBad},
          {"last_bad", range.lastBad},
          {"first_good", orNull(range.firstGood)}};
}

} // namespace

std::string preprocessorGuard(const Guard& guard) {
  Lines more = {describeMeasured(guard, assumedAlike(guard)),
                "Compared is the front end's build; NVRTC's may be lower than that of its release's ptxas.",
                "For device code: on the host there is no __CUDA_ARCH__, and nothing is selected."};
  Lines rules;
  for (const GuardRule& rule : guard.rules)
    rules.push_back("(" + anyOf(preprocessorRanges(rule), " || \\\n      ") + " && \\\n     (" +
                    filled(archTests(guard, rule), " || ", " \\", 6) + "))");
  std::string name = identifier(guard.caseId, true) + "_MISCOMPILED";
  std::string text = comment(guard, "//", more);
  text += "#define HARNESS_CUDA_BUILD \\\n"
          "  (__CUDACC_VER_MAJOR__ * " +
          std::to_string(kMajor) + " + __CUDACC_VER_MINOR__ * " + std::to_string(kMinor) +
          " + __CUDACC_VER_BUILD__)\n";
  text += "#if defined(__CUDACC_VER_MAJOR__) && defined(__CUDA_ARCH__) && \\\n    " +
          anyOf(rules, " || \\\n    ") + "\n";
  return text + "#define " + name + " 1\n#else\n#define " + name + " 0\n#endif\n";
}

std::string cmakeGuard(const Guard& guard) {
  std::string name = identifier(guard.caseId, true) + "_MISCOMPILED";
  std::string archs = name + "_ARCHITECTURES";
  std::string text = comment(guard, "#",
                             {describeMeasured(guard, {}),
                              "CMAKE_CUDA_ARCHITECTURES may hold all, all-major or native, which name no "
                              "number: they count as bad."});
  // What is pasted must mean the same under every caller's policies: IN_LIST, and quoted words that are no
  // variables.
  text += "cmake_policy(PUSH)\ncmake_policy(SET CMP0054 NEW)\ncmake_policy(SET CMP0057 NEW)\n";
  text += "set(" + archs + ")\n";
  for (const GuardRule& rule : guard.rules) {
    Lines numbers = mapped(rule.archs, [](const std::string& arch) {
      parseArch(arch);
      return arch.substr(3);
    });
    text += "if(CMAKE_CUDA_COMPILER_ID STREQUAL \"NVIDIA\" AND\n   " + anyOf(cmakeRanges(rule), " OR\n    ") +
            ")\n  list(APPEND " + archs + " " + join(numbers, " ") + ")\nendif()\n";
  }
  return text + "set(" + name +
         " FALSE)\n"
         "foreach(arch IN LISTS CMAKE_CUDA_ARCHITECTURES)\n"
         "  string(REGEX REPLACE \"-(real|virtual)$\" \"\" arch \"${arch}\")\n"
         "  if(" +
         archs + " AND (arch IN_LIST " + archs + " OR arch MATCHES \"^(all|all-major|native)$\"))\n    set(" +
         name + " TRUE)\n  endif()\nendforeach()\ncmake_policy(POP)\n";
}

std::string pythonGuard(const Guard& guard) {
  std::string text = comment(
      guard, "#",
      {describeMeasured(guard, {}), "version: (major, minor, build) of nvcc or of NVRTC; arch: \"sm_90a\"."});
  text += "def " + identifier(guard.caseId, false) + "_is_miscompiled(version, arch):\n    return (\n";
  for (std::size_t i = 0; i < guard.rules.size(); ++i) {
    Lines names = mapped(guard.rules[i].archs, [](const std::string& arch) {
      parseArch(arch);
      return "\"" + arch + "\"";
    });
    text += std::string("        ") + (i ? "or " : "") + anyOf(pythonRanges(guard.rules[i]), " or ") +
            "\n        and arch in {" + filled(names, ", ", "", 20) + "}\n";
  }
  return text + "    )\n";
}

std::string renderGuard(const Guard& guard) {
  if (guard.rules.empty())
    return printable(guard.caseId) + ": nothing is to be guarded, " +
           (guard.sourceAtFault ? "what is wrong is the source's own fault"
                                : "no compiler was found at fault") +
           ", as measured on " + join(guard.toolchains, ", ") + "\n";
  return preprocessorGuard(guard) + "\n" + cmakeGuard(guard) + "\n" + pythonGuard(guard);
}

Json guardJson(const Guard& guard) {
  Json rules = Json::array();
  for (const GuardRule& rule : guard.rules) {
    Json ranges = Json::array();
    for (const GuardRange& range : rule.ranges)
      ranges.push_back(jsonOf(range));
    rules.push_back({{"archs", rule.archs}, {"ranges", ranges}});
  }
  bool guarded = !guard.rules.empty();
  return {{"case", guard.caseId},
          {"guarded", guarded},
          {"toolchains", guard.toolchains},
          {"archs", guard.archs},
          {"rules", rules},
          {"bad_levels", guard.badLevels},
          {"good_levels", guard.goodLevels},
          {"unmeasured", guard.unmeasured},
          {"exceptions", guard.exceptions},
          {"bad_cells", guard.badCells},
          {"unblamed_cells", guard.unblamedCells},
          {"preprocessor", guarded ? Json(preprocessorGuard(guard)) : Json(nullptr)},
          {"cmake", guarded ? Json(cmakeGuard(guard)) : Json(nullptr)},
          {"python", guarded ? Json(pythonGuard(guard)) : Json(nullptr)}};
}

} // namespace harness
