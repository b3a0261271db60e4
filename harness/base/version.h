#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// A dotted version that compares as numbers: 13.0.9 < 13.0.10. One to four parts.
struct Version {
  std::vector<unsigned> parts;

  /// Nothing if `text` is not one to four decimal numbers joined by dots.
  static std::optional<Version> parse(std::string_view text);
  std::string str() const;
  /// Its first two parts: 13.0 of 13.0.88.
  Version label() const;
  /// True if the parts of this version start with those of `prefix`: 13.0.88 starts with 13.0.
  bool startsWith(const Version& prefix) const;
  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }
};

/// A set of versions as `--nvcc` and `expect` write it: a build (`13.0.88`), a label (`13.0`, every
/// build of it), a list (`13.0.88,13.1`), or bounds that must all hold (`>=13.0,<13.4`).
class VersionRange {
public:
  /// Throws Error(Usage) that quotes `text` if it is none of these.
  static VersionRange parse(std::string_view text);
  bool contains(const Version& version) const;

private:
  enum class Comparison { Prefix, Less, LessEqual, Greater, GreaterEqual };
  struct Term {
    Comparison comparison;
    Version version;
  };
  std::vector<Term> alternatives_; ///< any of these, or
  std::vector<Term> bounds_;       ///< all of these
};

} // namespace harness
