// Is a compiler blamed when only our executor is wrong? Every row of both opcode tables is made wrong in
// turn: the first result of its instructions comes out with its lowest bit flipped, and what has no result is
// not executed. Then cells are judged that are right otherwise. Needs toolchains 13.0.88 and 13.5.37, where
// the tests look for them, and some minutes.

#include "harness/matrix/judge.h"
#include "harness/matrix/run.h"
#include "harness/ptx/binder.h"
#include "harness/ptx/executor.h"
#include "harness/ptx/machine.h"
#include "harness/sass/binder.h"
#include "harness/sass/executor.h"
#include "harness/sass/machine.h"

#include "tests/compile/toolchains.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <unordered_map>

namespace harness::test {
namespace {

// ---- wrong executors

std::unordered_map<const sass::Op*, sass::OpFunction> sassOriginals;
std::unordered_map<const ptx::Op*, ptx::OpFunction> ptxOriginals;

void runWrongly(sass::Warp& warp, const sass::Op& op, sass::LaneMask mask) {
  bool hasRegister = op.dst.index != 255, hasPredicate = op.pdst[0].index != 7;
  if (!hasRegister && !hasPredicate) return;
  sassOriginals.at (&op)(warp, op, mask);
  if (!hasRegister) {
    sass::LaneMask value = op.pdst[0].uniform ? (warp.uniformPredicates[op.pdst[0].index] ? ~0u : 0u)
                                              : warp.predicates[op.pdst[0].index];
    return warp.write(op.pdst[0], ~value, mask);
  }
  sass::Lanes flipped;
  for (unsigned lane = 0; lane < sass::kLanes; ++lane)
    flipped.v[lane] =
        (op.dst.uniform ? warp.uniform[op.dst.index] : warp.registers[op.dst.index].v[lane]) ^ 1;
  warp.write(op.dst, flipped.v, mask);
}

void runWrongly(ptx::Warp& warp, const ptx::Op& op, ptx::LaneMask mask) {
  if (!op.destinations && !op.predicateDestinations) return;
  ptxOriginals.at (&op)(warp, op, mask);
  if (!op.destinations)
    return warp.writePredicate(op.pdst[0], ~warp.active.frame->predicates[op.pdst[0]], mask);
  ptx::Lanes flipped;
  for (unsigned lane = 0; lane < ptx::kLanes; ++lane)
    flipped.v[lane] = warp.active.frame->registers[op.dst[0].slot].v[lane] ^ 1;
  warp.write(op.dst[0], flipped.v, mask);
}

/// "IMAD" of "@P0 IMAD.WIDE R2, …".
std::string opcodeOf(std::string_view text) {
  while (text.starts_with("@") || text.starts_with(" "))
    text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  return std::string(text.substr(0, text.find_first_of(". ;")));
}

/// Which rows a build's code has: what decides whether a mutation can be seen in it.
using Rows = std::set<std::string>;

class SassMutant : public SassExecutor {
public:
  explicit SassMutant(std::string row, Rows* seen = nullptr) : row_(std::move(row)), seen_(seen) {}
  std::string version() const override { return "mutant " + row_; }
  std::unique_ptr<Executable> load(const std::shared_ptr<const Cubin>& cubin,
                                   const std::vector<sass::Listing>& listings,
                                   const Kernel& kernel) const override {
    return std::make_unique<Loaded>(*this, cubin, listings, kernel);
  }

private:
  struct Loaded : Executable {
    Loaded(const SassMutant& mutant, const std::shared_ptr<const Cubin>& cubin,
           const std::vector<sass::Listing>& listings, const Kernel& theKernel)
        : program(cubin, listings), kernel(theKernel) {
      auto& code = const_cast<sass::Code&>(program.decoded());
      for (std::size_t i = 0; i < code.size(); ++i) {
        std::string opcode = opcodeOf(code.texts[i]);
        if (mutant.seen_) mutant.seen_->insert(opcode);
        if (opcode != mutant.row_ || !code.ops[i].run) continue;
        sassOriginals[&code.ops[i]] = code.ops[i].run;
        code.ops[i].run = runWrongly;
      }
    }
    Executed execute(const BoundLaunch& launch, GlobalMemory& memory, const ExecutionOptions& options,
                     bool) const override {
      return sass::execute(program, kernel, launch, memory, options);
    }
    ExecutionResult findUnwritten(const BoundLaunch&, const FreshMemory&,
                                  const ExecutionOptions&) const override {
      return {};
    }
    sass::Program program;
    const Kernel& kernel;
  };
  std::string row_;
  Rows* seen_;
};

class PtxMutant : public PtxExecutor {
public:
  explicit PtxMutant(const ptx::OpcodeRow* row, std::set<const ptx::OpcodeRow*>* seen = nullptr)
      : row_(row), seen_(seen) {}
  std::string version() const override {
    return "mutant " +
           (row_ ? std::string(row_->name) + std::to_string(static_cast<int>(row_->types)) : "of none");
  }
  std::unique_ptr<Executable> load(const std::string& text, const std::string& kernel) const override {
    return std::make_unique<Loaded>(*this, text, kernel);
  }

private:
  struct Loaded : Executable {
    Loaded(const PtxMutant& mutant, const std::string& text, std::string theKernel)
        : program(ptx::parseModule(text, "the PTX"), "the PTX"), kernel(std::move(theKernel)) {
      auto& code = const_cast<ptx::Code&>(program.code());
      for (std::size_t i = 0; i < code.ops.size(); ++i) {
        if (!code.instructions[i]) continue;
        const ptx::OpcodeRow* row = ptx::findOpcode(*code.instructions[i]);
        if (mutant.seen_ && row) mutant.seen_->insert(row);
        if (!mutant.row_ || row != mutant.row_) continue;
        ptxOriginals[&code.ops[i]] = code.ops[i].run;
        code.ops[i].run = runWrongly;
      }
    }
    Executed execute(const BoundLaunch& launch, GlobalMemory& memory, const ExecutionOptions& options,
                     bool) const override {
      return ptx::execute(program, kernel, launch, memory, options);
    }
    ExecutionResult findUnwritten(const BoundLaunch&, const FreshMemory&,
                                  const ExecutionOptions&) const override {
      return {};
    }
    ptx::Program program;
    std::string kernel;
  };
  const ptx::OpcodeRow* row_;
  std::set<const ptx::OpcodeRow*>* seen_;
};

// ---- cells

constexpr const char* kArch = "sm_90";
constexpr const char* kLevels[] = {"O0", "O1", "O2", "O3"};
constexpr const char* kToolchains[] = {"13.0.88", "13.5.37"};
constexpr std::size_t kCasesOfARow = 3;
constexpr std::uint64_t kLimit = 2'000'000; ///< warp instructions

/// A case and the rows that its builds have.
struct Subject {
  CaseManifest manifest;
  Rows sass;
  std::set<const ptx::OpcodeRow*> ptx;
};

/// What was judged of one row's mutation in one case.
struct Tally {
  unsigned rows = 0;        ///< with a case that has them
  unsigned groups = 0;      ///< row and case
  unsigned seen = 0;        ///< in which some cell went wrong
  unsigned alike = 0;       ///< in which all cells went wrong
  unsigned blamed = 0;      ///< in which a compiler was blamed
  unsigned blamedAlike = 0; ///< though all went wrong
};

class Mutation : public testing::Test {
protected:
  Mutation()
      : toolchains_(installedToolchains()), cache_(defaultCacheDir() / "artifacts"), compiler_(cache_, {}),
        references_(cache_, {}), disassembler_(cache_, toolchains_.nvdisasm(), {}) {
    for (const char* name : kToolchains)
      installed_.push_back(toolchains_.get(name));
  }

  std::vector<PlannedCell> cellsOf(const CaseManifest& manifest) {
    std::vector<PlannedCell> cells;
    for (const Toolchain& toolchain : installed_)
      for (const char* level : kLevels)
        cells.push_back({CellName{manifest.id, toolchain.name, kArch, level}, &manifest, &toolchain,
                         OptPoint::parse(level)});
    return cells;
  }

  std::vector<CellRecord> judge(const CaseManifest& manifest, std::shared_ptr<const SassExecutor> sass,
                                std::shared_ptr<const PtxExecutor> ptx) {
    sassOriginals.clear();
    ptxOriginals.clear();
    NoMemory memory;
    Judge::Options options;
    options.jobs = 1; // the wrong executors share tables
    options.maxWarpInstructions = kLimit;
    options.sass = std::move(sass);
    options.ptx = std::move(ptx);
    options.installed = installed_;
    Judge judge(cache_, compiler_, disassembler_, references_, memory, options);
    return judge.judge(cellsOf(manifest));
  }

  /// The cases of which every cell is right, with their rows.
  void findSubjects() {
    for (CaseManifest& manifest : loadCases({HARNESS_SOURCE_DIR "/repros"})) {
      Subject subject{std::move(manifest), {}, {}};
      auto records = judge(subject.manifest, std::make_shared<SassMutant>("", &subject.sass),
                           std::make_shared<PtxMutant>(nullptr, &subject.ptx));
      bool right = std::all_of(records.begin(), records.end(),
                               [](const CellRecord& record) { return isRight(record); });
      if (right) subjects_.push_back(std::move(subject));
    }
  }

  static bool isRight(const CellRecord& record) {
    for (const auto& build : record.verdicts)
      for (const VerdictRecord& verdict : build)
        if (verdict.verdict != Verdict::Pass) return false;
    return true;
  }
  static bool isBlamed(const CellRecord& record) {
    for (const auto& build : record.verdicts)
      for (const VerdictRecord& verdict : build)
        if (verdict.blame == Blame::Ptxas || verdict.blame == Blame::FrontEnd) return true;
    return false;
  }

  void count(const std::vector<CellRecord>& records, const std::string& what, Tally& tally) {
    auto wrong =
        std::count_if(records.begin(), records.end(), [](const CellRecord& r) { return !isRight(r); });
    auto blamed = std::count_if(records.begin(), records.end(), isBlamed);
    bool alike = wrong == static_cast<std::ptrdiff_t>(records.size());
    ++tally.groups;
    tally.seen += wrong != 0;
    tally.alike += alike;
    tally.blamed += blamed != 0;
    tally.blamedAlike += alike && blamed != 0;
    if (alike && blamed) ADD_FAILURE() << what << ": a compiler is blamed though all builds are wrong";
  }

  static void print(const char* table, const Tally& tally) {
    std::printf("%s: %u rows, %u mutations judged, %u seen; all builds wrong in %u, a compiler blamed in %u "
                "of these; "
                "blamed in %u of all (%.1f %% of those seen)\n",
                table, tally.rows, tally.groups, tally.seen, tally.alike, tally.blamedAlike, tally.blamed,
                tally.seen ? 100.0 * tally.blamed / tally.seen : 0.0);
  }

  ToolchainDir toolchains_;
  ArtifactCache cache_;
  Compiler compiler_;
  ReferenceRunner references_;
  sass::Disassembler disassembler_;
  std::vector<Toolchain> installed_;
  std::vector<Subject> subjects_;
};

TEST_F(Mutation, NoCompilerIsBlamedForAnExecutor) {
  findSubjects();
  ASSERT_GT(subjects_.size(), 50u);
  Tally sassTally, ptxTally;
  for (std::span<const sass::OpcodeRow> family : sass::opcodeFamilies())
    for (const sass::OpcodeRow& row : family) {
      std::string name(row.name);
      std::size_t used = 0;
      for (const Subject& subject : subjects_) {
        if (used == kCasesOfARow || !subject.sass.contains(name)) continue;
        ++used;
        count(judge(subject.manifest, std::make_shared<SassMutant>(name), ptxExecutor()),
              name + " in " + subject.manifest.id, sassTally);
      }
      sassTally.rows += used != 0;
    }
  print("SASS", sassTally);
  for (std::span<const ptx::OpcodeRow> family : ptx::opcodeFamilies())
    for (const ptx::OpcodeRow& row : family) {
      std::size_t used = 0;
      for (const Subject& subject : subjects_) {
        if (used == kCasesOfARow || !subject.ptx.contains(&row)) continue;
        ++used;
        count(judge(subject.manifest, sassExecutor(), std::make_shared<PtxMutant>(&row)),
              std::string(row.name) + " in " + subject.manifest.id, ptxTally);
      }
      ptxTally.rows += used != 0;
    }
  print("PTX", ptxTally);
  EXPECT_GT(sassTally.alike, 0u);
  EXPECT_GT(ptxTally.seen, 0u);
  EXPECT_EQ(sassTally.blamedAlike + ptxTally.blamedAlike, 0u);
}

} // namespace
} // namespace harness::test
