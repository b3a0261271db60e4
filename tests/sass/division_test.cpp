// Division and square root as ptxas writes them, around an approximate MUFU: they round correctly whatever
// the approximation gives within an ulp. data/division_sm*.txt are rcp, div and sqrt of f32 in every
// rounding, those of f64, and integer division and remainder, compiled by ptxas -O3 (11.8.89 for sm_90,
// 13.5.37 for sm_75 and sm_120) from PTX of a line each; a line is the upper half of the
// instruction's first word and what nvdisasm prints.

#include "tests/sass/op_test.h"
#include "tests/sass/soft_float.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace harness::sass::test {
namespace {

using llvm::APFloat;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct Listed {
  std::string name;
  unsigned words = 1; ///< of an operand
  std::vector<std::pair<u32, std::string>> lines;
};

struct File {
  unsigned sm = 0;
  std::vector<Listed> kernels;
};

std::vector<File> files() {
  std::vector<File> all;
  for (const auto& entry : std::filesystem::directory_iterator(SASS_TEST_DATA)) {
    std::string stem = entry.path().stem();
    if (!stem.starts_with("division_sm")) continue;
    File& file = all.emplace_back();
    file.sm = static_cast<unsigned>(std::stoul(stem.substr(11)));
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("kernel ")) {
        Listed& kernel = file.kernels.emplace_back();
        std::istringstream(line.substr(7)) >> kernel.name >> kernel.words;
      } else {
        file.kernels.back().lines.emplace_back(static_cast<u32>(std::stoul(line.substr(0, 8), nullptr, 16)),
                                               line.substr(9));
      }
    }
  }
  return all;
}

/// a, b → result.
using Reference = u64 (*)(u64 a, u64 b);

template <Mode M> u64 divide32(u64 a, u64 b) {
  APFloat value = single(static_cast<u32>(a));
  value.divide(single(static_cast<u32>(b)), M);
  return resultBits(value);
}
template <Mode M> u64 reciprocal32(u64 a, u64) {
  return divide32<M>(0x3f800000, a);
}

/// The root of an f32, rounded: the one of neighbouring floats whose square lies on the asked side.
template <Mode M> u64 root32(u64 a, u64) {
  APFloat x = single(static_cast<u32>(a));
  if (x.isZero()) return a;
  if (x.isNaN() || x.isNegative()) return 0x7fffffff;
  if (x.isInfinity()) return a;
  auto squareExceeds = [&x](u32 bits, bool halfUp) { // is (value + half an ulp)² > x, exactly?
    APFloat root = converted(single(bits), APFloat::IEEEquad());
    if (halfUp) {
      APFloat next = converted(single(bits + 1), APFloat::IEEEquad());
      root.add(next, kNearest);
      root.multiply(converted(APFloat(0.5f), APFloat::IEEEquad()), kNearest);
    }
    root.multiply(root, kNearest);
    return root > converted(x, APFloat::IEEEquad());
  };
  u32 low = 0, high = 0x7f7fffff; // the greatest float whose square does not exceed x
  while (low < high) {
    u32 middle = low + (high - low + 1) / 2;
    if (squareExceeds(middle, false))
      high = middle - 1;
    else
      low = middle;
  }
  APFloat square = converted(single(low), APFloat::IEEEquad());
  square.multiply(square, kNearest);
  bool exact = square == converted(x, APFloat::IEEEquad());
  if (M == kUp) return exact ? low : low + 1;
  if (M == kNearest) return squareExceeds(low, true) ? low : low + 1;
  return low;
}

u64 divide64(u64 a, u64 b) {
  APFloat value = twice(a);
  value.divide(twice(b), kNearest);
  return value.isNaN() ? 0 : value.bitcastToAPInt().getZExtValue();
}
u64 reciprocal64(u64 a, u64) {
  return divide64(0x3ff0000000000000, a);
}
u64 root64(u64 a, u64) {
  double root = std::sqrt(std::bit_cast<double>(a));
  return std::isnan(root) ? 0 : std::bit_cast<u64>(root);
}

const std::map<std::string, Reference>& references() {
  static const std::map<std::string, Reference> kReferences = {
      {"div_rn_f32", divide32<kNearest>},
      {"div_rm_f32", divide32<kDown>},
      {"div_rp_f32", divide32<kUp>},
      {"div_rz_f32", divide32<kZero>},
      {"rcp_rn_f32", reciprocal32<kNearest>},
      {"rcp_rm_f32", reciprocal32<kDown>},
      {"rcp_rp_f32", reciprocal32<kUp>},
      {"rcp_rz_f32", reciprocal32<kZero>},
      {"sqrt_rn_f32", root32<kNearest>},
      {"sqrt_rm_f32", root32<kDown>},
      {"sqrt_rp_f32", root32<kUp>},
      {"sqrt_rz_f32", root32<kZero>},
      {"div_rn_f64", divide64},
      {"rcp_rn_f64", reciprocal64},
      {"sqrt_rn_f64", root64},
      {"div_u32", [](u64 a, u64 b) { return b ? a / b : 0xffffffffu; }},
      {"rem_u32", [](u64 a, u64 b) { return b ? a % b : a; }},
      {"div_s32",
       [](u64 a, u64 b) {
         auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
         return u64{static_cast<u32>(std::int64_t{x} / y)};
       }},
      {"rem_s32",
       [](u64 a, u64 b) {
         auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
         return u64{static_cast<u32>(std::int64_t{x} % y)};
       }},
      {"div_u64", [](u64 a, u64 b) { return a / b; }},
      {"rem_s64",
       [](u64 a, u64 b) {
         auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
         return static_cast<u64>(static_cast<__int128>(x) % y);
       }},
  };
  return kReferences;
}

/// Pairs that hurt: edges, and numbers scattered over all exponents and over mantissas near 1, 2 and the
/// middle. Integers are not divided by zero.
std::vector<u64> operands(const Listed& kernel) {
  bool isFloat = kernel.name.find("_r") != std::string::npos;
  std::vector<u64> values;
  u64 state = 0x9e3779b97f4a7c15;
  auto random = [&state] {
    state = state * 6364136223846793005 + 1442695040888963407;
    return state ^ state >> 29;
  };
  if (kernel.words == 1) {
    for (u32 edge : isFloat ? floatEdges() : integerEdges())
      values.push_back(edge);
    for (unsigned i = 0; i < 60; ++i) {
      u64 near = 0x3f800000 + (random() % 64) - 32; // next to 1
      values.push_back(isFloat && i % 2 ? near : random() >> (i % 3 ? 32 : 32 + i / 2));
    }
    if (isFloat)
      for (u32 mantissa : {0x7fffffu, 0x7ffffeu, 0x000001u, 0x3504f3u, 0x400000u, 0x2aaaabu})
        values.push_back(0x3f800000 | mantissa);
  } else {
    values = wideEdges();
    for (unsigned i = 0; i < 60; ++i)
      values.push_back(isFloat && i % 2 ? 0x3ff0000000000000 + (random() % 64) - 32
                                        : random() >> (isFloat || i % 3 ? 0 : i));
    if (isFloat)
      for (u64 edge : {0x7ff0000000000000, 0x7fefffffffffffff, 0x0010000000000000, 0x000fffffffffffff,
                       0x3fefffffffffffff, 0x3fffffffffffffff, 0x4008000000000000})
        values.push_back(edge);
  }
  bool unary = kernel.name.starts_with("rcp") || kernel.name.starts_with("sqrt");
  for (unsigned i = 0; unary && i < 2000; ++i)
    values.push_back(random() >> (kernel.words == 1 ? 32 : 0));
  std::vector<u64> all;
  for (u64 a : values)
    for (u64 b : unary ? std::vector<u64>{0} : values) {
      u64 mask = kernel.words == 1 ? 0xffffffff : ~u64{0};
      if (!isFloat && (b & mask) == 0) continue;
      all.push_back(a & mask);
      all.push_back(b & mask);
    }
  while (all.size() / 2 % 32)
    all.insert(all.end(), {all[0], all[1]});
  return all;
}

void check(const File& file, const Listed& kernel, std::uint64_t seed) {
  auto reference = references().at(kernel.name);
  std::vector<u64> in = operands(kernel);
  std::vector<u32> words;
  for (u64 value : in)
    for (unsigned w = 0; w < kernel.words; ++w)
      words.push_back(static_cast<u32>(value >> (32 * w)));
  Assembly a(file.sm);
  a.buffer("in", words).buffer("gap", {0}).buffer("out", std::vector<u32>(words.size() / 2));
  for (const auto& [immediate, text] : kernel.lines)
    a.add(text, immediate);
  Launch launch;
  launch.block = {32, 1, 1};
  launch.grid = {static_cast<u32>(in.size() / 64), 1, 1};
  ExecutionOptions options;
  options.approximationSeed = seed;
  ExecutionResult result = a.run(launch, options);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << file.sm << ' ' << kernel.name << ": " << result.message;
  EXPECT_GT(result.approximations, 100u) << kernel.name;
  std::vector<u32> out = a.words("out");
  unsigned wrong = 0;
  for (std::size_t i = 0; i < in.size() / 2 && wrong < 5; ++i) {
    u64 got = out[i * kernel.words];
    if (kernel.words == 2) got |= u64{out[i * 2 + 1]} << 32;
    if (kernel.name.ends_with("f64") && std::isnan(std::bit_cast<double>(got)))
      got = 0; // which NaN: no matter
    u64 want = reference(in[2 * i], in[2 * i + 1]);
    if (got == want) continue;
    ++wrong;
    ADD_FAILURE() << "sm_" << file.sm << ' ' << kernel.name << " seed " << seed << std::hex << ": "
                  << in[2 * i] << ", " << in[2 * i + 1] << " gave " << got << ", not " << want;
  }
}

TEST(SassDivision, ExactWhateverTheApproximation) {
  unsigned kernels = 0;
  for (const File& file : files())
    for (const Listed& kernel : file.kernels)
      for (std::uint64_t seed = 0; seed <= 4; ++seed, ++kernels)
        check(file, kernel, seed);
  EXPECT_GE(kernels, 3u * 19 * 5);
}

/// __frcp_rn for every mantissa, and every reciprocal that a seed may give instead.
TEST(SassDivision, ReciprocalOfEveryHardMantissa) {
  // Those from which one Newton step goes astray one ulp above, found by trying all.
  std::vector<u32> hard;
  for (u32 mantissa = 0; mantissa < 1u << 23; ++mantissa) {
    float x = std::bit_cast<float>(0x3f800000 | mantissa);
    u32 nearest = std::bit_cast<u32>(static_cast<float>(1 / double{x}));
    for (u32 step : {1u, ~0u}) {
      float y = std::bit_cast<float>(nearest + step);
      if (std::bit_cast<u32>(std::fma(y, -std::fma(x, y, -1.0f), y)) != nearest) hard.push_back(mantissa);
    }
  }
  EXPECT_EQ(hard.size(), 33u);
  for (const File& file : files())
    for (const Listed& kernel : file.kernels) {
      if (kernel.name != "rcp_rn_f32") continue;
      std::vector<u32> in;
      for (u32 mantissa : hard)
        for (u32 exponent : {1u, 2u, 64u, 127u, 158u, 200u, 252u, 253u, 254u})
          in.insert(in.end(), {(exponent << 23 | mantissa) | (exponent & 1) << 31, 0});
      while (in.size() % 64)
        in.push_back(in[0]);
      for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        Assembly a(file.sm);
        a.buffer("in", in).buffer("gap", {0}).buffer("out", std::vector<u32>(in.size() / 2));
        for (const auto& [immediate, text] : kernel.lines)
          a.add(text, immediate);
        Launch launch;
        launch.block = {32, 1, 1};
        launch.grid = {static_cast<u32>(in.size() / 64), 1, 1};
        ExecutionOptions options;
        options.approximationSeed = seed;
        ASSERT_EQ(a.run(launch, options).end, ExecutionEnd::Completed);
        std::vector<u32> out = a.words("out");
        for (std::size_t i = 0; i < out.size(); ++i)
          EXPECT_EQ(out[i], reciprocal32<kNearest>(in[2 * i], 0)) << std::hex << in[2 * i];
      }
    }
}

} // namespace
} // namespace harness::sass::test
