#pragma once

#include "harness/store/store.h"

#include <string>
#include <vector>

namespace harness {

inline const std::vector<std::string> kSampleArchs{
    "sm_75",   "sm_80",  "sm_86",   "sm_87",  "sm_88",   "sm_89",  "sm_90",   "sm_90a", "sm_100",
    "sm_100a", "sm_103", "sm_103a", "sm_110", "sm_110a", "sm_120", "sm_120a", "sm_121", "sm_121a"};
inline const std::vector<std::string> kSampleOpts{"O0", "O1", "O2", "O3"};

inline QueryRow sampleRow(const std::string& caseId, const std::string& toolchain, const std::string& arch,
                          const std::string& opt) {
  QueryRow row;
  row.caseId = caseId;
  row.toolchain = toolchain;
  row.arch = arch;
  row.opt = opt;
  row.bytes = 272;
  row.builds = 1;
  row.run = 1;
  row.executors = {{"sass", "", Verdict::Pass, 272, 0, "", ""}};
  return row;
}

/// Makes a row a known mismatch of the byte store.
inline void makeMismatch(QueryRow& row, Outcome outcome = Outcome::Expected) {
  row.verdict = Verdict::Mismatch;
  row.blame = Blame::Ptxas;
  row.outcome = outcome;
  row.bad = 8;
  row.firstBad = "out+0x22: 0x0e -> 0x00";
  row.why = outcome == Outcome::Expected
                ? "ptxas before 13.1 converts the half to an integer instead of taking its low byte"
                : "";
  std::string histogram = "8";
  for (int i = 1; i < 34; ++i)
    histogram += ",0";
  std::string details = R"({"buffers":[{"name":"out","bytes":272,"bad":8,"record":34,"histogram":[)" +
                        histogram + R"(],"pattern":"got == ref & 0xff00"}]})";
  row.executors = {{"sass", "", Verdict::Mismatch, 272, 8, row.firstBad, details}};
}

/// All cells of one case on one toolchain.
inline std::vector<QueryRow> sampleBlock(const std::string& caseId, const std::string& toolchain,
                                         bool mismatch) {
  std::vector<QueryRow> rows;
  for (const std::string& arch : kSampleArchs)
    for (const std::string& opt : kSampleOpts) {
      rows.push_back(sampleRow(caseId, toolchain, arch, opt));
      if (mismatch) makeMismatch(rows.back());
    }
  return rows;
}

/// What `query --nvcc 13.0.88` gives of the first four cases.
inline std::vector<QueryRow> sampleQuery() {
  std::vector<QueryRow> rows;
  for (const char* caseId : {"fp8-block-dequant", "fp8-block-dequant-u16", "halfstore", "halfstore-u16"}) {
    bool mismatch = std::string(caseId).find("u16") == std::string::npos;
    for (QueryRow& row : sampleBlock(caseId, "13.0.88", mismatch))
      rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace harness
