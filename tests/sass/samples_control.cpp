#include "tests/sass/samples.h"

namespace harness::sass::test {

namespace {

constexpr Sample kSamples[] = {
    {"BMOV.32 B0, 0xffffffff", 87},
    {"BMOV.32 B6, R17"},
    {"BMOV.32.CLEAR B1, B0", 87},
    {"BMOV.32.CLEAR R17, B6"},
    {"BMOV.32.CLEAR RZ, B6", 75},
    {"BPT.TRAP 0x1"},
    {"@P0 BRA 0x950"},
    {"BRA 0x180"},
    {"BRA.CONV 0xa670", 75},
    {"BRA.CONV ~URZ, 0x8340", 80},
    {"@P0 BREAK B3"},
    {"@P0 BREAK.RELIABLE B3", 120},
    {"BSSY B0, 0x800"},
    {"BSSY.RECONVERGENT B0, 0x890", 120},
    {"BSSY.RELIABLE B3, 0x6090", 120},
    {"BSYNC B0"},
    {"BSYNC.RECONVERGENT B0", 120},
    {"BSYNC.RELIABLE B3", 120},
    {"CALL.ABS.NOINC 0x0"},
    {"CALL.REL.NOINC 0x37e0"},
    {"ENDCOLLECTIVE"},
    {"@P0 EXIT"},
    {"EXIT"},
    {"NOP"},
    {"RET.ABS.NODEC R20 0x0"},
    {"RET.REL.NODEC R4 0x3600"},
    {"RPCMOV.32 R0, Rpc.LO", 120},
    {"RPCMOV.32 Rpc.LO, R0", 120},
    {"WARPSYNC R16", 80},
    {"WARPSYNC.COLLECTIVE R15, 0xcbd0"},
    {"YIELD", 75},
    {"WARPSYNC.ALL"},
    {"BREAK P1, B3", 80},
    {"BRA P1, 0x80"},
    {"BRA.DIV UR4, 0x80"},
    {"@!P1 BRA.DIV UR5, 0x990", 80},
    {"@P4 BRA.U 0x250", 75},
    {"BRA.U UP0, 0x180", 120},
    {"BRA.U !UP1, 0x180", 100},
    {"@P1 BRA.U.ANY 0x300"},
    {"BRX R4 -0x270"},
    {"BRXU UR4 -0x270", 120},
    {"JMP 0x180"},
    {"JMX R4 0x0"},
    {"CALL.REL.NOINC R2 0x0"},
    {"CALL.ABS.NOINC R6"},
    {"LEPC R8", 75},
    {"LEPC R20, 0x170"},
    {"EXIT P1"},
    {"EXIT.KEEPREFCOUNT", 120},
    {"KILL"},
    {"NANOSLEEP 0x64"},
    {"NANOSLEEP R14"},
    {"NANOSLEEP.WARP 0x64", 75},
    {"NANOSLEEP.SYNCS 0x989680"},
    {"ACQBULK"},
    {"PREEXIT"},
    {"CGAERRBAR"},
    {"USETMAXREG.DEALLOC.CTAPOOL 0x18"},
    {"USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xa0"},
    {"WARPSYNC 0xffffffff", 75},
    {"WARPSYNC.EXCLUSIVE R5", 120},
    {"WARPSYNC.COLLECTIVE.ALL 0x110"},
};

} // namespace

std::span<const Sample> controlSamples() {
  return kSamples;
}

} // namespace harness::sass::test
