#include "harness/matrix/dynamic_shared.h"

#include <map>
#include <variant>
#include <vector>

namespace harness {

namespace {

using Names = std::set<std::string>;

bool isDynamic(const ptx::Variable& variable) {
  return variable.space == ptx::Space::Shared && variable.linkage == "extern";
}

void addNames(const ptx::Operand& operand, Names& names) {
  if (!operand.name.empty()) names.insert(operand.name);
  for (const ptx::Operand& element : operand.elements)
    addNames(element, names);
}

void addNames(const ptx::Scope& scope, Names& names, Names& dynamic) {
  for (const ptx::Statement& statement : scope.statements) {
    if (const auto* instruction = std::get_if<ptx::Instruction>(&statement))
      for (const ptx::Operand& operand : instruction->operands)
        addNames(operand, names);
    if (const auto* variable = std::get_if<ptx::Variable>(&statement))
      if (isDynamic(*variable)) dynamic.insert(variable->name);
    if (const auto* targets = std::get_if<ptx::Targets>(&statement))
      names.insert(targets->targets.begin(), targets->targets.end());
    if (const auto* inner = std::get_if<std::unique_ptr<ptx::Scope>>(&statement))
      addNames(**inner, names, dynamic);
  }
}

bool reaches(const std::string& from, const std::map<std::string, Names>& namedBy, const Names& wanted) {
  Names seen{from};
  std::vector<std::string> open{from};
  while (!open.empty()) {
    std::string name = std::move(open.back());
    open.pop_back();
    if (wanted.contains(name)) return true;
    if (auto found = namedBy.find(name); found != namedBy.end())
      for (const std::string& next : found->second)
        if (seen.insert(next).second) open.push_back(next);
  }
  return false;
}

} // namespace

std::set<std::string> entriesWithDynamicShared(const ptx::Module& module) {
  Names dynamic, entries, found;
  std::map<std::string, Names> namedBy;
  for (const ptx::Item& item : module.items) {
    if (const auto* alias = std::get_if<ptx::Alias>(&item)) namedBy[alias->name].insert(alias->target);
    if (const auto* variable = std::get_if<ptx::Variable>(&item)) {
      if (isDynamic(*variable)) dynamic.insert(variable->name);
      for (const ptx::Initialiser& initialiser : variable->initialisers)
        if (const auto* symbol = std::get_if<ptx::SymbolOffset>(&initialiser.value))
          namedBy[variable->name].insert(symbol->name);
    }
    const auto* function = std::get_if<ptx::Function>(&item);
    if (!function || !function->body) continue;
    if (function->entry) entries.insert(function->name);
    addNames(*function->body, namedBy[function->name], dynamic);
  }
  for (const std::string& entry : entries)
    if (reaches(entry, namedBy, dynamic)) found.insert(entry);
  return found;
}

} // namespace harness
