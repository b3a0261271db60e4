#include "tests/ptx/float_values.h"

#include <gtest/gtest.h>

#include <numeric>

namespace harness::ptx {

namespace {

FloatType make(std::string name, const llvm::fltSemantics& semantics) {
  FloatType type;
  type.name = std::move(name);
  type.bits = llvm::APFloat::getSizeInBits(semantics);
  type.semantics = &semantics;
  type.sign = std::uint64_t{1} << (type.bits - 1);
  type.infinity = type.bitsOf(llvm::APFloat::getInf(semantics));
  type.leastNormal = type.bitsOf(llvm::APFloat::getSmallestNormalized(semantics));
  return type;
}

} // namespace

llvm::APFloat FloatType::value(std::uint64_t value) const {
  return llvm::APFloat(*semantics, llvm::APInt(bits, value));
}

std::uint64_t FloatType::nan() const {
  return bits == 64 ? 0xfff8000000000000 : sign - 1;
}

std::uint64_t FloatType::saturated(std::uint64_t value) const {
  if (isNan(value) || (value & sign)) return 0;
  return std::min(value, one());
}

const FloatType& f32() {
  static const FloatType type = make("f32", llvm::APFloat::IEEEsingle());
  return type;
}
const FloatType& f64() {
  static const FloatType type = make("f64", llvm::APFloat::IEEEdouble());
  return type;
}
const FloatType& f16() {
  static const FloatType type = make("f16", llvm::APFloat::IEEEhalf());
  return type;
}
const FloatType& bf16() {
  static const FloatType type = make("bf16", llvm::APFloat::BFloat());
  return type;
}

std::vector<std::uint64_t> floatEdges(const FloatType& type) {
  std::uint64_t ulp = type.leastNormal, one = type.one(), quiet = ulp >> 1; // ulp: one more exponent
  std::vector<std::uint64_t> values = {0,
                                       1,
                                       2,
                                       3,
                                       ulp / 2,
                                       ulp / 2 + 1,
                                       ulp - 1,
                                       ulp,
                                       ulp + 1,
                                       2 * ulp,
                                       one / 2,
                                       one - ulp,
                                       one - 1,
                                       one,
                                       one + 1,
                                       one + ulp / 2,
                                       one + ulp / 2 + 1,
                                       one + ulp,
                                       one + ulp + 1,
                                       one + ulp + ulp / 2 + 5,
                                       one - (one / ulp / 3) * ulp + 11,
                                       one + (one / ulp / 3) * ulp + ulp / 3,
                                       type.infinity - ulp,
                                       type.infinity - 1,
                                       type.infinity,
                                       type.infinity | 1,
                                       type.infinity | quiet | 5};
  // Half an ulp of one, and a little more and less.
  std::uint64_t mantissa = static_cast<std::uint64_t>(std::countr_zero(ulp));
  for (std::uint64_t near : {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1}})
    values.push_back(one - (mantissa + 1) * ulp + near);
  for (std::size_t i = values.size(); i-- > 0;)
    values.push_back(values[i] | type.sign);
  return values;
}

std::vector<SnippetInput> product(const std::string& type, const std::vector<std::uint64_t>& all,
                                  const std::vector<std::uint64_t>& few) {
  std::vector<SnippetInput> inputs = {{"a", type, {}}, {"b", type, {}}};
  for (std::uint64_t b : few) {
    inputs[0].values.insert(inputs[0].values.end(), all.begin(), all.end());
    inputs[1].values.insert(inputs[1].values.end(), all.size(), b);
  }
  return inputs;
}

std::vector<std::uint64_t> all16() {
  std::vector<std::uint64_t> values(65536);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

void expectUnsupported(const std::string& body) {
  std::string registers = ".reg .b16 %h<5>; .reg .b32 %r<5>; .reg .b64 %d<5>; .reg .pred %p<5>;\n";
  auto result = runSnippet(registers + body, {}, {});
  EXPECT_EQ(result.execution.end, ExecutionEnd::Unsupported) << body << ": " << result.execution.message;
}

} // namespace harness::ptx
