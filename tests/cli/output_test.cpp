// What the program prints for other programs and for people.
#include "harness/base/text.h"

#include "tests/matrix/world.h"
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace harness::test {
namespace {

using Json = World::Json;
using Keys = std::vector<std::string>;

Keys keysOf(const Json& object) {
  Keys keys;
  for (const auto& [key, value] : object.items())
    keys.push_back(key);
  return keys;
}

/// Case `fill` passes; `bad` is wrong with 13.0.88, as expected; `odd` is undecided.
class OutputTest : public testing::Test {
protected:
  OutputTest() {
    world_.writeCase(
        "bad", "//ptxas case $build in 13.0.88) emit wrong;; *) emit right;; esac", [](Json& manifest) {
          manifest["expect"] = {
              {{"nvcc", "<13.1"}, {"verdict", "mismatch"}, {"blame", "ptxas"}, {"why", "known & <old>"}}};
        });
    world_.writeCase("odd", "//ptxas emit unknown");
    EXPECT_CODE(world_.runMatrix(), 4);
  }

  std::string out(std::vector<std::string> arguments) {
    ProcessResult result = world_.run(std::move(arguments));
    EXPECT_CODE(result, 0);
    EXPECT_EQ(result.err, "");
    return result.out;
  }

  Json json(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--format", "json"});
    return Json::parse(out(std::move(arguments)));
  }

  World world_;
};

TEST_F(OutputTest, QueryRows) {
  Json rows = json({"query"});
  ASSERT_EQ(rows.size(), 12u);
  for (const Json& row : rows) {
    EXPECT_EQ(keysOf(row), (Keys{"case", "toolchain", "arch", "opt", "verdict", "blame", "outcome", "bytes",
                                 "bad", "first_bad", "why", "builds", "run", "executors"}));
    for (const Json& executor : row["executors"])
      EXPECT_EQ(keysOf(executor),
                (Keys{"executor", "shape", "verdict", "bytes", "bad", "first_bad", "details"}));
  }
  Json bad = json({"query", "--case", "bad", "--nvcc", "13.0.88", "--opt", "O3"});
  ASSERT_EQ(bad.size(), 1u);
  EXPECT_EQ(bad[0]["verdict"], "mismatch");
  EXPECT_EQ(bad[0]["outcome"], "expected");
  EXPECT_EQ(bad[0]["bytes"], 32);
  EXPECT_EQ(bad[0]["bad"], 8);
  EXPECT_EQ(bad[0]["first_bad"], "out+0x1: 0x03 -> 0x83");
  EXPECT_EQ(bad[0]["builds"], 1);
  EXPECT_EQ(bad[0]["run"], 1);
  EXPECT_EQ(bad[0]["executors"][0]["executor"], "sass");
  EXPECT_EQ(bad[0]["executors"][0]["details"]["buffers"][0]["histogram"], Json({0, 8, 0, 0}));
  EXPECT_EQ(world_.query({"--case", "nothing"}), Json::array());
  Json pass = json({"query", "--case", "fill"});
  EXPECT_EQ(pass[0]["first_bad"], nullptr);
  EXPECT_EQ(pass[0]["executors"][0]["details"], nullptr);
}

TEST_F(OutputTest, QueryFilters) {
  EXPECT_EQ(json({"query", "--verdict", "mismatch"}).size(), 2u);
  EXPECT_EQ(json({"query", "--verdict", "unsupported"}).size(), 4u);
  EXPECT_EQ(json({"query", "--blame", "unknown"}).size(), 2u);
  EXPECT_EQ(json({"query", "--nvcc", "13.0"}).size(), 6u);
  EXPECT_EQ(json({"query", "--nvcc", "13.0.88,13.1"}).size(), 12u);
  EXPECT_EQ(json({"query", "--nvcc", ">=13.0,<13.1"}).size(), 6u);
  EXPECT_EQ(json({"query", "--case", "{bad,odd}"}).size(), 8u);
  EXPECT_EQ(json({"query", "--run", "1"}).size(), 12u);
  EXPECT_EQ(json({"query", "--limit", "5"}).size(), 5u);
}

TEST_F(OutputTest, QueryOfWhatIsNotThere) {
  struct Example {
    std::vector<std::string> words;
    std::string warning;
  };
  std::string begin = "warning: '" + world_.path("harness.db").string() + "' has no cell of ";
  for (const Example& example : {
           Example{{"--case", "bed"}, "case 'bed'; it has bad, fill, odd\n"},
           {{"--case", "bad", "--case", "x*"}, "case 'x*'; it has bad, fill, odd\n"},
           {{"--arch", "sm_91"}, "architecture 'sm_91'; it has sm_80\n"},
           {{"--opt", "O9"}, "opt 'O9'; it has O2, O3\n"},
           {{"--nvcc", "13.0.99"}, "toolchain '13.0.99' (the nearest is '13.0.88')\n"},
           {{"--nvcc", ">=14"}, "toolchain '>=14'; it has 13.0.88, 13.1.80\n"},
           {{"--history", "--case", "bed"}, "case 'bed'; it has bad, fill, odd\n"},
       }) {
    std::vector<std::string> words{"query"};
    words.insert(words.end(), example.words.begin(), example.words.end());
    ProcessResult result = world_.run(words);
    EXPECT_CODE(result, 0);
    EXPECT_EQ(result.err, begin + example.warning);
  }
  EXPECT_EQ(world_.run({"query", "--case", "bad", "--verdict", "fault"}).err, "") << "all of it is known";
}

TEST_F(OutputTest, NamesOfVerdictsAndBlames) {
  ProcessResult verdict = world_.run({"query", "--verdict", "wrong"});
  EXPECT_CODE(verdict, 2);
  EXPECT_EQ(verdict.err,
            "harness: 'wrong' is no verdict: fault, mismatch, flaky, schedule-dependent, hazard, "
            "approximate, timeout, ice, illegal-encoding, compile-error, infra-error, unsupported, "
            "skipped, pass\n");
  ProcessResult blame = world_.run({"query", "--blame", "me"});
  EXPECT_CODE(blame, 2);
  EXPECT_EQ(blame.err,
            "harness: 'me' is no blame: front-end, ptxas, source, hardware-or-executor, unknown, none\n");
}

TEST_F(OutputTest, QueryForPeople) {
  std::string table = out({"query", "--nvcc", "13.0.88"});
  EXPECT_HAS(table, "bad");
  EXPECT_HAS(table, "8 of 32 bytes wrong, first out+0x1");
  EXPECT_HAS(table, "all at offset 1 of the 4-byte record");
  EXPECT_HAS(table, "6 cells: ");
  EXPECT_EQ(table.find('\x1b'), std::string::npos) << "colours only on a terminal";
  std::string history = out({"query", "--case", "bad", "--history"});
  EXPECT_HAS(history, "13.0.88");
  EXPECT_HAS(history, "13.1.80");
  EXPECT_HAS(out({"query", "--format", "csv"}), "case,toolchain,arch,opt,verdict");
  EXPECT_HAS(out({"query", "--format", "md"}), "| case |");
}

TEST_F(OutputTest, Show) {
  Json cell = json({"show", "bad@13.0.88/sm_80/O3"});
  EXPECT_EQ(keysOf(cell), (Keys{"cell", "title", "source", "manifest", "reference", "toolchain", "expected",
                                "expected_blame", "why", "builds"}));
  EXPECT_EQ(cell["cell"], "bad@13.0.88/sm_80/O3");
  EXPECT_EQ(cell["expected"], "mismatch");
  EXPECT_EQ(cell["expected_blame"], "ptxas");
  EXPECT_EQ(cell["why"], "known & <old>");
  EXPECT_EQ(keysOf(cell["toolchain"]),
            (Keys{"name", "front_end", "front_end_identity", "ptxas", "ptxas_sha256"}));
  ASSERT_EQ(cell["builds"].size(), 1u);
  const Json& build = cell["builds"][0];
  EXPECT_EQ(keysOf(build), (Keys{"front_end_command", "ptxas_command", "status", "log", "ptx", "cubin",
                                 "image", "sass", "verdicts"}));
  EXPECT_EQ(build["status"], "ok");
  EXPECT_EQ(keysOf(build["verdicts"][0]), (Keys{"executor", "shape", "verdict", "blame", "outcome", "decides",
                                                "bytes", "bad", "first_bad", "details", "executions"}));
  EXPECT_EQ(build["verdicts"][0]["executions"].size(), 3u)
      << "one for each poison, and one that looks for what nobody wrote";

  std::string text = out({"show", "bad@13.0.88/sm_80/O3"});
  for (const char* part : {"bad@13.0.88/sm_80/O3", "-arch=sm_80", "because: its PTX was not executed",
                           "known & <old>", "+0x0001  expected 0x03  got 0x83", "STG.E.U8", ":R-:W2:-:S01 ",
                           "by offset in the 4-byte record: 1:8"})
    EXPECT_HAS(text, part);
  EXPECT_EQ(out({"show", "--no-sass", "bad@13.0.88/sm_80/O3"}).find("STG.E.U8"), std::string::npos);
}

TEST_F(OutputTest, CellsCanBePastedBack) {
  for (const Json& row : json({"query"})) {
    std::string cell = row["case"].get<std::string>() + "@" + row["toolchain"].get<std::string>() + "/" +
                       row["arch"].get<std::string>() + "/" + row["opt"].get<std::string>();
    EXPECT_EQ(json({"show", cell})["cell"], cell);
  }
}

TEST_F(OutputTest, ToolchainList) {
  Json rows = json({"toolchain", "list"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(keysOf(rows[0]), (Keys{"name", "label", "front_end", "ptxas", "archs"}));
  EXPECT_EQ(keysOf(rows[0]["front_end"]), (Keys{"kind", "build", "build_string", "cicc_sha256", "identity"}));
  EXPECT_EQ(keysOf(rows[0]["ptxas"]), (Keys{"build", "build_string", "sha256", "max_ptx"}));
  EXPECT_EQ(rows[1]["name"], "13.1.80");
  EXPECT_EQ(rows[1]["label"], "13.1");
  EXPECT_EQ(rows[1]["archs"], Json({"sm_80", "sm_90"}));
}

TEST_F(OutputTest, CaseList) {
  Json rows = json({"case", "list"});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(keysOf(rows[0]), (Keys{"case", "title", "kernel", "shapes", "expectations"}));
  EXPECT_EQ(rows[0]["case"], "bad");
  EXPECT_EQ(rows[0]["expectations"], 1);
  EXPECT_HAS(out({"case", "list"}), "Every input plus one");
}

TEST_F(OutputTest, JunitIsXml) {
  ProcessSpec spec;
  spec.argv = {"python3", "-c", R"(
import collections, sys, xml.etree.ElementTree
root = xml.etree.ElementTree.parse(sys.stdin).getroot()
tags = collections.Counter(element.tag for element in root.iter())
print(root.tag, *(f"{tag}={tags[tag]}" for tag in ("testsuite", "testcase", "failure", "skipped", "system-out")))
print("known & <old>" in "".join(root.itertext()))
)"};
  spec.input = out({"report", "--junit"});
  ProcessResult result = runProcess(spec);
  EXPECT_TRUE(result.ok()) << result.err << spec.input;
  EXPECT_EQ(result.out, "testsuites testsuite=3 testcase=12 failure=0 skipped=4 system-out=2\nTrue\n");
}

TEST_F(OutputTest, HtmlIsAPageOfItsOwn) {
  ProcessSpec spec;
  spec.argv = {"python3", HARNESS_SOURCE_DIR "/tests/cli/check_html.py"};
  spec.input = out({"report", "--html"});
  ProcessResult result = runProcess(spec);
  EXPECT_TRUE(result.ok()) << result.out << result.err << spec.input;
  EXPECT_EQ(result.out, "article=2 details=4 svg=1\nTrue\n");
  for (const char* part : {"SASS, from the wrong byte back", "8 of 32 bytes wrong", "FROB.X R2, R3",
                           "ptxas -arch=sm_80", "harness bundle bad@13.0.88/sm_80/O3 -o bad.tar"})
    EXPECT_HAS(spec.input, part);
  ProcessResult file = world_.run({"report", "--html", "-o", "page.html"});
  EXPECT_CODE(file, 0);
  EXPECT_EQ(file.out, "");
  EXPECT_EQ(file.err, "wrote page.html\n");
  EXPECT_EQ(readFile(world_.path("page.html")), spec.input) << "the same database, the same page";
  EXPECT_HAS(out({"report", "--html", "--explain", "0"}), "only 0 were made for this page");
}

TEST_F(OutputTest, HtmlExplainsACaseOfSeveralShapes) {
  world_.writeCase("twice", "//ptxas emit wrong",
                   [](Json& manifest) { manifest["shapes"] = {{{"name", "one"}}, {{"name", "two"}}}; });
  world_.runMatrix({"--case", "twice"});
  std::string page = out({"report", "--html"});
  EXPECT_HAS(page, "16 of 64 bytes wrong");
  EXPECT_HAS(page, "SASS, from the wrong byte back");
  EXPECT_EQ(page.find("No explanation"), std::string::npos);
}

TEST_F(OutputTest, HtmlWithoutTheToolchain) {
  std::filesystem::remove_all(world_.path("toolchains/13.0.88"));
  EXPECT_HAS(out({"report", "--html"}), "No explanation: ");
  EXPECT_CODE(world_.run({"report", "--html", "-o", "no/such/folder/page.html"}), 3);
  EXPECT_CODE(world_.run({"report", "--junit", "--explain", "3"}), 2);
}

TEST_F(OutputTest, WhatChangedIsToldByKind) {
  EXPECT_HAS(out({"query", "--changed"}), "12 new\n");
  world_.writeCase("bad", "//ptxas emit right");
  world_.writeCase("fill", "//ptxas case $build in 13.0.88) emit wrong;; *) emit right;; esac");
  world_.writeCase("late", "//ptxas emit right");
  world_.runMatrix();
  std::string text = out({"query", "--changed"});
  EXPECT_TRUE(text.starts_with("change     case  toolchain")) << text;
  for (const char* part : {"\nregressed  fill  13.0.88 ", "\nfixed      bad   13.0.88 ", "pass → mismatch",
                           "new on 13.0.88: 2 cells of 1 case, all pass", "2 regressed, 2 fixed, 4 new\n"})
    EXPECT_HAS(text, part);
  EXPECT_HAS(out({"report", "--html"}), "Changed since run 1 (");
  EXPECT_EQ(json({"query", "--changed", "--case", "late"})[0]["change"], "new");
  EXPECT_EQ(json({"query", "--changed", "--case", "fill"})[0]["previous"], "pass");
}

TEST_F(OutputTest, MarkdownIsAPage) {
  std::string page = out({"report", "--markdown"});
  EXPECT_TRUE(page.starts_with("#")) << page;
  for (const char* part : {"13.0.88", "13.1.80", "odd", "mismatch", "FROB.X R2, R3"})
    EXPECT_HAS(page, part);
}

TEST_F(OutputTest, ReportsNameTheWholeCommandLine) {
  world_.runMatrix({"--case", "fi*", "--shard", "1/1"});
  EXPECT_HAS(out({"report", "--markdown"}), "--shard 1/1");
}

TEST_F(OutputTest, DiffShowsWhereTheCodeParts) {
  std::string text = out({"diff", "bad@13.0.88/sm_80/O3", "bad@13.1.80/sm_80/O3"});
  EXPECT_TRUE(text.starts_with("< bad@13.0.88/sm_80/O3\n> bad@13.1.80/sm_80/O3\n\n.text.fill\n")) << text;
  EXPECT_HAS(text, "@!P0 LOP3.LUT R7, R7, 0x80, RZ, 0x3c, !PT");
  EXPECT_HAS(text, " <\n");
  EXPECT_EQ(out({"diff", "--no-ptx", "bad@13.0.88/sm_80/O3", "bad@13.1.80/sm_80/O3"}), text)
      << "these compilers write no line table";
  EXPECT_HAS(out({"diff", "fill@13.0.88/sm_80/O3", "fill@13.1.80/sm_80/O3"}), "no difference");
  Json both = json({"diff", "bad@13.0.88/sm_80/O3", "bad@13.1.80/sm_80/O3"});
  EXPECT_EQ(keysOf(both), (Keys{"left", "right", "same_arch", "sections"}));
  EXPECT_EQ(both["same_arch"], true);
  ASSERT_EQ(both["sections"].size(), 1u);
  EXPECT_EQ(both["sections"][0]["section"], ".text.fill");
  EXPECT_EQ(keysOf(both["sections"][0]["lines"][0]),
            (Keys{"kind", "control_differs", "renamed", "left", "right"}));
  ProcessResult never = world_.run({"diff", "fill@13.0.88/sm_80/O3", "fill@13.0.88/sm_90/O3"});
  EXPECT_CODE(never, 2);
  EXPECT_HAS(never.err, "'harness query --case fill'");
}

TEST_F(OutputTest, ReportsOfAnOlderRun) {
  world_.writeCase("odd", "//ptxas emit wrong");
  world_.runMatrix();
  EXPECT_HAS(out({"report", "--junit"}), "failures=\"4\"");
  EXPECT_HAS(out({"report", "--junit", "--run", "1"}), "failures=\"0\"");
}

TEST_F(OutputTest, BundleTellsAllAndNothingOfThisMachine) {
  ProcessSpec spec = world_.command({"bundle", "bad@13.0.88/sm_80/O3", "-o", "bundle/"});
  spec.environment.emplace_back("HOME", world_.path("")); // all that is here lies at home
  ProcessResult result = runProcess(spec);
  EXPECT_CODE(result, 0);
  EXPECT_EQ(result.err, "wrote bundle/\n");
  char host[256] = {};
  ASSERT_EQ(gethostname(host, sizeof host - 1), 0);
  Keys names;
  for (const auto& entry : std::filesystem::directory_iterator(world_.path("bundle"))) {
    names.push_back(entry.path().filename());
    std::string text = readFile(entry.path());
    EXPECT_EQ(text.find(world_.path("").parent_path().string()), std::string::npos) << entry.path();
    EXPECT_EQ(text.find(HARNESS_SOURCE_DIR), std::string::npos) << entry.path();
    EXPECT_EQ(text.find(host), std::string::npos) << entry.path();
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (Keys{"README.md", "bad.sass", "explanation.txt", "good.sass", "kernel.ptx", "repro.cu"}));
  EXPECT_HAS(readFile(world_.path("bundle/repro.cu")), "int main(");
  EXPECT_HAS(readFile(world_.path("bundle/bad.sass")), "LOP3.LUT R7, R7, 0x80");
  EXPECT_EQ(readFile(world_.path("bundle/good.sass")).find("LOP3.LUT R7, R7, 0x80"), std::string::npos);
  std::string readme = readFile(world_.path("bundle/README.md"));
  for (const char* part : {"bad@13.0.88/sm_80/O3", "nvcc of 13.0.88", "ptxas of 13.1.80",
                           "8 of 32 bytes wrong", "-arch=sm_80", "mismatch", "pass"})
    EXPECT_HAS(readme, part);
}

TEST_F(OutputTest, BundleOfWhatIsRight) {
  ProcessResult result = world_.run({"bundle", "bad@13.1.80/sm_80/O3", "-o", "bundle/"});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "bad@13.1.80/sm_80/O3 passes: there is no fault to report");
  EXPECT_FALSE(std::filesystem::exists(world_.path("bundle")));
}

TEST_F(OutputTest, BundleIsOneArchiveAlwaysTheSame) {
  for (const char* folder : {"a", "b"}) {
    std::filesystem::create_directory(world_.path(folder));
    EXPECT_CODE(world_.run({"bundle", "bad@13.0.88/sm_80/O3", "-o", std::string(folder) + "/report.tar"}), 0);
  }
  EXPECT_TRUE(readFile(world_.path("a/report.tar")) == readFile(world_.path("b/report.tar")));
  ProcessSpec tar;
  tar.argv = {"tar", "-tf", world_.path("a/report.tar")};
  EXPECT_HAS(runProcess(tar).out, "repro.cu");
}

TEST_F(OutputTest, TheBuildThatIsWrongIsShownNotTheFirst) {
  world_.writeCase("odd", "//nvcc otherwise wrong\n//ptxas emit right");
  EXPECT_CODE(world_.runMatrix({"--case", "odd", "--recompile", "1"}), 1);
  EXPECT_CODE(world_.run({"bundle", "odd@13.0.88/sm_80/O3", "-o", "odd/"}), 0);
  EXPECT_HAS(readFile(world_.path("odd/bad.sass")), "LOP3.LUT R7, R7, 0x80");
  EXPECT_HAS(out({"diff", "fill@13.0.88/sm_80/O3", "odd@13.0.88/sm_80/O3"}), "LOP3.LUT R7, R7, 0x80");
}

TEST_F(OutputTest, CommandsNameTheDatabaseThatWasNamed) {
  EXPECT_HAS(out({"query"}), "4 UNDECIDED: harness show odd@13.0.88/sm_80/O2\n");
  std::string other = world_.path("it's.db").string();
  std::filesystem::rename(world_.path("harness.db"), other);
  EXPECT_HAS(out({"query", "--db", other}), "4 UNDECIDED: harness show odd@13.0.88/sm_80/O2 --db '" +
                                                world_.path("it").string() + "'\\''s.db'\n");
  EXPECT_HAS(out({"report", "--db", other, "--html", "--explain", "0"}),
             "harness check bad@13.0.88/sm_80/O3\nharness show bad@13.0.88/sm_80/O3 --db ");
}

TEST_F(OutputTest, BundleOfWhatWasNotCompiled) {
  world_.writeCase("broken", "//nvcc exit 1");
  world_.runMatrix();
  ProcessResult result = world_.run({"bundle", "broken@13.0.88/sm_80/O3", "-o", "b.tar"});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "was not compiled (compile-error)");
  EXPECT_FALSE(std::filesystem::exists(world_.path("b.tar")));
}

TEST_F(OutputTest, HelpAndDoctor) {
  std::string help = out({"--help"});
  for (const char* command : {"run", "query", "show", "diff", "check", "bisect", "guard", "bundle", "report",
                              "toolchain", "case", "coverage", "exec", "doctor"})
    EXPECT_HAS(help, std::string("\n  ") + command + " ");
  ProcessResult doctor = world_.run({"doctor"});
  EXPECT_HAS(doctor.out, "13.0.88, 13.1.80");
  EXPECT_EQ(doctor.exitCode == 0, doctor.out.find("MISSING") == std::string::npos) << doctor.out;
}

} // namespace
} // namespace harness::test
