// mma/<arch>/<instruction>/<format>: products of 16×16 by 16×16 (items) on one core; /f16 behind it: an f16
// accumulator. mma/gemm/…: a large product on all cores, in steps of k = 16 of one output.
#include "harness/mma/multiplier.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

namespace harness::mma {
namespace {

/// Random matrices of numbers in [-1, 1), of any integers, and scales near 1.
struct Matrices {
  Shape size;
  std::vector<std::uint8_t> a, b, c, d, aScales, bScales;

  Matrices(const Inputs& inputs, Format accumulator, const Shape& of) : size(of) {
    fill(a, inputs.a, size.m * size.k);
    fill(b, inputs.b, size.k * size.n);
    fill(c, accumulator, size.m * size.n);
    d = c;
    if (int block = blockOf(inputs.scaling)) {
      std::uint8_t one = inputs.scaling == Scaling::Nvf4 ? 0x38 : 0x7f;
      aScales.assign(static_cast<std::size_t>(size.m * (size.k / block + 1)), one);
      bScales.assign(static_cast<std::size_t>(size.n * (size.k / block + 1)), one);
    }
  }

private:
  void fill(std::vector<std::uint8_t>& to, Format format, int count) {
    std::size_t bytes = elementBytes(format);
    to.resize(static_cast<std::size_t>(count) * bytes);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      double value = static_cast<double>(random_() >> 11) * 0x1p-52 - 1;
      std::uint64_t code = isInteger(format) ? random_() & (format == Format::S32 ? 0xffffff : 0xff)
                                             : fromDouble(format, value);
      std::copy_n(reinterpret_cast<const std::uint8_t*>(&code), bytes, to.data() + i * bytes);
    }
  }
  std::mt19937_64 random_{1};
};

Multiplier multiplierOf(const Model& model) {
  auto deepest = std::max_element(model.shapes.begin(), model.shapes.end(),
                                  [](const Shape& x, const Shape& y) { return x.k < y.k; });
  return Multiplier(model, {model.formats.front(), model.formats.front(), model.scaling}, *deepest);
}

void multiply(benchmark::State& state, const Multiplier& multiplier, const Shape& size, unsigned threads,
              double items) {
  Matrices matrices(multiplier.inputs(), multiplier.model().accumulator, size);
  for (auto _ : state) {
    gemm(multiplier, size, matrices.d.data(), matrices.a.data(), matrices.b.data(), matrices.c.data(),
         threads, matrices.aScales.data(), matrices.bScales.data());
    benchmark::DoNotOptimize(matrices.d.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(static_cast<double>(state.iterations()) * items));
}

bool registerAll() {
  for (const Model& model : models())
    benchmark::RegisterBenchmark(("mma/" + model.name()).c_str(), [&model](benchmark::State& state) {
      Multiplier multiplier = multiplierOf(model);
      // FP8 … B1 are deeper than 16: as many columns of k, the same number of multiplications.
      int k = std::max(16, multiplier.shape().k);
      multiply(state, multiplier, {16, 16, k}, 1, k / 16.0);
    });
  for (const char* arch : {"sm_80", "sm_90"})
    benchmark::RegisterBenchmark(
        (std::string("mma/gemm/") + arch + "/f16").c_str(),
        [arch](benchmark::State& state) {
          Multiplier multiplier =
              multiplierOf(findModel(parseArch(arch), Instruction::MmaSync, parseInputs("f16"), Format::F32));
          multiply(state, multiplier, {1024, 1024, 1024}, std::thread::hardware_concurrency(),
                   1024.0 * 1024 * 1024 / 16);
        })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  return true;
}

const bool kRegistered = registerAll();

} // namespace
} // namespace harness::mma
