#include "harness/sass/lanes.h"

#include <bit>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;

// ---- special registers

struct SpecialRegister {
  std::string_view name;
  u32 (*read)(const Warp& warp, unsigned lane);
};

u32 threadIndex(const Warp& w, unsigned lane) {
  return w.index * kLanes + lane;
}

constexpr SpecialRegister kSpecialRegisters[] = {
    {"SR_TID.X",
     [](const Warp& w, unsigned lane) { return threadIndex(w, lane) % w.machine.launch.block[0]; }},
    {"SR_TID.Y",
     [](const Warp& w, unsigned lane) {
       return threadIndex(w, lane) / w.machine.launch.block[0] % w.machine.launch.block[1];
     }},
    {"SR_TID.Z",
     [](const Warp& w, unsigned lane) {
       return threadIndex(w, lane) / (w.machine.launch.block[0] * w.machine.launch.block[1]);
     }},
    {"SR_CTAID.X", [](const Warp& w, unsigned) { return w.block.index[0]; }},
    {"SR_CTAID.Y", [](const Warp& w, unsigned) { return w.block.index[1]; }},
    {"SR_CTAID.Z", [](const Warp& w, unsigned) { return w.block.index[2]; }},
    {"SR_LANEID", [](const Warp&, unsigned lane) { return lane; }},
    {"SR_EQMASK", [](const Warp&, unsigned lane) { return u32{1} << lane; }},
    {"SR_LTMASK", [](const Warp&, unsigned lane) { return (u32{1} << lane) - 1; }},
    {"SR_LEMASK", [](const Warp&, unsigned lane) { return ~u32{0} >> (31 - lane); }},
    {"SR_GTMASK", [](const Warp&, unsigned lane) { return ~(~u32{0} >> (31 - lane)); }},
    {"SR_GEMASK", [](const Warp&, unsigned lane) { return ~u32{0} << lane; }},
    // The lowest stack address; -O0 code traps when its stack pointer is below.
    {"SR_LMEMHIOFF", [](const Warp&, unsigned) { return u32{0}; }},
    {"SR_CgaCtaId", [](const Warp&, unsigned) { return u32{0}; }}, // clusters of one block only
    {"SR_SWINHI", [](const Warp&, unsigned) { return static_cast<u32>(kSharedWindow >> 32); }},
    {"SRZ", [](const Warp&, unsigned) { return u32{0}; }},
};

void bindReadSpecial(Binder& b, Destination destination) {
  b.op.dst = destination;
  const TextOperand* operand = b.any();
  if (!operand || operand->kind != OperandKind::Special) return b.refuse();
  u32 place = 0;
  for (const SpecialRegister& special : kSpecialRegisters) {
    if (special.name == operand->text) break;
    ++place;
  }
  if (place == std::size(kSpecialRegisters)) return b.refuse();
  b.op.option[0] = place;
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes out;
    for (unsigned i = 0; i < kLanes; ++i)
      out.v[i] = kSpecialRegisters[op.option[0]].read(w, i);
    w.write(op.dst, out.v, mask);
  };
}

void bindS2r(Binder& b) {
  bindReadSpecial(b, b.destination());
}

void bindS2ur(Binder& b) {
  bindReadSpecial(b, b.uniformDestination());
}

/// R2UR: the value of the lowest active lane.
void bindR2ur(Binder& b) {
  b.op.dst = b.uniformDestination();
  b.op.src[0] = b.integer();
  if (b.op.src[0].kind != Source::Kind::Register || b.op.src[0].transform != Transform::None) b.refuse();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes scratch;
    w.write(op.dst, w.fetch(op.src[0], scratch), mask);
  };
}

// ---- shuffle

enum : u32 { kIndex, kUp, kDown, kButterfly };

/// Where `lane` reads from; `inRange` is the predicate result. Third operand: clamp in bits 4:0, segment mask
/// in bits 12:8, as PTX shfl has them.
unsigned shuffleSource(u32 mode, unsigned lane, u32 amount, u32 control, bool& inRange) {
  u32 segment = control >> 8 & 0x1f, clamp = control & 0x1f;
  u32 lowest = lane & segment;
  u32 limit = lowest | (clamp & ~segment);
  amount &= 0x1f;
  std::int32_t from = 0;
  switch (mode) {
  case kIndex: from = static_cast<std::int32_t>(lowest | (amount & ~segment)); break;
  case kUp: from = static_cast<std::int32_t>(lane) - static_cast<std::int32_t>(amount); break;
  case kDown: from = static_cast<std::int32_t>(lane + amount); break;
  default: from = static_cast<std::int32_t>(lane ^ amount); break;
  }
  inRange = mode == kUp ? from >= static_cast<std::int32_t>(limit) : from <= static_cast<std::int32_t>(limit);
  return inRange ? static_cast<unsigned>(from) : lane;
}

void bindShfl(Binder& b) {
  unsigned mode = b.choice({"IDX", "UP", "DOWN", "BFLY"}, 4);
  if (mode == 4) b.refuse();
  b.op.option[0] = mode;
  b.op.pdst[0] = b.predicateDestination();
  b.op.dst = b.destination();
  for (Source& source : std::span(b.op.src, 3))
    source = b.integer();
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    Lanes s0, s1, s2, out;
    const u32* value = w.fetch(op.src[0], s0);
    const u32* amount = w.fetch(op.src[1], s1);
    const u32* control = w.fetch(op.src[2], s2);
    u32 poison = 0;
    std::memset(&poison, static_cast<int>(w.machine.options.poison), sizeof poison);
    LaneMask inRangeMask = 0;
    for (unsigned i = 0; i < kLanes; ++i) {
      bool inRange = false;
      unsigned from = shuffleSource(op.option[0], i, amount[i], control[i], inRange);
      inRangeMask |= LaneMask{inRange} << i;
      // What a lane that does not take part would give is undefined.
      out.v[i] = (mask >> from & 1) ? value[from] : poison;
    }
    w.write(op.dst, out.v, mask);
    w.write(op.pdst[0], inRangeMask, mask);
  };
}

constexpr OpcodeRow kRows[] = {{"S2R", bindS2r}, {"S2UR", bindS2ur}, {"R2UR", bindR2ur}, {"SHFL", bindShfl}};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::warpOpcodes() {
  return kRows;
}

} // namespace harness::sass
