#include "tests/ptx/matrix_bench.h"

#include <gtest/gtest.h>

#include <cstring>
#include <span>

namespace harness::ptx::test {

using mma::Format;
using mma::Scaling;
using enum mma::Format;

namespace {

std::string nameOf(Format format) {
  return std::string(mma::toString(format));
}

std::string types(Format d, Format a, Format b, Format c) {
  return '.' + nameOf(d) + '.' + nameOf(a) + '.' + nameOf(b) + '.' + nameOf(c);
}

/// The forms, in the order of the manual's syntax.
class List {
public:
  List() {
    halves();
    floats();
    integers();
    narrow();
    scaled();
  }
  std::vector<MmaForm> forms;

private:
  MmaForm& add(const std::string& oldest, mma::Shape shape, const std::string& middle, Format d, Format a,
               Format b, Format c, const std::string& after = "") {
    std::vector<std::string> targets = {oldest};
    if (oldest != "sm_120a") targets.push_back("sm_120a");
    for (const std::string& target : targets) {
      MmaForm form;
      form.text =
          "mma.sync.aligned." + mma::toString(shape) + ".row.col" + middle + types(d, a, b, c) + after;
      form.target = target;
      form.shape = shape;
      form.a = a;
      form.b = b;
      form.c = c;
      form.d = d;
      forms.push_back(form);
    }
    return forms.back();
  }

  void halves() {
    for (bool aColumns : {false, true})
      for (bool bColumns : {false, true})
        for (auto [d, c] : {std::pair(F16, F16), std::pair(F32, F16), std::pair(F32, F32)})
          for (const char* target : {"sm_70", "sm_75", "sm_80", "sm_90"}) {
            MmaForm form;
            form.text = std::string("mma.sync.aligned.m8n8k4.") + (aColumns ? "col." : "row.") +
                        (bColumns ? "col" : "row") + types(d, F16, F16, c);
            form.target = target;
            form.shape = {8, 8, 4};
            form.a = form.b = F16;
            form.c = c;
            form.d = d;
            form.aColumns = aColumns;
            form.bColumns = bColumns;
            forms.push_back(form);
          }
    for (Format c : {F16, F32}) {
      add("sm_75", {16, 8, 8}, "", c, F16, F16, c);
      add("sm_80", {16, 8, 16}, "", c, F16, F16, c);
    }
  }

  void floats() {
    add("sm_80", {16, 8, 8}, "", F32, BF16, BF16, F32);
    add("sm_80", {16, 8, 16}, "", F32, BF16, BF16, F32);
    add("sm_80", {16, 8, 4}, "", F32, TF32, TF32, F32);
    add("sm_80", {16, 8, 8}, "", F32, TF32, TF32, F32);
    add("sm_80", {8, 8, 4}, "", F64, F64, F64, F64);
    for (int k : {4, 8, 16})
      for (const char* rounding : {"", ".rn", ".rz", ".rm", ".rp"})
        add("sm_90", {16, 8, k}, rounding, F64, F64, F64, F64);
  }

  void integers() {
    for (bool saturate : {false, true}) {
      std::string middle = saturate ? ".satfinite" : "";
      auto addAll = [&](Format first, Format second, const std::vector<mma::Shape>& shapes) {
        for (auto [a, b] : {std::pair(first, first), std::pair(first, second), std::pair(second, first),
                            std::pair(second, second)})
          for (const mma::Shape& shape : shapes) {
            std::size_t from = forms.size();
            add(shape.m == 8 ? "sm_75" : "sm_80", shape, middle, S32, a, b, S32);
            for (; from < forms.size(); ++from)
              forms[from].saturate = saturate;
          }
      };
      addAll(S8, U8, {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}});
      addAll(S4, U4, {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}});
    }
    for (const mma::Shape& shape : {mma::Shape{8, 8, 128}, {16, 8, 128}, {16, 8, 256}}) {
      add(shape.m == 8 ? "sm_75" : "sm_80", shape, "", S32, B1, B1, S32, ".xor.popc");
      std::size_t from = forms.size();
      add("sm_80", shape, "", S32, B1, B1, S32, ".and.popc");
      for (; from < forms.size(); ++from)
        forms[from].bitAnd = true;
    }
  }

  void narrow() {
    for (Format a : {E4M3, E5M2})
      for (Format b : {E4M3, E5M2})
        for (Format c : {F16, F32})
          for (int k : {16, 32}) {
            add("sm_89", {16, 8, k}, "", c, a, b, c);
            add("sm_90", {16, 8, k}, "", c, a, b, c);
            add("sm_100a", {16, 8, k}, ".kind::f8f6f4", c, a, b, c);
          }
    for (Format a : {E4M3, E5M2, E2M3, E3M2, E2M1})
      for (Format b : {E4M3, E5M2, E2M3, E3M2, E2M1})
        for (Format c : {F16, F32})
          add("sm_120a", {16, 8, 32}, ".kind::f8f6f4", c, a, b, c).container = 8;
  }

  void scaled() {
    for (Format a : {E4M3, E5M2, E2M3, E3M2, E2M1})
      for (Format b : {E4M3, E2M1})
        for (const char* scales : {"", ".scale_vec::1X"}) {
          MmaForm& form = add("sm_120a", {16, 8, 32}, std::string(".kind::mxf8f6f4.block_scale") + scales,
                              F32, a, b, F32, ".ue8m0");
          form.scaling = Scaling::Mxf8f6f4;
          form.container = 8;
        }
    auto four = [&](const std::string& kind, const std::string& type, Scaling scaling) {
      add("sm_120a", {16, 8, 64}, ".kind::" + kind, F32, E2M1, E2M1, F32, type).scaling = scaling;
    };
    four("mxf4.block_scale", ".ue8m0", Scaling::Mxf4);
    four("mxf4.block_scale.scale_vec::2X", ".ue8m0", Scaling::Mxf4);
    four("mxf4nvf4.block_scale.scale_vec::2X", ".ue8m0", Scaling::Mxf4);
    four("mxf4nvf4.block_scale.scale_vec::4X", ".ue8m0", Scaling::Mxf4Per16);
    four("mxf4nvf4.block_scale.scale_vec::4X", ".ue4m3", Scaling::Nvf4);
  }
};

bool between(int low, int i, int end) {
  return low <= i && i < end;
}

} // namespace

std::ostream& operator<<(std::ostream& out, const MmaForm& form) {
  return out << form.text << " on " << form.target;
}

const std::vector<MmaForm>& mmaForms() {
  static const std::vector<MmaForm> forms = List().forms;
  return forms;
}

Place placeInA(const MmaForm& form, int lane, int i) {
  int g = lane >> 2, t = lane % 4, k = form.shape.k;
  unsigned bits = bitsInRegister(form, form.a);
  if (form.isQuarters()) {
    int row = form.aColumns ? i % 4 : lane % 4;
    return {lane % 16 / 4, lane < 16 ? row : row + 4, form.aColumns ? lane % 4 : i};
  }
  if (form.shape.m == 8) {
    if (k == 4) return {0, g, t};
    if (k == 16) return {0, g, t * 4 + i};
    if (k == 32) return {0, g, t * 8 + i};
    return {0, g, t * 32 + i};
  }
  switch (k) {
  case 4: return {0, i == 0 ? g : g + 8, t};
  case 8:
    if (bits == 16) return {0, i < 2 ? g : g + 8, t * 2 + (i & 1)};
    return {0, i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
  case 16:
    if (bits == 16)
      return {0, between(0, i, 2) || between(4, i, 6) ? g : g + 8, t * 2 + (i & 1) + (i < 4 ? 0 : 8)};
    if (bits == 64) return {0, i % 2 == 0 ? g : g + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};
    return {0, i < 4 ? g : g + 8, t * 4 + (i & 3)};
  case 32:
    if (bits == 4) return {0, i < 8 ? g : g + 8, t * 8 + (i & 7)};
    return {0, between(0, i, 4) || between(8, i, 12) ? g : g + 8, t * 4 + (i & 3) + (i < 8 ? 0 : 16)};
  case 64:
    return {0, between(0, i, 8) || between(16, i, 24) ? g : g + 8, t * 8 + (i & 7) + (i < 16 ? 0 : 32)};
  case 128: return {0, i < 32 ? g : g + 8, t * 32 + (i & 31)};
  default:
    return {0, between(0, i, 32) || between(64, i, 96) ? g : g + 8, t * 32 + (i & 31) + (i < 64 ? 0 : 128)};
  }
}

Place placeInB(const MmaForm& form, int lane, int i) {
  int g = lane >> 2, t = lane % 4, k = form.shape.k;
  unsigned bits = bitsInRegister(form, form.b);
  if (form.isQuarters()) {
    int column = form.bColumns ? lane % 4 : i;
    return {lane % 16 / 4, form.bColumns ? i : lane % 4, lane < 16 ? column : column + 4};
  }
  switch (k) {
  case 4: return {0, t, g};
  case 8:
    if (bits == 16) return {0, t * 2 + i, g};
    return {0, i == 0 ? t : t + 4, g};
  case 16:
    if (bits == 16) return {0, t * 2 + (i & 1) + (i < 2 ? 0 : 8), g};
    if (bits == 64) return {0, t + i * 4, g};
    return {0, t * 4 + i, g};
  case 32:
    if (bits == 4) return {0, t * 8 + (i & 7), g};
    return {0, t * 4 + (i & 3) + (i < 4 ? 0 : 16), g};
  case 64: return {0, t * 8 + (i & 7) + (i < 8 ? 0 : 32), g};
  case 128: return {0, t * 32 + i, g};
  default: return {0, t * 32 + (i & 31) + (i < 32 ? 0 : 128), g};
  }
}

Place placeInC(const MmaForm& form, Format format, int lane, int i) {
  int g = lane >> 2, t = lane % 4;
  if (form.isQuarters()) {
    int product = lane % 16 / 4;
    if (format == F16) return {product, lane < 16 ? lane % 4 : lane % 4 + 4, i};
    int x = (lane & 1) + (i & 2);
    return {product, lane < 16 ? x : x + 4, (i & 4) + (lane & 2) + (i & 1)};
  }
  if (form.shape.m == 8) return {0, g, t * 2 + i};
  return {0, i < 2 ? g : g + 8, t * 2 + (i & 1)};
}

unsigned bitsInRegister(const MmaForm& form, Format format) {
  if (format == B1) return 1;
  if (format == S4 || format == U4) return 4;
  if (format == E2M1) return form.container ? 8 : 4;
  return static_cast<unsigned>(8 * mma::elementBytes(format));
}

unsigned registerBits(Format format) {
  return format == F64 ? 64 : 32;
}

namespace {

/// An element between its padding.
std::uint64_t padded(std::uint64_t code, Format format, unsigned bits, std::mt19937_64& noise) {
  if (bits != 8) return code;
  if (format == E2M1) return code << 2 | (noise() & 0xc3);
  if (format == E2M3 || format == E3M2) return code | (noise() & 0xc0);
  return code;
}

Registers pack(const MmaForm& form, Format format, const Codes& codes, std::mt19937_64& noise, auto place) {
  unsigned bits = bitsInRegister(form, format), inRegister = registerBits(format) / bits;
  std::size_t registers = codes.values.size() / (32 * std::size_t{inRegister});
  Registers made(registers);
  for (int lane = 0; lane < 32; ++lane)
    for (std::size_t i = 0; i < registers * inRegister; ++i) {
      std::uint64_t code = padded(codes.at(place(lane, static_cast<int>(i))), format, bits, noise);
      made[i / inRegister][static_cast<std::size_t>(lane)] |= code << (i % inRegister * bits);
    }
  return made;
}

} // namespace

Registers packA(const MmaForm& form, const Codes& codes, std::mt19937_64& noise) {
  return pack(form, form.a, codes, noise, [&](int lane, int i) { return placeInA(form, lane, i); });
}

Registers packB(const MmaForm& form, const Codes& codes, std::mt19937_64& noise) {
  return pack(form, form.b, codes, noise, [&](int lane, int i) { return placeInB(form, lane, i); });
}

Registers packC(const MmaForm& form, const Codes& codes) {
  std::mt19937_64 none;
  return pack(form, form.c, codes, none, [&](int lane, int i) { return placeInC(form, form.c, lane, i); });
}

Codes unpackD(const MmaForm& form, const Registers& registers) {
  Codes codes(form.products(), form.shape.m, form.shape.n);
  unsigned bits = bitsInRegister(form, form.d), inRegister = registerBits(form.d) / bits;
  std::uint64_t keep = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  for (int lane = 0; lane < 32; ++lane)
    for (std::size_t i = 0; i < registers.size() * inRegister; ++i)
      codes.at(placeInC(form, form.d, lane, static_cast<int>(i))) =
          registers[i / inRegister][static_cast<std::size_t>(lane)] >> (i % inRegister * bits) & keep;
  return codes;
}

std::string vectorOf(const std::string& name, std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + name + std::to_string(i);
  return text + "}";
}

namespace {

std::size_t bytesOf(const std::string& type) {
  return std::stoul(type.substr(type.find_first_of("0123456789"))) / 8;
}

} // namespace

WarpResult run(const WarpKernel& kernel) {
  std::string parameters, declarations = ".reg .b32 lane;\nmov.u32 lane, %tid.x;\n", loads, stores;
  GlobalMemory memory;
  Launch launch;
  launch.block = {32, 1, 1};
  auto pass = [&](const WarpKernel::Vector& vector, bool output) {
    std::size_t bytes = bytesOf(vector.type), count = vector.registers.size();
    std::string base = "at_" + vector.name;
    parameters += (parameters.empty() ? "" : ", ") + std::string(".param .b64 p_") + vector.name;
    declarations += ".reg ." + vector.type + " " + vector.name + "<" + std::to_string(count) +
                    ">;\n.reg .b64 " + base + ";\nld.param.b64 " + base + ", [p_" + vector.name +
                    "];\nmad.wide.u32 " + base + ", lane, " + std::to_string(bytes) + ", " + base + ";\n";
    Allocation& allocation = memory.allocate(vector.name, 32 * bytes * count, std::byte{0xee});
    for (std::size_t i = 0; i < count; ++i) {
      std::string place = "[" + base + "+" + std::to_string(i * 32 * bytes) + "]";
      std::string type = ".global.b" + std::to_string(8 * bytes) + " ", reg = vector.name + std::to_string(i);
      (output ? stores : loads) +=
          output ? "st" + type + place + ", " + reg + ";\n" : "ld" + type + reg + ", " + place + ";\n";
      for (std::size_t lane = 0; lane < 32 && !output; ++lane)
        std::memcpy(allocation.host + (i * 32 + lane) * bytes, &vector.registers[i][lane], bytes);
    }
    std::vector<std::byte> address(8);
    std::memcpy(address.data(), &allocation.address, 8);
    launch.args.push_back(address);
  };
  for (const WarpKernel::Vector& input : kernel.inputs)
    pass(input, false);
  pass(kernel.output, true);
  std::string text = ".version 9.1\n.target " + kernel.target + "\n.address_size 64\n.visible .entry k(" +
                     parameters + ")\n{\n" + declarations + loads + kernel.body + "\n" + stores + "ret;\n}\n";
  Program program(parseModule(text, "test"), "test");
  WarpResult result;
  result.execution = execute(program, "k", launch, memory, kernel.options);
  result.output.resize(kernel.output.registers.size());
  std::size_t bytes = bytesOf(kernel.output.type);
  std::span<std::byte> stored = memory.bytes(kernel.output.name);
  for (std::size_t i = 0; i < result.output.size(); ++i)
    for (std::size_t lane = 0; lane < 32; ++lane)
      std::memcpy(&result.output[i][lane], &stored[(i * 32 + lane) * bytes], bytes);
  return result;
}

WarpResult runMma(const MmaForm& form, const Registers& a, const Registers& b, const Registers& c,
                  const ExecutionOptions& options, const std::string& scales,
                  const std::vector<WarpKernel::Vector>& scaleInputs) {
  auto type = [](Format format) { return format == F64 ? "f64" : format == F32 ? "f32" : "b32"; };
  std::size_t count = static_cast<std::size_t>(form.products() * form.shape.m * form.shape.n) *
                      bitsInRegister(form, form.d) / (32 * registerBits(form.d));
  WarpKernel kernel;
  kernel.target = form.target;
  kernel.inputs = {{"a", type(form.a), a}, {"b", type(form.b), b}, {"c", type(form.c), c}};
  kernel.inputs.insert(kernel.inputs.end(), scaleInputs.begin(), scaleInputs.end());
  kernel.output = {"d", type(form.d), Registers(count)};
  kernel.body = form.text + " " + vectorOf("d", count) + ", " + vectorOf("a", a.size()) + ", " +
                vectorOf("b", b.size()) + ", " + vectorOf("c", c.size()) + scales + ";";
  kernel.options = options;
  WarpResult result = run(kernel);
  EXPECT_EQ(result.execution.end, ExecutionEnd::Completed) << form << ": " << result.execution.message;
  return result;
}

} // namespace harness::ptx::test
