#pragma once

#include "harness/base/subprocess.h"
#include "harness/compile/compile.h"

#include <string>
#include <string_view>

namespace harness {

/// What a compiler's end and its messages mean. `wroteOutput`: it left a non-empty output file.
/// Throws Error(Interrupted) after Ctrl-C and Error(Environment) when the compiler met a full disk.
CompileStatus judge(const ProcessResult& result, std::string_view log, bool wroteOutput);

/// `text` as valid UTF-8 of at most 64 KiB. What is too long is cut in the middle, and that is said: messages
/// stand at its beginning, how it ended at its end.
std::string boundedLog(std::string text);

} // namespace harness
