#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// One allocation in device memory.
struct Allocation {
  std::string name;          ///< the buffer's name in the manifest, for messages
  std::uint64_t address = 0; ///< device address, a multiple of 256
  std::uint64_t size = 0;    ///< bytes
  std::byte* host = nullptr; ///< where its bytes lie
};

/// Device global memory of one launch: named allocations with red zones between them. Any access that is not
/// wholly inside one allocation fails, so the red zones are never written; they only keep addresses apart.
/// Addresses depend only on the sequence of sizes: two runs of one launch see the same pointers.
class GlobalMemory {
public:
  static constexpr std::uint64_t kBase = 0x7f0000000000;
  static constexpr std::uint64_t kRedZone = 4096;

  GlobalMemory() = default;
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// A new allocation after the last one, filled with `fill`. `address` places it there (module variables).
  /// The reference holds until the next call. Throws Error(Usage) for more than 64 GiB, and where it would
  /// overlap another.
  Allocation& allocate(std::string name, std::uint64_t size, std::byte fill,
                       std::optional<std::uint64_t> address = std::nullopt);

  /// The allocation that holds all of [address, address+size), or null.
  const Allocation* find(std::uint64_t address, std::uint64_t size) const;

  /// What lies nearest to a bad address: "4 bytes past the end of 'out' (272 bytes)".
  std::string describe(std::uint64_t address, std::uint64_t size) const;

  const std::vector<Allocation>& allocations() const { return allocations_; }
  std::span<std::byte> bytes(std::string_view name);

private:
  std::vector<Allocation> allocations_; ///< by address
  std::vector<std::vector<std::byte>> storage_;
  std::uint64_t next_ = kBase;
};

} // namespace harness
