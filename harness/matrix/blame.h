#pragma once

#include "harness/parity/verdict.h"

#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// What the executors say of one shape of a build, at least one of them that something is wrong.
struct BlameFacts {
  Verdict machineCode = Verdict::Pass;
  std::string machineCodeMessage;     ///< of a fault
  bool ptxExecuted = true;            ///< false: nobody asked for it
  Verdict ptx = Verdict::Pass;        ///< against the reference; Pass where it is the reference itself
  std::string ptxMessage;             ///< what ended it
  std::vector<std::string> undefined; ///< what it did that PTX leaves undefined
  std::string mayFuse;                ///< products and sums that ptxas may fuse; empty if there are none
  bool sameAnswer = false;            ///< both wrote the same bytes
  bool hasFrontEnd = true;            ///< false: the source is PTX
};

/// Who is to blame, as far as the executors tell, and why.
struct Suspicion {
  /// What would show a compiler's fault. Without it none is blamed.
  enum class Evidence {
    None,          ///< nothing more is needed
    OtherAssembly, ///< the same PTX, right by another ptxas or at another level
    OtherFrontEnd, ///< another front end's PTX that is right
  };
  Evidence needed = Evidence::None;
  Blame blame = Blame::Unknown;
  std::string because;
  /// Not empty: the first trial is made without fusing, and if it is right, this is why.
  std::string mayFuse = {};
  /// Not empty: `because` as it reads beside the PTX's own verdict.
  std::string ptxBecause = {};
};

/// How what is said to be undefined ends where PTX leaves the rounding of a product and a sum open.
inline constexpr std::string_view kMayFuse = "ptxas may make one fused operation of the product and the sum";

/// The rules of README's "Reading a verdict". A compiler is a suspect only where both executors, which share
/// no code, speak against it: ptxas where the PTX is right and its machine code is not, the front end where
/// both give one wrong answer.
Suspicion suspect(const BlameFacts& facts);

/// True if two messages tell of one kind of fault, on one buffer if both name one.
bool isSameFault(std::string_view one, std::string_view other);

/// A build that differs in one stage only from the one that is wrong.
struct Trial {
  enum class Result {
    Right,
    AsWrong,   ///< the same wrong answer
    Wrong,     ///< in another way
    Races,     ///< right, but it races as the wrong build does: chance may have made it right
    NotJudged, ///< not compiled, not supported …
  };
  std::string name; ///< "13.0.88 at O0"
  Result result = Result::NotJudged;
};

std::string_view toString(Trial::Result result); ///< "right", "as wrong" …

/// What trials make of a suspicion that needs them: the first right one is the evidence. With
/// `suspicion.mayFuse` the first of them is the one without fusing.
Suspicion settle(const Suspicion& suspicion, const std::vector<Trial>& trials);

} // namespace harness
