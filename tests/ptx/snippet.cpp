#include "tests/ptx/snippet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>

namespace harness::ptx {

namespace {

unsigned bytesOf(const std::string& type) {
  return static_cast<unsigned>(std::stoul(type.substr(1))) / 8;
}

/// Registers have 16 bits at least.
std::string registerType(const std::string& type) {
  return bytesOf(type) == 1 ? "b16" : type;
}

std::string moduleText(const std::string& body, const std::vector<SnippetInput>& inputs,
                       const std::vector<SnippetOutput>& outputs) {
  std::string parameters, before, after;
  auto add = [&](const std::string& name, const std::string& type, bool output) {
    std::string number = std::to_string(bytesOf(type));
    parameters += (parameters.empty() ? "" : ", ") + std::string(".param .u64 buffer_") + name;
    before += "  .reg ." + registerType(type) + " " + name + ";\n  .reg .u64 %at_" + name + ";\n";
    before += "  ld.param.u64 %at_" + name + ", [buffer_" + name + "];\n";
    before += "  mad.wide.u32 %at_" + name + ", %index, " + number + ", %at_" + name + ";\n";
    std::string access = "." + std::string("global.") + type;
    if (output)
      after += "  st" + access + " [%at_" + name + "], " + name + ";\n";
    else
      before += "  ld" + access + " " + name + ", [%at_" + name + "];\n";
  };
  for (const SnippetInput& input : inputs)
    add(input.name, input.type, false);
  for (const SnippetOutput& output : outputs)
    add(output.name, output.type, true);
  return ".version 8.8\n.target sm_100a\n.address_size 64\n.visible .entry snippet(" + parameters +
         ")\n{\n  .reg .u32 %index, %block;\n  mov.u32 %index, %tid.x;\n  mov.u32 %block, %ctaid.x;\n"
         "  mad.lo.u32 %index, %block, 256, %index;\n" +
         before + body + "\n" + after + "  ret;\n}\n";
}

} // namespace

SnippetResult runSnippet(const std::string& body, const std::vector<SnippetInput>& inputs,
                         const std::vector<SnippetOutput>& outputs, const ExecutionOptions& options) {
  std::size_t threads = inputs.empty() ? 32 : inputs.front().values.size();
  std::size_t blocks = (threads + 255) / 256, rounded = blocks == 1 ? threads : blocks * 256;
  Program program(parseModule(moduleText(body, inputs, outputs), "snippet"), "snippet");
  GlobalMemory memory;
  Launch launch;
  launch.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
  launch.block = {static_cast<std::uint32_t>(blocks == 1 ? threads : 256), 1, 1};
  auto pass = [&](const Allocation& allocation) {
    std::vector<std::byte> bytes(8);
    std::memcpy(bytes.data(), &allocation.address, 8);
    launch.args.push_back(bytes);
  };
  for (const SnippetInput& input : inputs) {
    EXPECT_EQ(input.values.size(), threads) << "input " << input.name;
    unsigned size = bytesOf(input.type);
    Allocation& allocation = memory.allocate(input.name, rounded * size, std::byte{0});
    for (std::size_t i = 0; i < std::min(threads, input.values.size()); ++i)
      std::memcpy(allocation.host + i * size, &input.values[i], size);
    pass(allocation);
  }
  for (const SnippetOutput& output : outputs)
    pass(memory.allocate("result " + output.name, rounded * bytesOf(output.type), std::byte{0xEE}));
  SnippetResult result;
  result.execution = execute(program, "snippet", launch, memory, options);
  for (const SnippetOutput& output : outputs) {
    unsigned size = bytesOf(output.type);
    std::span<std::byte> bytes = memory.bytes("result " + output.name);
    std::vector<std::uint64_t>& values = result.outputs.emplace_back(threads);
    for (std::size_t i = 0; i < threads; ++i)
      std::memcpy(&values[i], &bytes[i * size], size);
  }
  return result;
}

std::vector<std::uint64_t> evaluate(const std::string& body, const std::vector<SnippetInput>& inputs,
                                    const SnippetOutput& output) {
  SnippetResult result = runSnippet(body, inputs, {output});
  EXPECT_EQ(result.execution.end, ExecutionEnd::Completed) << body << ": " << result.execution.message;
  return result.outputs.front();
}

namespace {

std::vector<SnippetInput> combinations(const std::string& type, const std::vector<std::uint64_t>& values,
                                       unsigned count) {
  std::vector<SnippetInput> inputs;
  std::size_t total = 1;
  for (unsigned i = 0; i < count; ++i) {
    inputs.push_back({std::string(1, static_cast<char>('a' + i)), type, {}});
    total *= values.size();
  }
  for (std::size_t n = 0; n < total; ++n) {
    std::size_t rest = n;
    for (SnippetInput& input : inputs) {
      input.values.push_back(values[rest % values.size()]);
      rest /= values.size();
    }
  }
  return inputs;
}

} // namespace

std::vector<SnippetInput> pairs(const std::string& type, const std::vector<std::uint64_t>& values) {
  return combinations(type, values, 2);
}

std::vector<SnippetInput> triples(const std::string& type, const std::vector<std::uint64_t>& values) {
  return combinations(type, values, 3);
}

std::vector<std::uint64_t> integerEdges(unsigned bits) {
  std::uint64_t all = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  std::set<std::uint64_t> values = {0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100, all, all - 1, all - 2};
  for (unsigned bit : {7u, 8u, 15u, 16u, 31u, 32u, bits - 2, bits - 1})
    for (std::uint64_t near : {std::uint64_t{0}, std::uint64_t{1}, all})
      if (bit < bits) values.insert(((std::uint64_t{1} << bit) + near) & all);
  values.insert(0x123456789abcdef0 & all);
  values.insert(0xdeadbeefcafef00d & all);
  std::vector<std::uint64_t> masked;
  for (std::uint64_t value : values)
    if (value <= all) masked.push_back(value);
  return masked;
}

} // namespace harness::ptx
