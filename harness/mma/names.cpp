#include "harness/mma/model.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

namespace harness::mma {

namespace {

constexpr std::string_view kInstructions[] = {"mma.sync", "wgmma", "tcgen05", "mma.sync-expanded"};
constexpr std::string_view kStatuses[] = {"measured", "measured by others", "model only", "defined",
                                          "unverified"};

struct ArchName {
  std::string_view name;
  unsigned sm;
};

constexpr unsigned kArchs[] = {70, 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

/// Names of families, and of the devices that results were measured on.
constexpr ArchName kArchNames[] = {
    {"volta", 70}, {"v100", 70}, {"turing", 75},     {"t4", 75},    {"ampere", 80},         {"a100", 80},
    {"a2", 86},    {"ada", 89},  {"lovelace", 89},   {"l40s", 89},  {"rtx4090", 89},        {"hopper", 90},
    {"h100", 90},  {"h200", 90}, {"blackwell", 100}, {"b200", 100}, {"rtx-blackwell", 120}, {"rtx5090", 120},
};

struct ScaledName {
  std::string_view name;
  Scaling scaling;
};
constexpr ScaledName kScaledNames[] = {
    {"mxf4", Scaling::Mxf4}, {"mxf4-16", Scaling::Mxf4Per16}, {"nvf4", Scaling::Nvf4}};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text.substr(0, 60)) + "'";
}

} // namespace

std::string_view toString(Instruction instruction) {
  return kInstructions[static_cast<std::size_t>(instruction)];
}

Instruction parseInstruction(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kInstructions); ++i)
    if (kInstructions[i] == name) return static_cast<Instruction>(i);
  throw UnknownModel(quoted(name) + " is no instruction: mma.sync, wgmma, tcgen05, mma.sync-expanded");
}

std::string_view toString(Status status) {
  return kStatuses[static_cast<std::size_t>(status)];
}

unsigned parseArch(std::string_view name) {
  std::string text = lower(name);
  for (const ArchName& arch : kArchNames)
    if (arch.name == text) return arch.sm;
  std::string_view digits = text;
  if (digits.starts_with("sm_")) digits.remove_prefix(3);
  if (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) digits.remove_suffix(1);
  unsigned sm = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), sm);
  bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (whole && std::find(std::begin(kArchs), std::end(kArchs), sm) != std::end(kArchs)) return sm;
  std::string known;
  for (unsigned arch : kArchs)
    known += " sm_" + std::to_string(arch);
  throw UnknownModel(quoted(name) + " is no architecture with a model:" + known);
}

unsigned tableArch(unsigned sm) {
  switch (sm) {
  case 86:
  case 87:
  case 88: return 80;
  case 103:
  case 110: return 100;
  case 121: return 120;
  default: return sm;
  }
}

Inputs parseInputs(std::string_view name) {
  std::string text = lower(name);
  for (const ScaledName& scaled : kScaledNames)
    if (scaled.name == text) return {Format::E2M1, Format::E2M1, scaled.scaling};
  std::string_view rest = text;
  bool scaled = rest.starts_with("mx-");
  if (scaled) rest.remove_prefix(3);
  std::size_t star = rest.find('*');
  auto a = parseFormat(rest.substr(0, star));
  auto b = star == std::string_view::npos ? a : parseFormat(rest.substr(star + 1));
  if (!a || !b || *a == Format::F32 || *a == Format::S32 || *b == Format::F32 || *b == Format::S32)
    throw UnknownModel(quoted(name) +
                       " is no format: f16 bf16 tf32 e4m3 e5m2 e2m3 e3m2 e2m1 s8 u8 s4 u4 b1 f64, two of "
                       "them as e4m3*e5m2, with scales mx-e4m3 … mx-e2m1, mxf4, mxf4-16, nvf4");
  return {*a, *b, scaled ? Scaling::Mxf8f6f4 : Scaling::None};
}

std::string toString(const Inputs& inputs) {
  for (const ScaledName& scaled : kScaledNames)
    if (scaled.scaling == inputs.scaling) return std::string(scaled.name);
  std::string name = inputs.scaling == Scaling::None ? "" : "mx-";
  name += toString(inputs.a);
  if (inputs.a != inputs.b) name += '*' + std::string(toString(inputs.b));
  return name;
}

Shape parseShape(std::string_view name) {
  Shape shape{};
  int* parts[] = {&shape.m, &shape.n, &shape.k};
  std::string_view rest = name;
  for (std::size_t i = 0; i < 3; ++i) {
    if (rest.empty() || rest.front() != "mnk"[i])
      throw UnknownModel(quoted(name) + " is no shape like m16n8k16");
    rest.remove_prefix(1);
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), *parts[i]);
    if (error != std::errc() || *parts[i] < 1 || *parts[i] > 1024)
      throw UnknownModel(quoted(name) + " is no shape like m16n8k16");
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  }
  if (!rest.empty()) throw UnknownModel(quoted(name) + " is no shape like m16n8k16");
  return shape;
}

std::string toString(const Shape& shape) {
  return "m" + std::to_string(shape.m) + "n" + std::to_string(shape.n) + "k" + std::to_string(shape.k);
}

} // namespace harness::mma
