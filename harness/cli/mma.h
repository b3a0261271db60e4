#pragma once

#include "harness/cli/app.h"
#include "harness/mma/multiplier.h"

#include <stdexcept>
#include <string>

namespace harness::cli {

/// `work`, whose std::invalid_argument becomes an Error(Usage) that begins with `where`.
template <typename Work> decltype(auto) asUsage(const std::string& where, Work work) {
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    failUsage("{0}{1}", where, error.what());
  }
}

/// An instruction as the command line names it.
struct InstructionArguments {
  std::string arch, format, instruction = "mma.sync", shape, accumulate;

  /// --format, --instruction, --shape, --accumulate.
  void addTo(CLI::App& command);
  mma::Inputs inputs() const;
  /// The accumulator named, or the one that there is.
  mma::Format accumulator() const;
  /// Throws Error(Usage) if there is none.
  const mma::Model& model() const { return modelOn(arch, instruction); }
  const mma::Model& modelOn(const std::string& arch, const std::string& instruction) const;
  /// The shape named, or of those of the model one of that depth, else the next deeper one, else the deepest.
  mma::Shape shapeOf(const mma::Model& model, int k) const;
  /// Says on stderr if the architecture only shares the rows of another.
  static void noteAlike(const std::string& arch);
};

// One function a subcommand of `mma`.
void addMmaEval(CLI::App& command, Action& action);
void addMmaProbe(CLI::App& command, const WorkspaceOptions& options, Action& action);

} // namespace harness::cli
