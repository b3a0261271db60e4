#include "tests/sass/op_test.h"

#include <llvm/Support/FormatVariadic.h>

namespace harness::sass::test {

namespace {

constexpr unsigned kRecord = 8; ///< words of an input or output record
constexpr std::uint32_t kGuardBit = 0x100;
constexpr std::array<std::uint32_t, 4> kSentinels = {0xdead0020, 0xdead0021, 0xdead0022, 0xdead0023};

bool guardOf(std::size_t index) {
  return (index * 2654435761u >> 13 & 1) != 0;
}

std::vector<std::uint32_t> pack(const std::vector<LaneInput>& inputs) {
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    words.insert(words.end(), inputs[i].r.begin(), inputs[i].r.end());
    std::uint32_t bits = guardOf(i) ? kGuardBit : 0;
    for (unsigned p = 0; p < 4; ++p)
      bits |= std::uint32_t{inputs[i].p[p]} << p;
    words.push_back(bits);
    words.push_back(0);
  }
  return words;
}

std::string describe(const LaneOutput& output) {
  return llvm::formatv("{0:x8} {1:x8} {2:x8} {3:x8} {4}{5}", output.r[0], output.r[1], output.r[2],
                       output.r[3], output.p[0] ? 1 : 0, output.p[1] ? 1 : 0)
      .str();
}

std::string describe(const LaneInput& input) {
  std::string text;
  for (std::uint32_t word : input.r)
    text += llvm::formatv("{0:x8} ", word).str();
  for (bool p : input.p)
    text += p ? '1' : '0';
  return text;
}

/// How the program reads, guards and returns what `index` stands for.
struct Frame {
  bool uniform;

  std::string name(const char* kind, unsigned index) const {
    return (uniform ? "U" : "") + std::string(kind) + std::to_string(index);
  }
  std::string opcode(const char* name) const { return (uniform ? "U" : "") + std::string(name); }
  std::string zero() const { return uniform ? "URZ" : "RZ"; }
  std::string yes() const { return uniform ? "UPT" : "PT"; }

  /// Sets predicate `index` to (register & bits) != 0.
  std::string test(unsigned index, const std::string& source, std::uint32_t bits) const {
    return llvm::formatv("{0} {1}, {2}, {3}, {4:x}, {2}, 0xc0, !{5}", opcode("LOP3.LUT"), name("P", index),
                         zero(), source, bits, yes());
  }

  Assembly build(const OpCase& op, const std::string& guard, const std::vector<LaneInput>& inputs) const {
    Assembly a(op.sm);
    std::size_t records = inputs.size() * (uniform ? 32 : 1);
    a.buffer("in", pack(inputs)).buffer("out", std::vector<std::uint32_t>(records * kRecord));
    a.lines("S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nIMAD R0, R1, 0x20, R0");
    a.add(uniform ? "MOV R1, R1" : "MOV R1, R0"); // index of the input
    a.pointer(2, "in").pointer(4, "out");
    a.lines("IMAD.WIDE.U32 R2, R1, 0x20, R2\nIMAD.WIDE.U32 R4, R0, 0x20, R4");
    for (unsigned i = 0; i < 7; ++i)
      a.add(llvm::formatv("LDG.E R{0}, {1}", 10 + i, a.at(2, i * 4)));
    if (uniform)
      for (unsigned i = 0; i < 7; ++i)
        a.add(llvm::formatv("R2UR UR{0}, R{0}", 10 + i));
    for (unsigned p = 0; p < 4; ++p)
      a.add(test(p, name("R", 16), 1u << p));
    a.add(test(6, name("R", 16), kGuardBit));
    a.add(test(4, zero(), 1));
    a.add(opcode("LOP3.LUT ") + name("P", 5) + ", " + zero() + ", " + zero() + ", " + zero() + ", " + zero() +
          ", 0xff, !" + yes());
    for (unsigned i = 0; i < 4; ++i)
      a.add(llvm::formatv("{0} {1}, {2:x}", opcode("MOV"), name("R", 20 + i), kSentinels[i]));
    a.add(guard + op.text, op.immediate);
    a.add(opcode("SEL ") + name("R", 24) + ", " + zero() + ", 0x1, !" + name("P", 4));
    a.add(opcode("SEL ") + name("R", 25) + ", " + zero() + ", 0x2, !" + name("P", 5));
    a.add(opcode("LOP3.LUT ") + name("R", 24) + ", " + name("R", 24) + ", " + name("R", 25) + ", " + zero() +
          ", 0xfc, !" + yes());
    for (unsigned i = 0; i < 5; ++i) {
      if (uniform) a.add(llvm::formatv("MOV R{0}, UR{0}", 20 + i));
      a.add(llvm::formatv("STG.E {0}, R{1}", a.at(4, i * 4), 20 + i));
    }
    a.add("EXIT");
    return a;
  }
};

void check(const Frame& frame, const OpCase& op, std::vector<LaneInput> inputs) {
  if (!frame.uniform) inputs.resize((inputs.size() + 31) / 32 * 32);
  unsigned perInput = frame.uniform ? 32 : 1;
  const std::string p6 = frame.name("P", 6);
  for (const std::string& guard : {std::string(), "@" + p6 + " ", "@!" + p6 + " "}) {
    Assembly a = frame.build(op, guard, inputs);
    Launch launch;
    launch.block = {32, 1, 1};
    launch.grid = {static_cast<std::uint32_t>(inputs.size() * perInput / 32), 1, 1};
    ExecutionResult result = a.run(launch);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << guard << op.text << ": " << result.message;
    std::vector<std::uint32_t> words = a.words("out");
    unsigned wrong = 0;
    for (std::size_t i = 0; i < words.size() / kRecord; ++i) {
      const std::uint32_t* record = &words[i * kRecord];
      LaneOutput got{{record[0], record[1], record[2], record[3]},
                     {(record[4] & 1) != 0, (record[4] & 2) != 0}};
      std::size_t index = i / perInput;
      LaneOutput want = untouched();
      if (guard.empty() || guardOf(index) == (guard[1] != '!')) op.model(inputs[index], want);
      if (got == want) continue;
      if (++wrong > 5) break;
      ADD_FAILURE() << guard << op.text << "\n  input  " << describe(inputs[index]) << "\n  got    "
                    << describe(got) << "\n  wanted " << describe(want);
    }
  }
}

} // namespace

LaneOutput untouched() {
  return {kSentinels, {false, true}};
}

void checkLanes(const OpCase& op, const std::vector<LaneInput>& inputs) {
  check(Frame{false}, op, inputs);
}

void checkUniform(const OpCase& op, const std::vector<LaneInput>& inputs) {
  check(Frame{true}, op, inputs);
}

const std::vector<std::uint32_t>& integerEdges() {
  static const std::vector<std::uint32_t> kEdges = {
      0,          1,          2,          3,          5,          7,          8,          15,
      16,         17,         30,         31,         32,         33,         63,         64,
      65,         0x7f,       0x80,       0x81,       0xff,       0x100,      0x7fff,     0x8000,
      0x8001,     0xffff,     0x10000,    0x12345678, 0x3fffffff, 0x40000000, 0x7ffffffe, 0x7fffffff,
      0x80000000, 0x80000001, 0x87654321, 0xaaaaaaaa, 0xc0000000, 0xffff0000, 0xffff7fff, 0xffff8000,
      0xffffff80, 0xffffffe0, 0xfffffffe, 0xffffffff};
  return kEdges;
}

const std::vector<std::uint32_t>& fewIntegers() {
  static const std::vector<std::uint32_t> kEdges = {
      0,          1,          2,          31,         32,         33,         64,         0x8000,    0xffff,
      0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xdeadbeef, 0xffff8000, 0xfffffffe, 0xffffffff};
  return kEdges;
}

const std::vector<std::uint32_t>& floatEdges() {
  static const std::vector<std::uint32_t> kEdges = {
      0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
      0x00800001, 0x00ffffff, 0x01000000, 0x33000000, 0x337fffff, 0x33800000, 0x33800001, 0x34000000,
      0x387fc000, 0x387fe000, 0x38800000, 0x3e800000, 0x3effffff, 0x3f000000, 0xbf000000, 0x3f000001,
      0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x3fc00000, 0xbfc00000, 0x3fffffff, 0x40200000,
      0xc0200000, 0x40490fdb, 0x42fe0000, 0x43000000, 0x437f8000, 0x43800000, 0x477fe000, 0x477fefff,
      0x477ff000, 0x47800000, 0x4b000001, 0x4b7fffff, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001,
      0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0xdf000000, 0x5f800000, 0x7e800000, 0x7f000000,
      0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff,
      0xffffffff, 0x7fa5a5a5};
  return kEdges;
}

const std::vector<std::uint32_t>& fewFloats() {
  static const std::vector<std::uint32_t> kEdges = {
      0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x33800000,
      0x3f7fffff, 0x3f800000, 0xbf800001, 0x3fc00001, 0x4b7fffff, 0x5f123456,
      0xdf123457, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xff812345};
  return kEdges;
}

const std::vector<std::uint64_t>& wideEdges() {
  static const std::vector<std::uint64_t> kEdges = {0,
                                                    1,
                                                    0x7fffffff,
                                                    0x80000000,
                                                    0xffffffff,
                                                    0x100000000,
                                                    0x100000001,
                                                    0x123456789abcdef0,
                                                    0x7fffffff00000000,
                                                    0x7fffffffffffffff,
                                                    0x8000000000000000,
                                                    0x8000000000000001,
                                                    0xdeadbeefcafebabe,
                                                    0xffffffff00000000,
                                                    0xffffffff80000000,
                                                    0xfffffffffffffffe,
                                                    0xffffffffffffffff};
  return kEdges;
}

namespace {

/// All sixteen combinations, scattered: in step with the values they would miss some with equal ones.
void fillPredicates(std::vector<LaneInput>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (unsigned p = 0; p < 4; ++p)
      inputs[i].p[p] = (static_cast<std::uint32_t>(i * 0x9e3779b1u) >> (20 + p) & 1) != 0;
}

} // namespace

std::vector<LaneInput> pairs(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<LaneInput> inputs;
  for (std::uint32_t x : a)
    for (std::uint32_t y : b) {
      auto i = static_cast<std::uint32_t>(inputs.size());
      inputs.push_back({{x, y, a[i * 7 % a.size()], b[i * 11 % b.size()], i * 0x9e3779b9u, ~x}, {}});
    }
  fillPredicates(inputs);
  return inputs;
}

std::vector<LaneInput> triples(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                               const std::vector<std::uint32_t>& c) {
  std::vector<LaneInput> inputs;
  for (std::uint32_t x : a)
    for (std::uint32_t y : b)
      for (std::uint32_t z : c) {
        auto i = static_cast<std::uint32_t>(inputs.size());
        inputs.push_back({{x, y, z, a[i * 7 % a.size()], i * 0x9e3779b9u, ~x}, {}});
      }
  fillPredicates(inputs);
  return inputs;
}

std::vector<LaneInput> widePairs(const std::vector<std::uint64_t>& values) {
  std::vector<LaneInput> inputs;
  auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  for (std::uint64_t x : values)
    for (std::uint64_t y : values) {
      std::uint64_t z = values[inputs.size() * 5 % values.size()];
      inputs.push_back({{low(x), high(x), low(y), high(y), low(z), high(z)}, {}});
    }
  fillPredicates(inputs);
  return inputs;
}

} // namespace harness::sass::test
