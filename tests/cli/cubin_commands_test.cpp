// Commands that take any cubin: coverage, exec.
#include "harness/base/error.h"
#include "harness/cli/exec_argument.h"

#include "tests/matrix/world.h"
#include <gtest/gtest.h>

namespace harness::test {
namespace {

using Json = World::Json;

std::string cubin(const std::string& name) {
  return std::string(HARNESS_SOURCE_DIR) + "/tests/matrix/data/" + name + ".cubin";
}

/// `exec` of the kernel `fill`, whose output is the input plus one, on 32 values from 1.
class ExecTest : public testing::Test {
protected:
  ExecTest() {
    std::string input;
    for (char i = 1; i <= 32; ++i)
      input += std::string{i, 0, 0, 0};
    world_.write("in.bin", input);
  }

  ProcessResult exec(const std::string& name, std::vector<std::string> more = {},
                     const std::string& grid = "1", const std::string& block = "32") {
    std::vector<std::string> arguments = {"exec",    cubin(name),
                                          "--grid",  grid,
                                          "--block", block,
                                          "--arg",   "in:" + world_.path("in.bin").string(),
                                          "--arg",   "out:" + world_.path("out.bin").string() + ":33",
                                          "--arg",   "i32:32"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return world_.run(arguments);
  }

  World world_;
};

TEST_F(ExecTest, FilesInFilesOut) {
  ProcessResult result = exec("right-sm_80", {"--kernel", "fill", "--poison", "0x55"});
  EXPECT_CODE(result, 0);
  EXPECT_HAS(result.out, "fill: completed, ");
  EXPECT_HAS(result.out, " thread instructions");
  std::string output = readFile(world_.path("out.bin"));
  ASSERT_EQ(output.size(), 33u);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(output[static_cast<std::size_t>(i)], i + 2);
  EXPECT_EQ(output[32], 0x55) << "nobody writes it";
}

TEST_F(ExecTest, HowItEnds) {
  ProcessResult outside = exec("outside-sm_80");
  EXPECT_CODE(outside, 1);
  EXPECT_HAS(outside.out, "fault");
  EXPECT_HAS(outside.out, "STG.E.U8");
  EXPECT_FALSE(std::filesystem::exists(world_.path("out.bin")));
  ProcessResult unknown = exec("unknown-sm_80");
  EXPECT_CODE(unknown, 4);
  EXPECT_HAS(unknown.out, "FROB.X");
  ProcessResult forever = exec("forever-sm_80", {"--limit", "1000"});
  EXPECT_CODE(forever, 1);
  EXPECT_HAS(forever.out, "timeout");
}

TEST_F(ExecTest, BadArguments) {
  struct Example {
    std::vector<std::string> more;
    const char* says;
  };
  for (const Example& example : {
           Example{{"--kernel", "fil"}, "did you mean 'fill'?"},
           {{"--arg", "i32:1"}, "takes 3 arguments (8, 8, 4 bytes), and 4 are given"},
           {{"--schedule", "xx"}, "ft, tf"},
           {{"--poison", "256"}, "--poison 256"},
           {{"--arg", "in:nowhere.bin"}, "nowhere.bin"},
       }) {
    ProcessResult result = exec("right-sm_80", example.more);
    EXPECT_CODE(result, 2);
    EXPECT_TRUE(result.err.starts_with("harness: ")) << result.err;
    EXPECT_HAS(result.err, example.says);
  }
  ProcessResult size =
      world_.run({"exec", cubin("right-sm_80"), "--arg", "u64:0", "--arg", "u64:0", "--arg", "u64:32"});
  EXPECT_CODE(size, 2);
  EXPECT_HAS(size.err, "argument 2 of kernel 'fill' has 4 bytes, and --arg u64:32 has 8");
  ProcessResult noCubin = world_.run({"exec", world_.path("in.bin").string()});
  EXPECT_CODE(noCubin, 2);
  EXPECT_HAS(noCubin.err, "in.bin");
}

TEST_F(ExecTest, PtxUnderAnotherNameAndPtxWithoutKernels) {
  for (const char* name : {"a.txt", "a.PTX"}) {
    ProcessResult result = world_.run({"exec", world_.write(name, ".version 7.0\n").string()});
    EXPECT_CODE(result, 2);
    EXPECT_HAS(result.err, std::string(name) +
                               "' is not an ELF file, so not a cubin; PTX is read from a file "
                               "whose name ends in .ptx");
  }
  std::string empty = world_.write("empty.ptx", ".version 7.0\n.target sm_80\n.address_size 64\n").string();
  ProcessResult result = world_.run({"exec", empty});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "empty.ptx' has no kernel: there is nothing to execute");
}

TEST_F(ExecTest, BadOutputsAreToldBeforeTheKernelRuns) {
  auto exec = [&](const std::string& first, const std::string& second, const std::string& file) {
    return world_.run({"exec", file, "--block", "32", "--arg", first, "--arg", second, "--arg", "i32:32",
                       "--limit", "100000"});
  };
  std::string input = world_.path("in.bin").string(), folder = world_.path("repros").string();
  std::string nowhere = world_.path("nowhere/out.bin").string(), copy = world_.path("copy.cubin").string();
  std::filesystem::copy_file(cubin("forever-sm_80"), copy);
  std::string before = readFile(copy);
  struct Example {
    std::string first, second;
    int code;
    std::string says;
  };
  for (const Example& example : {
           Example{"in:" + input, "out:" + nowhere + ":32", 3, "cannot write '" + nowhere + "'"},
           {"in:" + input, "out:" + folder + ":32", 3, "cannot write '" + folder + "'"},
           {"in:" + input, "out:" + copy + ":32", 2, "is what is executed"},
           {"inout:" + input + ":two", "out:./two:32", 2, "argument 0 and argument 1 are both written to"},
       }) {
    ProcessResult result = exec(example.first, example.second, copy);
    EXPECT_CODE(result, example.code);
    EXPECT_HAS(result.err, example.says);
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(readFile(copy), before);
}

TEST_F(ExecTest, SizesThatCannotBeLaunched) {
  for (const char* size : {"0", "-1", "1,0", "1,1,1,1", "", ",", "1,", "x", "1.5", "4294967296", " 1"}) {
    ProcessResult result = exec("right-sm_80", {}, size);
    EXPECT_CODE(result, 2);
    EXPECT_HAS(result.err, "one to three sizes from 1 up");
  }
  for (const char* size : {"1025", "1024,2", "1,1,65"}) {
    ProcessResult result = exec("right-sm_80", {}, "1", size);
    EXPECT_CODE(result, 2);
    EXPECT_HAS(result.err, "at most 1024×1024×64 threads");
  }
  std::string ptx =
      world_.write("k.ptx", ".version 7.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }").string();
  for (const char* size : {"1,65536", "1,1,65536", "2147483648"}) {
    ProcessResult result = world_.run({"exec", ptx, "--grid", size});
    EXPECT_CODE(result, 2);
    EXPECT_HAS(result.err, "cannot be launched");
  }
  ProcessResult shared = exec("right-sm_80", {"--shared", "4294967295"});
  EXPECT_CODE(shared, 2);
  EXPECT_HAS(shared.err, "more than 262144");
  EXPECT_CODE(exec("right-sm_80", {"--limit", "-1"}), 2);
}

TEST(ExecArgument, Kinds) {
  using cli::ExecArgument;
  EXPECT_EQ(ExecArgument::parse("i32:-2").scalar, "\xfe\xff\xff\xff");
  EXPECT_EQ(ExecArgument::parse("f32:1.5").scalar, (std::string{0, 0, '\xc0', '\x3f'}));
  EXPECT_EQ(ExecArgument::parse("u8:0xff").scalar, "\xff");
  EXPECT_EQ(ExecArgument::parse("hex:00ff10").scalar, (std::string{0, '\xff', 0x10}));
  ExecArgument out = ExecArgument::parse("out:a:b.bin:0x10");
  EXPECT_TRUE(out.isBuffer && !out.zero);
  EXPECT_EQ(out.outputFile, "a:b.bin");
  EXPECT_EQ(out.size, 16u);
  ExecArgument inout = ExecArgument::parse("inout:a:b");
  EXPECT_EQ(inout.inputFile, "a");
  EXPECT_EQ(inout.outputFile, "b");
  EXPECT_TRUE(ExecArgument::parse("zero:64").zero);
  for (const char* bad : {"", "5", "i32:", "i32:x", "u8:256", "hex:0", "hex:0g", "out:a", "out::4", "out:a:x",
                          "out:a:99999999999999", "inout:a", "inout::b", "inout:a:", "zero:-1", "frob:1"})
    EXPECT_THROW(ExecArgument::parse(bad), Error) << bad;
}

TEST(CoverageCommand, CubinsFromElsewhere) {
  World world;
  ProcessResult good = world.run({"coverage", cubin("right-sm_80"), cubin("right-sm_90")});
  EXPECT_CODE(good, 0);
  EXPECT_HAS(good.out, "2 of 2 kernels in 2 cubins can run");
  ProcessResult bad = world.run({"coverage", cubin("unknown-sm_80"), "--format", "md"});
  EXPECT_CODE(bad, 4);
  EXPECT_HAS(bad.out, "| sm_80 | FROB.X R, R | 1 | 1 |");
  EXPECT_HAS(bad.out, "0 of 1 kernels in 1 cubins can run");
  ProcessResult json = world.run({"coverage", cubin("unknown-sm_80"), "--format", "json"});
  EXPECT_CODE(json, 4);
  Json value = Json::parse(json.out);
  EXPECT_EQ(value["cubins"][0]["kernels"][0]["missing"], Json({"FROB.X R, R"}));
  EXPECT_EQ(value["cubins"][0]["kernels"][0]["executable"], false);
  EXPECT_EQ(value["archs"][0]["arch"], "sm_80");
  EXPECT_FALSE(value["archs"][0]["forms"].empty());
}

TEST(CoverageCommand, AllOfTheCache) {
  World world;
  ProcessResult empty = world.run({"coverage"});
  EXPECT_CODE(empty, 2);
  EXPECT_HAS(empty.err, "no cubin");
  world.runMatrix();
  ProcessResult result = world.run({"coverage", "--all"});
  EXPECT_CODE(result, 0);
  EXPECT_HAS(result.out, "STG.E.U8 [R.64], R");
}

TEST(CoverageCommand, DamageInTheCacheIsLeftOut) {
  World world;
  world.runMatrix();
  std::string summary = world.run({"coverage"}).out;
  EXPECT_HAS(summary, "cubins can run");
  std::string cutShort = readFile(cubin("right-sm_80")).substr(0, 1500);
  world.write("cache/artifacts/artifact/00/0000", cutShort);
  ProcessResult result = world.run({"coverage"});
  EXPECT_CODE(result, 0);
  EXPECT_EQ(result.out, summary);
  EXPECT_HAS(result.err, "left out: ");
  EXPECT_HAS(result.err, "artifact/00/0000: truncated");
}

TEST(CoverageCommand, BadInput) {
  World world;
  EXPECT_CODE(world.run({"coverage", cubin("right-sm_80"), "--format", "xml"}), 2);
  ProcessResult result = world.run({"coverage", world.path("matrix/all.json").string()});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "all.json");
}

} // namespace
} // namespace harness::test
