#include "harness/matrix/struct_layout.h"

#include <algorithm>

namespace harness {

void StructLayout::pad(std::size_t align) {
  align_ = std::max(align_, align);
  bytes_.resize((bytes_.size() + align - 1) / align * align);
}

void StructLayout::add(std::string_view scalar) {
  pad(scalar.size());
  bytes_ += scalar;
}

void StructLayout::addPointer(const std::string& buffer) {
  pad(ArgSpec::kPointerBytes);
  pointers_.push_back({bytes_.size(), buffer});
  bytes_.append(ArgSpec::kPointerBytes, '\0');
}

void StructLayout::addZeros(std::size_t bytes) {
  bytes_.append(bytes, '\0');
}

void StructLayout::add(const StructLayout& member) {
  pad(member.align_);
  for (const ArgSpec::Pointer& pointer : member.pointers_)
    pointers_.push_back({bytes_.size() + pointer.offset, pointer.buffer});
  bytes_ += member.bytes_;
}

void StructLayout::close(std::size_t align) {
  align_ = std::max(align_, align);
  pad(align_);
}

} // namespace harness
