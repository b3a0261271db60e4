#include "harness/toolchain/toolchain.h"

#include <algorithm>

namespace harness {

namespace {
std::string minorOf(const Version& version) {
  Version label = version;
  label.parts.resize(std::min<std::size_t>(label.parts.size(), 2));
  return label.str();
}
} // namespace

std::string_view toString(FrontEndKind kind) {
  return kind == FrontEndKind::Nvcc ? "nvcc" : "nvrtc";
}

std::string Toolchain::label() const {
  std::string front = minorOf(frontEnd.build), back = minorOf(ptxas.build);
  return front == back ? back : front + "+" + back;
}

bool Toolchain::knowsArch(std::string_view arch) const {
  return std::find(ptxas.archs.begin(), ptxas.archs.end(), arch) != ptxas.archs.end();
}

} // namespace harness
