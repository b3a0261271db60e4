#pragma once

#include "harness/ptx/executor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace harness::ptx {

/// A register that a snippet is given, and its value in every thread.
struct SnippetInput {
  std::string name;
  std::string type; ///< "b32": .b8 is read into a .b16 register
  std::vector<std::uint64_t> values;
};

/// A register that a snippet leaves.
struct SnippetOutput {
  std::string name;
  std::string type;
};

struct SnippetResult {
  ExecutionResult execution;
  std::vector<std::vector<std::uint64_t>> outputs; ///< of each output, a value a thread, zero-extended
};

/// Runs PTX instructions once a thread: thread t gets the t-th of each input (all are as long) in a register
/// of that name. `body` may declare more registers. Blocks have 256 threads.
SnippetResult runSnippet(const std::string& body, const std::vector<SnippetInput>& inputs,
                         const std::vector<SnippetOutput>& outputs, const ExecutionOptions& options = {});

/// The only output of a snippet that must run to its end; a failed expectation and zeros if it does not.
std::vector<std::uint64_t> evaluate(const std::string& body, const std::vector<SnippetInput>& inputs,
                                    const SnippetOutput& output);

/// All pairs, or triples, of these values as inputs a and b (and c) of that type.
std::vector<SnippetInput> pairs(const std::string& type, const std::vector<std::uint64_t>& values);
std::vector<SnippetInput> triples(const std::string& type, const std::vector<std::uint64_t>& values);

/// Values at which integer instructions go wrong: around 0, powers of two, the limits; of `bits` bits.
std::vector<std::uint64_t> integerEdges(unsigned bits);

} // namespace harness::ptx
