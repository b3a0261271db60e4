#include "harness/matrix/scaffold.h"

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/matrix/mangled_name.h"
#include "harness/matrix/manifest.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kBlock = 128;
constexpr unsigned kElements = 1000; ///< no multiple of a block: the last one is not full
constexpr unsigned kSharedBytes = 4096;

bool isStruct(const KernelParameter& parameter) {
  return parameter.structBytes > 0;
}

std::string sizeInWords(const KernelParameter& structure) {
  return std::to_string(structure.structBytes) + (structure.structBytes == 1 ? " byte" : " bytes");
}

bool isInteger(const KernelParameter& parameter) {
  return !parameter.pointer && !isStruct(parameter) && !isFloat(parameter.type);
}

/// A scalar that may hold a number of elements.
bool isSize(const KernelParameter& parameter) {
  return isInteger(parameter) && sizeOf(parameter.type) >= 2;
}

bool has(const KernelSignature& kernel, bool (*is)(const KernelParameter&)) {
  return std::any_of(kernel.parameters.begin(), kernel.parameters.end(), is);
}

bool isInput(const KernelParameter& parameter) {
  return parameter.pointer && parameter.readOnly;
}

bool isOutput(const KernelParameter& parameter) {
  return parameter.pointer && !parameter.readOnly;
}

/// The parameter that stands for the output of a kernel which has no pointer but in a structure; empty if it
/// has one, or none can be.
const KernelParameter* hiddenOutput(const KernelSignature& kernel) {
  if (has(kernel, isOutput)) return nullptr;
  auto found =
      std::find_if(kernel.parameters.begin(), kernel.parameters.end(), [](const KernelParameter& one) {
        return isStruct(one) && one.guessed && one.structBytes >= ArgSpec::kPointerBytes;
      });
  return found == kernel.parameters.end() ? nullptr : &*found;
}

std::string hiddenName(const KernelParameter& parameter) {
  return parameter.name + ".out";
}

/// All zero, where it is not known what it holds, or, if it hides the output, that first: a kernel must reach
/// it by some pointer.
Json structOf(const KernelParameter& parameter, bool hidesOutput) {
  Json members = Json::array();
  if (!parameter.guessed) {
    std::vector<int> values(parameter.structBytes / sizeOf(parameter.type), 1);
    members.push_back(Json{{toString(parameter.type), values}});
    return Json{{"struct", members}};
  }
  std::uint64_t left = parameter.structBytes;
  if (hidesOutput) {
    members.push_back(hiddenName(parameter));
    left -= ArgSpec::kPointerBytes;
  }
  if (left) members.push_back(Json{{"zero", left}});
  return Json{{"struct", members}};
}

Json randomInit(ElementType type, std::size_t seed) {
  Json random = {{"seed", seed}};
  // Any bits would be NaNs and infinities too.
  if (isFloat(type)) {
    random["min"] = -1;
    random["max"] = 1;
  }
  return {{"random", random}};
}

Json buffersOf(const KernelSignature& kernel) {
  Json buffers = Json::object();
  bool anyInput = has(kernel, isInput);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    if (!parameter.pointer) continue;
    Json& buffer = buffers[parameter.name];
    buffer = {{"type", toString(parameter.type)}, {"count", "n"}};
    if (isOutput(parameter)) buffer["output"] = true;
    // Where nothing is only read, what is written is read too.
    if (isInput(parameter) || !anyInput) buffer["init"] = randomInit(parameter.type, i + 1);
  }
  if (const KernelParameter* hidden = hiddenOutput(kernel))
    buffers[hiddenName(*hidden)] = {{"type", "u8"}, {"count", "n"}, {"output", true}};
  return buffers;
}

Json argsOf(const KernelSignature& kernel) {
  Json args = Json::array();
  const KernelParameter* hidden = hiddenOutput(kernel);
  for (const KernelParameter& parameter : kernel.parameters) {
    if (parameter.pointer)
      args.push_back(parameter.name);
    else if (isStruct(parameter))
      args.push_back(structOf(parameter, &parameter == hidden));
    else if (isSize(parameter))
      args.push_back({{toString(parameter.type), "n"}});
    else
      args.push_back({{toString(parameter.type), 1}});
  }
  return args;
}

std::array<std::uint32_t, 3> blockOf(const KernelSignature& kernel) {
  return kernel.block[0] ? kernel.block : std::array<std::uint32_t, 3>{kBlock, 1, 1};
}

Json manifestOf(const std::string& source, const KernelSignature& kernel,
                const std::vector<std::string>& include, const std::vector<std::string>& defines) {
  auto block = blockOf(kernel);
  std::uint32_t threads = block[0] * block[1] * block[2];
  Json blockSizes = Json::array({block[0]});
  for (std::size_t i = 1; i < 3 && (block[1] > 1 || block[2] > 1); ++i)
    blockSizes.push_back(block[i]);
  Json manifest = {{"title", "TODO: what " + kernel.name + " does, in one line"}, {"source", source}};
  if (!include.empty()) manifest["include"] = include;
  if (!defines.empty()) manifest["define"] = defines;
  manifest["kernel"] = kernel.entry;
  // Who is not told how many elements there are cannot stop before the end of a block.
  manifest["shapes"] = {{{"name", "small"}, {"n", has(kernel, isSize) ? kElements : 2 * threads}}};
  manifest["grid"] = {"ceildiv(n, " + std::to_string(threads) + ")"};
  manifest["block"] = blockSizes;
  if (kernel.dynamicShared) manifest["shared"] = kSharedBytes;
  manifest["buffers"] = buffersOf(kernel);
  manifest["args"] = argsOf(kernel);
  manifest["reference"] = "reference.cpp";
  return manifest;
}

/// As C++ on the host knows it: bits where it knows no such type.
std::string hostType(ElementType type) {
  using enum ElementType;
  switch (type) {
  case F32: return "float";
  case F64: return "double";
  case F16:
  case BF16: return "std::uint16_t";
  case E4M3:
  case E5M2: return "std::uint8_t";
  default: break;
  }
  std::string name(toString(type)); // u8 … i64
  return (name.front() == 'u' ? "std::uint" : "std::int") + name.substr(1) + "_t";
}

std::string referenceOf(const std::string& id, const KernelSignature& kernel) {
  std::string text =
      "#include \"harness/reference.h\"\n\n#include <cstdio>\n#include <cstdlib>\n\n"
      "// TODO: leave in the outputs what the kernel " +
      kernel.name +
      " must leave there, in plain C++ that shares no\n"
      "// code with it; then remove the two lines that fail.\n"
      "extern \"C\" void reference([[maybe_unused]] const HarnessLaunch* launch, void* const* args) {\n";
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    std::string name = parameter.name;
    if (name == "launch" || name == "args" || name == "reference") name += "_";
    std::string host = hostType(parameter.type), slot = "args[" + std::to_string(i) + "]";
    std::string constant = isOutput(parameter) ? "" : "const ";
    if (isStruct(parameter) && parameter.guessed) {
      text += "  [[maybe_unused]] const void* " + name + " = " + slot + "; // a structure of " +
              sizeInWords(parameter) + "; its pointers lead to the buffers here\n";
      continue;
    }
    bool isPointer = parameter.pointer || isStruct(parameter);
    std::string cast = "static_cast<" + constant + host + "*>(" + slot + ")";
    text += "  [[maybe_unused]] " +
            (isPointer ? constant + host + "* " + name + " = " + cast : host + " " + name + " = *" + cast);
    bool asBits = isFloat(parameter.type) && host.starts_with("std::");
    text += ";" + (asBits ? " // bits of " + std::string(toString(parameter.type)) : std::string()) + "\n";
  }
  return text + "  std::fputs(\"the reference of case '" + id +
         "' is not written yet\\n\", stderr);\n  std::exit(1);\n}\n";
}

std::string todoOfStruct(const KernelParameter& parameter, bool hidesOutput) {
  if (!parameter.guessed) return "case.json: the values of `" + parameter.name + "`; they are 1 for now.";
  return "case.json: the members of `" + parameter.name + "`, a structure of " + sizeInWords(parameter) +
         ", with names of buffers where it has pointers; it is " +
         (hidesOutput ? "`" + hiddenName(parameter) + "` and " : "") + "0 for now.";
}

std::vector<std::string> todoOf(const KernelSignature& kernel) {
  std::vector<std::string> todo = {
      "case.json: a title.",
      "reference.cpp: the reference; until it is written every check of the case fails.",
      "case.json: `n`, `grid` and `block`, and how many elements each buffer holds; all hold `n` for now."};
  const KernelParameter* hidden = hiddenOutput(kernel);
  for (const KernelParameter& parameter : kernel.parameters) {
    if (isStruct(parameter)) {
      todo.push_back(todoOfStruct(parameter, &parameter == hidden));
      continue;
    }
    if (parameter.guessed)
      todo.push_back("case.json: the type of `" + parameter.name + "`; nothing told it, so it is " +
                     std::string(toString(parameter.type)) + ".");
    if (!parameter.pointer)
      todo.push_back("case.json: the value of `" + parameter.name + "`; it is " +
                     (isSize(parameter) ? "`n`" : "1") + " for now.");
    if (isOutput(parameter))
      todo.push_back("case.json: if the kernel reads `" + parameter.name +
                     "` before it writes it, an `init`; if it only reads it, no `output`.");
  }
  if (kernel.dynamicShared)
    todo.push_back("case.json: `shared`, the bytes of dynamic shared memory; " +
                   std::to_string(kSharedBytes) + " for now.");
  return todo;
}

std::string notesOf(const std::string& id, const KernelSignature& kernel,
                    const std::vector<std::string>& todo) {
  std::string text =
      "# " + id + "\n\nTODO: where `" + kernel.name +
      "` comes from, where a fault was reported, what is known, and on which toolchains it was seen.\n"
      "\nTo be decided:\n\n";
  for (const std::string& line : todo)
    text += "- " + line + "\n";
  return text;
}

/// "axpy" of "ns::axpy<a::B>"
std::string_view baseName(std::string_view name) {
  name = name.substr(0, name.find('<'));
  std::size_t scope = name.rfind("::");
  return scope == std::string_view::npos ? name : name.substr(scope + 2);
}

} // namespace

CaseScaffold scaffoldCase(const std::string& id, const std::string& source, const KernelSignature& kernel,
                          const std::vector<std::string>& include, const std::vector<std::string>& defines) {
  if (!has(kernel, isOutput) && !hiddenOutput(kernel))
    failUsage("kernel '{0}' has no parameter that it could write through: every result must be in a buffer "
              "that is a parameter, a pointer to what is not const",
              kernel.name);
  CaseScaffold scaffold;
  scaffold.todo = todoOf(kernel);
  scaffold.manifest = manifestOf(source, kernel, include, defines).dump(2) + "\n";
  scaffold.reference = referenceOf(id, kernel);
  scaffold.notes = notesOf(id, kernel, scaffold.todo);
  return scaffold;
}

const KernelSignature& chooseKernel(const std::vector<KernelSignature>& kernels, const std::string& wanted) {
  if (kernels.empty())
    failUsage("there is no kernel in what the front end made of it; a template is there only if it is "
              "instantiated: "
              "template __global__ void k<float>(float*);");
  std::vector<std::string> names;
  for (const KernelSignature& kernel : kernels)
    names.push_back(kernel.name == kernel.entry ? kernel.name : kernel.name + " (" + kernel.entry + ")");
  if (wanted.empty() && kernels.size() == 1) return kernels.front();
  if (wanted.empty())
    failUsage("there are {0} kernels; choose one with --kernel: {1}", kernels.size(), join(names, ", "));
  std::vector<const KernelSignature*> exact, alike;
  for (const KernelSignature& kernel : kernels) {
    if (kernel.entry == wanted) return kernel;
    if (isSameName(kernel.name, wanted)) exact.push_back(&kernel);
    if (baseName(kernel.name) == wanted) alike.push_back(&kernel);
  }
  const auto& found = exact.empty() ? alike : exact;
  if (found.empty()) failUsage("there is no kernel '{0}'; there are: {1}", wanted, join(names, ", "));
  if (found.size() > 1)
    failUsage("'{0}' names {1} kernels; give --kernel a whole name, or the one in brackets: {2}", wanted,
              found.size(), join(names, ", "));
  return *found.front();
}

std::string caseIdFrom(const std::string& name) {
  std::string id;
  for (char c : name.substr(0, name.find('.'))) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && std::isalnum(byte))
      id += static_cast<char>(std::tolower(byte));
    else if (!id.empty() && id.back() != '-')
      id += '-';
  }
  while (!id.empty() && id.back() == '-')
    id.pop_back();
  if (id.empty()) failUsage("'{0}' gives no name for a case; give one with --id", name);
  return id;
}

} // namespace harness
