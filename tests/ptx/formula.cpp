#include "tests/ptx/formula.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace harness::ptx {

Exact valueOf(std::uint64_t bits, unsigned width, bool isSigned) {
  Exact value = 0;
  for (unsigned i = 0; i < width; ++i)
    if (bits >> i & 1) value += (isSigned && i == width - 1 ? -1 : 1) * (Exact{1} << i);
  return value;
}

std::uint64_t cut(Exact value, unsigned width) {
  return static_cast<std::uint64_t>(value) &
         (width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
}

Exact clampTo(Exact value, unsigned width, bool isSigned) {
  Exact least = isSigned ? -(Exact{1} << (width - 1)) : 0;
  Exact greatest = (Exact{1} << (isSigned ? width - 1 : width)) - 1;
  return value < least ? least : value > greatest ? greatest : value;
}

std::uint64_t productHigh(std::uint64_t a, std::uint64_t b, bool isSigned) {
  std::uint64_t middle = (a >> 32) * (b & 0xffffffff) + ((a & 0xffffffff) * (b & 0xffffffff) >> 32);
  std::uint64_t other = (a & 0xffffffff) * (b >> 32) + (middle & 0xffffffff);
  std::uint64_t high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
  if (isSigned && a >> 63) high -= b;
  if (isSigned && b >> 63) high -= a;
  return high;
}

const std::vector<IntegerType>& integerTypes() {
  static const std::vector<IntegerType> types = {{"u16", 16, false}, {"u32", 32, false}, {"u64", 64, false},
                                                 {"s16", 16, true},  {"s32", 32, true},  {"s64", 64, true}};
  return types;
}

void expectFormula(const std::string& body, const std::vector<SnippetInput>& inputs,
                   const SnippetOutput& output, const Formula& formula) {
  std::vector<std::uint64_t> got = evaluate(body, inputs, output), row(inputs.size());
  unsigned wrong = 0;
  for (std::size_t thread = 0; thread < got.size(); ++thread) {
    std::string shown;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      row[i] = inputs[i].values[thread];
    }
    std::uint64_t expected = formula(row);
    if (got[thread] == expected) continue;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      shown += " " + inputs[i].name + "=" + std::to_string(row[i]);
    ADD_FAILURE() << body << shown << ": got " << std::hex << got[thread] << ", expected " << expected;
    if (++wrong == 3) return;
  }
}

namespace {

ExecutionResult runOne(const std::string& body) {
  return runSnippet(body,
                    {{"a", "b32", {5}},
                     {"b", "b32", {3}},
                     {"c", "b32", {1}},
                     {"ah", "b16", {5}},
                     {"bh", "b16", {3}},
                     {"al", "b64", {5}},
                     {"bl", "b64", {3}}},
                    {{"d", "b32"}, {"dh", "b16"}, {"dl", "b64"}})
      .execution;
}

} // namespace

void expectUnknown(const std::string& body) {
  EXPECT_EQ(runOne(body).end, ExecutionEnd::Unsupported) << body;
}

void expectKnown(const std::string& body) {
  ExecutionResult result = runOne(body);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << body << ": " << result.message;
}

SnippetInput everyValue(const std::string& name, unsigned bits) {
  SnippetInput input{name, "b" + std::to_string(bits), {}};
  for (std::uint64_t value = 0; value < std::uint64_t{1} << bits; ++value)
    input.values.push_back(value);
  return input;
}

} // namespace harness::ptx
