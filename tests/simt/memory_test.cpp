#include "harness/base/error.h"
#include "harness/simt/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using testing::Each;

constexpr std::uint64_t kBase = GlobalMemory::kBase;

TEST(GlobalMemory, Placement) {
  GlobalMemory memory;
  std::vector<std::uint64_t> sizes = {1, 256, 257, 0, 272, 100000, 7};
  std::uint64_t end = 0;
  for (std::uint64_t size : sizes) {
    std::uint64_t address = memory.allocate("b", size, std::byte{0}).address;
    EXPECT_EQ(address % 256, 0u);
    if (end == 0)
      EXPECT_EQ(address, kBase);
    else
      EXPECT_GE(address, end + GlobalMemory::kRedZone);
    end = address + size;
  }
  EXPECT_EQ(memory.allocations().size(), sizes.size());
}

TEST(GlobalMemory, PlacementDependsOnSizesOnly) {
  GlobalMemory one, two;
  for (std::uint64_t size : {3u, 5000u, 64u})
    EXPECT_EQ(one.allocate("a", size, std::byte{1}).address, two.allocate("zz", size, std::byte{2}).address);
}

TEST(GlobalMemory, Contents) {
  GlobalMemory memory;
  memory.allocate("a", 5, std::byte{0xAA});
  memory.allocate("b", 3, std::byte{0x55}).host[1] = std::byte{7};
  EXPECT_EQ(memory.bytes("a").size(), 5u);
  EXPECT_THAT(memory.bytes("a"), Each(std::byte{0xAA}));
  EXPECT_EQ(memory.bytes("b")[0], std::byte{0x55});
  EXPECT_EQ(memory.bytes("b")[1], std::byte{7});
  EXPECT_THROW(memory.bytes("c"), Error);
}

/// Host bytes stay where they are while more is allocated.
TEST(GlobalMemory, HostPointersStay) {
  GlobalMemory memory;
  std::byte* first = memory.allocate("first", 16, std::byte{3}).host;
  for (int i = 0; i < 1000; ++i)
    memory.allocate("more", 16, std::byte{0});
  EXPECT_EQ(memory.bytes("first").data(), first);
  EXPECT_EQ(first[15], std::byte{3});
}

TEST(GlobalMemory, FindAtEveryEdge) {
  GlobalMemory memory;
  memory.allocate("a", 272, std::byte{0});
  memory.allocate("b", 8, std::byte{0});
  std::uint64_t a = memory.allocations()[0].address, b = memory.allocations()[1].address;
  auto name = [&memory](std::uint64_t address, std::uint64_t size) -> std::string {
    const Allocation* found = memory.find(address, size);
    return found ? found->name : "";
  };
  EXPECT_EQ(name(a, 1), "a");
  EXPECT_EQ(name(a, 272), "a");
  EXPECT_EQ(name(a, 273), "");
  EXPECT_EQ(name(a - 1, 1), "");
  EXPECT_EQ(name(a - 1, 2), "");
  EXPECT_EQ(name(a + 271, 1), "a");
  EXPECT_EQ(name(a + 271, 2), "");
  EXPECT_EQ(name(a + 272, 1), "");
  EXPECT_EQ(name(a + 268, 4), "a");
  EXPECT_EQ(name(a + 269, 4), "");
  EXPECT_EQ(name(b - 1, 1), "");
  EXPECT_EQ(name(b, 8), "b");
  EXPECT_EQ(name(b, 9), "");
  EXPECT_EQ(name(b + 8, 1), "");
  EXPECT_EQ(name(0, 1), "");
  EXPECT_EQ(GlobalMemory().find(kBase, 1), nullptr);
}

TEST(GlobalMemory, SumsDoNotOverflow) {
  GlobalMemory memory;
  memory.allocate("a", 16, std::byte{0});
  EXPECT_EQ(memory.find(~std::uint64_t{0}, 1), nullptr);
  EXPECT_EQ(memory.find(~std::uint64_t{0}, 16), nullptr);
  EXPECT_EQ(memory.find(kBase, ~std::uint64_t{0}), nullptr);
  EXPECT_EQ(memory.find(kBase + 8, ~std::uint64_t{0} - 7), nullptr);
  EXPECT_EQ(memory.find(~std::uint64_t{0} - 3, ~std::uint64_t{0}), nullptr);
}

TEST(GlobalMemory, EmptyBuffer) {
  GlobalMemory memory;
  memory.allocate("empty", 0, std::byte{0});
  memory.allocate("b", 4, std::byte{0});
  EXPECT_EQ(memory.find(kBase, 1), nullptr);
  EXPECT_TRUE(memory.bytes("empty").empty());
  EXPECT_NE(memory.allocations()[1].address, memory.allocations()[0].address);
  EXPECT_EQ(memory.describe(kBase, 4), "0 bytes past the end of 'empty' (0 bytes)");
}

TEST(GlobalMemory, FixedAddress) {
  GlobalMemory memory;
  memory.allocate("a", 16, std::byte{0});
  memory.allocate("high", 16, std::byte{1}, 0x7f4000000000);
  memory.allocate("low", 16, std::byte{2}, 0x1000);
  std::uint64_t next = memory.allocate("b", 16, std::byte{0}).address;
  EXPECT_EQ(memory.find(0x7f4000000000, 16)->name, "high");
  EXPECT_EQ(memory.find(0x1000, 16)->name, "low");
  EXPECT_LT(next, 0x7f4000000000u) << "fixed ones do not move the others";
  EXPECT_EQ(memory.find(next, 16)->name, "b");
  std::uint64_t before = 0;
  for (const Allocation& allocation : memory.allocations()) {
    EXPECT_GE(allocation.address, before) << "ordered by address";
    before = allocation.address;
  }
}

/// Which of two would an access hit?
TEST(GlobalMemory, OverlappingAllocationsAreRefused) {
  GlobalMemory memory;
  memory.allocate("a", 512, std::byte{0});
  EXPECT_THROW(memory.allocate("inside", 4, std::byte{0}, kBase + 256), Error);
  EXPECT_THROW(memory.allocate("around", 0x2000, std::byte{0}, kBase - 0x1000), Error);
  EXPECT_THROW(memory.allocate("same", 0, std::byte{0}, kBase), Error);
  EXPECT_THROW(memory.allocate("wraps", 0x100, std::byte{0}, ~std::uint64_t{0} - 0xff), Error);
  memory.allocate("touching", 4, std::byte{0}, kBase + 512);
  EXPECT_EQ(memory.allocations().size(), 2u) << "what was refused left nothing";
}

TEST(GlobalMemory, TooLarge) {
  GlobalMemory memory;
  EXPECT_THROW(memory.allocate("huge", ~std::uint64_t{0}, std::byte{0}), Error);
  EXPECT_THROW(memory.allocate("huge", (std::uint64_t{1} << 36) + 1, std::byte{0}), Error);
  EXPECT_TRUE(memory.allocations().empty());
}

TEST(GlobalMemory, Describe) {
  GlobalMemory memory;
  memory.allocate("in", 64, std::byte{0});
  memory.allocate("out", 272, std::byte{0});
  std::uint64_t in = memory.allocations()[0].address, out = memory.allocations()[1].address;
  EXPECT_EQ(memory.describe(out + 272, 4), "0 bytes past the end of 'out' (272 bytes)");
  EXPECT_EQ(memory.describe(out + 276, 4), "4 bytes past the end of 'out' (272 bytes)");
  EXPECT_EQ(memory.describe(out - 4, 4), "4 bytes before the start of 'out' (272 bytes)");
  EXPECT_EQ(memory.describe(out + 270, 4), "4 bytes at 'out'+0x10e, which ends at 0x110");
  EXPECT_EQ(memory.describe(in + 64, 1), "0 bytes past the end of 'in' (64 bytes)");
  EXPECT_EQ(memory.describe(in + 2000, 1), "1936 bytes past the end of 'in' (64 bytes)");
  EXPECT_EQ(memory.describe(in - 1, 1), "1 bytes before the start of 'in' (64 bytes)");
  EXPECT_EQ(memory.describe(0, 4), "in no buffer");
  EXPECT_EQ(memory.describe(~std::uint64_t{0}, 4), "in no buffer");
  EXPECT_EQ(GlobalMemory().describe(kBase, 4), "in no buffer");
}

} // namespace
} // namespace harness
