#pragma once

#include "harness/base/version.h"
#include "harness/compile/compile.h"
#include "harness/toolchain/toolchain.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// A build in which one stage is another than in the wrong one.
struct TrialBuild {
  std::string name; ///< for people: "13.0.88 at O0"; "13.1.80" where the options stay
  Toolchain toolchain;
  OptPoint opt;
};

/// At most this many other toolchains are tried for one fault.
inline constexpr std::size_t kTrialToolchains = 4;

/// The same ptxas on the same PTX, but told to leave products and sums apart.
TrialBuild unfusedTrial(const Toolchain& toolchain, const OptPoint& opt);

/// Other ptxas options for the same PTX, by the same ptxas: O3 … O0, but for the level that `opt` is.
std::vector<TrialBuild> levelTrials(const Toolchain& toolchain, const OptPoint& opt);

/// Other ptxas that know `arch` and take PTX of `version` as it is, in the order in which they are tried: the
/// newest installed, the nearest older and newer one, the oldest. The front end stays.
std::vector<TrialBuild> ptxasTrials(const Toolchain& toolchain, const std::vector<Toolchain>& installed,
                                    std::string_view arch, const OptPoint& opt,
                                    const std::optional<Version>& version);

/// Other front ends in the same order. The ptxas is theirs.
std::vector<TrialBuild> frontEndTrials(const Toolchain& toolchain, const std::vector<Toolchain>& installed,
                                       std::string_view arch, const OptPoint& opt);

} // namespace harness
