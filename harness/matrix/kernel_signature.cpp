#include "harness/matrix/kernel_signature.h"

#include "harness/base/text.h"
#include "harness/matrix/dynamic_shared.h"
#include "harness/matrix/mangled_name.h"
#include "harness/ptx/syntax.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace harness {

namespace {

/// A name, or one character of punctuation.
using Tokens = std::vector<std::string>;

bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool isName(const std::string& token) {
  return isNameCharacter(token.front()) && !std::isdigit(static_cast<unsigned char>(token.front()));
}

/// Where what begins at `at` and is no code (a comment, a literal) ends; `at` itself if it is code.
std::size_t afterNonCode(std::string_view text, std::size_t at) {
  auto end = [&](std::string_view mark, std::size_t from) {
    std::size_t found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + mark.size();
  };
  std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return end("\n", at);
  if (rest.starts_with("/*")) return end("*/", at + 2);
  if (rest.front() != '"' && rest.front() != '\'') return at;
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == rest.front())
      return i + 1;
  }
  return at + 1; // no literal: a digit separator, or a lone quote in a raw string
}

Tokens tokensOf(std::string_view text) {
  Tokens tokens;
  for (std::size_t i = 0; i < text.size();) {
    if (std::size_t next = afterNonCode(text, i); next != i) {
      i = next;
    } else if (isNameCharacter(text[i])) {
      std::size_t begin = i;
      while (i < text.size() && isNameCharacter(text[i]))
        ++i;
      tokens.emplace_back(text.substr(begin, i - begin));
    } else {
      if (!std::isspace(static_cast<unsigned char>(text[i]))) tokens.emplace_back(1, text[i]);
      ++i;
    }
  }
  return tokens;
}

/// The index after the bracket that closes the one at `open`.
std::size_t afterBrackets(const Tokens& tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    depth += tokens[i] == "(";
    if (tokens[i] == ")" && --depth == 0) return i + 1;
  }
  return tokens.size();
}

// ---- the source

std::map<std::string, ElementType> makeNamedTypes() {
  using enum ElementType;
  const std::pair<ElementType, std::vector<const char*>> families[] = {
      {F32, {"float", "float1", "float2", "float3", "float4"}},
      {F64, {"double", "double2", "double3", "double4"}},
      {F16, {"__half", "half", "__half2", "half2"}},
      {BF16, {"__nv_bfloat16", "bf16", "__nv_bfloat162", "nv_bfloat16"}},
      {E4M3, {"__nv_fp8_e4m3"}},
      {U8, {"bool", "uint8_t", "uchar", "uchar2", "uchar4", "uchar3"}},
      {I8, {"int8_t", "char2", "char4", "char3"}},
      {I16, {"int16_t", "short2", "short4", "short3"}},
      {U16, {"uint16_t", "ushort", "ushort2", "ushort4", "ushort3"}},
      {I32, {"int32_t", "int2", "int3", "int4"}},
      {U32, {"uint32_t", "uint", "uint2", "uint3", "uint4", "dim3"}},
      {I64, {"int64_t", "ptrdiff_t", "longlong2", "longlong", "longlong4"}},
      {U64, {"uint64_t", "size_t", "uintptr_t", "ulong", "ulonglong2", "ulonglong", "ulonglong4"}},
      {E5M2, {"__nv_fp8_e5m2"}},
  };
  std::map<std::string, ElementType> types;
  for (const auto& [type, names] : families)
    for (const char* name : names)
      types[name] = type;
  return types;
}

const std::map<std::string, ElementType>& namedTypes() {
  static const std::map<std::string, ElementType> types = makeNamedTypes();
  return types;
}

/// `unsigned long long` and all other ways to write a built-in type, or a name that is known.
std::optional<ElementType> typeOf(const Tokens& words) {
  auto count = [&](const char* word) { return std::count(words.begin(), words.end(), word); };
  for (const std::string& word : words)
    if (auto found = namedTypes().find(word); found != namedTypes().end()) return found->second;
  bool isUnsigned = count("unsigned") > 0;
  using enum ElementType;
  if (count("char")) return isUnsigned ? U8 : I8;
  if (count("short")) return isUnsigned ? U16 : I16;
  if (count("long")) return isUnsigned ? U64 : I64;
  if (count("int") || count("signed") || isUnsigned) return isUnsigned ? U32 : I32;
  return std::nullopt;
}

bool isTypeWord(const std::string& word) {
  static const Tokens words = {"unsigned",     "signed",     "char",     "short",
                               "int",          "long",       "const",    "volatile",
                               "__restrict__", "__restrict", "restrict", "__grid_constant__",
                               "struct"};
  return std::find(words.begin(), words.end(), word) != words.end() || namedTypes().contains(word);
}

struct SourceParameter {
  std::string name;
  bool pointer = false, readOnly = false;
  bool ofTemplate = false; ///< what stands in its type may be an argument of a template
  std::optional<ElementType> type;
};

SourceParameter parameterOf(Tokens tokens) {
  SourceParameter parameter;
  tokens.erase(std::find(tokens.begin(), tokens.end(), "="), tokens.end()); // a default
  auto bracket = std::find(tokens.begin(), tokens.end(), "[");
  parameter.pointer = bracket != tokens.end();
  tokens.erase(bracket, tokens.end());
  auto star = std::find(tokens.begin(), tokens.end(), "*");
  parameter.pointer |= star != tokens.end();
  parameter.readOnly = parameter.pointer && std::find(tokens.begin(), star, "const") != star;
  if (tokens.size() > 1 && isName(tokens.back()) && !isTypeWord(tokens.back())) {
    parameter.name = tokens.back();
    tokens.pop_back();
  }
  parameter.ofTemplate = std::find(tokens.begin(), tokens.end(), "<") != tokens.end();
  // T** is a buffer of addresses, of which nothing is known.
  if (std::count(tokens.begin(), tokens.end(), "*") < 2) parameter.type = typeOf(tokens);
  return parameter;
}

struct SourceKernel {
  std::string name;
  std::vector<SourceParameter> parameters;
};

std::vector<SourceParameter> parametersOf(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::vector<SourceParameter> parameters;
  Tokens one;
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::string& token = tokens[i];
    depth += token == "<" || token == "(" || token == "[" || token == "{";
    depth -= token == ">" || token == ")" || token == "]" || token == "}";
    if (token == "," && depth == 0) {
      parameters.push_back(parameterOf(std::exchange(one, {})));
    } else {
      one.push_back(token);
    }
  }
  if (!one.empty() && one != Tokens{"void"}) parameters.push_back(parameterOf(one));
  return parameters;
}

/// All that stands behind a `__global__`.
std::vector<SourceKernel> kernelsIn(std::string_view source) {
  static const Tokens attributes = {"__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__block_size__",
                                    "__attribute__",     "alignas",          "__declspec"};
  Tokens tokens = tokensOf(source);
  std::vector<SourceKernel> kernels;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] != "__global__") continue;
    for (std::size_t k = i + 1; k + 1 < tokens.size() && tokens[k] != ";" && tokens[k] != "{"; ++k) {
      if (tokens[k + 1] != "(" || !isName(tokens[k])) continue;
      std::size_t end = afterBrackets(tokens, k + 1);
      if (std::find(attributes.begin(), attributes.end(), tokens[k]) != attributes.end()) {
        k = end - 1;
        continue;
      }
      kernels.push_back({tokens[k], parametersOf(tokens, k + 2, end - 1)});
      break;
    }
  }
  return kernels;
}

// ---- PTX

ElementType ofSize(std::uint64_t bytes) {
  using enum ElementType;
  return bytes == 1 ? U8 : bytes == 2 ? U16 : bytes == 4 ? U32 : U64;
}

std::uint64_t bytesOf(const ptx::Variable& parameter) {
  std::uint64_t bytes = ptx::bitsOf(parameter.type) / 8 * std::uint64_t{parameter.vector};
  for (std::uint64_t extent : parameter.dimensions)
    bytes *= std::min<std::uint64_t>(extent, 1 << 16); // larger than any parameter already
  return bytes;
}

KernelParameter fromPtx(const ptx::Variable& variable, std::size_t index) {
  KernelParameter parameter;
  parameter.name = "arg" + std::to_string(index);
  parameter.pointer = !variable.pointer.empty();
  parameter.guessed = parameter.pointer;
  if (parameter.pointer) return parameter;
  std::uint64_t bytes = bytesOf(variable);
  if (!variable.dimensions.empty() || bytes > sizeOf(ElementType::U64)) {
    parameter.structBytes = bytes;
    parameter.guessed = true;
    return parameter;
  }
  auto named = parseElementType(ptx::toString(variable.type));
  parameter.type = named ? *named : ofSize(bytes);
  if (ptx::isSigned(variable.type))
    parameter.type = *parseElementType("i" + std::to_string(ptx::bitsOf(variable.type)));
  return parameter;
}

bool fits(const SourceKernel& kernel, const ptx::Function& function) {
  if (kernel.parameters.size() != function.parameters.size()) return false;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const SourceParameter& told = kernel.parameters[i];
    std::uint64_t bytes = bytesOf(function.parameters[i]);
    bool isScalar = function.parameters[i].dimensions.empty() && bytes <= 4;
    if (told.pointer ? bytes != 8 : told.type && sizeOf(*told.type) != bytes && isScalar) return false;
  }
  return true;
}

/// What the entry's mangled name says of its parameters; nothing if it does not fit the PTX.
std::vector<SourceParameter> typesIn(const DemangledName& name, const ptx::Function& function) {
  Tokens tokens = tokensOf(name.parameters);
  if (tokens.size() < 2) return {};
  SourceKernel told{name.base, parametersOf(tokens, 1, tokens.size() - 1)};
  for (SourceParameter& parameter : told.parameters)
    parameter.name.clear(); // the last word of a type
  return fits(told, function) ? told.parameters : std::vector<SourceParameter>{};
}

void describe(KernelParameter& parameter, const SourceParameter& told, std::uint64_t bytes) {
  if (!told.name.empty()) parameter.name = told.name;
  parameter.pointer = told.pointer;
  parameter.readOnly = told.readOnly;
  bool isWhole = told.type && sizeOf(*told.type) == bytes;
  if (told.pointer || isWhole) parameter.structBytes = 0;
  bool isStruct = parameter.structBytes > 0;
  bool isVector = isStruct && !told.ofTemplate && told.type && bytes % sizeOf(*told.type) == 0;
  if (told.type && (told.pointer || isWhole || isVector)) {
    parameter.type = *told.type;
    parameter.guessed = false;
  } else if (!isStruct) {
    // A name that is not known: its bits.
    parameter.type = told.pointer ? ElementType::U8 : ofSize(bytes);
    parameter.guessed = true;
  }
}

std::array<std::uint32_t, 3> blockOf(const ptx::Function& function) {
  std::array<std::uint32_t, 3> block{};
  for (const std::string& directive : function.directives) {
    if (directive.find("reqntid") == std::string::npos && directive.find("maxntid") == std::string::npos)
      continue;
    block = {1, 1, 1};
    std::size_t dimension = 0;
    for (const std::string& token : tokensOf(directive))
      if (std::isdigit(static_cast<unsigned char>(token.front())) && token.size() < 6 && dimension < 3)
        block[dimension++] = static_cast<std::uint32_t>(std::max(1L, std::stol(token)));
  }
  return block;
}

KernelSignature signatureOf(const ptx::Function& function, const std::vector<SourceKernel>& sources) {
  std::optional<DemangledName> demangled = demangle(function.name);
  std::string base = demangled ? demangled->base : function.name;
  KernelSignature signature;
  signature.entry = function.name;
  signature.name = demangled ? demangled->full : function.name;
  signature.block = blockOf(function);
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    signature.parameters.push_back(fromPtx(function.parameters[i], i));
  auto describeAll = [&](const std::vector<SourceParameter>& told) {
    for (std::size_t i = 0; i < told.size(); ++i)
      describe(signature.parameters[i], told[i], bytesOf(function.parameters[i]));
  };
  auto source = std::find_if(sources.begin(), sources.end(), [&](const SourceKernel& kernel) {
    return kernel.name == base && fits(kernel, function);
  });
  if (source != sources.end()) describeAll(source->parameters);
  // The source knows names; what a T or a typedef of it stands for, only the mangled name does.
  if (demangled) describeAll(typesIn(*demangled, function));
  return signature;
}

/// Two of one name, as in a macro, would be one buffer.
void makeDistinct(std::vector<KernelParameter>& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (parameters[k].name == parameters[i].name) parameters[i].name += "_" + std::to_string(i);
}

} // namespace

std::vector<KernelSignature> kernelSignatures(std::string_view ptx, std::string_view source) {
  ptx::Module module = ptx::parseModule(ptx, "the PTX");
  std::vector<SourceKernel> sources = kernelsIn(source);
  std::set<std::string> dynamicShared = entriesWithDynamicShared(module);
  std::vector<KernelSignature> signatures;
  for (const ptx::Item& item : module.items) {
    const auto* function = std::get_if<ptx::Function>(&item);
    if (!function || !function->entry || !function->body) continue;
    KernelSignature& signature = signatures.emplace_back(signatureOf(*function, sources));
    signature.dynamicShared = dynamicShared.contains(signature.entry);
    makeDistinct(signature.parameters);
  }
  return signatures;
}

} // namespace harness
