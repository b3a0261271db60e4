// What is not understood is refused: an unknown opcode, a modifier too much, an operand too much, too few or
// of another kind. Every row of the instruction set is tried.

#include "harness/sass/binder.h"

#include "tests/sass/assembly.h"
#include "tests/sass/samples.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace harness::sass::test {
namespace {

using testing::HasSubstr;

/// Whether the executor would execute `text`.
bool understood(std::string_view text, unsigned sm) {
  Encoding encoding;
  encoding.sm = sm;
  return bindInstruction(text, encoding).has_value();
}

/// "@P0 FADD.FTZ" and "R1, R2" of an instruction.
struct Parts {
  explicit Parts(std::string_view text) {
    std::size_t from = text.starts_with('@') ? text.find(' ') + 1 : 0;
    std::size_t space = std::min(text.find(' ', from), text.size());
    head = text.substr(0, space);
    while (space < text.size()) {
      std::size_t end = std::min(text.find(',', space + 1), text.size());
      operands.emplace_back(text.substr(space + 1, end - space - 1));
      while (operands.back().starts_with(' '))
        operands.back().erase(0, 1);
      space = end;
    }
  }
  std::string text() const {
    std::string text = head;
    for (std::size_t i = 0; i < operands.size(); ++i)
      text += (i ? ", " : " ") + operands[i];
    return text;
  }
  std::string head;
  std::vector<std::string> operands;
};

TEST(SassRefusal, EverySampleIsUnderstood) {
  for (const Sample& sample : samples())
    EXPECT_TRUE(understood(sample.text, sample.sm)) << sample.text;
}

TEST(SassRefusal, EveryRowHasASample) {
  std::set<std::string> sampled;
  for (const Sample& sample : samples())
    sampled.insert(parseInstruction(sample.text)->opcode);
  for (auto family : opcodeFamilies())
    for (const OpcodeRow& row : family)
      EXPECT_TRUE(sampled.contains(std::string(row.name))) << row.name;
}

TEST(SassRefusal, UnknownModifier) {
  for (const Sample& sample : samples()) {
    Parts parts(sample.text);
    parts.head += ".BOGUS";
    EXPECT_FALSE(understood(parts.text(), sample.sm)) << parts.text();
  }
}

TEST(SassRefusal, ModifierTwice) {
  for (const Sample& sample : samples()) {
    Parts parts(sample.text);
    std::size_t dot = parts.head.find('.');
    if (dot == std::string::npos) continue;
    parts.head += parts.head.substr(dot);
    EXPECT_FALSE(understood(parts.text(), sample.sm)) << parts.text();
  }
}

/// Forms of these differ only in how many operands they have.
bool hasOptionalOperand(const Sample& sample) {
  std::string opcode = parseInstruction(sample.text)->opcode;
  return opcode == "BAR" || opcode == "DEPBAR" || opcode == "EXIT" || opcode == "KILL";
}

TEST(SassRefusal, OperandTooMuch) {
  for (const Sample& sample : samples())
    for (const char* extra : {"R77", "0x1", "P5", "UR7", "garbage", ""}) {
      Parts parts(sample.text);
      if ((parts.operands.empty() && !*extra) || hasOptionalOperand(sample)) continue;
      // UIADD3.64 prints a third source.
      if (parseInstruction(sample.text)->modifiers == std::vector<std::string>{"64"}) continue;
      // LDGSTS may have a predicate of reading.
      if (sample.text.starts_with("LDGSTS") && std::string_view(extra) == "P5") continue;
      parts.operands.push_back(extra);
      EXPECT_FALSE(understood(parts.text(), sample.sm)) << parts.text();
    }
}

TEST(SassRefusal, OperandMissing) {
  for (const Sample& sample : samples()) {
    Parts parts(sample.text);
    if (parts.operands.empty() || hasOptionalOperand(sample)) continue;
    if (sample.text.starts_with("LDGSTS") && parts.operands.size() == 3) continue;
    if (parts.operands.back().starts_with("{")) continue; // DEPBAR may have a list of scoreboards
    parts.operands.pop_back();
    EXPECT_FALSE(understood(parts.text(), sample.sm)) << parts.text();
  }
}

TEST(SassRefusal, OperandOfAnotherKind) {
  for (const Sample& sample : samples()) {
    const Parts original(sample.text);
    for (std::size_t i = 0; i < original.operands.size(); ++i)
      for (const char* other : {"garbage", "", "SR_NOTHING", "R2.H9", "{R2}", "B77"}) {
        if (!*other && hasOptionalOperand(sample)) continue;
        Parts parts = original;
        parts.operands[i] = other;
        EXPECT_FALSE(understood(parts.text(), sample.sm)) << parts.text();
      }
  }
}

TEST(SassRefusal, BadGuard) {
  for (const Sample& sample : samples()) {
    if (sample.text.starts_with('@')) continue;
    for (const char* guard : {"@R0 ", "@P9 ", "@-P0 ", "@|P0| ", "@P0.X ", "@ ", "@!!P0 "})
      EXPECT_FALSE(understood(guard + std::string(sample.text), sample.sm)) << guard << sample.text;
  }
}

TEST(SassRefusal, Forms) {
  // Each has a known neighbour; what these mean is not settled, or is something else.
  for (const char* text : {
           "F2F.F32.F16 R4, R5",                                        // sm_80 prints it for a bf16
           "F2F.F64.F32.F16 R4, R5",                                    //
           "F2F.FTZ.F16.F32 R4, R5",                                    //
           "F2F.F16.F32 R4, R5.H1",                                     // no part of an f32
           "F2F.F64.F16 R5, R4",                                        // an odd pair
           "F2FP.F16.F32.PACK_AB.RS R4, R5, R6, R7",                    // which random bits
           "F2FP.F16.F32.PACK_AB.RM R4, R5, R6",                        // not met
           "F2FP.F16.F32.MERGE_C R4, R5, R6",                           // what becomes of C
           "F2FP.E4M3.F32.PACK_AB_MERGE_C R4, R5, R6, RZ",              // without SATFINITE
           "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R4, R5, R6, -R7",   //
           "F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R4, R5, R6, R7.H1", // which 24 bits
           "F2FP.E8.F32.PACK_AB_MERGE_C R4, R5, R6, RZ",                // no rounding
           "F2FP.BF16.E4M3.UNPACK_B R4, R5",                            // without a scale
           "F2FP.BF16.E4M3.UNPACK_B R4, R5, 4.5e-41.H0",                // scales other than one
           "F2FP.F16.E8.UNPACK_B R4, R5",                               // no half
           "F2FP.F16.E2M1.UNPACK_B R4, R5.H1",                          // a byte is meant
           "F2IP.U8.F32 R4, R5, R6, R7",                                // what a NaN gives
           "I2IP.U8.S32 R4, R5, R6, R7",                                // not saturated
           "I2IP.U4.S32.SAT R4, R5, R6, R7",                            // how many bits of C
           "F2I.FTZ.F64 R4, R6",                                        //
           "F2I.S8.TRUNC R4, R5",                                       // what a NaN gives
           "I2F.U8 R4, R5.H1",                                          //
           "I2F.U16 R4, R5.B1",                                         //
           "I2F R4, R5.H1",                                             //
           "I2F R4, -R5",                                               //
           "I2FP.F32.U16 R4, R5",                                       //
           "HFMA2.OOB R4, R5, R6, R7",                                  // which NaN is meant
           "HFMA2.BF16_V2.FTZ R4, R5, R6, R7",                          //
           "HADD2.F32 R4, R5, R6.H0_H0",                                // which half
           "HADD2 R4, R5, R6.F32",                                      //
           "HADD2 R4, R5, 1",                                           // half a number
           "HMUL2 R4, R5, R6.H1_H0",                                    //
           "HMNMX2.XORSIGN R4, R5, R6, PT",                             // without bars
           "HSETP2.H_AND.LT.AND P0, P1, R4, R5, PT",                    //
           "HSETP2.LT.AND P0, P0, R4, R5, PT",                          // which result stays
           "FHADD R4, R5.H0_H0, R6",                                    //
           "FSETP.GT R4, R5, R6, PT",                                   //
           "ISETP.GT P0, PT, R1, R2, PT",                               // no AND, OR, XOR
           "ISETP.AND P0, PT, R1, R2, PT",                              // no comparison
           "ISETP.GT.AND P0, P0, R1, R2, PT",                           // which result stays in P0
           "MUFU.RCP.F16 R4, R5",                                       // no such function
           "MUFU.EX2.F16 R4, -R5",                                      //
           "MUFU.EX2 R4, R5.H1",                                        //
           "FMUL.D2.RM R4, R5, R6",                                     // a scaled product rounds to nearest
           "FMNMX.XORSIGN R4, R5, |R6|, PT",                            // signs without bars
           "FMNMX3.XORSIGN R4, |R5|, |R6|, |R7|, PT",
           "FSET.GT.AND R4, R5, R6, PT",       // what "true" looks like
           "FADD2 R4, R6, R8",                 // how a pair is read
           "FADD2 R4, R7.F32x2.HI_LO, R8.F32", // an odd pair
           "FADD2 R4, R6.F32x2.HI_LO.PN, R8.F32",
           "FADD2.SAT R4, R6.F32, R8.F32", //
           "FRND.F16 R4, -R5",             // sign of a half
           "FRND.FTZ.F64 R4, R6",          //
           "FSWZADD R4, R5, R6, NPNPNPNP", // lanes of a quad
           "DADD R5, R6, R8",              // an odd pair
           "DADD.FTZ R4, R6, R8",          //
           "DSETP.MAX.OR P0, P1, R2, R4, PT",
           "DSETP.MAX.AND P0, P1, R2, R4, P2",
           "ISETP.GE.S64.AND.EX P0, PT, R4, R6, PT, P1",
           "IADD3 R4, P0, -R5, -R6, RZ",          // what is carried out
           "IADD3.X R4, -R5, R6, RZ, P0, !PT",    // '~' expected
           "IADD3.X R4, R5, R6, RZ, P0",          // second carry missing
           "IMAD R4, P0, R5, R6, R7",             // carry of a narrow product
           "IMAD.WIDE R5, R6, R7, R8",            // an odd pair
           "IMAD.WIDE R4, R6, R7, R9",            //
           "IMAD.WIDE R254, R6, R7, R8",          // a pair past the end
           "IMAD.WIDE R4, R6, R7, R254",          //
           "IMAD.WIDE R4, -R6, R7, R8",           //
           "IMAD.WIDE R4, P0, R6, R7, R8",        // carry of a signed product
           "IMAD.WIDE.HI R4, R6, R7, R8",         //
           "IMAD.WIDE R4, R6, R7, 0x1",           // how the number is extended
           "IMAD.X R4, ~R5, 0x1, R6, P0",         //
           "LEA R4, R5, R6, 0x20",                // shift out of range
           "LEA R4, P0, -R5, -R6, 0x2",           // what is carried out
           "LEA R4, -R5, -R6, 0x2",               //
           "LEA.X R4, R5, -R6, 0x2, P0",          // '~' expected
           "LEA.X R4, -R5, R6, 0x2, P0",          // '~' expected
           "LEA.SX32 R4, R5, R6, 0x2",            //
           "LOP3.LUT R4, R5, R6, R7, 0x100, !PT", // no such table
           "VIMNMX.S16x2 R4, P0, P1, R5, R6, PT", // which half is whose
           "VIMNMX.S16x2.RELU R4, P0, P0, R5, R6, PT",
           "VIMNMX R4, P0, PT, R5, R6, PT",         // what the predicate says
           "VIMNMX.U32.RELU R4, R5, R6, PT",        //
           "IMNMX.S64 P0, PT, R4, R6, R8, PT, !PT", //
           "IMNMX.S64 PT, PT, R4, R6, R8, PT, PT",  // the last predicate is not known
           "VIADD.16x2 R4, ~R5, R6",                //
           "VIADDMNMX R4, R5, R6, -R7, PT",         //
           "VIMNMX3 R4, -R5, R6, R7, PT",           //
           "VABSDIFF R4, -R5, R6, R7",              //
           "IDP.4A.LO.S8.S8 R4, R5, R6, R7",        //
           "IDP.2A.S16.S8 R4, R5, R6, R7",          // which bytes
           "IDP.4A.S16.S8 R4, R5, R6, R7",          //
           "IDP.4A.S8 R4, R5, R6, R7",              //
           "I2I.S4.S32.SAT R4, R5",                 //
           "I2I.S8.S32 R4, R5",                     //
           "I2I.S8.U32.SAT R4, R5",                 //
           "I2IP.S16.S32.SAT R4, R5, R6, R7",       // no room for R7
           "I2IP.S4.S32.SAT R4, R5, R6, R7",        // which part of R7
           "I2IP.S4.S32.SAT R4, R5, R6, R7.28",     //
           "I2IP.S4.S32.SAT R4, R5, R6, 0x1",       //
           "LEPC R4",                               // names its target from sm_90 on
           "LEPC R5, 0x80",                         // an odd pair
           "LOP3 R4, R5, R6, R7, 0x80, !PT",        //
           "PLOP3.LUT P0, P0, P1, P2, P3, 0x80, 0x8",
           "SHF.L R4, R5, R6, R7",                 // no type
           "SHF.U32 R4, R5, R6, R7",               // no direction
           "PRMT.F8E R4, R5, R6, R7",              // no such mode
           "MOV R4, |R5|",                         // bars on an integer
           "MOV R4, ~-R5",                         //
           "MOV R4, ~0x1",                         //
           "MOV R4, c[0x0][R5+UR4+0x8]",           // two index registers
           "MOV UR4, R5",                          // R2UR does this
           "MOV UR4, 0x1",                         //
           "UMOV R4, 0x1",                         //
           "UMOV UR4, R5",                         //
           "@P0 UMOV UR4, UR5",                    // the uniform datapath sees no lanes
           "UISETP.NE.AND P0, UPT, UR4, URZ, UPT", //
           "UISETP.NE.AND UP0, UPT, UR4, URZ, PT", //
           "ISETP.NE.AND UP0, PT, R4, RZ, PT",     //
           "S2R UR4, SR_TID.X",                    //
           "S2UR R4, SR_CTAID.X",                  //
           "S2R R4, SR_VIRTCFG",                   //
           "R2UR UR4, -R5",                        //
           "R2UR UR4, UR5",                        //
           "LDG.E R4, [R5.64]",                    // an odd pair
           "LDG.E.64 R5, [R6.64]",                 // a misaligned group
           "LDG.E.128 R6, [R8.64]",                //
           "LDG.E.128 R252, [R8.64]",              // past the end
           "LDG R4, [R6.64]",                      // 32-bit address
           "LDG.E R4, desc[UR8][R6.64+UR4]",       // which parts are 64 bits wide
           "LDG.E R4, P0, [R6.64]",                //
           "LDG.E R4, -[R6.64]",                   //
           "STG.E [R6.64], 0x1",                   //
           "STG.E [R6.64], -R4",                   //
           "STG.E [R6.64], c[0x0][0x160]",         //
           "LDS R4, [R6.64]",                      // shared addresses have 32 bits
           "LDC.128 R4, c[0x0][0x10]",             //
           "LDC R4, R5",                           //
           "LDC R4, -c[0x0][0x10]",                //
           "LDC.IL R4, c[0x0][R5]",                //
           "MEMBAR.MAYBE",
           "ERRBAR R4", //
           "CALL.REL 0x80",
           "CALL.NOINC 0x80", //
           "RET.REL.NODEC RZ 0x0",
           "RET.REL.NODEC R254 0x0",
           "RET.REL.NODEC R3 0x0",
           "RET.REL.NODEC R4",
           "RET.REL.NODEC R4, 0x0",
           "RET.NODEC R4 0x0",
           "BRX R4",
           "BRX R3 -0x80",
           "JMX R4",
           "CALL.REL.NOINC R4",
           "CALL.ABS.NOINC R4 0x0",
           "CALL.ABS.NOINC R3",
           "CALL.REL.NOINC P1, 0x80",
           "BRA.ANY 0x80",
           "BRA.INC 0x80",
           "EXIT.PREEMPTED",
           "LEPC R20", // from sm_90 on it names a target
           "BPT.INT 0x1",
           "BPT.PAUSE 0x1",
           "BSSY B16, 0x80",
           "BSYNC -B0",
           "BSYNC",          //
           "BMOV.32 R4, B0", // read while in use
           "BMOV.32.CLEAR B0, R4",
           "BMOV B0, R4",
           "BMOV.64 R4, B0",
           "RPCMOV.64 R4, Rpc",
           "RPCMOV.32 R4, Rpc",
           "WARPSYNC.EXCLUSIVE R4, 0x80", //
           "BAR.SYNC R4",
           "BAR.SYNC 0x10",
           "BAR.SYNC 0x0, 0x30", // not whole warps
           "BAR.SYNC R4, R5",    // one register holds both
           "BAR.SYNC R4, UR5",
           "BAR.SYNC 0x0, 0x1000",
           "BAR.SYNC 0x0, P0",
           "BAR.SYNCALL 0x0",
           "BAR.SCAN 0x2, 0x60, P0",
           "BAR.RED 0x0, P0",
           "B2R R4, 0x0",
           "B2R.RESULT R4, P0",
           "B2R.RESULT RZ",
           "P2R R4, PR, RZ, 0x80", // no such predicate
           "P2R R4, PR, RZ, R5",
           "UP2UR.B1 UR4, UPR, URZ, 0x1",
           "P2R R4, P0, RZ, 0x1",
           "R2P PR, R4.B4, 0x1",
           "R2P PR, -R4, 0x1",
           "VOTE R4, PT, P0",
           "VOTE.INVALID3 R4, PT, P0",
           "R2UR.OR UR4, R5", // a predicate is missing
           "PLOP3.LUT P0, PT, R4, PT, PT, 0x80, 0x8",
           "PLOP3.LUT P0, PT, -R4.SIGN, PT, PT, 0x80, 0x8",
           "UPLOP3.LUT UP0, UPT, R4.SIGN, UPT, UPT, 0x80, 0x8",
           "MATCH R4, R5",
           "MATCH.ANY.U64 R4, R5",
           "MATCH.ALL R4, R5",
           "MATCH.ANY R4, -R5",
           "REDUX.MIN R4, R5",
           "REDUX.OR.S32 UR4, R5",
           "REDUX.INVALID6 UR4, R5",
           "CREDUX.SUM UR4, R5",
           "ELECT.IGNOREKILL P0, UR5, PT",
           "ELECT P0, UR5, UP0",
           "ELECT P0, UR5, ~UR6",
           "ELECT P0, UR5, URZ",
           "CS2R R5, SR_CLOCKLO", // an odd pair
           "CS2R R4, SR_TID.X",
           "BAR.ARV 0x0",
           "BAR.RED.POPC 0x0",
           "SHFL R4, R5, R6, R7",
           "SHFL.IDX R4, R5, R6, R7", // no predicate
           "BPT 0x1",                 //
           "ATOMG.ADD R4, [R6], R5",
           "NONSENSE",
       })
    EXPECT_FALSE(understood(text, 90)) << text;
  EXPECT_FALSE(understood("ULDC.64 UR62, c[0x0][0x118]", 80) && understood("UIADD3.64 UR62, UR4, UR4", 80));
}

/// The same through an execution: it ends when it comes to the instruction, and names it.
TEST(SassRefusal, ExecutionNamesTheInstruction) {
  for (const char* text :
       {"FROB R4, R5", "MOV.BOGUS R4, R5", "MOV R4, R5, R6, R7", "@P0.X MOV R4, R5", "???", ""}) {
    Assembly a;
    a.add("NOP").add(text).add("EXIT");
    ExecutionResult result = a.run(1);
    EXPECT_EQ(result.end, ExecutionEnd::Unsupported) << text;
    EXPECT_THAT(result.message, HasSubstr("no support for '" + std::string(text) + "'"));
    EXPECT_THAT(result.message, HasSubstr("at 0x90"));
    EXPECT_THAT(result.message, HasSubstr("block (0,0,0), warp 0"));
    EXPECT_EQ(result.warpInstructions, 2u);
  }
}

/// Nothing is wrong with an instruction that is not executed.
TEST(SassRefusal, UnreachedInstructionIsNoMatter) {
  Assembly a;
  a.add("@!PT FROB R4, R5").add("EXIT").add("FROB R4, R5").illegal();
  ExecutionResult result = a.run(1);
  EXPECT_EQ(result.end, ExecutionEnd::Unsupported) << "a guard of what is not understood is not trusted";
  Assembly b;
  b.add("EXIT").add("FROB R4, R5").illegal();
  EXPECT_EQ(b.run(1).end, ExecutionEnd::Completed);
}

TEST(SassRefusal, IllegalWordIsAFault) {
  Assembly a;
  a.add("NOP").illegal().add("EXIT");
  ExecutionResult result = a.run(1);
  EXPECT_EQ(result.end, ExecutionEnd::Fault);
  EXPECT_THAT(result.message, HasSubstr("illegal instruction; at 0x90"));
}

TEST(SassRefusal, WordWithUnknownRelocation) {
  Assembly a;
  a.add("NOP").add("MOV R4, 0x0").add("EXIT");
  a.cubin.unsupportedWords[Assembly::kBase + 16] = "relocation 99";
  ExecutionResult result = a.run(1);
  EXPECT_EQ(result.end, ExecutionEnd::Unsupported);
  EXPECT_THAT(result.message, HasSubstr("MOV R4, 0x0 (relocation 99)"));
}

TEST(SassRefusal, KernelThatCannotBeExecuted) {
  Assembly a;
  a.add("EXIT");
  a.kernel.unsupported = "bank 4 holds a relocation of type 99";
  ExecutionResult result = a.run(1);
  EXPECT_EQ(result.end, ExecutionEnd::Unsupported);
  EXPECT_EQ(result.message, a.kernel.unsupported);
}

} // namespace
} // namespace harness::sass::test
