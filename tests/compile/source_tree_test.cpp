#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/compile/source_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

TEST(ScanIncludes, FindsDirectivesHoweverWritten) {
  IncludeRequests found =
      scanIncludes("#include \"a.h\"\n"
                   "  #  include <b/c.h> // why\n"
                   "#inc\\\nlude \"split.h\"\n"
                   "%:include \"digraph.h\"\r\n"
                   "/* why */ # /* how */ include /* what */ \"comment.h\"\n"
                   "#if 0\n#include_next <never.h>\n#endif\n"
                   "#if __has_include(\"maybe.h\") || __has_include_next( <perhaps.h> )\n");
  EXPECT_THAT(found.quoted, ElementsAre("a.h", "split.h", "digraph.h", "comment.h", "maybe.h"));
  EXPECT_THAT(found.angled, ElementsAre("b/c.h", "never.h", "perhaps.h"));
  EXPECT_FALSE(found.computed);
}

TEST(ScanIncludes, TellsComputedIncludes) {
  EXPECT_TRUE(scanIncludes("#define H <x.h>\n#include H\n").computed);
  EXPECT_FALSE(scanIncludes("#define H <x.h>\n#includes H\n#pragma once\n").computed);
  EXPECT_FALSE(scanIncludes("#ifdef __has_include\n").computed);
}

TEST(ScanIncludes, SurvivesBrokenText) {
  for (std::string_view text : {"#include", "#include \"x", "#include <x", "#", "\\", "\\\n", "#include /*",
                                "__has_include(", "__has_include", "%:", "#include \"\"", "/*"})
    EXPECT_THAT(scanIncludes(text).angled, IsEmpty()) << text;
}

/// Files below a temporary directory.
class SourceTreeTest : public testing::Test {
protected:
  fs::path write(const std::string& name, const std::string& text) {
    fs::path path = directory_.path() / name;
    fs::create_directories(path.parent_path());
    writeFileAtomically(path, text);
    return path;
  }
  static std::string keyOf(const KernelSource& source) {
    KeyHasher key("test");
    SourceTree::collect(source).addTo(key);
    return key.hex();
  }
  TempDir directory_{"source-tree-test"};
};

TEST_F(SourceTreeTest, HoldsTheTransitiveClosureAndNothingElse) {
  KernelSource source;
  source.file = write("case/k.cu", "#include \"near.h\"\n#include <far.h>\n#include <cuda_fp16.h>\n");
  write("case/near.h", "#include \"sub/deep.h\"\n");
  write("case/sub/deep.h", "#include \"deeper.h\"\n");
  write("case/sub/deeper.h", "#include \"../near.h\"\n");
  write("case/deeper.h", "not reached: sub/deeper.h stands beside its includer\n");
  write("case/unrelated.h", "");
  source.include = {write("lib/far.h", "#include \"k.h\"\n").parent_path()};
  write("lib/k.h", "");
  SourceTree tree = SourceTree::collect(source);
  EXPECT_EQ(tree.source(), "src/k.cu");
  EXPECT_THAT(tree.includeDirs(), ElementsAre("inc0"));
  EXPECT_THAT(tree.files(), ElementsAre(Key("inc0/far.h"), Key("inc0/k.h"), Key("src/k.cu"),
                                        Key("src/near.h"), Key("src/sub/deep.h"), Key("src/sub/deeper.h")));
}

TEST_F(SourceTreeTest, FoldersAboveTheSourceKeepTheirShape) {
  KernelSource source;
  source.file = write("repo/repros/case/k.cu", "#include \"../../common/c.h\"\n#include \"../case/own.h\"\n");
  write("repo/common/c.h", "");
  write("repo/repros/case/own.h", "");
  SourceTree tree = SourceTree::collect(source);
  EXPECT_EQ(tree.source(), "src/repros/case/k.cu");
  EXPECT_THAT(tree.files(),
              ElementsAre(Key("src/common/c.h"), Key("src/repros/case/k.cu"), Key("src/repros/case/own.h")));

  TempDir copy("source-tree-copy");
  tree.write(copy.path());
  EXPECT_EQ(readFile(copy.path() / tree.source()), readFile(source.file));
  EXPECT_TRUE(fs::exists((copy.path() / tree.source()).parent_path() / "../../common/c.h"));
}

TEST_F(SourceTreeTest, ComputedIncludeTakesEverything) {
  KernelSource source;
  source.file = write("case/k.cu", "#define H \"x.h\"\n#include H\n");
  write("case/x.h", "");
  write("case/sub/y.h", "");
  source.include = {write("lib/z.h", "").parent_path()};
  EXPECT_THAT(SourceTree::collect(source).files(),
              ElementsAre(Key("inc0/z.h"), Key("src/k.cu"), Key("src/sub/y.h"), Key("src/x.h")));
}

TEST_F(SourceTreeTest, KeyFollowsContentsNotPlaces) {
  auto make = [&](const std::string& checkout, const std::string& header, const std::string& unrelated) {
    KernelSource source;
    source.file = write(checkout + "/case/k.cu", "#include \"x.h\"\n");
    write(checkout + "/case/x.h", header);
    write(checkout + "/case/unrelated.h", unrelated);
    return keyOf(source);
  };
  std::string key = make("a", "1", "1");
  EXPECT_EQ(make("somewhere/else", "1", "2"), key);
  EXPECT_NE(make("a", "2", "1"), key);
}

TEST_F(SourceTreeTest, AbsoluteIncludeCounts) {
  fs::path header = write("other/abs.h", "1");
  KernelSource source;
  source.file = write("case/k.cu", "#include \"" + header.string() + "\"\n");
  std::string before = keyOf(source);
  write("other/abs.h", "2");
  EXPECT_NE(keyOf(source), before);
}

TEST_F(SourceTreeTest, MissingFilesAreUsageErrors) {
  KernelSource source;
  source.file = directory_.path() / "absent.cu";
  EXPECT_THROW(SourceTree::collect(source), Error);
  source.file = write("k.cu", "");
  source.include = {directory_.path() / "nowhere"};
  try {
    SourceTree::collect(source);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    EXPECT_THAT(error.what(), HasSubstr("nowhere"));
  }
}

TEST_F(SourceTreeTest, IncludeCyclesEnd) {
  KernelSource source;
  source.file = write("case/k.cu", "#include \"a.h\"\n");
  write("case/a.h", "#include \"b.h\"\n");
  write("case/b.h", "#include \"a.h\"\n#include \"k.cu\"\n");
  EXPECT_EQ(SourceTree::collect(source).files().size(), 3u);
}

} // namespace
} // namespace harness
