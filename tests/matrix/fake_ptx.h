#pragma once

#include "harness/matrix/executor.h"

namespace harness::test {

/// A PTX executor that does to the kernel `fill` what the lines of its PTX that start with "//ptx " say:
///   right             every output is the input plus one (the default)
///   wrong             as the cubin `wrong`: the byte at offset 1 of each record of 4 has its highest bit set
///   otherwise-wrong   another bit
///   unordered         right in the order ft, wrong in others
///   unwritten         the byte at offset 2 is left as it is
///   undefined TEXT    reports TEXT
///   unwritten-use TEXT
///                     says TEXT when asked for what nobody wrote
///   fault|unsupported|timeout TEXT
///                     ends so
///   refuse TEXT       is no PTX
class FakePtx : public PtxExecutor {
public:
  explicit FakePtx(std::string version = "fake") : version_(std::move(version)) {}
  std::string version() const override { return version_; }
  std::unique_ptr<Executable> load(const std::string& text, const std::string& kernel) const override;

private:
  std::string version_;
};

} // namespace harness::test
