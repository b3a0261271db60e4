#pragma once

#include "harness/report/bundle.h"

namespace harness {

/// A bundle of a kernel that adds one to each byte: `expected` is right for it.
inline BundleInput exampleBundle() {
  BundleInput input;
  input.title = "Bytes plus one";
  input.cell = "plusone@13.0.88/sm_90/O3";
  input.arch = "sm_90";
  input.verdict = "mismatch";
  input.blame = "ptxas";
  input.source = R"(extern "C" __global__ void plusone(unsigned char* out, const unsigned char* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + STEP;
}
)";
  input.defines = {"STEP=1"};
  input.kernel = "plusone";
  input.grid = {3, 1, 1};
  input.block = {2, 1, 1};
  input.buffers = {{"out", std::string(6, '\xaa'), std::string("\x01\x02\x03\x00\x10\xaa", 6), 2},
                   {"in", std::string("\x00\x01\x02\xff\x0f\x33", 6), "", 0}};
  input.args = {{"out", "", {}}, {"in", "", {}}, {"", std::string("\x05\0\0\0", 4), {}}};
  input.nvccOptions = {"-Xptxas", "-O3"};
  input.ptx = ".version 9.0\n";
  input.badSass = "/*0000*/ MOV R1, R2 ;\n";
  input.goodSass = "/*0000*/ MOV R1, R3 ;\n";
  input.goodToolchain = "13.1.80";
  input.commands = {"bin/nvcc -ptx -arch=sm_90 -o kernel.ptx plusone.cu",
                    "bin/ptxas -arch=sm_90 -O3 kernel.ptx"};
  input.toolchains = {
      {"13.0.88", "Build cuda_13.0.r13.0/compiler.1_0", "Build cuda_13.0.r13.0/compiler.1_0", "mismatch"},
      {"13.1.80", "Build cuda_13.1.r13.1/compiler.2_0", "Build cuda_13.1.r13.1/compiler.2_0", "pass"}};
  input.explanation = "They part at SASS 'MOV R1, R2'.\n";
  input.findings = "out+0x4: expected 0x10, got 0x00\n";
  return input;
}

} // namespace harness
