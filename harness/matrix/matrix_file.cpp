#include "harness/matrix/matrix_file.h"

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/compile/compile.h"
#include "harness/matrix/executor.h"
#include "harness/matrix/json_reader.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <functional>
#include <set>

namespace harness {

namespace {

using Check = std::function<void(const std::string& name)>;

std::vector<std::string> readNames(const JsonNode& root, std::string_view key, const Check& check) {
  JsonNode node = root.at(key);
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const JsonNode& element : node.elements()) {
    std::string name = element.string();
    element.located([&] { check(name); });
    if (!seen.insert(name).second) element.fail("'" + name + "' is given twice");
    names.push_back(std::move(name));
  }
  if (names.empty()) node.fail("the list is empty, so there is no cell");
  return names;
}

bool isWord(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return llvm::isAlnum(c) || std::string_view("+-=._").find(c) != std::string_view::npos;
  });
}

void checkGlob(const std::string& name) {
  globMatch(name, "");
}

void checkWord(const std::string& name) {
  if (!isWord(name)) failUsage("'{0}' may hold only letters, digits and + - = . _", name);
}

/// `node`'s lists; those that it lacks are `outer`'s, or missed if there is none.
CellProduct readProduct(const JsonNode& node, const CellProduct* outer,
                        const std::vector<std::string>& archs) {
  auto checkArch = [&](const std::string& name) { requireKnownArch(name, archs); };
  auto read = [&](std::string_view key, std::vector<std::string> CellProduct::* list, const Check& check) {
    return outer && !node.has(key) ? outer->*list : readNames(node, key, check);
  };
  CellProduct product;
  product.cases = read("cases", &CellProduct::cases, checkGlob);
  product.toolchains = read("toolchains", &CellProduct::toolchains, checkWord);
  product.archs = read("archs", &CellProduct::archs, checkArch);
  product.opts = read("opts", &CellProduct::opts, [](const std::string& name) { OptPoint::parse(name); });
  return product;
}

} // namespace

MatrixFile MatrixFile::load(const std::filesystem::path& path, const std::vector<std::string>& archs) {
  Json document = readJsonFile(path);
  JsonNode root(document, path.string());
  root.onlyKeys({"cases", "toolchains", "archs", "opts", "executors", "also", "expand"});
  MatrixFile matrix;
  matrix.path = path;
  matrix.products = {readProduct(root, nullptr, archs)};
  if (root.has("also"))
    for (const JsonNode& node : root.at("also").elements()) {
      node.onlyKeys({"cases", "toolchains", "archs", "opts"});
      matrix.products.push_back(readProduct(node, &matrix.products.front(), archs));
    }
  if (root.has("expand")) {
    JsonNode node = root.at("expand");
    node.onlyKeys({"toolchains", "archs", "opts"});
    matrix.expand = readProduct(node, &matrix.products.front(), archs);
  }
  matrix.executors = {std::string(kSassExecutor), std::string(kPtxExecutor)};
  if (root.has("executors")) matrix.executors = readNames(root, "executors", requireExecutor);
  return matrix;
}

} // namespace harness
