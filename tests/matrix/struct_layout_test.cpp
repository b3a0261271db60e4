#include "harness/matrix/struct_layout.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace harness {
namespace {

template <typename T> void add(StructLayout& layout, T value) {
  layout.add(std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
}

/// The host's compiler lays out what is made of these types as CUDA's do.
struct Inner {
  std::uint8_t tag;
  std::uint16_t values[3];
};
struct alignas(16) Vector {
  float x, y, z, w;
};
struct Outer {
  std::int8_t first;
  Inner inner;
  void* pointer;
  std::uint8_t flag;
  Vector vector;
  std::uint16_t last;
};

TEST(StructLayout, IsThatOfTheHostsCompiler) {
  StructLayout inner;
  add<std::uint8_t>(inner, 7);
  for (std::uint16_t value : {1, 2, 3})
    add(inner, value);
  inner.close(1);
  StructLayout vector;
  for (float value : {1.f, 2.f, 3.f, 4.f})
    add(vector, value);
  vector.close(16);
  StructLayout outer;
  add<std::int8_t>(outer, -1);
  outer.add(inner);
  outer.addPointer("there");
  add<std::uint8_t>(outer, 9);
  outer.add(vector);
  add<std::uint16_t>(outer, 5);
  outer.close(1);

  Outer host;
  std::memset(static_cast<void*>(&host), 0, sizeof host);
  host.first = -1;
  host.inner.tag = 7;
  for (std::uint16_t i = 0; i < 3; ++i)
    host.inner.values[i] = static_cast<std::uint16_t>(i + 1);
  host.flag = 9;
  host.vector.x = 1;
  host.vector.y = 2;
  host.vector.z = 3;
  host.vector.w = 4;
  host.last = 5;
  EXPECT_EQ(outer.bytes(), std::string(reinterpret_cast<const char*>(&host), sizeof host));
  ASSERT_EQ(outer.pointers().size(), 1u);
  EXPECT_EQ(outer.pointers()[0].offset, offsetof(Outer, pointer));
  EXPECT_EQ(outer.pointers()[0].buffer, "there");
}

TEST(StructLayout, PointersOfAStructureWithin) {
  StructLayout inner;
  inner.addZeros(3);
  inner.addPointer("a");
  inner.close(1);
  StructLayout outer;
  add<std::uint8_t>(outer, 1);
  outer.add(inner);
  outer.addPointer("b");
  outer.close(1);
  ASSERT_EQ(outer.pointers().size(), 2u);
  EXPECT_EQ(outer.pointers()[0].offset, 16u);
  EXPECT_EQ(outer.pointers()[1].offset, 24u);
  EXPECT_EQ(outer.size(), 32u);
}

} // namespace
} // namespace harness
