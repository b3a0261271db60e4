#include "harness/simt/launch.h"

namespace harness {

std::string_view toString(Schedule schedule) {
  switch (schedule) {
  case Schedule::FallThroughFirst: return "ft";
  case Schedule::TakenFirst: return "tf";
  case Schedule::LowestPcFirst: return "lowest-pc";
  case Schedule::Random: return "random";
  }
  return "?";
}

std::string_view toString(ExecutionEnd end) {
  switch (end) {
  case ExecutionEnd::Completed: return "completed";
  case ExecutionEnd::Fault: return "fault";
  case ExecutionEnd::Unsupported: return "unsupported";
  case ExecutionEnd::Timeout: return "timeout";
  }
  return "?";
}

} // namespace harness
