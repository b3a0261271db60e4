#include "harness/base/error.h"

namespace harness {

ExitCode Error::exitCode() const {
  switch (kind_) {
  case ErrorKind::Usage: return ExitCode::Usage;
  case ErrorKind::Interrupted: return ExitCode::Interrupted;
  case ErrorKind::Environment:
  case ErrorKind::Internal: break;
  }
  return ExitCode::Environment;
}

} // namespace harness
