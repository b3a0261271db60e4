#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// One buffer of the failing launch.
struct BundleBuffer {
  std::string name;
  std::string initial;      ///< its bytes before the launch: contents of an input, poison of an output
  std::string expected;     ///< its bytes after a right launch; empty = unchanged
  std::uint64_t record = 0; ///< bytes, for the histogram; 0 = none
};

/// One argument: a buffer by name, or the little-endian bytes of a value, in which addresses of buffers may
/// stand, by offset.
struct BundleArg {
  std::string buffer;
  std::string value;
  std::vector<std::pair<std::size_t, std::string>> pointers;
};

/// A row of the table of toolchains.
struct BundleToolchain {
  std::string name;
  std::string frontEnd, ptxas; ///< build strings
  std::string verdict;
};

/// All that a bundle tells, whatever it was gathered from.
struct BundleInput {
  std::string title;
  std::string cell; ///< "halfstore@13.0.88/sm_120a/O3"
  std::string arch; ///< "sm_120a"
  std::string verdict, blame, why;
  std::string because; ///< of the blame

  std::string source;               ///< CUDA C++ with the kernel, verbatim
  std::vector<std::string> defines; ///< "NAME" or "NAME=VALUE"
  /// Headers that the source includes by a path of its own: path from repro.cu, and contents.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string kernel; ///< as C++ names it, e.g. "halfstore" or "quantize<128>"
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared = 0; ///< dynamic, bytes
  std::vector<BundleBuffer> buffers;
  std::vector<BundleArg> args;
  std::vector<std::string>
      nvccOptions; ///< what makes it fail, e.g. {"-Xptxas", "-O3"}; beside -arch and -std

  std::string ptx, badSass;
  std::string goodSass, goodToolchain; ///< empty if no toolchain is right
  bool goodHasSamePtx = false;         ///< it was given `ptx` too, not its own front end's
  std::vector<std::string> commands;   ///< the exact command lines of the failing build
  std::vector<BundleToolchain> toolchains;
  std::string findings;      ///< first differences, histogram and pattern, as text
  std::string explanation;   ///< from the first wrong byte back to where SASS and PTX part; empty = none
  std::string noExplanation; ///< why there is none where there should be one
};

/// A CUDA C++ program of its own: the kernel, the data, a main that fills, launches, copies back and
/// compares. It exits with 0 if the answer is right, 1 if it is wrong, 2 on a CUDA error. Throws Error(Usage)
/// when there is no CUDA source, when an argument names no buffer, when sizes do not agree, or when the
/// buffers are too large to stand in a source file (8 MiB).
std::string makeReproSource(const BundleInput& input);

/// The command line that builds it, beside it.
std::string reproBuildCommand(const BundleInput& input);

/// The page that a reader opens first.
std::string makeBundleReadme(const BundleInput& input);

/// Writes `repro.cu`, `README.md`, `kernel.ptx`, `bad.sass`, `good.sass`, `explanation.txt` and the
/// headers as one tar archive,
/// or as files of a directory if `path` ends with '/'. Equal inputs give equal bytes. The user's home
/// directory is written
/// "~" wherever it occurs outside the kernel's own source.
/// Throws Error as makeReproSource does, and Error(Environment) when the files cannot be written.
void writeBundle(const BundleInput& input, const std::filesystem::path& path);

} // namespace harness
