#pragma once

#include "harness/store/store.h"

#include <span>
#include <string>
#include <string_view>

namespace harness {

/// What a person wants to know out of VerdictRecord::details. That is JSON, and of a shape that may grow:
///   {"message": "…", "buffers": [{"record": 34, "histogram": [8, 0, …], "pattern": "…"}],
///    "blame": {"because": "…"}, "oracle": "ptx"}
/// Whatever is missing or of another shape stays empty.
struct DetailSummary {
  std::string message; ///< of a fault, a compiler error …
  std::string pattern; ///< "got == ref & 0xff00"
  std::string where;   ///< "all at offset 0 of the 34-byte record"; empty where it would name all or many
  std::string because; ///< of the blame: "right from the same PTX with 13.1.80"
  std::string oracle;  ///< "judged by its PTX" where that is what it was compared with
};

DetailSummary summariseDetails(std::string_view json);

/// The executor that decided the cell's verdict; null if the row names none.
const QueryExecutor* decisiveExecutor(const QueryRow& row);

/// One line that says what was found in rows which agree in their verdict:
/// "8 of 272 bytes wrong, first out+0x22: 0x0e -> 0x00, got == ref & 0xff00, right from the same PTX with …".
/// Ranges where counts differ.
std::string describeFinding(std::span<const QueryRow* const> rows);

} // namespace harness
