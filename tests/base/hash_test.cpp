#include "harness/base/files.h"
#include "harness/base/hash.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(Hash, Sha256OfKnownText) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hash, FileAndBytesAgree) {
  TempDir dir("hash");
  std::string bytes(200'000, 'q');
  writeFileAtomically(dir.path() / "f", bytes);
  EXPECT_EQ(sha256File(dir.path() / "f"), sha256(bytes));
}

TEST(Hash, FieldsCannotRunIntoEachOther) {
  EXPECT_NE(KeyHasher("t").add("a", "bc").hex(), KeyHasher("t").add("ab", "c").hex());
  EXPECT_NE(KeyHasher("t").add("a", "").add("", "b").hex(), KeyHasher("t").add("a", "b").hex());
  EXPECT_NE(KeyHasher("t/1").hex(), KeyHasher("t/2").hex());
  EXPECT_EQ(KeyHasher("t").add("n", 7).hex(), KeyHasher("t").add("n", "7").hex());
}

} // namespace
} // namespace harness
