#include "harness/base/artifact_cache.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

namespace harness {
namespace {

TEST(ArtifactCache, KeepsArtifactsAndActions) {
  TempDir dir("cache");
  ArtifactCache cache(dir.path() / "c");
  std::string hash = cache.putArtifact("bytes");
  EXPECT_EQ(hash, sha256("bytes"));
  EXPECT_EQ(cache.getArtifact(hash), "bytes");
  EXPECT_FALSE(cache.getArtifact(sha256("other")));
  cache.putAction(sha256("key"), "value");
  EXPECT_EQ(ArtifactCache(dir.path() / "c").getAction(sha256("key")), "value");
}

TEST(ArtifactCache, DropsAnArtifactWhoseBytesChanged) {
  TempDir dir("cache");
  ArtifactCache cache(dir.path());
  std::string hash = cache.putArtifact("bytes");
  std::ofstream(cache.artifactPath(hash)) << "tampered";
  EXPECT_FALSE(cache.getArtifact(hash));
  EXPECT_FALSE(cache.hasArtifact(hash));
}

TEST(ArtifactCache, PruneRemovesTheLeastRecentlyUsed) {
  TempDir dir("cache");
  ArtifactCache cache(dir.path());
  std::string old = cache.putArtifact(std::string(100'000, 'a'));
  std::string used = cache.putArtifact(std::string(100'000, 'b'));
  std::filesystem::path path = cache.artifactPath(old);
  timespec past[2] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), past, 0), 0);
  ASSERT_TRUE(cache.getArtifact(used));
  cache.prune(150'000);
  EXPECT_FALSE(cache.hasArtifact(old));
  EXPECT_TRUE(cache.hasArtifact(used));
}

} // namespace
} // namespace harness
