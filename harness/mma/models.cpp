// The table. Where its rows come from: hardware results of V100, A100, A2, RTX 1000 Ada, L40S, H100, H200 and
// B200 published with arXiv 2512.07004 (checked by tests/mma); sweeps of RTX 4090, H100, RTX 5090 and RTX PRO
// 6000 that others report; the simulators of arXiv 2603.20421 (Hawkeye) and arXiv 2511.10909 (MMA-Sim).
#include "harness/mma/model.h"

#include <algorithm>

namespace harness::mma {

namespace {

using enum Format;
using enum Instruction;

constexpr int kUnseenFloor = -139; ///< no sum of these formats gets so low

// Steps of an f32, and of an f16 accumulator. The floor is the least exponent of the result − 6 − (fraction −
// 24).
constexpr Step toF32(int products, int fraction) {
  return {products, fraction, -126 - 6 - (fraction - 24), 23, Rounding::TowardZero};
}
constexpr Step toF16(int products, int fraction) {
  return {products, fraction, -14 - 6 - (fraction - 24), 10, Rounding::NearestEven};
}
/// FP8 of Ada and Hopper: a narrow adder, and a result of 13 fraction bits in an f32.
constexpr Step narrowToF32(int products) {
  return {products, 13, kUnseenFloor, 13, Rounding::TowardZero};
}
constexpr Step narrowToF16(int products) {
  return {products, 13, kUnseenFloor, 10, Rounding::NearestEven};
}
constexpr Step kBlocks = {5, 35, kUnseenFloor, 23, Rounding::TowardZero};
constexpr Step kNoStep = {0, 0, 0, 0, Rounding::NearestEven};

// Functions, so that the table can be asked for while other files are still being initialised.
std::vector<Shape> halfShapes() {
  return {{16, 8, 8}, {16, 8, 16}, {16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
}
std::vector<Shape> tf32Shapes() {
  return {{16, 8, 4}, {16, 8, 8}, {16, 16, 8}};
}
std::vector<Shape> groupShapes(int k) {
  return {{64, 256, k}};
}
std::vector<Shape> fifthShapes(int k) {
  return {{32, 256, k}, {64, 256, k}, {128, 256, k}, {256, 256, k}};
}

constexpr std::string_view kNoEdges =
    "The vectors hold no subnormal, overflow, Inf, NaN or -0: harness mma probe on the device.";
constexpr std::string_view kByProbe = "harness mma probe on the device.";

/// Builds the rows.
class Table {
public:
  Table() {
    volta();
    turing();
    ampere(80, Status::Measured, "vectors of A100 (sm_80) and A2 (sm_86); bf16: 25.7 M words by others");
    ampere(89, Status::Measured,
           "vectors of RTX 1000 Ada and L40S; bf16: 24.9 M words of RTX 4090 by others");
    adaFp8();
    wide(90, MmaSync, Status::Measured, "vectors of H100 and H200; bf16: 25.7 M words by others");
    wide(90, Wgmma, Status::MeasuredByOthers, "bf16: 307 M words of H100 by others; as mma.sync");
    hopperFp8();
    wide(100, MmaSync, Status::Measured, "vectors of B200");
    wide(100, Tcgen05, Status::ModelOnly, "MMA-Sim; as mma.sync");
    expanded(100, Arithmetic::ExpandedChain, Status::Measured, "vectors of B200",
             "That the f32 form is a chain rests on one record of 10,000: the machine code of the kernel at "
             "hand.");
    fiveGenerations(100, Tcgen05, Status::ModelOnly, "MMA-Sim; outside measurements of 25 bits on B200");
    wide(120, MmaSync, Status::MeasuredByOthers, "bf16: RTX 5090 by others; the rest: MMA-Sim");
    fiveGenerations(120, MmaSync, Status::MeasuredByOthers, "25.0 M words each of RTX PRO 6000 by others");
    integers();
    doubles();
  }
  std::vector<Model> rows;

private:
  void add(unsigned sm, Instruction instruction, std::vector<Format> formats, Format accumulator,
           const Step& step, std::vector<Shape> shapes, Status status, std::string_view evidence,
           std::string_view open, Arithmetic arithmetic = Arithmetic::Fused,
           Scaling scaling = Scaling::None) {
    rows.push_back({sm, instruction, std::move(formats), scaling, accumulator, arithmetic, step,
                    std::move(shapes), status, evidence, open});
  }

  void volta() {
    std::vector<Shape> shapes = {{8, 8, 4}, {16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
    add(70, MmaSync, {F16}, F32, toF32(4, 23), shapes, Status::Measured, "vectors of V100", kNoEdges);
    add(70, MmaSync, {F16}, F16, toF16(4, 23), shapes, Status::Measured, "vectors of V100", kNoEdges);
  }

  void turing() {
    std::vector<Shape> shapes = {{8, 8, 4}, {16, 8, 8}, {16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
    constexpr std::string_view open =
        "Products of a step: 8 (MMA-Sim), or 4 (Fasi et al., T4)? On a T4, m16n8k8: k0 = "
        "2^12 2^12, k1 = -2^12 2^12, k4 = 0.5 0.5 gives 0 or 0.25.";
    add(75, MmaSync, {F16}, F32, toF32(8, 24), shapes, Status::ModelOnly, "MMA-Sim", open);
    add(75, MmaSync, {F16}, F16, toF16(8, 24), shapes, Status::ModelOnly, "MMA-Sim", open);
  }

  void ampere(unsigned sm, Status status, std::string_view evidence) {
    add(sm, MmaSync, {F16}, F32, toF32(8, 24), halfShapes(), status, evidence, kNoEdges);
    add(sm, MmaSync, {F16}, F16, toF16(8, 24), halfShapes(), status, evidence, kNoEdges);
    add(sm, MmaSync, {BF16}, F32, toF32(8, 24), halfShapes(), status, evidence, kNoEdges);
    add(sm, MmaSync, {TF32}, F32, toF32(4, 24), tf32Shapes(), status, evidence,
        "Whether a NaN with its payload in the 13 dropped bits alone becomes Inf: harness mma probe on the "
        "device.");
  }

  void adaFp8() {
    std::vector<Shape> shapes = {{16, 8, 16}, {16, 8, 32}};
    constexpr std::string_view evidence =
        "vectors of RTX 1000 Ada and L40S; 25.0 M words each of RTX 4090 by others";
    add(89, MmaSync, {E4M3, E5M2}, F32, narrowToF32(16), shapes, Status::Measured, evidence, kNoEdges);
    add(89, MmaSync, {E4M3, E5M2}, F16, narrowToF16(16), shapes, Status::Measured, evidence,
        "A floor, if there is one: sums of e5m2 products below 2^-20 on the device.");
  }

  /// Everything wider than a byte from Hopper on.
  void wide(unsigned sm, Instruction instruction, Status status, std::string_view evidence) {
    bool sync = instruction == MmaSync;
    auto shapes = [&](int k, const std::vector<Shape>& ofWarp) {
      return sync ? ofWarp : instruction == Wgmma ? groupShapes(k) : fifthShapes(k);
    };
    std::string_view open =
        sync ? "m16n8k8 as one step of 8, and edges: harness mma probe on the device." : kByProbe;
    add(sm, instruction, {F16}, F32, toF32(16, 25), shapes(16, halfShapes()), status, evidence, open);
    add(sm, instruction, {F16}, F16, toF16(16, 25), shapes(16, halfShapes()), status, evidence, open);
    add(sm, instruction, {BF16}, F32, toF32(16, 25), shapes(16, halfShapes()), status, evidence, open);
    add(sm, instruction, {TF32}, F32, toF32(8, 25), shapes(8, tf32Shapes()), status, evidence,
        "8 products a step rest on two models; the vectors have 4: k0 = 2^12 2^12, k1 = -2^12 2^12, k4 = 0.5 "
        "0.5 gives "
        "0 with 8, 0.25 with 4.");
  }

  /// FP8 mma.sync where it is no instruction: the products are those of f16.
  void expanded(unsigned sm, Arithmetic inF32, Status status, std::string_view evidence,
                std::string_view open) {
    std::vector<Shape> shapes = {{16, 8, 32}};
    add(sm, MmaSyncExpanded, {E4M3, E5M2}, F32, toF32(16, 25), shapes, status, evidence, open, inF32);
    add(sm, MmaSyncExpanded, {E4M3, E5M2}, F16, toF16(16, 25), shapes, Status::Measured,
        sm == 90 ? "vectors of H100 and H200" : "vectors of B200",
        "Other versions of ptxas may expand otherwise: the machine code of the kernel at hand.",
        Arithmetic::ExpandedChain);
  }

  void hopperFp8() {
    add(90, Wgmma, {E4M3, E5M2}, F32, narrowToF32(32), groupShapes(32), Status::Measured,
        "vectors of H100 and H200 with C = 0; 144.5 M and 25.6 M words by others",
        "A C that is not 0: harness mma probe on the device.");
    add(90, Wgmma, {E4M3, E5M2}, F16, narrowToF16(32), groupShapes(32), Status::ModelOnly, "MMA-Sim",
        kByProbe);
    expanded(90, Arithmetic::ExpandedTree, Status::MeasuredByOthers,
             "machine code of ptxas 12.4; 25.0 M words each of H100 by others",
             "Other versions of ptxas may expand otherwise: the machine code of the kernel at hand.");
  }

  /// Narrow floats of Blackwell, plain and with scales.
  void fiveGenerations(unsigned sm, Instruction instruction, Status fp8, std::string_view evidence) {
    bool sync = instruction == MmaSync;
    std::vector<Shape> k32 = sync ? std::vector<Shape>{{16, 8, 32}} : fifthShapes(32);
    std::vector<Shape> k64 = sync ? std::vector<Shape>{{16, 8, 64}} : fifthShapes(64);
    constexpr std::string_view fp6Open =
        "No source knows FP6; taken to be as FP8: harness mma probe on an RTX 50 (sm_120) or B200.";
    for (Format accumulator : {F32, F16}) {
      Step step = accumulator == F32 ? toF32(32, 25) : toF16(32, 25);
      add(sm, instruction, {E4M3, E5M2}, accumulator, step, k32, fp8, evidence, kByProbe);
      add(sm, instruction, {E2M1, E4M3, E5M2}, accumulator, step, k32, Status::ModelOnly, "MMA-Sim",
          kByProbe);
      add(sm, instruction, {E2M3, E3M2, E2M1, E4M3, E5M2}, accumulator, step, k32, Status::Unverified,
          "as FP8", fp6Open);
    }
    add(sm, instruction, {E2M1, E4M3, E5M2}, F32, toF32(32, 25), k32, Status::ModelOnly, "MMA-Sim", kByProbe,
        Arithmetic::Fused, Scaling::Mxf8f6f4);
    add(sm, instruction, {E2M3, E3M2, E2M1, E4M3, E5M2}, F32, toF32(32, 25), k32, Status::Unverified,
        "as FP8", fp6Open, Arithmetic::Fused, Scaling::Mxf8f6f4);
    constexpr std::string_view open = "Whether a block whose products cancel takes part in the greatest "
                                      "exponent (here it does, unless a scale is 0): "
                                      "a block of 1 1 - 1 1 under scales of 2^40 together, beside 1 1 under "
                                      "scales of 1: 0 if it does, 1 if not.";
    std::string_view sweep = sm == 120 ? "17.3 M (nvf4) and 14.4 M (mxf4) words of RTX 5090 by others"
                                       : "as RTX 5090, said of B200 in one sentence";
    Status status = sm == 120 ? Status::MeasuredByOthers : Status::ModelOnly;
    for (Scaling scaling : {Scaling::Mxf4, Scaling::Nvf4})
      add(sm, instruction, {E2M1}, F32, kBlocks, k64, status, sweep, open, Arithmetic::ScaledBlocks, scaling);
    add(sm, instruction, {E2M1}, F32, kBlocks, k64, Status::Unverified, "as nvf4", open,
        Arithmetic::ScaledBlocks, Scaling::Mxf4Per16);
  }

  void integers() {
    constexpr std::string_view open = ".satfinite is taken to clamp once, at the end: with it, a sum along k "
                                      "that passes 2^31 and returns, on a device.";
    auto add4 = [&](unsigned sm, Instruction instruction, std::vector<Format> formats,
                    std::vector<Shape> shapes) {
      add(sm, instruction, std::move(formats), S32, kNoStep, std::move(shapes), Status::Defined, "PTX manual",
          open, Arithmetic::Integers);
    };
    for (unsigned sm : {75u, 80u, 89u, 90u, 100u, 120u}) {
      std::vector<Shape> bytes = {{8, 8, 16}, {16, 16, 16}, {32, 8, 16}, {8, 32, 16}}, nibbles = {{8, 8, 32}},
                         bits = {{8, 8, 128}};
      if (sm >= 80) {
        bytes.insert(bytes.end(), {{16, 8, 16}, {16, 8, 32}});
        nibbles.insert(nibbles.end(), {{16, 8, 32}, {16, 8, 64}});
        bits.insert(bits.end(), {{16, 8, 128}, {16, 8, 256}});
      }
      add4(sm, MmaSync, {S8, U8}, bytes);
      add4(sm, MmaSync, {S4, U4}, nibbles);
      add(sm, MmaSync, {B1}, S32, kNoStep, bits, Status::Defined, "PTX manual", "", Arithmetic::Bits);
    }
    add4(90, Wgmma, {S8, U8}, groupShapes(32));
    add(90, Wgmma, {B1}, S32, kNoStep, groupShapes(256), Status::Defined, "PTX manual", "", Arithmetic::Bits);
    add4(100, Tcgen05, {S8, U8}, fifthShapes(32));
  }

  void doubles() {
    for (unsigned sm : {80u, 89u, 90u, 100u, 120u}) {
      std::vector<Shape> shapes = {{8, 8, 4}};
      if (sm >= 90) shapes.insert(shapes.end(), {{16, 8, 4}, {16, 8, 8}, {16, 8, 16}});
      add(sm, MmaSync, {F64}, F64, kNoStep, shapes, Status::ModelOnly, "MMA-Sim",
          "The order along k, and what becomes of NaN payloads: harness mma probe on a device.",
          Arithmetic::FmaChain);
    }
  }
};

bool among(const std::vector<Format>& formats, Format format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

} // namespace

std::span<const Model> models() {
  static const Table table;
  return table.rows;
}

bool Model::takes(const Inputs& inputs) const {
  return inputs.scaling == scaling && among(formats, inputs.a) && among(formats, inputs.b);
}

bool Model::has(const Shape& shape) const {
  bool sync = instruction == MmaSync || instruction == MmaSyncExpanded;
  return std::any_of(shapes.begin(), shapes.end(), [&](const Shape& known) {
    if (sync) return known == shape;
    return known.m == shape.m && known.k == shape.k && shape.n % 8 == 0 && shape.n >= 8 && shape.n <= known.n;
  });
}

std::string Model::name() const {
  std::string name = "sm_" + std::to_string(sm) + '/' + std::string(toString(instruction)) + '/' +
                     toString(Inputs{formats.front(), formats.front(), scaling});
  return accumulator == F16 ? name + "/f16" : name;
}

const Model& findModel(unsigned sm, Instruction instruction, const Inputs& inputs, Format accumulator) {
  unsigned arch = tableArch(sm);
  std::string others;
  for (const Model& model : models()) {
    if (model.sm != arch || !model.takes(inputs)) continue;
    if (model.instruction == instruction && model.accumulator == accumulator) return model;
    std::string other =
        std::string(toString(model.instruction)) + " into " + std::string(toString(model.accumulator));
    if (others.find(other) == std::string::npos) others += (others.empty() ? "" : ", ") + other;
  }
  std::string what = "sm_" + std::to_string(sm) + " has no " + std::string(toString(instruction)) + " of " +
                     toString(inputs) + " into " + std::string(toString(accumulator));
  if (instruction == MmaSync && others.find("expanded") != std::string::npos)
    what += " as one instruction (ptxas makes others of it)";
  throw UnknownModel(what + (others.empty() ? "" : "; it has " + others));
}

} // namespace harness::mma
