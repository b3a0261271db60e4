#include "harness/base/error.h"
#include "harness/matrix/kernel_signature.h"
#include "harness/matrix/mangled_name.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

std::string module(const std::string& entries) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + entries;
}

std::string entry(const std::string& name, const std::string& parameters, const std::string& more = "") {
  return ".visible .entry " + name + "(" + parameters + ")" + more + "\n{\n  ret;\n}\n";
}

/// "x:f32*const n:u32 v:f32{16}": name and type of each parameter, size of a structure; "?" where the type is
/// a guess.
std::string shown(const KernelSignature& kernel) {
  std::string text;
  for (const KernelParameter& parameter : kernel.parameters)
    text += (text.empty() ? "" : " ") + parameter.name + ":" + std::string(toString(parameter.type)) +
            (parameter.pointer ? "*" : "") + (parameter.readOnly ? "const" : "") +
            (parameter.structBytes ? "{" + std::to_string(parameter.structBytes) + "}" : "") +
            (parameter.guessed ? "?" : "");
  return text;
}

std::string shown(const std::string& ptx, const std::string& source) {
  std::vector<KernelSignature> kernels = kernelSignatures(module(ptx), source);
  return kernels.size() == 1 ? shown(kernels.front()) : std::to_string(kernels.size()) + " kernels";
}

struct Row {
  const char *declaration, *parameters, *shown;
};

TEST(KernelSignature, NamesAndTypesOfTheSource) {
  const Row rows[] = {
      {"(const float* x, float* __restrict__ y, float a, unsigned n)",
       ".param .u64 p0, .param .u64 p1, .param .f32 p2, .param .u32 p3", "x:f32*const y:f32* a:f32 n:u32"},
      {"(float const *x, int* const y)", ".param .u64 p0, .param .u64 p1", "x:f32*const y:i32*"},
      {"(unsigned long long n, long m, size_t k, short s, unsigned char c, bool b)",
       ".param .u64 a, .param .u64 b, .param .u64 c, .param .u16 d, .param .u8 e, .param .u8 f",
       "n:u64 m:i64 k:u64 s:i16 c:u8 b:u8"},
      {"(const __half2* h, std::uint8_t out[], const __nv_bfloat16 *b = nullptr)",
       ".param .u64 a, .param .u64 b, .param .u64 c", "h:f16*const out:u8* b:bf16*const"},
      {"(/* const */ Thing* t, const void* v, int** q)", ".param .u64 a, .param .u64 b, .param .u64 c",
       "t:u8*? v:u8*const? q:u8*?"},
      {"(Pair<int, float> p, float2 v, unsigned)",
       ".param .align 4 .b8 a[8], .param .align 8 .b8 b[8], .param .u32 c", "p:u8{8}? v:f32{8} arg2:u32"},
      {"()", "", ""},
      {"(void)", "", ""},
  };
  for (const Row& row : rows)
    for (const char* before :
         {"extern \"C\" __global__ void k", "__global__ void __launch_bounds__(128, (2)) k",
          "// __global__ void k(int wrong)\n__global__\nvoid\nk"})
      EXPECT_EQ(shown(entry("k", row.parameters), std::string(before) + row.declaration + " { }"), row.shown)
          << before << row.declaration;
}

TEST(KernelSignature, WhatTheSourceDoesNotTell) {
  EXPECT_EQ(
      shown(entry("k", ".param .u64 .ptr .global .align 4 a, .param .s32 b, .param .f64 c, .param .b16 d"),
            ""),
      "arg0:u8*? arg1:i32 arg2:f64 arg3:u16");
  EXPECT_EQ(shown(entry("k", ".param .u32 a"), "__global__ void k(float* a) {}"), "arg0:u32")
      << "another kernel";
  EXPECT_EQ(shown(entry("k", ".param .u32 a"), "__global__ void k(int a, int b) {}"), "arg0:u32");
  EXPECT_EQ(shown(entry("k", ".param .u64 a, .param .u64 b"), "__global__ void k(int* a, int* a) {}"),
            "a:i32* a_1:i32*");
}

TEST(KernelSignature, HostileSources) {
  for (const char* source :
       {"__global__", "__global__ void k(", "__global__ void k(((((", "__global__ (", "\"", "/*", "'",
        "__global__ void k(,,,) {}", "__global__ void k(int*", "__global__ = [ ) k"})
    EXPECT_TRUE(shown(entry("k", ".param .u32 a"), source).starts_with("arg0:")) << source;
}

TEST(KernelSignature, MangledAndOverloaded) {
  std::vector<KernelSignature> kernels = kernelSignatures(
      module(entry("_Z4fillPfi", ".param .u64 a, .param .u32 b") + entry("_Z4fillPd", ".param .u64 a")),
      "template <int N> __global__ void other(int* o) {}\n"
      "__global__ void fill(float* f, int n) {}\n__global__ void fill(double* d) {}\n");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "fill");
  EXPECT_EQ(kernels[0].entry, "_Z4fillPfi");
  EXPECT_EQ(shown(kernels[0]), "f:f32* n:i32");
  EXPECT_EQ(shown(kernels[1]), "d:f64*");
}

TEST(KernelSignature, BlockAndSharedMemory) {
  KernelSignature kernel =
      kernelSignatures(
          module(".extern .shared .align 16 .b8 pool[];\n.visible .entry k()\n.maxntid 64, 2, 1\n"
                 "{ .reg .u64 %rd<2>; mov.u64 %rd1, pool; ret; }"),
          "")
          .front();
  EXPECT_EQ(kernel.block, (std::array<std::uint32_t, 3>{64, 2, 1}));
  EXPECT_TRUE(kernel.dynamicShared);
  EXPECT_EQ(kernelSignatures(module(entry("k", "")), "").front().block[0], 0u);
}

TEST(KernelSignature, SharedMemoryOfAnotherKernel) {
  std::vector<KernelSignature> kernels = kernelSignatures(
      module(".extern .shared .align 16 .b8 pool[];\n.shared .b8 tile[64];\n"
             ".func helper() { .reg .u32 %r<2>; { mov.u32 %r1, pool; } ret; }\n"
             ".visible .entry direct() { .reg .u32 %r<2>; ld.shared.u32 %r1, [pool+4]; ret; }\n"
             ".visible .entry called() { call helper, (); ret; }\n"
             ".visible .entry fixed() { .reg .u32 %r<2>; ld.shared.u32 %r1, [tile]; ret; }\n"
             ".visible .entry none() { ret; }\n"),
      "");
  std::string dynamic;
  for (const KernelSignature& kernel : kernels)
    if (kernel.dynamicShared) dynamic += kernel.name + " ";
  EXPECT_EQ(dynamic, "direct called ");
}

/// Mangled names after the Itanium C++ ABI, 5.1.
TEST(KernelSignature, Templates) {
  const char* source = "template <class T> __global__ void axpy(T* y, const T* x, T* z, int n) {}\n"
                       "namespace ns { __global__ void k2(real* r, const uint n) {} }\n"
                       "template <class T, int N> __global__ void two(T value, T* out) {}\n";
  const std::string four = ".param .u64 a, .param .u64 b, .param .u64 c, .param .u32 d";
  struct Example {
    std::string entry, parameters, name, shown;
  };
  for (const Example& example :
       {Example{"_Z4axpyIdEvPT_PKS0_S1_i", four, "axpy<double>", "y:f64* x:f64*const z:f64* n:i32"},
        {"_Z4axpyIdEvPT_PKS0_S0_i", ".param .u64 a, .param .u64 b, .param .f64 c, .param .u32 d",
         "axpy<double>", "y:f64* x:f64*const z:f64 n:i32"},
        {"_Z4axpyI6__halfEvPT_PKS1_S2_i", four, "axpy<__half>", "y:f16* x:f16*const z:f16* n:i32"},
        {"_ZN2ns2k2EPfj", ".param .u64 a, .param .u32 b", "ns::k2", "r:f32* n:u32"},
        {"_Z3twoItLi3EEvT_PS0_", ".param .u16 a, .param .u64 b", "two<unsigned short, 3>",
         "value:u16 out:u16*"},
        {"_Z7unknownIhEvPKT_", ".param .u64 a", "unknown<unsigned char>", "arg0:u8*const"},
        {"_Z4axpyI5ThingEvPT_PKS1_S2_i", four, "axpy<Thing>", "y:u8*? x:u8*const? z:u8*? n:i32"},
        {"_Z3badPf", ".param .u32 a", "bad", "arg0:u32"},
        {"_Z", ".param .u32 a", "_Z", "arg0:u32"}}) {
    KernelSignature kernel =
        kernelSignatures(module(entry(example.entry, example.parameters)), source).front();
    EXPECT_EQ(kernel.name, example.name);
    EXPECT_EQ(shown(kernel), example.shown) << example.entry;
  }
}

TEST(MangledName, EntriesAreNamedAsTheyAreOrAsCppWritesThem) {
  const std::vector<std::string> entries{"plain", "_ZN2at4polyIiLi3EEEvPT_", "_Z4fillPfi", "_Z4fillPd"};
  EXPECT_EQ(entryOf("plain", entries, "the PTX"), "plain");
  EXPECT_EQ(entryOf("_Z4fillPd", entries, "the PTX"), "_Z4fillPd");
  EXPECT_EQ(entryOf("at::poly<int,3>", entries, "the PTX"), "_ZN2at4polyIiLi3EEEvPT_");
  auto errorOf = [&](const std::string& wanted) {
    try {
      return entryOf(wanted, entries, "the PTX");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(errorOf("fill"), "'fill' names 2 kernels in the PTX: give one of _Z4fillPfi, _Z4fillPd");
  EXPECT_EQ(errorOf("plane"),
            "no kernel 'plane' in the PTX, which has plain, _ZN2at4polyIiLi3EEEvPT_, _Z4fillPfi, "
            "_Z4fillPd; did you mean 'plain'?");
}

TEST(KernelSignature, StructuresByValue) {
  const char* source = "__global__ void k(Params p, float4 v, uchar4 c, __half h, dim3 d, int n) {}";
  const char* parameters = ".param .align 8 .b8 a[24], .param .align 16 .b8 b[16], .param .align 4 .b8 c[4], "
                           ".param .align 2 .b8 d[2], .param .align 4 .b8 e[12], .param .u32 f";
  for (const char* told : {source, ""})
    EXPECT_EQ(shown(entry("k", parameters), told),
              *told ? "p:u8{24}? v:f32{16} c:u8{4} h:f16 d:u32{12} n:i32"
                    : "arg0:u8{24}? arg1:u8{16}? arg2:u8{4}? arg3:u8{2}? arg4:u8{12}? arg5:u32");
  EXPECT_ANY_THROW(kernelSignatures("no PTX", ""));
}

} // namespace
} // namespace harness
