#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>
#include <string_view>

namespace harness {

/// `text` with what `replacement` gives in place of every control character (line feed and tab too) and of
/// every byte that is no UTF-8; it is given their bytes.
std::string replaceControls(std::string_view text,
                            llvm::function_ref<std::string(std::string_view)> replacement);

/// Hex digits in place of bytes that are not to be printed: "\x1b" for an escape.
std::string escapedBytes(std::string_view bytes);

} // namespace harness
