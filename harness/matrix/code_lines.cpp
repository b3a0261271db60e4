#include "harness/matrix/code_lines.h"

#include "harness/cubin/line_table.h"

namespace harness {

std::vector<std::uint32_t> linesOfCode(std::string_view bytes, const Cubin& cubin, const std::string& ptxHash,
                                       const PlannedCell& cell, Compiler& compiler, ArtifactCache& cache) {
  std::vector<std::uint32_t> lines = ptxLines(bytes, cubin, "the cubin");
  if (!lines.empty()) return lines;
  OptPoint opt = cell.opt;
  opt.ptxas.push_back("-lineinfo");
  StageResult twin = compiler.toCubin(ptxHash, *cell.toolchain, cell.name.arch, opt);
  if (twin.status != CompileStatus::Ok) return {};
  auto twinBytes = cache.getArtifact(twin.hash);
  if (!twinBytes) return {};
  Cubin twinCubin = Cubin::parse(*twinBytes, "the cubin with line numbers");
  if (twinCubin.code != cubin.code) return {};
  return ptxLines(*twinBytes, twinCubin, "the cubin with line numbers");
}

} // namespace harness
