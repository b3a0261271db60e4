#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/matrix/manifest.h"
#include "harness/matrix/reference.h"
#include "harness/matrix/scaffold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using testing::HasSubstr;
using testing::Not;

KernelParameter pointer(const std::string& name, ElementType type, bool readOnly = false) {
  return {name, true, readOnly, type, false, 0};
}
KernelParameter scalar(const std::string& name, ElementType type) {
  return {name, false, false, type, false, 0};
}
KernelSignature saxpy() {
  return {"_Z5saxpy",
          "saxpy",
          {pointer("x", ElementType::F32, true), pointer("args", ElementType::F16),
           scalar("a", ElementType::F32), scalar("n", ElementType::I32)},
          {},
          false};
}

std::string errorOf(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return error.what();
  }
  return "no error";
}

/// The scaffold as a folder.
CaseManifest written(const KernelSignature& kernel, const TempDir& directory) {
  CaseScaffold scaffold = scaffoldCase("a-case", "k.cu", kernel, {}, {});
  writeFileAtomically(directory.path() / "case.json", scaffold.manifest);
  writeFileAtomically(directory.path() / "reference.cpp", scaffold.reference);
  writeFileAtomically(directory.path() / "k.cu", "");
  return CaseManifest::load(directory.path());
}

TEST(Scaffold, AManifestThatLoads) {
  TempDir directory("scaffold");
  CaseManifest manifest = written(saxpy(), directory);
  EXPECT_EQ(manifest.kernel, "_Z5saxpy");
  const CaseShape& shape = manifest.shapes.front();
  EXPECT_EQ(shape.grid[0], 8u);
  EXPECT_EQ(shape.block[0], 128u);
  ASSERT_EQ(shape.buffers.size(), 2u);
  EXPECT_EQ(shape.buffers[0].count, 1000u);
  EXPECT_FALSE(shape.buffers[0].output);
  EXPECT_TRUE(std::holds_alternative<InitRandom>(shape.buffers[0].init));
  EXPECT_TRUE(shape.buffers[1].output);
  EXPECT_TRUE(shape.buffers[1].poisoned);
  ASSERT_EQ(shape.args.size(), 4u);
  EXPECT_EQ(shape.args[3].value, std::string("\xe8\x03\0\0", 4));
}

TEST(Scaffold, TheReferenceCompilesAndFails) {
  TempDir directory("scaffold");
  KernelSignature kernel = saxpy();
  for (ElementType type :
       {ElementType::U8, ElementType::I64, ElementType::BF16, ElementType::E4M3, ElementType::F64})
    kernel.parameters.push_back(pointer("p" + std::to_string(static_cast<int>(type)), type));
  CaseManifest manifest = written(kernel, directory);
  ArtifactCache cache(directory.path() / "cache");
  ReferenceRunner runner(cache, {});
  const CaseShape& shape = manifest.shapes.front();
  std::string error = errorOf([&] { runner.outputs(manifest, shape, shape.initialContents(0xaa)); });
  EXPECT_THAT(error, HasSubstr("the reference of case 'a-case' is not written yet"));
}

TEST(Scaffold, WithoutASizeBlocksAreFull) {
  TempDir directory("scaffold");
  KernelSignature kernel = saxpy();
  kernel.parameters.erase(kernel.parameters.begin() + 2, kernel.parameters.end());
  kernel.parameters.erase(kernel.parameters.begin());
  kernel.block = {64, 2, 1};
  kernel.dynamicShared = true;
  CaseManifest manifest = written(kernel, directory);
  const CaseShape& shape = manifest.shapes.front();
  EXPECT_EQ(shape.grid[0], 2u);
  EXPECT_EQ(shape.block[1], 2u);
  EXPECT_EQ(shape.shared, 4096u);
  EXPECT_EQ(shape.buffers[0].count, 256u);
  EXPECT_FALSE(shape.buffers[0].poisoned) << "nothing else is there that it could read";
}

TEST(Scaffold, SaysWhatItCannotKnow) {
  KernelSignature kernel = saxpy();
  kernel.parameters[1].guessed = true;
  CaseScaffold scaffold = scaffoldCase("a-case", "k.cu", kernel, {"inc"}, {"N=3"});
  for (const std::string& line : scaffold.todo)
    EXPECT_THAT(scaffold.notes, HasSubstr("- " + line + "\n"));
  EXPECT_THAT(scaffold.notes, HasSubstr("the type of `args`"));
  EXPECT_THAT(scaffold.notes, Not(HasSubstr("the type of `x`")));
  EXPECT_THAT(scaffold.notes, HasSubstr("the value of `n`; it is `n` for now"));
  EXPECT_THAT(scaffold.manifest, HasSubstr("\"N=3\""));
}

TEST(Scaffold, AKernelWithoutResult) {
  KernelSignature kernel = saxpy();
  kernel.parameters.erase(kernel.parameters.begin() + 1);
  EXPECT_THAT(errorOf([&] { scaffoldCase("a-case", "k.cu", kernel, {}, {}); }),
              HasSubstr("could write through"));
}

TEST(Scaffold, ChoosesAKernel) {
  std::vector<KernelSignature> kernels(3);
  kernels[0].entry = kernels[0].name = "one";
  kernels[1] = {"_Z3twof", "two", {}, {}, false};
  kernels[2] = {"_Z3twod", "two", {}, {}, false};
  EXPECT_EQ(chooseKernel(kernels, "one").entry, "one");
  EXPECT_EQ(chooseKernel(kernels, "_Z3twod").entry, "_Z3twod");
  EXPECT_EQ(chooseKernel({kernels[0]}, "").entry, "one");
  EXPECT_EQ(errorOf([&] { chooseKernel(kernels, ""); }),
            "there are 3 kernels; choose one with --kernel: one, two (_Z3twof), two (_Z3twod)");
  EXPECT_THAT(errorOf([&] { chooseKernel(kernels, "two"); }), HasSubstr("'two' names 2 kernels"));
  EXPECT_THAT(errorOf([&] { chooseKernel(kernels, "three"); }),
              HasSubstr("there is no kernel 'three'; there are: one"));
  EXPECT_THAT(errorOf([&] { chooseKernel({}, ""); }), HasSubstr("instantiated"));
}

TEST(Scaffold, ChoosesAKernelByItsNameInCpp) {
  const std::vector<KernelSignature> kernels = {{"_Z4axpyIfEvPT_", "axpy<float>", {}, {}, false},
                                                {"_Z4axpyIdEvPT_", "axpy<double>", {}, {}, false},
                                                {"_ZN2ns2k2EPf", "ns::k2", {}, {}, false},
                                                {"_Z3twoItLi3EEv", "two<unsigned short, 3>", {}, {}, false}};
  EXPECT_EQ(chooseKernel(kernels, "axpy<double>").entry, "_Z4axpyIdEvPT_");
  EXPECT_EQ(chooseKernel(kernels, "ns::k2").entry, "_ZN2ns2k2EPf");
  EXPECT_EQ(chooseKernel(kernels, "k2").entry, "_ZN2ns2k2EPf");
  EXPECT_EQ(chooseKernel(kernels, "two<unsigned short,3>").entry, "_Z3twoItLi3EEv");
  EXPECT_THAT(errorOf([&] { chooseKernel(kernels, "axpy"); }),
              HasSubstr("'axpy' names 2 kernels; give --kernel a whole name, or the one in brackets: "
                        "axpy<float> (_Z4axpyIfEvPT_), axpy<double> (_Z4axpyIdEvPT_)"));
}

KernelParameter structure(const std::string& name, std::uint64_t bytes) {
  return {name, false, false, ElementType::U8, true, bytes};
}

TEST(Scaffold, AStructureByValue) {
  TempDir directory("scaffold");
  KernelSignature kernel = saxpy();
  kernel.parameters[2] = structure("p", 20);
  kernel.parameters.push_back({"v", false, false, ElementType::F32, false, 16});
  CaseManifest manifest = written(kernel, directory);
  const CaseShape& shape = manifest.shapes.front();
  EXPECT_EQ(shape.args[2].value, std::string(20, '\0'));
  EXPECT_EQ(shape.args[4].size(), 16u);
  EXPECT_EQ(shape.args[4].value.substr(12), std::string("\0\0\x80\x3f", 4));
  EXPECT_THAT(readFile(directory.path() / "reference.cpp"),
              HasSubstr("const void* p = args[2]; // a structure of 20"));
  EXPECT_THAT(scaffoldCase("a-case", "k.cu", kernel, {}, {}).notes,
              HasSubstr("the members of `p`, a structure of 20 bytes, with names of buffers where it has "
                        "pointers; it is 0 for"));
  ArtifactCache cache(directory.path() / "cache");
  ReferenceRunner runner(cache, {});
  EXPECT_THAT(errorOf([&] { runner.outputs(manifest, shape, shape.initialContents(0xaa)); }),
              HasSubstr("is not written yet"));
}

TEST(Scaffold, WhereOnlyAStructureCanHoldTheOutput) {
  TempDir directory("scaffold");
  KernelSignature kernel = saxpy();
  kernel.parameters = {scalar("n", ElementType::I32), structure("p", 24)};
  const CaseShape shape = written(kernel, directory).shapes.front();
  ASSERT_EQ(shape.buffers.size(), 1u);
  EXPECT_TRUE(shape.buffers[0].output);
  ASSERT_EQ(shape.args[1].pointers.size(), 1u);
  EXPECT_EQ(shape.args[1].pointers[0].buffer, "p.out");
  EXPECT_EQ(shape.args[1].size(), 24u);
  kernel.parameters[1].structBytes = 4;
  EXPECT_THAT(errorOf([&] { scaffoldCase("a-case", "k.cu", kernel, {}, {}); }),
              HasSubstr("could write through"));
}

TEST(Scaffold, NamesOfCases) {
  EXPECT_EQ(caseIdFrom("My__Kernel.v2.cu"), "my-kernel");
  EXPECT_EQ(caseIdFrom("a-b"), "a-b");
  EXPECT_THAT(errorOf([] { caseIdFrom("../x"); }), HasSubstr("--id"));
}

} // namespace
} // namespace harness
