#pragma once

#include "harness/matrix/judge.h"
#include "harness/matrix/run.h"

#include "tests/matrix/world.h"
#include <gtest/gtest.h>

#include <deque>

namespace harness::test {

/// Judges cells of a World in this process. Every call puts the parts together anew, as another process
/// would; cache and database stay.
class JudgeBench : public testing::Test {
protected:
  JudgeBench() : store_(world_.path("bench.db"), Store::Mode::ReadWrite) {
    compilerLimits_.wall = std::chrono::seconds(20);
    compilerLimits_.memoryBytes = 0;
    judgeOptions_.jobs = 4;
    judgeOptions_.disassemblerLimits.memoryBytes = 0;
    judgeOptions_.ptx = nullptr;
  }

  /// The cell's parts stay alive as long as the bench.
  PlannedCell plan(const std::string& cell) {
    CellName name = CellName::parse(cell);
    manifests_.push_back(CaseManifest::load(world_.path("repros/" + name.caseId)));
    toolchains_.push_back(ToolchainDir(world_.path("toolchains")).get(name.toolchain));
    return {name, &manifests_.back(), &toolchains_.back(), OptPoint::parse(name.opt)};
  }

  std::vector<PlannedCell> plan(const std::vector<std::string>& cells) {
    std::vector<PlannedCell> planned;
    for (const std::string& cell : cells)
      planned.push_back(plan(cell));
    return planned;
  }

  std::vector<CellRecord> judgePlanned(const std::vector<PlannedCell>& cells) {
    std::vector<CellRecord> records;
    withJudge([&](Judge& judge) { records = judge.judge(cells); });
    return records;
  }

  std::vector<CellRecord> judgeAll(const std::vector<std::string>& cells) {
    return judgePlanned(plan(cells));
  }

  CellRecord judge(const std::string& cell) { return judgeAll({cell}).front(); }

  /// The case `it` with this source, on sm_80 at O3 with 13.0.88.
  CellRecord judgeScript(const std::string& script, const std::function<void(World::Json&)>& change = {}) {
    world_.writeCase("it", script, change);
    return judge("it@13.0.88/sm_80/O3");
  }

  RunSummary run(const std::vector<std::string>& cells) {
    RunSummary summary;
    withJudge([&](Judge& judge) {
      RecordedRun recorded(judge, store_, {});
      recorded.judge(plan(cells));
      summary = recorded.finish();
    });
    return summary;
  }

  World world_;
  ArtifactCache cache_{world_.path("bench-cache")};
  Store store_;
  ProcessLimits compilerLimits_;
  Judge::Options judgeOptions_; ///< PTX is not executed
  WorkCount work_;              ///< of the last judge

private:
  template <typename Use> void withJudge(Use use) {
    ReferenceRunner::Options references;
    references.compiler = world_.path("bin/c++");
    references.compileLimits.memoryBytes = references.runLimits.memoryBytes = 0;
    StoreMemory memory(store_);
    Compiler compiler(cache_, {compilerLimits_, {}});
    sass::Disassembler disassembler(cache_, ToolchainDir(world_.path("toolchains")).nvdisasm(),
                                    judgeOptions_.disassemblerLimits);
    ReferenceRunner runner(cache_, references);
    judgeOptions_.installed = ToolchainDir(world_.path("toolchains")).list();
    Judge judge(cache_, compiler, disassembler, runner, memory, judgeOptions_);
    use(judge);
    work_ = judge.work();
  }

  std::deque<CaseManifest> manifests_;
  std::deque<Toolchain> toolchains_;
};

} // namespace harness::test
