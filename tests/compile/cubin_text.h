#pragma once

#include <map>
#include <string>

namespace harness::test {

/// Name → bytes of every `.text` section of a cubin. Throws std::runtime_error if it is no ELF file.
std::map<std::string, std::string> textSections(const std::string& cubin);

} // namespace harness::test
