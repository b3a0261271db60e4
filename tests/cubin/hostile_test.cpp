// Files that are no cubins, or no longer: one clear error each, never a crash.
#include "harness/base/error.h"
#include "harness/cubin/cubin.h"

#include "tests/cubin/test_data.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace harness {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kFiles[] = {"scale-11.8.89-sm_75",    "scale-12.9.86-sm_90", "scale-13.0.88-sm_120a",
                                  "scale-13.5.37-sm_100a",  "calls-12.0.76-sm_90", "calls-13.0.88-sm_75-g",
                                  "calls-13.0.88-sm_120a-g"};

/// The message of parsing `bytes`, without its origin; empty if they parse.
std::string parseError(std::string_view bytes) {
  try {
    Cubin cubin = Cubin::parse(bytes, "x.cubin");
    for (const Kernel& kernel : cubin.kernels)
      if (cubin.code.size() + cubin.globals.size() < (1u << 20)) cubin.imageHash(kernel);
    return "";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("x.cubin: "));
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return std::string(error.what()).substr(9);
  }
}

std::string withByte(std::string bytes, std::size_t at, char value) {
  bytes.at(at) = value;
  return bytes;
}

TEST(HostileCubin, WhatIsNoCubinIsNamed) {
  std::string cubin = testCubin("scale-13.0.88-sm_120a");
  EXPECT_EQ(parseError(""), "the file is empty, not a cubin");
  EXPECT_EQ(parseError("// a PTX file\n.version 9.0\n.target sm_90\n"), "not an ELF file, so not a cubin");
  EXPECT_EQ(parseError(std::string_view(cubin).substr(0, 40)),
            "truncated cubin: 40 bytes are less than an ELF header");
  EXPECT_THAT(parseError(withByte(cubin, 4, 1)), HasSubstr("32-bit ELF"));
  EXPECT_THAT(parseError(withByte(cubin, 5, 2)), HasSubstr("big-endian ELF"));
  EXPECT_EQ(parseError(withByte(cubin, 16, 1)), // e_type
            "a relocatable object (-rdc=true, --compile-only): link it first");
  EXPECT_THAT(parseError(withByte(cubin, 49, 52)), HasSubstr("a cubin for sm_52")); // e_flags bits 8-15
}

TEST(HostileCubin, AProgramForTheHostIsNotForCuda) {
  std::string message = parseError(readFile("/proc/self/exe"));
  EXPECT_THAT(message, HasSubstr("an ELF file for another machine"));
  EXPECT_THAT(message, HasSubstr("not for CUDA"));
}

TEST(HostileCubin, EveryTruncationIsSeen) {
  for (const char* name : {"scale-11.8.89-sm_75", "scale-13.5.37-sm_100a"}) {
    std::string cubin = testCubin(name);
    ASSERT_EQ(parseError(cubin), "");
    for (std::size_t size = 0; size < cubin.size(); ++size)
      ASSERT_NE(parseError(std::string_view(cubin).substr(0, size)), "") << name << " cut to " << size;
  }
}

TEST(HostileCubin, RandomChangesNeverCrash) {
  std::mt19937_64 random(20240229);
  std::vector<std::string> cubins;
  for (const char* name : kFiles)
    cubins.push_back(testCubin(name));
  constexpr std::array<unsigned char, 8> kEdges = {0x00, 0x01, 0x04, 0x10, 0x7f, 0x80, 0xfe, 0xff};
  unsigned refused = 0, accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = cubins[random() % (i % 8 == 0 ? cubins.size() : 5)];
    for (std::uint64_t changes = 1 + random() % 8; changes > 0; --changes) {
      // Tables stand at both ends of the file; half of the changes go there.
      std::uint64_t where = random() % 4, quarter = bytes.size() / 4;
      std::uint64_t at = where == 0   ? random() % 64
                         : where == 1 ? bytes.size() - 1 - random() % quarter
                                      : random() % bytes.size();
      bytes[at] = static_cast<char>(random() % 2 ? kEdges[random() % kEdges.size()] : random());
    }
    if (random() % 16 == 0) bytes.resize(random() % bytes.size());
    ++(parseError(bytes).empty() ? accepted : refused);
  }
  EXPECT_GT(refused, 1000u);  // the changes reach what is checked
  EXPECT_GT(accepted, 1000u); // and do not all stop at the first check
}

} // namespace
} // namespace harness
