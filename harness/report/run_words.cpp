#include "harness/report/run_words.h"

#include <algorithm>

namespace harness {

namespace {

std::size_t count(const std::vector<QueryRow>& rows, Outcome outcome) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const QueryRow& r) { return r.outcome == outcome; }));
}

} // namespace

std::string headlineOf(const RunRecord& run, const std::vector<QueryRow>& rows) {
  std::size_t regressed = count(rows, Outcome::Regressed), undecided = count(rows, Outcome::Undecided);
  std::string text = "Run " + std::to_string(run.id) + (run.finished.empty() ? ", not finished: " : ": ");
  if (regressed > 0)
    text += std::to_string(regressed) + (regressed == 1 ? " cell regressed" : " cells regressed");
  else if (undecided > 0)
    text += "nothing regressed, " + std::to_string(undecided) + " undecided";
  else
    text += "nothing regressed";
  if (std::size_t fixed = count(rows, Outcome::Fixed)) text += ", " + std::to_string(fixed) + " fixed";
  return text;
}

std::string workDone(const RunRecord& run) {
  if (run.compiled + run.disassembled + run.executed == 0)
    return run.finished.empty() ? "What was done is not counted yet: the run has not ended."
                                : "Nothing was compiled, disassembled or executed: all of it was known.";
  return "Compiled " + std::to_string(run.compiled) + ", disassembled " + std::to_string(run.disassembled) +
         ", executed " + std::to_string(run.executed) + "; the rest was known.";
}

} // namespace harness
