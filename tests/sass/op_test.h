#pragma once

#include "tests/sass/assembly.h"
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace harness::sass::test {

/// What one lane gives an instruction: R10…R15 (UR10…UR15) and P0…P3 (UP0…UP3).
struct LaneInput {
  std::array<std::uint32_t, 6> r{};
  std::array<bool, 4> p{};

  std::uint64_t pair(unsigned i) const { return r[i] | std::uint64_t{r[i + 1]} << 32; }
};

/// What one lane gets back: R20…R23 (UR20…UR23) and P4, P5 (UP4, UP5). A field that the instruction does not
/// write keeps what `untouched()` says.
struct LaneOutput {
  std::array<std::uint32_t, 4> r{};
  std::array<bool, 2> p{};

  bool operator==(const LaneOutput&) const = default;
  void pair(std::uint64_t value) {
    r[0] = static_cast<std::uint32_t>(value);
    r[1] = static_cast<std::uint32_t>(value >> 32);
  }
};

/// What R20…R23, P4 and P5 hold before the instruction.
LaneOutput untouched();

/// Changes an output from `untouched()` to what the instruction must leave.
using Model = std::function<void(const LaneInput&, LaneOutput&)>;

struct OpCase {
  std::string text; ///< "IADD3 R20, R10, R11, R12"
  Model model;
  std::uint32_t immediate = 0; ///< bits 63:32 of the encoding
  unsigned sm = 90;
};

/// Executes the instruction for every input, each in its own lane, once unguarded and once guarded by a
/// predicate that holds in some lanes only; other lanes must keep everything.
void checkLanes(const OpCase& op, const std::vector<LaneInput>& inputs);

/// The same for an instruction of the uniform datapath: an input a warp, in UR10… and UP0….
void checkUniform(const OpCase& op, const std::vector<LaneInput>& inputs);

// ---- inputs

/// Values at which integers and their shifts, carries and signs change behaviour.
const std::vector<std::uint32_t>& integerEdges();
/// f32 edges: zeros, ones, subnormals, extremes, infinities, NaNs, halves of integers.
const std::vector<std::uint32_t>& floatEdges();
/// A short list of each, for products of three.
const std::vector<std::uint32_t>& fewIntegers();
const std::vector<std::uint32_t>& fewFloats();

/// Every pair of `a` × `b` in r[0], r[1]; the rest and the predicates vary with the index.
std::vector<LaneInput> pairs(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b);
/// Every triple in r[0], r[1], r[2].
std::vector<LaneInput> triples(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                               const std::vector<std::uint32_t>& c);
/// Pairs of 64-bit values in r[1:0] and r[3:2]; r[4], r[5] from a third of them.
std::vector<LaneInput> widePairs(const std::vector<std::uint64_t>& values);
const std::vector<std::uint64_t>& wideEdges();

} // namespace harness::sass::test
