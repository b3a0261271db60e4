#pragma once

#include "harness/sass/binder.h"
#include "harness/sass/machine.h"

#include <bit>
#include <optional>
#include <type_traits>

namespace harness::sass {

// How instructions reach memory. Every access of a lane goes through accessLanes, or through consecutive,
// which is the same for a whole warp at once.

/// The window that holds a lane's access of `bytes`, a power of two. Stops the launch if there is none, or
/// the address is no multiple of `bytes`.
using FindWindow = Window (*)(Warp& warp, std::uint64_t address, std::uint32_t bytes, int lane);
Window globalWindow(Warp& warp, std::uint64_t address, std::uint32_t bytes, int lane);
Window sharedWindow(Warp& warp, std::uint64_t address, std::uint32_t bytes, int lane);
Window localWindow(Warp& warp, std::uint64_t address, std::uint32_t bytes, int lane);
/// A generic address: global, or in the window of shared or local memory.
Window genericWindow(Warp& warp, std::uint64_t address, std::uint32_t bytes, int lane);

/// The memory that a generic address lies in.
MemorySpace spaceOf(std::uint64_t genericAddress);

/// True if both are one function. (Under UBSan GCC 12 takes `Find == sharedWindow` for no constant
/// expression.)
template <FindWindow Find, FindWindow Other>
inline constexpr bool isWindow =
    std::is_same_v<std::integral_constant<FindWindow, Find>, std::integral_constant<FindWindow, Other>>;

/// Addresses of all lanes in the memory of `Find`; those of shared and local memory are 32 bits wide.
template <FindWindow Find>
void laneAddresses(const Warp& warp, const Address& address, std::uint64_t (&addresses)[kLanes]) {
  warp.addresses(address, addresses);
  if constexpr (isWindow<Find, sharedWindow> || isWindow<Find, localWindow>)
    for (std::uint64_t& one : addresses)
      one &= 0xffffffff;
}

/// Calls access(host pointer, lane) for every lane of `mask`, in the order of the lanes. Mostly all lanes hit
/// one window, which is looked up once.
template <FindWindow Find, typename Access>
void accessLanes(Warp& warp, const std::uint64_t (&addresses)[kLanes], std::uint32_t bytes, LaneMask mask,
                 Access access) {
  Window window;
  for (LaneMask left = mask; left; left &= left - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (!window.holds(addresses[lane], bytes))
      window = Find(warp, addresses[lane], bytes, static_cast<int>(lane));
    access(window.at(addresses[lane], lane), lane);
  }
}

/// Where the `Bytes` of all 32 lanes lie in a row, as streaming code has them; null if they do not.
template <FindWindow Find, std::uint32_t Bytes>
std::byte* consecutive(Warp& warp, const std::uint64_t (&addresses)[kLanes], LaneMask mask) {
  if (mask != kAllLanes) return nullptr;
  std::uint64_t difference = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    difference |= addresses[i] ^ (addresses[0] + Bytes * i);
  if (difference) return nullptr;
  Window window = Find(warp, addresses[0], Bytes, 0);
  if (window.laneStride != 0 || !window.holds(addresses[kLanes - 1], Bytes)) return nullptr;
  return window.at(addresses[0], 0);
}

/// Tells an observer of what lanes are about to do. Without a `space` addresses are generic. `words` as in
/// MemoryAccess.
void notify(Warp& warp, std::optional<MemorySpace> space, AccessKind kind, const std::uint64_t* addresses,
            std::uint32_t bytes, LaneMask mask, const std::uint32_t* const* words);

template <FindWindow Find>
void observe(Warp& warp, AccessKind kind, const std::uint64_t (&addresses)[kLanes], std::uint32_t bytes,
             LaneMask mask, const std::uint32_t* const* words = nullptr) {
  if (!warp.machine.observer) [[likely]]
    return;
  std::optional<MemorySpace> space;
  if constexpr (isWindow<Find, globalWindow>) space = MemorySpace::Global;
  if constexpr (isWindow<Find, sharedWindow>) space = MemorySpace::Shared;
  if constexpr (isWindow<Find, localWindow>) space = MemorySpace::Local;
  notify(warp, space, kind, addresses, bytes, mask, words);
}

// ---- binding

/// Ordering, scope and cache words; they change no value of a program without races.
void ignoreCacheWords(Binder& b);
/// `.E` and a 64-bit address into op.address. sm_75 prints the pair as [R4], later ones as [R4.64];
/// [R4.U32+UR4] adds a zero-extended register, [R4.64+UR4] of sm_75 and sm_80 a pair, to a uniform pair.
void takeGlobalAddress(Binder& b);
/// An address inside shared or local memory, 32 bits, into op.address.
void takeWindowAddress(Binder& b);
/// Refuses a group of `words` registers that is not aligned or not inside the register file.
void checkGroup(Binder& b, unsigned index, unsigned words);
/// The registers of a group, as they are.
Source takeGroup(Binder& b, unsigned words);

/// The words of a group of registers of all lanes; RZ gives zeros, a number itself. `words` is four at most.
struct Group {
  Group(const Warp& warp, const Source& first, unsigned words);
  const std::uint32_t* operator[](unsigned i) const { return words_[i]; }
  const std::uint32_t* const* data() const { return words_; }

private:
  Lanes scratch_;
  const std::uint32_t* words_[4] = {};
};

/// Writes the words of a group of registers; to RZ nothing.
void writeGroup(Warp& warp, Destination first, const Lanes* values, unsigned words, LaneMask mask);

} // namespace harness::sass
