#pragma once

#include "harness/cli/workspace.h"
#include "harness/report/page_finding.h"
#include "harness/store/store.h"

namespace harness::cli {

/// What the database, and an explanation made now, say of a cell beside its row. An explanation that cannot
/// be had is no error: the evidence says why. Both must outlive the source.
EvidenceSource evidenceFrom(Store& store, const Workspace& workspace);

} // namespace harness::cli
