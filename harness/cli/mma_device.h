#pragma once

#include "harness/cli/asked_kernel.h"
#include "harness/mma/probe.h"

#include <cstdint>
#include <string>
#include <vector>

namespace harness::cli {

/// True for the instructions that DeviceSubject can ask: mma.sync of f16, bf16, tf32, e4m3 and e5m2.
bool canAskDevice(const mma::Model& model, const mma::Inputs& inputs);

/// A kernel `ask(in, out)` in PTX: every warp multiplies once. Its question lies in `questionBytes` of
/// `in`: for each half of k, then of A's row 0, then of B's column 0, the registers of lanes 0 to 3; last C's
/// element (0, 0). `out` gets D's element (0, 0), a word a question. PTX ISA, "Matrix Fragments for
/// mma.m16n8kN".
struct ProbeKernel {
  std::string ptx;
  unsigned questionBytes = 0;

  ProbeKernel(const mma::Inputs& inputs, mma::Format accumulator, int k, const std::string& arch,
              const std::string& ptxVersion);
};

/// The words of a question, as ProbeKernel takes them.
std::vector<std::uint32_t> wordsOf(const mma::Inputs& inputs, const mma::Question& question);

/// The tensor cores of a device.
class DeviceSubject : public mma::Subject {
public:
  /// `arch` is what the kernel is compiled for. Throws as makeKernel and DeviceRunner do.
  DeviceSubject(const mma::Inputs& inputs, mma::Format accumulator, int k, const std::string& arch,
                gpu::Pool& pool, const Workspace& workspace);
  /// Throws Error(Usage) if the device does not do it.
  std::vector<std::uint32_t> ask(const std::vector<mma::Question>& questions) override;

  const gpu::Device& device() const { return runner_.device(); }

private:
  unsigned questionBytes_ = 0;
  AskedKernel kernel_;
  DeviceRunner runner_;
};

} // namespace harness::cli
