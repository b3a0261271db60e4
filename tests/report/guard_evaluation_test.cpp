// Guards as those see them who evaluate them: the preprocessor, CMake and Python, for every toolchain there
// is.
#include "harness/base/files.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"
#include "harness/report/guard_conditions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <regex>

namespace harness {
namespace {

const std::vector<std::string> kArchs = {"sm_75",  "sm_80",   "sm_90",   "sm_90a",
                                         "sm_100", "sm_100a", "sm_100f", "sm_120a"};

struct Release {
  Version frontEnd, ptxas;
};

/// Of matrix/toolchains, the NVRTC twins left out.
std::vector<Release> releases() {
  std::vector<Release> found;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(HARNESS_SOURCE_DIR) / "matrix/toolchains")) {
    auto ptxas = Version::parse(entry.path().stem().string());
    if (!ptxas) continue;
    std::string text = readFile(entry.path());
    std::smatch pin;
    bool hasNvrtc = std::regex_search(text, pin, std::regex("nvidia-cuda-nvrtc[a-z0-9-]*==([0-9.]+[0-9])"));
    found.push_back({hasNvrtc ? Version::parse(pin[1].str()).value() : *ptxas, *ptxas});
  }
  std::sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.ptxas < b.ptxas; });
  return found;
}

/// As ptxas --help lists them.
bool knows(const Release& release, const std::string& arch) {
  if (arch.starts_with("sm_100") || arch.starts_with("sm_120"))
    return release.ptxas >= Version{{12, arch.ends_with("f") ? 9u : 8u}};
  return arch != "sm_90a" || release.ptxas >= Version{{12, 0}};
}

using IsBad = std::function<bool(const Version& ptxas, const std::string& arch)>;

/// A case that is bad there, measured with all of them.
Guard guardOf(const IsBad& isBad) {
  std::vector<GuardCell> cells;
  for (const Release& release : releases())
    for (const std::string& arch : kArchs)
      cells.push_back({release.ptxas.str(), release.frontEnd, release.ptxas, arch, "O3",
                       !knows(release, arch)        ? Verdict::Skipped
                       : isBad(release.ptxas, arch) ? Verdict::Mismatch
                                                    : Verdict::Pass,
                       isBad(release.ptxas, arch) ? Blame::Ptxas : Blame::None});
  return findGuard("some-case", cells, {});
}

/// What one evaluates: a front end's build and an architecture that it knows; and whether that is bad.
struct Question {
  Version build;
  std::string arch;
  bool bad;
};

/// Of each release what its NVRTC says and what its nvcc says.
std::vector<Question> questions(const IsBad& isBad) {
  std::vector<Question> list;
  for (const Release& release : releases())
    for (const std::string& arch : kArchs)
      if (knows(release, arch))
        for (const Version& build : {release.frontEnd, release.ptxas})
          list.push_back({build, arch, isBad(release.ptxas, arch)});
  return list;
}

std::string run(std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  ProcessResult result = runProcess(spec);
  EXPECT_TRUE(result.ok()) << result.err;
  return result.out + result.err;
}

/// The answers "answer N 0" or "answer N 1" in a text.
std::vector<bool> answersIn(const std::string& text, std::size_t count) {
  std::vector<bool> answers(count, false);
  std::regex line("answer ([0-9]+) ([01])");
  std::size_t found = 0;
  for (auto i = std::sregex_iterator(text.begin(), text.end(), line); i != std::sregex_iterator();
       ++i, ++found)
    answers.at(std::stoul((*i)[1].str())) = (*i)[2] == "1";
  EXPECT_EQ(found, count) << text.substr(0, 2000);
  return answers;
}

std::vector<bool> askPreprocessor(const Guard& guard, const std::vector<Question>& questions,
                                  const std::filesystem::path& directory) {
  std::string text;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& q = questions[i];
    std::string number = q.arch.substr(3);
    bool specific = number.ends_with("a"), family = specific || number.ends_with("f");
    number = number.substr(0, number.find_first_of("af"));
    std::string feature = "__CUDA_ARCH_FEAT_SM" + number + "_ALL";
    auto set = [&](const std::string& name, const std::string& value) {
      text += "#undef " + name + "\n#define " + name + " " + value + "\n";
    };
    set("__CUDACC_VER_MAJOR__", std::to_string(q.build.parts[0]));
    set("__CUDACC_VER_MINOR__", std::to_string(q.build.parts[1]));
    set("__CUDACC_VER_BUILD__", std::to_string(q.build.parts[2]));
    set("__CUDA_ARCH__", number + "0");
    if (specific) set(feature, "");
    if (family && q.build >= Version{{12, 9}}) set("__CUDA_ARCH_FAMILY_SPECIFIC__", number + "0");
    text += "#undef SOME_CASE_MISCOMPILED\n#include \"guard.h\"\nanswer " + std::to_string(i) +
            " SOME_CASE_MISCOMPILED\n#undef " + feature + "\n#undef __CUDA_ARCH_FAMILY_SPECIFIC__\n";
  }
  // Neither on the host nor with another compiler anything is selected.
  text += "#undef __CUDA_ARCH__\n#undef SOME_CASE_MISCOMPILED\n#include \"guard.h\"\n"
          "#if SOME_CASE_MISCOMPILED\n#error host\n#endif\n"
          "#define __CUDA_ARCH__ 900\n#undef __CUDACC_VER_MAJOR__\n#undef SOME_CASE_MISCOMPILED\n"
          "#include \"guard.h\"\n#if SOME_CASE_MISCOMPILED\n#error other\n#endif\n";
  writeFileAtomically(directory / "guard.h", preprocessorGuard(guard));
  writeFileAtomically(directory / "all.cpp", text);
  return answersIn(run({HOST_COMPILER, "-E", "-P", "-Werror", (directory / "all.cpp").string()}),
                   questions.size());
}

std::vector<bool> askCMake(const Guard& guard, const std::vector<Question>& questions,
                           const std::filesystem::path& directory) {
  std::string text = "cmake_minimum_required(VERSION 3.18)\nset(CMAKE_CUDA_COMPILER_ID NVIDIA)\n";
  for (std::size_t i = 0; i < questions.size(); ++i)
    text += "set(CMAKE_CUDA_COMPILER_VERSION " + questions[i].build.str() +
            ")\nset(CMAKE_CUDA_ARCHITECTURES 50 " + questions[i].arch.substr(3) + (i % 2 ? "-real" : "") +
            ")\ninclude(${CMAKE_CURRENT_LIST_DIR}/guard.cmake)\n"
            "if(SOME_CASE_MISCOMPILED)\n  message(\"answer " +
            std::to_string(i) + " 1\")\nelse()\n  message(\"answer " + std::to_string(i) + " 0\")\nendif()\n";
  writeFileAtomically(directory / "guard.cmake", cmakeGuard(guard));
  writeFileAtomically(directory / "all.cmake", text);
  return answersIn(run({CMAKE_PROGRAM, "-P", (directory / "all.cmake").string()}), questions.size());
}

std::vector<bool> askPython(const Guard& guard, const std::vector<Question>& questions,
                            const std::filesystem::path& directory) {
  std::string text = pythonGuard(guard);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    std::vector<std::string> parts = split(questions[i].build.str(), '.');
    text += "print('answer', " + std::to_string(i) + ", int(some_case_is_miscompiled((" + join(parts, ", ") +
            "), '" + questions[i].arch + "')))\n";
  }
  writeFileAtomically(directory / "guard.py", text);
  return answersIn(run({"python3", (directory / "guard.py").string()}), questions.size());
}

struct Window {
  const char* name;
  IsBad isBad;
};

bool within(const Version& build, const char* range) {
  return VersionRange::parse(range).contains(build);
}

const std::vector<Window> kWindows = {
    {"upto", [](auto& build, auto&) { return within(build, "<13.1"); }},
    {"all", [](auto&, auto&) { return true; }},
    {"holes", [](auto& build, auto&) { return within(build, ">=12.0,<=12.3.52") || within(build, "13.3"); }},
    {"newest", [](auto& build, auto&) { return within(build, ">=13.4"); }},
    {"acrossMajors", [](auto& build, auto&) { return within(build, ">=12.8,<13.2.78"); }},
    {"oneMinorOfTwoMajors", [](auto& build, auto&) { return within(build, "12.1,13.1"); }},
    {"nvrtcOlderThanPtxas", [](auto& build, auto&) { return within(build, "12.1.66,12.4.131"); }},
    {"nvrtcOlderThanPtxasGood",
     [](auto& build, auto&) { return within(build, ">=12.1.105,<12.4.131") || within(build, "12.0"); }},
    {"everySecond", [](auto& build, auto&) { return build.parts[2] % 2 == 0; }},
    {"variants", [](auto& build,
                    auto& arch) { return (arch == "sm_90a" || arch == "sm_100") && within(build, "<13.2"); }},
    {"family", [](auto& build, auto& arch) { return arch == "sm_100f" && within(build, ">=13.0"); }},
    {"archsByVersion",
     [](auto& build, auto& arch) {
       return within(build, arch == "sm_75" ? "<12.5" : arch == "sm_120a" ? ">=13.0,<13.3" : "13.2");
     }},
};

class GuardEvaluationTest : public testing::TestWithParam<Window> {};

TEST_P(GuardEvaluationTest, SelectsExactlyTheBad) {
  Guard guard = guardOf(GetParam().isBad);
  ASSERT_FALSE(guard.rules.empty());
  EXPECT_TRUE(guard.exceptions.empty()) << guard.exceptions.front();
  std::vector<Question> list = questions(GetParam().isBad);
  ASSERT_GT(list.size(), 300u);
  TempDir directory("harness-guard");
  std::vector<bool> c = askPreprocessor(guard, list, directory.path());
  std::vector<bool> cmake = askCMake(guard, list, directory.path());
  std::vector<bool> python = askPython(guard, list, directory.path());
  for (std::size_t i = 0; i < list.size(); ++i) {
    SCOPED_TRACE(list[i].build.str() + " " + list[i].arch);
    EXPECT_EQ(guard.selects(list[i].build, list[i].arch), list[i].bad);
    EXPECT_EQ(c[i], list[i].bad) << preprocessorGuard(guard);
    EXPECT_EQ(cmake[i], list[i].bad) << cmakeGuard(guard);
    EXPECT_EQ(python[i], list[i].bad) << pythonGuard(guard);
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, GuardEvaluationTest, testing::ValuesIn(kWindows),
                         [](const auto& info) { return info.param.name; });

TEST(GuardEvaluation, ArchitecturesThatNameNoNumber) {
  Guard guard = guardOf([](auto& build, auto&) { return within(build, "13.0"); });
  TempDir directory("harness-guard");
  writeFileAtomically(directory.path() / "guard.cmake", cmakeGuard(guard));
  std::string text = "cmake_minimum_required(VERSION 3.18)\n";
  int i = 0;
  for (const char* set : {"CMAKE_CUDA_COMPILER_ID NVIDIA", "CMAKE_CUDA_COMPILER_VERSION 13.1.80",
                          "CMAKE_CUDA_COMPILER_VERSION 13.0.88", "CMAKE_CUDA_ARCHITECTURES 50-virtual",
                          "CMAKE_CUDA_ARCHITECTURES native", "CMAKE_CUDA_ARCHITECTURES 50;90-virtual",
                          "CMAKE_CUDA_COMPILER_ID Clang"})
    text += std::string("set(") + set +
            ")\nif(NOT CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES all)\nendif()\n"
            "include(${CMAKE_CURRENT_LIST_DIR}/guard.cmake)\nmessage(\"" +
            std::to_string(i++) + "=${SOME_CASE_MISCOMPILED} \")\n";
  writeFileAtomically(directory.path() / "all.cmake", text);
  EXPECT_EQ(run({CMAKE_PROGRAM, "-P", (directory.path() / "all.cmake").string()}),
            "0=FALSE \n1=FALSE \n2=TRUE \n3=FALSE \n4=TRUE \n5=TRUE \n6=FALSE \n");
}

TEST(GuardEvaluation, CallersPoliciesDoNotMatter) {
  Guard guard = guardOf([](auto& build, auto&) { return within(build, "13.0"); });
  TempDir directory("harness-guard");
  writeFileAtomically(directory.path() / "guard.cmake", cmakeGuard(guard));
  // Nothing says which version of CMake is wanted, and a variable has the name of the compiler's.
  const std::string before = "cmake_policy(GET CMP0057 before)\nset(NVIDIA else)\n"
                             "set(CMAKE_CUDA_COMPILER_ID NVIDIA)\nset(CMAKE_CUDA_COMPILER_VERSION 13.0.88)\n"
                             "set(CMAKE_CUDA_ARCHITECTURES 90)\n",
                    after = "cmake_policy(GET CMP0057 after)\n"
                            "message(\"${SOME_CASE_MISCOMPILED} [${before}]\")\n"
                            "if(NOT \"[${before}]\" STREQUAL \"[${after}]\")\n  message(changed)\nendif()\n",
                    included = "include(${CMAKE_CURRENT_LIST_DIR}/guard.cmake NO_POLICY_SCOPE)\n";
  for (const std::string& form : {included, cmakeGuard(guard)}) {
    writeFileAtomically(directory.path() / "all.cmake", before + form + after);
    std::string said = run({CMAKE_PROGRAM, "-P", (directory.path() / "all.cmake").string()});
    EXPECT_TRUE(said.starts_with("TRUE [")) << said;
    EXPECT_EQ(said.find("changed"), std::string::npos) << said;
  }
}

} // namespace
} // namespace harness
