#include "harness/cli/compared.h"

#include "harness/report/details.h"

#include <cstdint>

namespace harness::cli {

std::string describeCompared(const CellRecord& record) {
  const VerdictRecord& decisive = decisiveVerdict(record);
  std::uint64_t bytes = 0;
  for (const VerdictRecord& shape : record.verdicts.front())
    if (shape.executor == decisive.executor) bytes += shape.bytes;
  std::string oracle = summariseDetails(decisive.details).oracle;
  return std::to_string(bytes) + " bytes compared" + (oracle.empty() ? "" : ", " + oracle);
}

} // namespace harness::cli
