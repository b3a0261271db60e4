#pragma once

#include "harness/store/store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace harness {

/// One launch that came out otherwise on a device than on the CPU.
struct ReceiptDifference {
  std::string cell, shape;
  unsigned poison = 0;
  std::string onDevice, onCpu; ///< how it ended; verdicts
  std::string first;           ///< "byte 0x22 of the outputs: 0x0e on the CPU, 0x00 on the device"
  std::string cubinHash;
  /// Why the two may differ, or empty: nobody has settled it yet.
  std::string settled;
};

/// How far a device and the SASS executor agree, launch by launch.
struct Receipt {
  std::set<std::string> devices;                    ///< JSON of each (gpu/device.h)
  std::uint64_t cells = 0, launches = 0, bytes = 0; ///< that were compared
  std::uint64_t equal = 0;                          ///< launches: every byte, or the same end
  std::uint64_t inAnotherOrder = 0;                 ///< as the CPU has it in another order of diverged paths
  std::uint64_t withinAnUlp = 0; ///< as the CPU has it where approximate results move by an ulp
  std::vector<ReceiptDifference> differences;
  std::map<std::string, std::uint64_t> notCompared; ///< cells by the reason
  /// Of every launch compared: cell, shape, poison, cubin, and both outputs.
  std::string digest;
};

/// From the cells of `filter` as last judged. `outputs` gives the concatenated outputs of a hash; empty if
/// they are lost. Throws Error(Usage) if no device has executed any of them.
Receipt makeReceipt(Store& store, QueryFilter filter,
                    const std::function<std::string(const std::string& hash)>& outputs);

/// As it is kept in receipts/:
///   {"devices": [{…}], "date", "revision", "cells", "launches", "bytes", "equal", "in_another_order",
///    "within_an_ulp", "different", "differences": [{"cell", "shape", "poison", "device", "cpu", "first",
///    "cubin", "settled" (null: open), "explain"}], "not_compared": {"reason": cells}, "digest", "more": …}
/// `more`: JSON that belongs to it too (probes of tensor cores); empty if there is none.
std::string renderReceipt(const Receipt& receipt, const std::string& date, const std::string& revision,
                          const std::string& more);

} // namespace harness
