#include "harness/base/version.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <algorithm>
#include <charconv>

namespace harness {

std::optional<Version> Version::parse(std::string_view text) {
  Version version;
  for (const std::string& part : split(text, '.')) {
    unsigned value = 0;
    auto [end, ec] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (ec != std::errc() || end != part.data() + part.size() || part.size() > 6) return std::nullopt;
    version.parts.push_back(value);
  }
  if (version.parts.size() > 4) return std::nullopt;
  return version;
}

std::string Version::str() const {
  std::string text;
  for (unsigned part : parts)
    text += (text.empty() ? "" : ".") + std::to_string(part);
  return text;
}

Version Version::label() const {
  Version first = *this;
  first.parts.resize(std::min<std::size_t>(parts.size(), 2));
  return first;
}

bool Version::startsWith(const Version& prefix) const {
  return parts.size() >= prefix.parts.size() &&
         std::equal(prefix.parts.begin(), prefix.parts.end(), parts.begin());
}

std::strong_ordering Version::operator<=>(const Version& other) const {
  for (std::size_t i = 0; i < std::max(parts.size(), other.parts.size()); ++i) {
    unsigned a = i < parts.size() ? parts[i] : 0;
    unsigned b = i < other.parts.size() ? other.parts[i] : 0;
    if (auto order = a <=> b; order != 0) return order;
  }
  return std::strong_ordering::equal;
}

VersionRange VersionRange::parse(std::string_view text) {
  VersionRange range;
  for (const std::string& raw : split(text, ',')) {
    std::string_view term = trim(raw);
    Comparison comparison = Comparison::Prefix;
    auto strip = [&](std::string_view sign, Comparison meaning) {
      if (comparison != Comparison::Prefix || !term.starts_with(sign)) return;
      term.remove_prefix(sign.size());
      comparison = meaning;
    };
    strip("<=", Comparison::LessEqual);
    strip(">=", Comparison::GreaterEqual);
    strip("<", Comparison::Less);
    strip(">", Comparison::Greater);
    auto version = Version::parse(trim(term));
    if (!version)
      failUsage(
          "'{0}' is no version: give a build (13.0.88), a label (13.0), a list, or a range (>=13.0,<13.4)",
          text);
    (comparison == Comparison::Prefix ? range.alternatives_ : range.bounds_)
        .push_back({comparison, *version});
  }
  return range;
}

bool VersionRange::contains(const Version& version) const {
  auto holds = [&](const Term& term) {
    switch (term.comparison) {
    case Comparison::Prefix: return version.startsWith(term.version);
    case Comparison::Less: return version < term.version;
    // A label as an upper bound takes in every build of it: <=13.1 holds for 13.1.80.
    case Comparison::LessEqual: return version <= term.version || version.startsWith(term.version);
    case Comparison::Greater: return version > term.version && !version.startsWith(term.version);
    case Comparison::GreaterEqual: return version >= term.version;
    }
    return false;
  };
  if (std::any_of(alternatives_.begin(), alternatives_.end(), holds)) return true;
  return !bounds_.empty() && std::all_of(bounds_.begin(), bounds_.end(), holds);
}

} // namespace harness
