#include "harness/sass/machine.h"

namespace harness::sass {

std::uint64_t Warp::fetchCommon(const Source& source, unsigned bytes) const {
  switch (source.kind) {
  case Source::Kind::Register: return 0; // RZ
  case Source::Kind::Immediate: return source.immediate;
  case Source::Kind::Uniform:
    if (bytes == 4 || source.index == 255) return uniform[source.index];
    return uniform[source.index] | std::uint64_t{uniform[source.index + 1]} << 32;
  case Source::Kind::Constant: return machine.bank(source.bank).read(source.bank, source.offset, bytes);
  case Source::Kind::ConstantIndexed: break;
  }
  unsupported("a constant indexed by a register as an operand");
}

} // namespace harness::sass
