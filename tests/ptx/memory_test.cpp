#include "tests/ptx/snippet.h"
#include <gmock/gmock.h>

namespace harness::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kWord = 0x81c2e3f48796a5b4;

TEST(PtxMemory, EveryWidthInEverySpace) {
  for (unsigned bits : {8u, 16u, 32u, 64u}) {
    for (std::string space : {"shared", "local", "global", ""}) {
      for (std::string kind : {"b", "u", "s", "f"}) {
        if (kind == "f" && bits < 32) continue;
        std::string type = kind + std::to_string(bits);
        std::string prefix = space.empty() ? "" : "." + space;
        std::string body = ".shared .align 8 .b8 s[8]; .local .align 8 .b8 l[8]; .reg .u64 p; .reg .f64 f;\n";
        if (space == "shared") body += "mov.u64 p, s;\n";
        if (space == "local") body += "mov.u64 p, l;\n";
        if (space == "global") body += "mov.u64 p, %at_d;\n";
        if (space.empty()) body += "cvta.local.u64 p, l;\n";
        // The load of the whole register shows what was stored, and that nothing else was.
        std::string wide = kind == "f" && bits == 32 ? "b32" : "b64";
        body += "st" + prefix + ".b64 [p], 0;\n";
        if (kind == "f" && bits == 32)
          body += ".reg .f32 x; mov.b32 x, a; st" + prefix + ".f32 [p], x; ld" + prefix +
                  ".f32 x, [p];\n"
                  ".reg .b32 y; mov.b32 y, x; cvt.u64.u32 d, y; ld" +
                  prefix + ".b64 e, [p];";
        else if (kind == "f")
          body += "mov.b64 f, a; st" + prefix + ".f64 [p], f; ld" + prefix + ".f64 f, [p]; mov.b64 d, f; ld" +
                  prefix + ".b64 e, [p];";
        else
          body += "st" + prefix + "." + type + " [p], a; ld" + prefix + "." + type + " d, [p]; ld" + prefix +
                  ".b64 e, [p];";
        std::string input = kind == "f" && bits == 32 ? "b32" : "b64";
        auto result = runSnippet(body, {{"a", input, {kWord}}}, {{"d", "b64"}, {"e", "b64"}});
        ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << body << result.execution.message;
        std::uint64_t low = bits == 64 ? kWord : kWord & ((std::uint64_t{1} << bits) - 1);
        std::uint64_t extended =
            kind == "s" ? std::uint64_t(std::int64_t(kWord << (64 - bits)) >> (64 - bits)) : low;
        EXPECT_EQ(result.outputs[0][0], extended) << type << " " << space;
        EXPECT_EQ(result.outputs[1][0], low) << type << " " << space;
      }
    }
  }
}

TEST(PtxMemory, VectorsAnd128Bits) {
  std::string body = ".shared .align 32 .b8 s[32]; .reg .b16 h0, h1, h2, h3; .reg .b128 q; .reg .b64 x, y;\n"
                     "st.shared.v2.b64 [s], {a, b}; st.shared.v2.u64 [s+16], {b, a};\n"
                     "ld.shared.v4.u16 {h0, h1, h2, h3}, [s]; mov.b64 c, {h3, h2, h1, h0};\n"
                     "ld.shared.b128 q, [s+16]; mov.b128 {x, y}, q; xor.b64 d, x, y; st.shared.b128 [s], q;\n"
                     "ld.shared.v2.b64 {e, x}, [s];";
  std::uint64_t a = kWord, b = 0x0123456789abcdef;
  auto result =
      runSnippet(body, {{"a", "b64", {a}}, {"b", "b64", {b}}}, {{"c", "b64"}, {"d", "b64"}, {"e", "b64"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  EXPECT_EQ(result.outputs[0][0], 0xa5b48796e3f481c2);
  EXPECT_EQ(result.outputs[1][0], a ^ b);
  EXPECT_EQ(result.outputs[2][0], b);
}

TEST(PtxMemory, VectorsOf256Bits) {
  std::string body = ".reg .b64 g; .reg .b32 w<8>; and.b64 g, %at_a, -32;\n"
                     "ld.global.v8.b32 {w0, _, w2, w3, w4, w5, w6, w7}, [g]; mov.b64 c, {w7, w2};";
  auto c = evaluate(body, {{"a", "b64", {0x1122334455667788, kWord, 3, 0x99aabbccddeeff00}}}, {"c", "b64"});
  EXPECT_EQ(c[1], (kWord & 0xffffffff) << 32 | 0x99aabbcc);
  EXPECT_EQ(runSnippet(".shared .align 32 .b8 s[32]; .reg .b32 w<8>; ld.shared.v8.b32 {w0, w1, w2, w3, w4, "
                       "w5, w6, w7}, [s];",
                       {}, {})
                .execution.end,
            ExecutionEnd::Unsupported);
}

TEST(PtxMemory, ModifiersThatChangeNoValue) {
  for (std::string form :
       {"ld.global.nc.b32 d, [%at_a];", "ld.relaxed.gpu.global.b32 d, [%at_a];",
        "ld.acquire.sys.b32 d, [%at_a];", "ld.volatile.global.b32 d, [%at_a];",
        "ld.mmio.relaxed.sys.global.b32 d, [%at_a];", "ldu.global.b32 d, [%at_a];",
        "ld.weak.global.cs.b32 d, [%at_a];", "ld.global.L1::evict_last.L2::128B.b32 d, [%at_a];",
        "ld.global.nc.L1::no_allocate.L2::256B.b32 d, [%at_a];", "ld.global.b32 d, [%at_a].unified;",
        "createpolicy.fractional.L2::evict_last.b64 p, 0.25; ld.global.L2::cache_hint.b32 d, [%at_a], p;",
        "createpolicy.fractional.L2::evict_first.b64 p; st.global.L2::cache_hint.b32 [%at_d], a, p; "
        "ld.global.b32 d, [%at_d];",
        "st.release.cluster.global.b32 [%at_d], a; ld.global.b32 d, [%at_d];",
        "prefetch.global.L2 [%at_a]; prefetchu.L1 [%at_a]; prefetch.global.L2::evict_last [%at_a]; mov.b32 "
        "d, a;",
        "applypriority.global.L2::evict_normal [%at_a], 128; mov.b32 d, a;",
        "griddepcontrol.wait; pmevent 7; mov.b32 d, a;",
        "membar.gl; membar.cta; membar.sys; membar.proxy.alias; fence.acq_rel.gpu; fence.sc.sys; mov.b32 d, "
        "a;",
        "fence.proxy.async; fence.proxy.async.shared::cta; fence.proxy.alias; "
        "fence.mbarrier_init.release.cluster; mov.b32 d, a;",
        "fence.proxy.tensormap::generic.release.gpu; fence.acquire.sync_restrict::shared::cluster.cluster; "
        "mov.b32 d, a;"}) {
    auto d = evaluate(".reg .b64 p;\n" + form, {{"a", "b32", {1, 2, 0xdeadbeef}}}, {"d", "b32"});
    EXPECT_THAT(d, ElementsAre(1, 2, 0xdeadbeef)) << form;
  }
}

TEST(PtxMemory, WhatIsNotUnderstood) {
  for (std::string form :
       {"ld.global.f16 d, [%at_d];", "st.const.b32 [%at_d], d;", "membar.foo;", "fence.sc;",
        "discard.global.L2 [%at_d], 128;", "ld.global.L2::cache_hint.b32 d, [%at_d];"})
    EXPECT_EQ(runSnippet("mov.u32 d, 0;\n" + form, {}, {{"d", "b32"}}).execution.end,
              ExecutionEnd::Unsupported)
        << form;
}

TEST(PtxMemory, BadAccessesAreFaults) {
  auto message = [](const std::string& body) {
    auto result = runSnippet(".shared .align 16 .b8 s[64]; .reg .b32 x, y, z;\n" + body, {}, {});
    EXPECT_EQ(result.execution.end, ExecutionEnd::Fault) << body;
    return result.execution.message;
  };
  EXPECT_THAT(message("ld.shared.b32 x, [s+2];"), HasSubstr("misaligned"));
  EXPECT_THAT(message("ld.shared.v2.b32 {x, y}, [s+4];"), HasSubstr("misaligned access of 8 bytes"));
  EXPECT_THAT(message("st.shared.b32 [s+64], 1;"), HasSubstr("shared memory"));
  EXPECT_THAT(message("ld.global.b32 x, [1024];"), HasSubstr("an access to"));
}

TEST(PtxMemory, AVectorIsUndefinedElementByElement) {
  std::string body =
      ".local .align 8 .b8 l[8]; .reg .b32 x, y; st.local.b32 [l], 5; ld.local.v2.b32 {x, y}, [l];\n";
  auto fine = runSnippet(body + "mov.b32 d, x;", {}, {{"d", "b32"}});
  EXPECT_THAT(fine.execution.unwritten, IsEmpty());
  EXPECT_EQ(fine.outputs[0][0], 5u);
  EXPECT_EQ(runSnippet(body + "mov.b32 d, y;", {}, {{"d", "b32"}}).execution.unwritten.size(), 1u);
}

TEST(PtxMemory, AClusterHasOneBlock) {
  std::string body =
      ".shared .b32 s[32]; .reg .b32 x, p; .reg .b64 q; mov.u32 p, s; st.shared.b32 [p], a;\n"
      "mapa.shared::cluster.u32 x, p, 0; ld.shared::cluster.b32 d, [x]; getctarank.shared::cluster.u32 e, x;";
  auto result = runSnippet(body, {{"a", "b32", {9}}}, {{"d", "b32"}, {"e", "b32"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  EXPECT_EQ(result.outputs[0][0], 9u);
  EXPECT_EQ(result.outputs[1][0], 0u);
}

TEST(PtxMemory, BulkStore) {
  std::string body =
      ".shared .align 8 .b8 s[24]; st.shared.b64 [s+16], 7; st.bulk.weak.shared::cta [s], 16, 0;\n"
      "ld.shared.b64 d, [s+8]; ld.shared.b64 e, [s+16];";
  auto result = runSnippet(body, {{"a", "b32", {9}}}, {{"d", "b64"}, {"e", "b64"}});
  ASSERT_EQ(result.execution.end, ExecutionEnd::Completed) << result.execution.message;
  EXPECT_THAT(result.execution.unwritten, IsEmpty());
  EXPECT_EQ(result.outputs[0][0], 0u);
  EXPECT_EQ(result.outputs[1][0], 7u);
}

} // namespace
} // namespace harness::ptx
