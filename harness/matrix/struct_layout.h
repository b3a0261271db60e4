#pragma once

#include "harness/matrix/manifest.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// A structure that a kernel takes by value, made member by member as C and CUDA lay it out: each at the next
/// multiple of its alignment, the whole as long as a multiple of the largest of them. What pads it is 0.
class StructLayout {
public:
  static constexpr std::size_t kMostAlign = 128; ///< bytes

  /// A scalar of 1, 2, 4 or 8 bytes, aligned to its size.
  void add(std::string_view scalar);
  void addPointer(const std::string& buffer);
  void addZeros(std::size_t bytes); ///< not aligned
  /// A structure within it, which is closed.
  void add(const StructLayout& member);
  /// Pads it to its end. `align`: bytes, a power of two, if that is more than the members'.
  void close(std::size_t align);

  std::size_t size() const { return bytes_.size(); }
  std::size_t align() const { return align_; } ///< that its members need, bytes
  const std::string& bytes() const { return bytes_; }
  const std::vector<ArgSpec::Pointer>& pointers() const { return pointers_; } ///< by offset

private:
  void pad(std::size_t align);

  std::string bytes_;
  std::vector<ArgSpec::Pointer> pointers_;
  std::size_t align_ = 1;
};

} // namespace harness
