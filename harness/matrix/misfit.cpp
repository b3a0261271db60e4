#include "harness/matrix/misfit.h"

#include <llvm/Support/FormatVariadic.h>

namespace harness {

std::string describeMisfit(const CaseManifest& manifest, std::string_view what) {
  return llvm::formatv("{0}: correct the case.json of '{1}', which 'harness case validate {1}' checks", what,
                       manifest.id)
      .str();
}

} // namespace harness
