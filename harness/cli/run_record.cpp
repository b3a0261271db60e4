#include "harness/cli/run_record.h"

#include "harness/base/error.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"

#include <unistd.h>

namespace harness::cli {

namespace {

std::string hostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string revision(const std::filesystem::path& root) {
  try {
    ProcessSpec spec;
    spec.argv = {"git", "describe", "--always", "--dirty=+", "--abbrev=12", "--exclude=*"};
    spec.directory = root;
    ProcessResult result = runProcess(spec);
    return result.ok() ? std::string(trim(result.out)) : "";
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Interrupted) throw;
    return "";
  }
}

} // namespace

RunRecord describeRun(const Workspace& workspace, const std::string& commandLine) {
  RunRecord record;
  record.host = hostName();
  record.revision = revision(workspace.root());
  record.arguments = commandLine;
  return record;
}

} // namespace harness::cli
