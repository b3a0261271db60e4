#include "harness/ptx/contraction.h"

#include <algorithm>
#include <map>
#include <string>

namespace harness::ptx {

namespace {

/// The float type of an instruction that leaves its rounding open; nothing otherwise.
std::optional<Type> openType(const Instruction& instruction) {
  std::optional<Type> type;
  for (const std::string& modifier : instruction.modifiers) {
    if (modifier == "rn" || modifier == "rz" || modifier == "rm" || modifier == "rp") return std::nullopt;
    if (!type) type = typeNamed(modifier);
  }
  return type && isFloat(*type) ? type : std::nullopt;
}

template <typename F> void eachInstruction(const Scope& scope, F f) {
  for (const Statement& statement : scope.statements) {
    if (const auto* instruction = std::get_if<Instruction>(&statement)) f(*instruction);
    if (const auto* inner = std::get_if<std::unique_ptr<Scope>>(&statement)) eachInstruction(**inner, f);
  }
}

} // namespace

std::vector<Contraction> findContractions(const Module& module, std::string_view name) {
  std::map<std::pair<std::string, Type>, std::uint32_t> products; // by register
  std::vector<Contraction> found;
  auto tree = std::find_if(module.items.begin(), module.items.end(), [&](const Item& item) {
    const auto* function = std::get_if<Function>(&item);
    return function && function->name == name && function->body;
  });
  if (tree == module.items.end()) return found;
  const Scope& body = *std::get<Function>(*tree).body;
  eachInstruction(body, [&](const Instruction& instruction) {
    auto type = instruction.opcode == "mul" ? openType(instruction) : std::nullopt;
    if (type && !instruction.operands.empty())
      products.emplace(std::pair(instruction.operands.front().name, *type), instruction.line);
  });
  if (products.empty()) return found;
  eachInstruction(body, [&](const Instruction& instruction) {
    if (instruction.opcode != "add" && instruction.opcode != "sub") return;
    auto type = openType(instruction);
    for (std::size_t i = 1; type && i < instruction.operands.size(); ++i) {
      auto product = products.find({instruction.operands[i].name, *type});
      if (product == products.end()) continue;
      found.push_back({product->second, instruction.line});
      return;
    }
  });
  return found;
}

} // namespace harness::ptx
