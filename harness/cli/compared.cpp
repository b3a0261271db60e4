#include "harness/cli/compared.h"

#include "harness/report/details.h"

namespace harness::cli {

std::string describeCompared(const CellRecord& record) {
  std::string oracle = summariseDetails(decisiveVerdict(record).details).oracle;
  return std::to_string(totalsOf(record).bytes) + " bytes compared" + (oracle.empty() ? "" : ", " + oracle);
}

} // namespace harness::cli
