#include "tests/matrix/world.h"
#include <gtest/gtest.h>

#include <fstream>

namespace harness::test {
namespace {

namespace fs = std::filesystem;

std::uintmax_t bytesBelow(const fs::path& directory) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

/// A world that was judged once, with a pass and a mismatch.
class CacheTest : public testing::Test {
protected:
  CacheTest() {
    world_.writeCase("bad", "//ptxas emit wrong");
    world_.runMatrix();
    before_ = world_.query().dump(1);
  }

  void expectTheSame(const char* says) {
    ProcessResult result = world_.runMatrix();
    EXPECT_CODE(result, 1);
    EXPECT_HAS(result.out, says);
    std::string now = world_.query().dump(1);
    for (const char* run : {"\"run\": 1", "\"run\": 2", "\"run\": 3"})
      for (std::string* text : {&now, &before_})
        for (std::size_t at; (at = text->find(run)) != std::string::npos;)
          text->erase(at, std::string(run).size());
    EXPECT_EQ(now, before_);
  }

  World world_;
  std::string before_;
};

TEST_F(CacheTest, ThatIsDeletedIsMadeAnew) {
  fs::remove_all(world_.path("cache"));
  // What passes needs no output, what does not is described anew.
  expectTheSame("8 cells: 12 compilations, 1 starts of nvdisasm, 2 executions");
  expectTheSame("nothing to compile");
}

TEST_F(CacheTest, ThatLiesSomewhereElseIsMadeAnew) {
  fs::rename(world_.path("cache"), world_.path("elsewhere"));
  EXPECT_CODE(world_.runMatrix({"--cache-dir", world_.path("elsewhere")}), 1);
  expectTheSame("12 compilations");
}

TEST_F(CacheTest, ThatIsDamagedIsMadeAnew) {
  for (const auto& entry : fs::recursive_directory_iterator(world_.path("cache")))
    if (entry.is_regular_file()) fs::resize_file(entry.path(), entry.file_size() / 2);
  expectTheSame("8 cells: 12 compilations");
  expectTheSame("nothing to compile");
}

TEST_F(CacheTest, IsKeptWithinItsLimit) {
  world_.writeCase("new", "//ptxas emit right; : new");
  ProcessResult result = world_.runMatrix({"--cache-limit", "0"});
  EXPECT_CODE(result, 1);
  EXPECT_EQ(bytesBelow(world_.path("cache/artifacts")), 0u);
  EXPECT_CODE(world_.runMatrix(), 1) << "what was pruned is made again";
}

TEST_F(CacheTest, ShowSaysWhatIsNoLongerThere) {
  fs::remove_all(world_.path("cache"));
  ProcessResult show = world_.run({"show", "bad@13.0.88/sm_80/O3"});
  EXPECT_CODE(show, 0);
  EXPECT_HAS(show.out, "no longer in the cache");
  ProcessResult bundle = world_.run({"bundle", "bad@13.0.88/sm_80/O3", "-o", "b.tar"});
  EXPECT_CODE(bundle, 3);
  EXPECT_HAS(bundle.err, "the PTX of bad@13.0.88/sm_80/O3 is no longer in the cache; 'harness check "
                         "bad@13.0.88/sm_80/O3' makes it again");
}

/// What the cache holds of a cell's build, by the key of `show`'s JSON.
class ArtifactTest : public CacheTest {
protected:
  fs::path file(const char* kind) {
    World::Json build = World::Json::parse(world_.run({"show", kCell, "--format", "json"}).out)["builds"][0];
    std::string hash = build.at(kind);
    return world_.path("cache/artifacts/artifact") / hash.substr(0, 2) / hash;
  }
  void damage(const char* kind) { writeFileAtomically(file(kind), "damaged"); }

  static constexpr const char* kCell = "bad@13.0.88/sm_80/O3";
};

TEST_F(ArtifactTest, DiffSaysWhatIsGoneOrDamagedAndWhatMakesIt) {
  for (bool gone : {true, false}) {
    if (gone)
      fs::remove(file("cubin"));
    else
      damage("cubin");
    ProcessResult diff = world_.run({"diff", kCell, "bad@13.1.80/sm_80/O3"});
    EXPECT_CODE(diff, 3);
    EXPECT_HAS(diff.err,
               std::string("the cubin of bad@13.0.88/sm_80/O3 ") +
                   (gone ? "is no longer in the cache" : "was damaged in the cache, and was dropped") +
                   "; 'harness check bad@13.0.88/sm_80/O3' makes it again");
    EXPECT_CODE(world_.run({"check", kCell}), 1);
    EXPECT_CODE(world_.run({"diff", kCell, "bad@13.1.80/sm_80/O3"}), 0);
  }
}

TEST_F(ArtifactTest, BundleSaysWhatIsDamagedAndWhatMakesIt) {
  for (const char* kind : {"ptx", "sass"}) {
    damage(kind);
    ProcessResult bundle = world_.run({"bundle", kCell, "-o", "b.tar"});
    EXPECT_CODE(bundle, 3);
    EXPECT_HAS(bundle.err, "was damaged in the cache, and was dropped; 'harness check bad@13.0.88/sm_80/O3'");
    EXPECT_CODE(world_.run({"check", kCell}), 1);
    EXPECT_CODE(world_.run({"bundle", kCell, "-o", "b.tar"}), 0);
  }
}

TEST_F(ArtifactTest, ExplainMakesAgainWhatIsDamaged) {
  std::string whole = world_.run({"explain", kCell}).out;
  EXPECT_HAS(whole, "out+0x1");
  for (const char* kind : {"ptx", "cubin"})
    for (bool database : {true, false}) {
      damage(kind);
      std::vector<std::string> arguments = {"explain", kCell};
      if (!database) arguments.insert(arguments.end(), {"--db", "none.db"});
      ProcessResult result = world_.run(arguments);
      EXPECT_CODE(result, 0);
      EXPECT_EQ(result.out, whole) << kind;
    }
}

TEST_F(ArtifactTest, ABundleSaysThatAndWhyItIsNotExplained) {
  fs::remove_all(world_.path("toolchains/13.0.88"));
  world_.write("matrix/toolchains/13.0.88.txt", "");
  ProcessResult result = world_.run({"bundle", kCell, "-o", "b/"});
  EXPECT_CODE(result, 0);
  EXPECT_FALSE(fs::exists(world_.path("b/explanation.txt")));
  EXPECT_HAS(readFile(world_.path("b/README.md")),
             "no `explanation.txt`, which 'harness explain' makes: toolchain '13.0.88' is not installed");
}

} // namespace
} // namespace harness::test
