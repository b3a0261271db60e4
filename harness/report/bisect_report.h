#pragma once

#include "harness/matrix/bisect.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace harness {

struct BisectReportOptions {
  bool color = false;
  std::size_t width = 0; ///< of the terminal; 0 = do not wrap
};

/// What was found, for people: what it comes to in a line, the history with the neighbours it rests on, the
/// pairs that tell the stage, levels, architectures, and what could be installed to know more.
std::string renderBisection(const Bisection& bisection, const BisectReportOptions& options);

/// "first bad 12.0.76, first good 13.1.115; ptxas; O1–O3, not O0; sm_90 and newer".
std::string summarise(const Bisection& bisection);

/// The shape is fixed, keys may be added:
///   {"case","arch","opt","chosen": "given"|"known"|"expected"|"default","summary","monotone",
///    "history": [{"toolchain","verdict" (null: not judged),"standing","known"}],
///    "changes": [{"before","after","turns": "bad"|"good","stage","avoided","swaps": [CELL],
///                 "undecided": [toolchain],"installable": [toolchain]}],
///    "levels": [CELL], "archs": [CELL], "older": [toolchain], "cells_known", "cells_judged"}
/// where CELL is {"cell","verdict","standing","known","ptx": standing of its PTX by itself,"reason" (of an
/// undecided one, else "")}, and a point of the history has "reason" too. "avoided": the good ptxas is wrong
/// too on the PTX of the bad toolchain, so that nothing was repaired.
nlohmann::ordered_json bisectionJson(const Bisection& bisection);

} // namespace harness
