#include "harness/sass/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::sass {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SassCoverage, Forms) {
  struct Example {
    const char *text, *form, *shape;
  };
  for (const Example& example : {
           Example{"EXIT", "EXIT", ""},
           {"@!P0 LDG.E.64 R8, desc[UR4][R2.64+0x10]", "LDG.E.64", "R, desc[UR][R.64+imm]"},
           {"IADD3.X R4, P0, PT, R5.reuse, ~R6, RZ, P1, !PT", "IADD3.X", "R, P, P, R, ~R, R, P, !P"},
           {"FADD R3, -|R4|, -1.5e-05", "FADD", "R, -|R|, imm"},
           {"FMUL R3, R4, -INF ", "FMUL", "R, R, imm"},
           {"HFMA2.MMA R4, -RZ, RZ, 0, 5.9604644775390625e-08", "HFMA2.MMA", "R, -R, R, imm, imm"},
           {"HADD2 R4, R5.H0_H0, c[0x0] [0x168].H1_H1", "HADD2", "R, R.H0_H0, c[imm] [imm].H1_H1"},
           {"LDS R4, [R5.X4+UR6+-0x8]", "LDS", "R, [R.X4+UR+imm]"},
           {"S2R R4, SR_TID.X", "S2R", "R, SR_TID.X"},
           {"S2UR UR4, SR_CTAID.Y", "S2UR", "UR, SR_CTAID.Y"},
           {"BSSY B0, 0x120", "BSSY", "B, imm"},
           {"DEPBAR.LE SB0, 0x1", "DEPBAR.LE", "SB, imm"},
           {"R2P PR, R4.B1, 0x7f", "R2P", "PR, R.B1, imm"},
           {"UPLOP3.LUT UP0, UPT, UPT, UPT, UP1, 0x80, 0x0", "UPLOP3.LUT", "UP, UP, UP, UP, UP, imm, imm"},
       }) {
    InstructionForm form = formOf(example.text);
    EXPECT_EQ(form.form, example.form) << example.text;
    EXPECT_EQ(form.shape, example.shape) << example.text;
    EXPECT_EQ(form.opcode, form.form.substr(0, form.opcode.size()));
  }
}

TEST(SassCoverage, Understands) {
  EXPECT_TRUE(understands({0, 0, "IADD3 R4, R5, R6, RZ", false}, 90));
  EXPECT_FALSE(understands({0, 0, "IADD3.FROB R4, R5, R6, RZ", false}, 90));
  EXPECT_FALSE(understands({0, 0, "FROB R4", false}, 90));
  EXPECT_FALSE(understands({0, 0, "", true}, 90));
}

/// Kernels `a`, which calls, and `b`; a function; a known and an unknown instruction in each place asked for.
struct Module {
  Module() {
    cubin.smVersion = 90;
    cubin.sections = {{".text.a", 0x80, 32}, {".text.b", 0x100, 16}, {".text.f", 0x180, 16}};
    cubin.code.assign(0x200, '\0');
    for (std::size_t i = 0; i < cubin.code.size(); ++i)
      cubin.code[i] = static_cast<char>(i / 16);
    cubin.kernels.resize(2);
    cubin.kernels[0].name = "a";
    cubin.kernels[0].entry = 0x80;
    cubin.kernels[1].name = "b";
    cubin.kernels[1].entry = 0x100;
    listings.resize(3);
    listings[0].instructions = {{0, 0, "CALL.REL.NOINC 0x100", false}, {0, 0, "EXIT", false}};
    listings[1].instructions = {{0, 0, "EXIT", false}};
    listings[2].instructions = {{0, 0, "MOV R4, R5", false}};
  }
  Cubin cubin;
  std::vector<Listing> listings;
};

std::vector<std::set<std::string>> missing(Module& module) {
  std::vector<std::set<std::string>> result;
  for (const KernelCoverage& kernel : Coverage().add(module.cubin, module.listings))
    result.push_back(kernel.missing);
  return result;
}

TEST(SassCoverage, KernelsThatCouldRun) {
  Module module;
  EXPECT_THAT(missing(module), ElementsAre(IsEmpty(), IsEmpty()));
  module.listings[2].instructions[0].text = "FROB.X R4, [R5]";
  EXPECT_THAT(missing(module), ElementsAre(ElementsAre("FROB.X R, [R]"), IsEmpty()))
      << "a calls the function";
  module.listings[1].instructions[0] = {0, 0, "", true};
  EXPECT_THAT(missing(module)[1], ElementsAre("(illegal encoding)"));
}

TEST(SassCoverage, OtherReasons) {
  Module module;
  module.cubin.kernels[1].unsupported = "a relocation";
  EXPECT_THAT(missing(module), ElementsAre(IsEmpty(), ElementsAre("a relocation")));
  module.cubin.kernels[1].unsupported.clear();
  module.cubin.unsupportedWords[0x90] = "another relocation";
  EXPECT_THAT(missing(module), ElementsAre(ElementsAre("another relocation"), IsEmpty()));
}

TEST(SassCoverage, CountsEqualCodeOnce) {
  Module module;
  module.listings[1].instructions[0].text = "FROB R4";
  Coverage coverage;
  coverage.add(module.cubin, module.listings);
  coverage.add(module.cubin, module.listings);
  const Coverage::Forms& forms = coverage.forms().at(90);
  ASSERT_EQ(forms.size(), 4u);
  FormCount unknown = forms.at({"FROB", "FROB", "R"}), known = forms.at({"MOV", "MOV", "R, R"});
  EXPECT_EQ(unknown.instructions, 1u);
  EXPECT_EQ(unknown.unsupported, 1u);
  EXPECT_EQ(known.instructions, 1u);
  EXPECT_EQ(known.unsupported, 0u);
}

} // namespace
} // namespace harness::sass
