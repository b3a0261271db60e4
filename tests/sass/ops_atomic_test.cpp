// Atomic operations against host formulas, one lane after the other.

#include "tests/sass/op_test.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/ADT/APFloat.h>
#include <llvm/Support/FormatVariadic.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <span>

namespace harness::sass::test {
namespace {

using testing::HasSubstr;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned kLaneCount = 32, kPlaces = 5; ///< several lanes meet at each place

/// What an operation leaves of `old`, both of `words` words.
using Model = std::function<void(std::span<u32> old, std::span<const u32> value)>;

struct AtomicCase {
  std::string form; ///< "ADD.F32.FTZ.RN"
  unsigned words;
  std::vector<u32> edges; ///< operands, word by word
  Model model;
  bool shared = false; ///< ATOMS has it too
};

// ---- formulas

Model on32(std::function<u32(u32, u32)> f) {
  return [f](std::span<u32> old, std::span<const u32> value) {
    for (std::size_t i = 0; i < old.size(); ++i)
      old[i] = f(old[i], value[i]);
  };
}

Model on64(std::function<u64(u64, u64)> f) {
  return [f](std::span<u32> old, std::span<const u32> value) {
    auto wide = [](std::span<const u32> w) { return w[0] | u64{w[1]} << 32; };
    u64 result = f(wide(old), wide(value));
    old[0] = static_cast<u32>(result);
    old[1] = static_cast<u32>(result >> 32);
  };
}

Model on16(std::function<u16(u16, u16)> f) {
  return on32([f](u32 old, u32 value) {
    u32 low = f(static_cast<u16>(old), static_cast<u16>(value));
    u32 high = f(static_cast<u16>(old >> 16), static_cast<u16>(value >> 16));
    return low | high << 16;
  });
}

u32 flushed(u32 bits) {
  return (bits >> 23 & 0xff) ? bits : bits & 0x80000000;
}

u32 addF32(u32 a, u32 b) {
  using llvm::APFloat, llvm::APInt;
  APFloat sum(APFloat::IEEEsingle(), APInt(32, flushed(a)));
  sum.add(APFloat(APFloat::IEEEsingle(), APInt(32, flushed(b))), APFloat::rmNearestTiesToEven);
  return sum.isNaN() ? 0x7fffffff : flushed(static_cast<u32>(sum.bitcastToAPInt().getZExtValue()));
}

u64 addF64(u64 a, u64 b) {
  using llvm::APFloat, llvm::APInt;
  APFloat sum(APFloat::IEEEdouble(), APInt(64, a));
  sum.add(APFloat(APFloat::IEEEdouble(), APInt(64, b)), APFloat::rmNearestTiesToEven);
  return sum.isNaN() ? 0xfff8000000000000 : sum.bitcastToAPInt().getZExtValue();
}

/// A 16-bit format with `fraction` bits, its value as a double: exact.
double narrowValue(u16 bits, unsigned fraction) {
  unsigned exponentBits = 15 - fraction, exponent = bits >> fraction & ((1u << exponentBits) - 1);
  unsigned mantissa = bits & ((1u << fraction) - 1);
  int bias = (1 << (exponentBits - 1)) - 1;
  double value = 0;
  if (exponent == (1u << exponentBits) - 1)
    value = mantissa ? std::nan("") : HUGE_VAL;
  else if (exponent == 0)
    value = std::ldexp(mantissa, 1 - bias - static_cast<int>(fraction));
  else
    value = std::ldexp(mantissa + (1u << fraction),
                       static_cast<int>(exponent) - bias - static_cast<int>(fraction));
  return bits >> 15 ? -value : value;
}

/// The nearest of the format, ties to even: by trying all positive ones' neighbours in order.
u16 narrowBits(double value, unsigned fraction) {
  if (std::isnan(value)) return 0x7fff;
  u16 sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  u32 infinity = ((1u << (15 - fraction)) - 1) << fraction;
  // The largest that is not greater.
  u32 low = 0, high = infinity;
  while (high - low > 1) {
    u32 middle = (low + high) / 2;
    (narrowValue(static_cast<u16>(middle), fraction) <= magnitude ? low : high) = middle;
  }
  if (magnitude >= HUGE_VAL) return static_cast<u16>(sign | infinity);
  double below = narrowValue(static_cast<u16>(low), fraction);
  double above = low + 1 == infinity ? below + (below - narrowValue(static_cast<u16>(low - 1), fraction))
                                     : narrowValue(static_cast<u16>(low + 1), fraction);
  double toLow = magnitude - below, toHigh = above - magnitude;
  bool up = toHigh < toLow || (toHigh == toLow && (low & 1));
  return static_cast<u16>(sign | (low + up));
}

std::function<u16(u16, u16)> addNarrow(unsigned fraction) {
  return [fraction](u16 a, u16 b) {
    // Exact, or so far apart that the smaller one decides nothing.
    return narrowBits(narrowValue(a, fraction) + narrowValue(b, fraction), fraction);
  };
}

/// Order of sign and magnitude, -0 before +0; a NaN gives way.
std::function<u16(u16, u16)> pickNarrow(unsigned fraction, bool smaller) {
  return [=](u16 a, u16 b) -> u16 {
    bool aNan = std::isnan(narrowValue(a, fraction)), bNan = std::isnan(narrowValue(b, fraction));
    if (aNan && bNan) return 0x7fff;
    if (aNan || bNan) return aNan ? b : a;
    auto rank = [](u16 x) { return x & 0x8000 ? -1 - (x & 0x7fff) : x & 0x7fff; };
    return (rank(a) < rank(b)) == smaller ? a : b;
  };
}

// ---- inputs

std::vector<u32> packedEdges(unsigned fraction) {
  u16 one = static_cast<u16>(((1u << (14 - fraction)) - 1) << fraction),
      infinity = static_cast<u16>(0x7fff >> fraction << fraction);
  std::vector<u16> edges = {0, 1, 2, one, infinity, 0x7fff};
  for (u16 near :
       {one, infinity, static_cast<u16>(1u << fraction), static_cast<u16>(one + (11u << fraction))})
    for (int step : {-2, -1, 1})
      edges.push_back(static_cast<u16>(near + step));
  for (std::size_t i = edges.size(); i-- > 0;)
    edges.push_back(static_cast<u16>(edges[i] | 0x8000));
  std::vector<u32> packed;
  for (std::size_t i = 0; i < edges.size(); ++i)
    packed.push_back(edges[i] | u32{edges[(i * 7 + 3) % edges.size()]} << 16);
  return packed;
}

std::vector<u32> doubleEdges() {
  std::vector<u32> words;
  for (double value :
       {0.0, 1.0, 3.0, 0x1p-53, 0x1.fffffffffffffp1023, 0x1p-1074, 0x1p-1022, 1e16, HUGE_VAL, std::nan("")})
    for (double one : {value, -value}) {
      u64 bits = std::bit_cast<u64>(one);
      words.push_back(static_cast<u32>(bits));
      words.push_back(static_cast<u32>(bits >> 32));
    }
  return words;
}

std::vector<AtomicCase> atomicCases() {
  const std::vector<u32>& integers = integerEdges();
  std::vector<AtomicCase> cases;
  auto sum32 = on32([](u32 a, u32 b) { return static_cast<u32>(u64{a} + b); });
  auto sum64 = on64([](u64 a, u64 b) { return static_cast<u64>(static_cast<unsigned __int128>(a) + b); });
  cases.push_back({"ADD", 1, integers, sum32, true});
  cases.push_back({"ADD.S32", 1, integers, sum32, true});
  cases.push_back({"ADD.64", 2, integers, sum64});
  cases.push_back({"MIN", 1, integers, on32([](u32 a, u32 b) { return a < b ? a : b; }), true});
  cases.push_back({"MAX", 1, integers, on32([](u32 a, u32 b) { return a < b ? b : a; }), true});
  auto less32 = [](u32 a, u32 b) { return (a ^ 0x80000000) < (b ^ 0x80000000); };
  cases.push_back({"MIN.S32", 1, integers, on32([=](u32 a, u32 b) { return less32(a, b) ? a : b; }), true});
  cases.push_back({"MAX.S32", 1, integers, on32([=](u32 a, u32 b) { return less32(a, b) ? b : a; }), true});
  cases.push_back({"MIN.64", 2, integers, on64([](u64 a, u64 b) { return a < b ? a : b; })});
  cases.push_back({"MAX.64", 2, integers, on64([](u64 a, u64 b) { return a < b ? b : a; })});
  auto less64 = [](u64 a, u64 b) { return (a ^ u64{1} << 63) < (b ^ u64{1} << 63); };
  cases.push_back({"MIN.S64", 2, integers, on64([=](u64 a, u64 b) { return less64(a, b) ? a : b; })});
  cases.push_back({"MAX.S64", 2, integers, on64([=](u64 a, u64 b) { return less64(a, b) ? b : a; })});
  cases.push_back({"INC", 1, integers, on32([](u32 a, u32 b) { return a >= b ? 0 : a + 1; }), true});
  cases.push_back({"DEC", 1, integers, on32([](u32 a, u32 b) { return a == 0 || a > b ? b : a - 1; }), true});
  cases.push_back({"AND", 1, integers, on32([](u32 a, u32 b) { return ~(~a | ~b); }), true});
  cases.push_back({"OR", 1, integers, on32([](u32 a, u32 b) { return ~(~a & ~b); }), true});
  cases.push_back({"XOR", 1, integers, on32([](u32 a, u32 b) { return (a | b) - (a & b); }), true});
  cases.push_back({"AND.64", 2, integers, on64([](u64 a, u64 b) { return ~(~a | ~b); })});
  cases.push_back({"OR.64", 2, integers, on64([](u64 a, u64 b) { return ~(~a & ~b); })});
  cases.push_back({"XOR.64", 2, integers, on64([](u64 a, u64 b) { return (a | b) - (a & b); })});
  cases.push_back({"EXCH", 1, integers, on32([](u32, u32 b) { return b; }), true});
  cases.push_back({"EXCH.64", 2, integers, on64([](u64, u64 b) { return b; }), true});
  cases.push_back({"EXCH.128", 4, integers, on32([](u32, u32 b) { return b; })});
  for (unsigned words : {1u, 2u, 4u})
    cases.push_back({words == 1 ? "ADD.F32.FTZ.RN" : llvm::formatv("ADD.F32x{0}.FTZ.RN", words).str(), words,
                     floatEdges(), on32(addF32)});
  cases.push_back({"ADD.F64.RN", 2, doubleEdges(), on64(addF64)});
  for (unsigned words : {1u, 2u, 4u})
    for (const char* format : {"F16", "BF16"}) {
      unsigned fraction = *format == 'F' ? 10 : 7;
      std::string type = llvm::formatv(".{0}x{1}.RN", format, 2 * words).str();
      cases.push_back({"ADD" + type, words, packedEdges(fraction), on16(addNarrow(fraction))});
      // Which NaN, which zero: as PTX has it for min and max; not seen on hardware.
      cases.push_back({"MIN" + type, words, packedEdges(fraction), on16(pickNarrow(fraction, true))});
      cases.push_back({"MAX" + type, words, packedEdges(fraction), on16(pickNarrow(fraction, false))});
    }
  return cases;
}

/// `count` groups of four words from a list, starting at `from`.
std::vector<u32> groups(const std::vector<u32>& edges, unsigned words, unsigned count, std::size_t from) {
  std::vector<u32> values;
  for (unsigned i = 0; i < count; ++i)
    for (unsigned w = 0; w < 4; ++w)
      values.push_back(w < words ? edges[((from + i) * words + w) % edges.size()] : 0);
  return values;
}

/// What the places hold afterwards, then what each lane got back.
struct Outcome {
  std::vector<u32> memory, old;
  bool operator==(const Outcome&) const = default;
};

Outcome expected(const AtomicCase& atomic, std::vector<u32> memory, const std::vector<u32>& values) {
  Outcome outcome;
  for (unsigned lane = 0; lane < kLaneCount; ++lane) {
    std::span<u32> place = std::span(memory).subspan(4 * (lane % kPlaces), 4);
    for (unsigned w = 0; w < 4; ++w)
      outcome.old.push_back(w < atomic.words ? place[w] : 0x5a5a5a5a);
    atomic.model(place.first(atomic.words), std::span(values).subspan(4 * lane, atomic.words));
  }
  outcome.memory = memory;
  return outcome;
}

constexpr const char* kPrologue = R"(
    S2R R0, SR_TID.X
    IMAD.WIDE.U32 R4, R0, 0x10, R4
    LDG.E.128 R8, desc[UR4][R4.64]
    IMAD.HI.U32 R20, R0, 0x33333334, RZ
    IMAD R20, R20, -0x5, R0
    IMAD.WIDE.U32 R18, R20, 0x10, R2
    IMAD.WIDE.U32 R6, R0, 0x10, R6
    MOV R12, 0x5a5a5a5a
    MOV R13, 0x5a5a5a5a
    MOV R14, 0x5a5a5a5a
    MOV R15, 0x5a5a5a5a)";

/// Executes `lines` for a warp: lane i has its value in R8…R11, the address of place i % 5 in R18 and R19,
/// the place's number in R20, and leaves what it got back in R12…R15.
Outcome execute(const std::vector<u32>& memory, const std::vector<u32>& values, const std::string& lines) {
  Assembly a;
  a.buffer("memory", memory).buffer("values", values).buffer("old", std::vector<u32>(4 * kLaneCount));
  a.kernel.staticShared = 0x400 + 16 * kPlaces;
  a.pointer(2, "memory").pointer(4, "values").pointer(6, "old");
  a.lines(kPrologue).lines(lines).add("STG.E.128 desc[UR4][R6.64], R12").add("EXIT");
  ExecutionResult result = a.run(kLaneCount);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << lines << result.message;
  return {a.words("memory"), a.words("old")};
}

/// Around an operation on shared memory at [R21]: the places are copied there and back.
std::string inShared(const std::string& lines) {
  return "IMAD R21, R20, 0x10, RZ\nIADD3 R21, R21, 0x400, RZ\nLDG.E.128 R24, desc[UR4][R18.64]\n"
         "STS.128 [R21], R24\n" +
         lines + "\nLDS.128 R24, [R21]\nSTG.E.128 desc[UR4][R18.64], R24";
}

TEST(SassAtomic, EveryOperation) {
  for (const AtomicCase& atomic : atomicCases())
    for (std::size_t from = 0; from < atomic.edges.size(); from += 3) {
      std::vector<u32> memory = groups(atomic.edges, atomic.words, kPlaces, from);
      std::vector<u32> values = groups(atomic.edges, atomic.words, kLaneCount, from / 3 * 5);
      Outcome want = expected(atomic, memory, values), silent = want;
      std::fill(silent.old.begin(), silent.old.end(), 0x5a5a5a5a);
      std::string form = ".E." + atomic.form + ".STRONG.GPU ";
      EXPECT_EQ(execute(memory, values, "ATOMG" + form + "PT, R12, desc[UR4][R18.64], R8"), want) << form;
      EXPECT_EQ(execute(memory, values, "ATOM" + form + "PT, R12, desc[UR4][R18.64], R8"), want) << form;
      if (!atomic.form.starts_with("EXCH")) {
        EXPECT_EQ(execute(memory, values, "REDG" + form + "desc[UR4][R18.64], R8"), silent) << form;
      }
      if (atomic.shared) {
        EXPECT_EQ(execute(memory, values, inShared("ATOMS." + atomic.form + " R12, [R21], R8")), want)
            << form;
      }
      ASSERT_FALSE(testing::Test::HasFailure());
    }
}

/// Half of the lanes find what they expect, first of all those that come first.
TEST(SassAtomic, CompareAndSwap) {
  for (unsigned words : {1u, 2u, 4u}) {
    std::string size = words == 1 ? "" : words == 2 ? ".64" : ".128";
    std::vector<u32> memory, values;
    for (u32 i = 0; i < 4 * kPlaces; ++i)
      memory.push_back(0x80000000 + i);
    // Lanes 0…4 expect what is there; of the others, every second expects what the lane before it stored.
    for (u32 lane = 0; lane < kLaneCount; ++lane)
      for (u32 w = 0; w < 4; ++w)
        values.push_back(lane < kPlaces   ? memory[4 * lane + w]
                         : lane % 2       ? 0x1000 * (lane - kPlaces) + w
                         : w + 1 == words ? ~0u // differs in its last word only
                                          : 0x1000 * (lane - kPlaces) + w);
    AtomicCase atomic{"", words, {}, {}};
    Outcome want;
    std::vector<u32> after = memory;
    std::vector<u32> done;
    for (u32 lane = 0; lane < kLaneCount; ++lane) {
      u32* place = &after[4 * (lane % kPlaces)];
      for (u32 w = 0; w < 4; ++w)
        want.old.push_back(w < words ? place[w] : 0x5a5a5a5a);
      bool equal = std::equal(place, place + words, &values[4 * lane]);
      for (u32 w = 0; equal && w < words; ++w)
        place[w] = 0x1000 * lane + w;
      done.push_back(equal);
    }
    want.memory = after;
    EXPECT_THAT(done, testing::Contains(0u));
    EXPECT_EQ(std::count(done.begin(), done.end(), 1u), 8);
    std::string store = "IMAD R24, R0, 0x1000, RZ\nIADD3 R25, R24, 0x1, RZ\nIADD3 R26, R24, 0x2, RZ\n"
                        "IADD3 R27, R24, 0x3, RZ\n";
    EXPECT_EQ(execute(memory, values, store + "ATOMG.E.CAS" + size + ".STRONG.GPU PT, R12, [R18], R8, R24"),
              want);
    EXPECT_EQ(execute(memory, values, store + "ATOM.E.CAS" + size + ".STRONG.SYS PT, R12, [R18], R8, R24"),
              want);
    // Copies the place's words into R28…R31 first, as R24… are in use.
    std::string copy =
        "IMAD R21, R20, 0x10, RZ\nIADD3 R21, R21, 0x400, RZ\nLDG.E.128 R28, desc[UR4][R18.64]\n"
        "STS.128 [R21], R28\n";
    std::string back = "\nLDS.128 R28, [R21]\nSTG.E.128 desc[UR4][R18.64], R28";
    EXPECT_EQ(execute(memory, values, store + copy + "ATOMS.CAS" + size + " R12, [R21], R8, R24" + back),
              want);
    if (words > 2) continue;
    Outcome tried = want;
    for (u32 lane = 0; lane < kLaneCount; ++lane)
      for (u32 w = 0; w < words; ++w)
        tried.old[4 * lane + w] = w == 0 ? done[lane] : 0;
    EXPECT_EQ(
        execute(memory, values, store + copy + "ATOMS.CAST.SPIN" + size + " R12, [R21], R8, R24" + back),
        tried);
    EXPECT_EQ(execute(memory, values, store + "ATOM.E.CAST.SPIN" + size + " PT, R12, [R18], R8, R24"), tried);
    for (u32 lane = 0; lane < kLaneCount; ++lane)
      for (u32 w = 1; w < 4; ++w)
        tried.old[4 * lane + w] = 0x5a5a5a5a;
    EXPECT_EQ(execute(memory, values,
                      store + copy + "ATOMS.CAST.SPIN" + size + " P0, [R21], R8, R24\nSEL R12, RZ, 0x1, !P0" +
                          back),
              tried);
  }
}

/// The loop that ptxas makes of an addition that shared memory has not: every lane gets its turn.
TEST(SassAtomic, SpinLoop) {
  std::vector<u32> memory(4 * kPlaces), values;
  for (u32 lane = 0; lane < kLaneCount; ++lane)
    values.insert(values.end(), {lane + 1, 0, 0, 0});
  Assembly a;
  a.buffer("memory", memory).buffer("values", values).buffer("old", std::vector<u32>(4 * kLaneCount));
  a.kernel.staticShared = 0x400 + 16 * kPlaces;
  a.pointer(2, "memory").pointer(4, "values").pointer(6, "old").lines(kPrologue);
  a.lines(inShared(R"(
    BSSY B0, {done}
    again:
    LDS R22, [R21]
    IADD3 R23, R22, R8, RZ
    ATOMS.CAST.SPIN R23, [R21], R22, R23
    ISETP.EQ.U32.AND P0, PT, R23, 0x1, PT
    @!P0 BRA {again}
    BSYNC B0
    done:
    MOV R12, R22)"));
  a.add("STG.E.128 desc[UR4][R6.64], R12").add("EXIT");
  ExecutionResult result = a.run(kLaneCount);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  for (u32 place = 0; place < kPlaces; ++place) {
    u32 sum = 0;
    for (u32 lane = place; lane < kLaneCount; lane += kPlaces)
      sum += lane + 1;
    EXPECT_EQ(a.words("memory")[4 * place], sum);
  }
}

TEST(SassAtomic, CountsLanes) {
  std::vector<u32> memory = {7, 0, 0, 0, 0xffffffff, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
  Outcome got = execute(memory, std::vector<u32>(4 * kLaneCount),
                        inShared("UMOV UR6, 0x4\nIADD3 R22, R21, -0x4, RZ\nATOMS.POPC.INC.32 RZ, [R22+UR6]"));
  for (u32 place = 0; place < kPlaces; ++place)
    EXPECT_EQ(got.memory[4 * place], memory[4 * place] + (place < 2 ? 7 : 6));
}

/// Arithmetic with a predicate says where it did what it does: in global memory. Without one, it does it in
/// shared memory too.
TEST(SassAtomic, GenericPointers) {
  for (bool partial : {true, false}) {
    Assembly a;
    a.buffer("out", {5, 0, 0, 0, 0, 0}).pointer(4, "out");
    a.kernel.staticShared = 0x410;
    a.lines(R"(
      S2R R0, SR_TID.X
      ISETP.EQ.AND P1, PT, R0, RZ, PT
      MOV R8, 0x408
      S2R R9, SR_SWINHI
      MOV R10, 0x64
      STS [RZ+0x408], R10
      SEL R8, R4, R8, P1
      SEL R9, R5, R9, P1
      IADD3 R11, R0, 0x10, RZ
      MOV R12, 0x7)");
    a.add(
        llvm::formatv("ATOM.E.ADD.STRONG.GPU {0}, R12, desc[UR4][R8.64], R11", partial ? "P0" : "PT").str());
    a.lines(R"(
      SEL R13, RZ, 0x1, !P0
      IMAD.WIDE.U32 R6, R0, 0x8, R4
      STG.E.64 desc[UR4][R6.64+0x8], R12
      LDS R14, [RZ+0x408]
      STG.E desc[UR4][R4.64+0x4], R14
      EXIT)");
    ExecutionResult result = a.run(2);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    std::vector<u32> out = a.words("out");
    EXPECT_EQ(out[0], 5u + 0x10);
    EXPECT_EQ(out[1], partial ? 0x64u : 0x64u + 0x11);
    EXPECT_EQ(out[2], 5u);
    EXPECT_EQ(out[4], partial ? 7u : 0x64u);
    if (!partial) continue;
    EXPECT_EQ(out[3], 1u);
    EXPECT_EQ(out[5], 0u);
  }
}

/// Swaps and exchanges with a predicate reach shared memory too: what ptxas puts behind them, a plain load
/// and store, is atomic for local memory alone.
TEST(SassAtomic, GenericSwapsReachSharedMemory) {
  for (const char* text : {"ATOM.E.CAS.64.STRONG.GPU P0, R12, [R8], R10, R14",
                           "ATOM.E.EXCH.64.STRONG.GPU P0, R12, desc[UR4][R8.64], R14"}) {
    Assembly a;
    a.buffer("out", std::vector<u32>(8)).pointer(4, "out");
    a.kernel.staticShared = 0x410;
    a.lines(R"(
      S2R R0, SR_TID.X
      ISETP.EQ.AND P1, PT, R0, RZ, PT
      MOV R10, 0x64
      MOV R11, RZ
      STS.64 [RZ+0x408], R10
      MOV R8, 0x408
      S2R R9, SR_SWINHI
      MOV R16, RZ
      LDC R17, c[0x0][0x24]
      SEL R8, R8, R16, P1
      SEL R9, R9, R17, P1
      MOV R12, 0x7
      IADD3 R14, R0, 0x10, RZ
      MOV R15, RZ)");
    a.add(text);
    a.lines(R"(
      SEL R13, RZ, 0x1, !P0
      IMAD.WIDE.U32 R6, R0, 0x8, R4
      STG.E.64 desc[UR4][R6.64+0x8], R12
      LDS R18, [RZ+0x408]
      STG.E desc[UR4][R4.64], R18
      EXIT)");
    ExecutionResult result = a.run(2);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << text << ": " << result.message;
    std::vector<u32> out = a.words("out");
    EXPECT_EQ(out[0], 0x10u) << text; // of thread 0, in shared memory
    EXPECT_EQ(out[2], 0x64u) << text;
    EXPECT_EQ(out[3], 1u) << text;
    EXPECT_EQ(out[4], 7u) << text; // thread 1's local memory is left to the code behind
    EXPECT_EQ(out[5], 0u) << text;
  }
}

TEST(SassAtomic, Faults) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"ATOMG.E.ADD.STRONG.GPU PT, R12, desc[UR4][R4.64+0x10], R8", "past the end of 'out'"},
      {"ATOMG.E.ADD.64.STRONG.GPU PT, R12, desc[UR4][R4.64+0x4], R8", "misaligned 8-byte access"},
      {"REDG.E.ADD.F16x8.RN.STRONG.GPU desc[UR4][R4.64+0x8], R8", "misaligned 16-byte access"},
      {"ATOMS.ADD R12, [R10], R8", "outside 0x400…0x408"},
      {"ATOMS.CAS.64 R12, [RZ+0x404], R8, R8", "misaligned 8-byte access to shared"},
      {"ATOM.E.ADD.STRONG.GPU PT, R12, desc[UR4][R14.64], R8", "atomic operation on local memory"},
  };
  for (const auto& one : kCases) {
    Assembly a;
    a.buffer("out", std::vector<u32>(4)).pointer(4, "out");
    a.kernel.staticShared = 0x408;
    a.lines("MOV R10, 0x408\nMOV R14, RZ\nLDC R15, c[0x0][0x24]").add(one.text).add("EXIT");
    ExecutionResult result = a.run(1);
    EXPECT_EQ(result.end, ExecutionEnd::Fault) << one.text;
    EXPECT_THAT(result.message, HasSubstr(one.message)) << one.text;
  }
}

} // namespace
} // namespace harness::sass::test
