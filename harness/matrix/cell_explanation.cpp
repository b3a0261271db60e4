#include "harness/matrix/cell_explanation.h"

#include "harness/base/error.h"
#include "harness/cubin/cubin.h"
#include "harness/explain/explain.h"
#include "harness/matrix/code_lines.h"
#include "harness/matrix/mangled_name.h"
#include "harness/matrix/shape_memory.h"
#include "harness/parity/compare.h"
#include "harness/ptx/executor.h"
#include "harness/ptx/trace.h"
#include "harness/sass/executor.h"
#include "harness/sass/trace.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace harness::explain {

namespace {

/// An execution that is no success, in a sentence.
std::string describeEnd(const ExecutionResult& result) {
  switch (result.end) {
  case ExecutionEnd::Completed: return "completed";
  case ExecutionEnd::Fault: return "faults: " + result.message;
  case ExecutionEnd::Unsupported: return "cannot be executed: " + result.message;
  case ExecutionEnd::Timeout: return "does not end: " + result.message;
  }
  return result.message;
}

/// One shape of the case with one poison.
struct Attempt {
  const CaseShape* shape = nullptr;
  std::uint8_t poison = 0;
  std::vector<std::string> initial;
  Launch launch;
  ExecutionOptions options;

  Attempt(const CaseShape& itsShape, std::uint8_t itsPoison, std::uint64_t limit)
      : shape(&itsShape), poison(itsPoison), initial(itsShape.initialContents(itsPoison)),
        launch(launchOf(itsShape, initial)) {
    options.poison = std::byte{itsPoison};
    options.maxWarpInstructions = limit;
  }

  std::unique_ptr<GlobalMemory> fresh() const { return memoryOf(*shape, initial); }
};

/// What a launch leaves in the buffers, in their order.
struct Answer {
  ExecutionResult result;
  std::vector<std::string> buffers;
};

Answer runWith(const Attempt& attempt, const std::function<ExecutionResult(GlobalMemory&)>& execute) {
  Answer answer;
  auto memory = attempt.fresh();
  answer.result = execute(*memory);
  for (const BufferSpec& buffer : attempt.shape->buffers) {
    auto bytes = memory->bytes(buffer.name);
    answer.buffers.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return answer;
}

class CellExplainer {
public:
  CellExplainer(const PlannedCell& cell, Tools tools) : cell_(cell), tools_(tools) {
    result_.cell = cell.name.str();
  }

  Explanation run(BuildHashes build) {
    if (!findBuild(build)) return result_;
    readCubin(build);
    for (const CaseShape& shape : cell_.manifest->shapes)
      for (std::uint8_t poison : kPoison) {
        Attempt attempt(shape, poison, tools_.maxWarpInstructions);
        if (explain(attempt)) return result_;
      }
    result_.kind = Explanation::Kind::Pass;
    result_.verdict = "pass";
    result_.conclusion =
        "Every output byte is right, on all shapes and with both poisons: there is nothing to explain. "
        "(Diverged paths were run in the order ft, and approximate results correctly rounded.)";
    return result_;
  }

private:
  /// Compiles what the cache does not have; false if that fails, which is then the explanation.
  bool findBuild(BuildHashes& build) {
    if (isWhole(build.ptx) && isWhole(build.cubin)) return true;
    StageResult ptx = whole([&] {
      return tools_.compiler.toPtx(cell_.manifest->source, *cell_.toolchain, cell_.name.arch, cell_.opt);
    });
    StageResult last = ptx;
    if (ptx.status == CompileStatus::Ok)
      last = whole(
          [&] { return tools_.compiler.toCubin(ptx.hash, *cell_.toolchain, cell_.name.arch, cell_.opt); });
    if (last.status == CompileStatus::Ok) {
      build = {ptx.hash, last.hash};
      return true;
    }
    noAnswer(std::string(toString(last.status)),
             "It was not compiled, so there is no byte to explain; the compiler says: " +
                 last.log.substr(0, 400));
    return false;
  }

  /// A damaged artifact is found by reading it, and is then gone.
  bool isWhole(const std::string& hash) const { return !hash.empty() && tools_.cache.getArtifact(hash); }

  /// What a stage made, or, where that is damaged in the cache, makes again.
  StageResult whole(const std::function<StageResult()>& stage) const {
    StageResult result = stage();
    return result.status == CompileStatus::Ok && !isWhole(result.hash) ? stage() : result;
  }

  void noAnswer(const std::string& verdict, const std::string& why) {
    result_.kind = Explanation::Kind::NoWrongByte;
    result_.verdict = verdict;
    result_.conclusion = why;
  }

  std::string artifact(const std::string& hash, const char* what) {
    auto bytes = tools_.cache.getArtifact(hash);
    if (!bytes)
      failEnvironment("the {0} of {1} vanishes from the cache '{2}' as soon as it is there", what,
                      cell_.name.str(), tools_.cache.directory().string());
    return *bytes;
  }

  void readCubin(const BuildHashes& build) {
    ptxHash_ = build.ptx;
    std::string bytes = artifact(build.cubin, "cubin");
    cubin_ = std::make_shared<Cubin>(Cubin::parse(bytes, "the cubin"));
    auto listings = sass::disassembleCubins(tools_.disassembler, cell_.name.arch, {cubin_.get()});
    program_ = std::make_unique<sass::Program>(cubin_, listings.front());
    kernel_ = &kernelOf(*cubin_, cell_.manifest->kernel);
    lines_ = linesOfCode(bytes, *cubin_, build.ptx, cell_, tools_.compiler, tools_.cache);
  }

  ExecutionResult runSass(const Attempt& attempt, GlobalMemory& memory) const {
    return sass::execute(*program_, *kernel_, attempt.launch, memory, attempt.options);
  }

  /// False if SASS is right there, and PTX too.
  bool explain(const Attempt& attempt) {
    Answer sass = runWith(attempt, [&](GlobalMemory& memory) { return runSass(attempt, memory); });
    if (sass.result.end == ExecutionEnd::Completed) return explainFirstDifference(attempt, sass);
    noAnswer(std::string(toString(sass.result.end)),
             "There is no wrong byte to explain: the machine code " + describeEnd(sass.result) + ".");
    if (sass.result.end == ExecutionEnd::Fault) explainFault(attempt, sass);
    result_.shape = attempt.shape->name;
    return true;
  }

  /// Where it comes from that SASS faults; nothing to add if it does not show, or PTX does not complete.
  void explainFault(const Attempt& attempt, const Answer& sass) {
    Answer answer = runPtx(attempt);
    if (answer.result.end != ExecutionEnd::Completed) {
      result_.conclusion += " The PTX " + describeEnd(answer.result) + ".";
      return;
    }
    sass::TracedLaunch tracedHere = tracedSass(attempt);
    auto fault = tracedHere.fault();
    if (!fault) return;
    ptx::TracedLaunch tracedThere = tracedPtx(attempt);
    Explanation found =
        explain::explainFault(tracedHere, tracedThere, *fault, attempt.launch, !lines_.empty());
    found.cell = result_.cell;
    found.verdict = result_.verdict;
    found.conclusion =
        "The machine code " + describeEnd(sass.result) + ". The PTX completes. " + found.conclusion;
    result_ = std::move(found);
  }

  bool explainFirstDifference(const Attempt& attempt, const Answer& sass) {
    Answer ptx = runPtx(attempt);
    bool answered = ptx.result.end == ExecutionEnd::Completed;
    std::vector<std::string> expected = expectedBuffers(attempt, ptx);
    if (expected.empty()) {
      result_.shape = attempt.shape->name;
      noAnswer("undecided", "The case has no reference, and its PTX, which would stand for one, " +
                                describeEnd(ptx.result) + ".");
      return true;
    }
    if (std::optional<WrongByte> byte = firstWrong(attempt, expected, sass.buffers, ptx)) {
      explainWrong(attempt, *byte, answered ? "" : "the PTX " + describeEnd(ptx.result));
      return true;
    }
    if (!answered || !cell_.manifest->reference) return false;
    std::optional<WrongByte> byte = firstWrong(attempt, expected, ptx.buffers, ptx);
    if (!byte) return false;
    byte->sass = byte->expected;
    explainWrong(attempt, *byte, "");
    result_.conclusion = llvm::formatv("The machine code is right, but the PTX, as it is executed here, is "
                                       "not: it gives {0:x2} where {1:x2} is expected. The PTX executor is "
                                       "suspected, or a fault of the front end that ptxas undid.",
                                       *byte->ptx, byte->expected)
                             .str();
    return true;
  }

  /// The first byte at which `buffers` differ from what is expected.
  static std::optional<WrongByte> firstWrong(const Attempt& attempt, const std::vector<std::string>& expected,
                                             const std::vector<std::string>& buffers, const Answer& ptx) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::string &right = expected[i], &wrong = buffers[i];
      std::size_t at = static_cast<std::size_t>(
          std::mismatch(right.begin(), right.end(), wrong.begin()).first - right.begin());
      if (at == right.size()) continue;
      WrongByte byte;
      byte.buffer = attempt.shape->buffers[i].name;
      byte.offset = at;
      byte.address = addressOf(attempt, byte.buffer) + at;
      byte.expected = static_cast<std::uint8_t>(right[at]);
      byte.sass = static_cast<std::uint8_t>(wrong[at]);
      if (ptx.result.end == ExecutionEnd::Completed) byte.ptx = static_cast<std::uint8_t>(ptx.buffers[i][at]);
      return byte;
    }
    return std::nullopt;
  }

  /// What all buffers must hold; empty if nobody can tell.
  std::vector<std::string> expectedBuffers(const Attempt& attempt, const Answer& ptx) {
    std::vector<std::string> expected = attempt.initial;
    std::vector<std::string> outputs;
    if (cell_.manifest->reference)
      outputs = tools_.references.outputs(*cell_.manifest, *attempt.shape, attempt.initial);
    else if (ptx.result.end != ExecutionEnd::Completed)
      return {};
    std::size_t next = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (attempt.shape->buffers[i].output)
        expected[i] = cell_.manifest->reference ? outputs.at(next++) : ptx.buffers[i];
    return expected;
  }

  static std::uint64_t addressOf(const Attempt& attempt, const std::string& buffer) {
    auto memory = attempt.fresh();
    for (const Allocation& allocation : memory->allocations())
      if (allocation.name == buffer) return allocation.address;
    throw Error(ErrorKind::Internal, "a buffer without its memory");
  }

  /// PTX that is none ends as `unsupported`, with the parser's words.
  Answer runPtx(const Attempt& attempt) {
    try {
      if (!ptxProgram_) {
        std::string text = artifact(ptxHash_, "PTX");
        ptxProgram_ = std::make_unique<ptx::Program>(ptx::parseModule(text, "the PTX"), "the PTX");
        ptxKernel_ = entryOf(cell_.manifest->kernel, ptxProgram_->kernels(), "the PTX");
      }
      return runWith(attempt, [&](GlobalMemory& memory) {
        return ptx::execute(*ptxProgram_, ptxKernel_, attempt.launch, memory, attempt.options);
      });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage) throw;
      Answer answer;
      answer.result.end = ExecutionEnd::Unsupported;
      answer.result.message = error.what();
      return answer;
    }
  }

  sass::TracedLaunch tracedSass(const Attempt& attempt) const {
    return {*program_,       *kernel_, attempt.launch, [&attempt] { return attempt.fresh(); },
            attempt.options, lines_};
  }

  ptx::TracedLaunch tracedPtx(const Attempt& attempt) const {
    return {*ptxProgram_, ptxKernel_, attempt.launch, [&attempt] { return attempt.fresh(); },
            attempt.options};
  }

  void explainWrong(const Attempt& attempt, const WrongByte& byte, const std::string& noPtx) {
    sass::TracedLaunch sass = tracedSass(attempt);
    std::string cell = result_.cell;
    if (noPtx.empty()) {
      ptx::TracedLaunch ptx = tracedPtx(attempt);
      result_ = explainByte(sass, ptx, byte, attempt.launch, !lines_.empty());
    } else {
      result_ = explainWithoutPtx(sass, byte, attempt.launch, noPtx);
    }
    result_.cell = cell;
    result_.shape = attempt.shape->name;
  }

  const PlannedCell& cell_;
  Tools tools_;
  Explanation result_;
  std::string ptxHash_;
  std::shared_ptr<Cubin> cubin_;
  std::unique_ptr<sass::Program> program_;
  const Kernel* kernel_ = nullptr;
  std::unique_ptr<ptx::Program> ptxProgram_;
  std::string ptxKernel_; ///< the entry of ptxProgram_
  std::vector<std::uint32_t> lines_;
};

} // namespace

Explanation explainCell(const PlannedCell& cell, const BuildHashes& build, Tools tools) {
  return CellExplainer(cell, tools).run(build);
}

} // namespace harness::explain
