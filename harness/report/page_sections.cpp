#include "harness/report/page_sections.h"

#include "harness/base/text.h"
#include "harness/report/html.h"

#include <algorithm>

namespace harness {

namespace {

/// Bars beyond this many would be thinner than a pixel on a small screen.
constexpr std::size_t kMostBars = 64;
constexpr unsigned kBarWidth = 10, kBarGap = 2, kBarHeight = 60;
/// Up to this many, the offsets are named below the bars.
constexpr std::size_t kFewOffsets = 8;

struct Bars {
  std::size_t offsetsEach = 1;
  std::vector<std::uint64_t> counts;
};

Bars barsOf(const std::vector<std::uint64_t>& histogram) {
  Bars bars;
  bars.offsetsEach = (histogram.size() + kMostBars - 1) / kMostBars;
  bars.counts.resize((histogram.size() + bars.offsetsEach - 1) / bars.offsetsEach);
  for (std::size_t i = 0; i < histogram.size(); ++i)
    bars.counts[i / bars.offsetsEach] = std::max(bars.counts[i / bars.offsetsEach], histogram[i]);
  return bars;
}

/// "0: 11, 3: 2 bytes".
std::string offsetsInWords(const std::vector<std::uint64_t>& histogram) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < histogram.size(); ++i)
    if (histogram[i]) parts.push_back("+" + std::to_string(i) + ": " + std::to_string(histogram[i]));
  return joinFew(parts, ", ", kFewOffsets);
}

std::string renderHistogram(const PageBuffer& buffer) {
  if (buffer.histogram.empty()) return "";
  Bars bars = barsOf(buffer.histogram);
  std::uint64_t most = *std::max_element(bars.counts.begin(), bars.counts.end());
  if (most == 0) return "";
  std::size_t width = bars.counts.size() * kBarWidth;
  std::string words = "wrong bytes by offset in the " + std::to_string(buffer.histogram.size()) +
                      "-byte record: " + offsetsInWords(buffer.histogram);
  std::string text = "<figure class=\"histogram\"><svg viewBox=\"0 0 " + std::to_string(width) + " " +
                     std::to_string(kBarHeight) + "\" width=\"" + std::to_string(width) + "\" height=\"" +
                     std::to_string(kBarHeight) +
                     "\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"" + htmlText(words) + "\">";
  for (std::size_t i = 0; i < bars.counts.size(); ++i) {
    // A floating product: counts come from a database and may be anything.
    double share = static_cast<double>(bars.counts[i]) / static_cast<double>(most);
    unsigned height = bars.counts[i] ? std::max(2u, static_cast<unsigned>(share * kBarHeight)) : 1;
    text += std::string("<rect") + (bars.counts[i] ? "" : " class=\"none\"") + " x=\"" +
            std::to_string(i * kBarWidth) + "\" y=\"" + std::to_string(kBarHeight - height) + "\" width=\"" +
            std::to_string(kBarWidth - kBarGap) + "\" height=\"" + std::to_string(height) + "\"/>";
  }
  return text + "</svg><div class=\"axis\"><span>+0</span><span>+" +
         std::to_string(buffer.histogram.size() - 1) + "</span></div>" + htmlElement("figcaption", words) +
         "</figure>";
}

std::string hexByte(unsigned value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  return std::string("0x") + kDigits[value >> 4 & 15] + kDigits[value & 15];
}

std::string renderDifferences(const PageBuffer& buffer) {
  if (buffer.first.empty()) return "";
  std::string text = "<table class=\"bytes\"><caption>first differences</caption><thead><tr><th>byte</th>"
                     "<th>expected</th><th>got</th></tr></thead><tbody>";
  for (const PageDifference& difference : buffer.first)
    text += "<tr><td>+" + std::to_string(difference.offset) + "</td><td>" + hexByte(difference.expected) +
            "</td><td>" + hexByte(difference.actual) + "</td></tr>";
  return text + "</tbody></table>";
}

std::string renderBuffer(const PageBuffer& buffer) {
  std::string text = "<div class=\"buffer\"><p>" + htmlElement("b", buffer.name) + ": " +
                     std::to_string(buffer.bad) + " of " + std::to_string(buffer.bytes) + " bytes wrong";
  if (!buffer.pattern.empty()) text += ", " + htmlElement("code", buffer.pattern);
  return text + "</p><div class=\"beside\">" + renderHistogram(buffer) + renderDifferences(buffer) +
         "</div></div>";
}

std::string renderBlame(const PageFinding& finding) {
  if (finding.blame == Blame::None) return "";
  std::string text = "<dt>blame</dt><dd>" + htmlElement("b", toString(finding.blame));
  if (!finding.expectedBlame.empty())
    text += ", where " + htmlElement("b", finding.expectedBlame) + " was expected";
  if (!finding.because.empty()) text += ": " + htmlText(finding.because);
  if (!finding.tried.empty()) {
    text += "<ul class=\"tried\">";
    for (const auto& [what, result] : finding.tried)
      text += htmlElement("li", what + ": " + result);
    text += "</ul>";
  }
  return text + "</dd>";
}

std::string row(std::string_view name, const std::string& text) {
  return text.empty() ? "" : htmlElement("dt", name) + htmlElement("dd", text);
}

std::string block(std::string_view title, const std::string& text) {
  return text.empty() ? "" : htmlElement("h5", title) + htmlElement("pre", text, " tabindex=\"0\"");
}

std::string lines(const std::vector<std::string>& all, const std::string& prefix) {
  std::string text;
  for (const std::string& line : all)
    if (!line.empty()) text += prefix + line + "\n";
  return text;
}

std::string renderFinding(const PageFinding& finding, const std::string& caseId) {
  bool isOpen = finding.outcome == Outcome::Regressed || finding.outcome == Outcome::Undecided;
  std::string text = std::string("<details class=\"finding\"") + (isOpen ? " open" : "") + "><summary>" +
                     outcomeMark(finding.outcome, finding.verdict, toString(finding.verdict)) + " " +
                     htmlElement("b", finding.toolchain) + " <span class=\"where\">" +
                     htmlText(finding.where) + "</span>";
  if (finding.blame != Blame::None)
    text += " " + htmlElement("span", "blame " + std::string(toString(finding.blame)), " class=\"blame\"");
  text += "</summary><div class=\"body\" id=\"" + finding.anchor + "\"><dl>";
  text += row("found", finding.found);
  if (finding.found.find(finding.message) == std::string::npos) text += row("message", finding.message);
  text += renderBlame(finding);
  text += row("known", finding.why);
  if (finding.outcome == Outcome::Fixed)
    text += row("to do", "a known fault is gone: take it out of the case's expectations (" + caseId + ")");
  for (const std::string& note : finding.notes)
    text += row("noted", note);
  text += row("closely", finding.cells == 1
                             ? finding.shown
                             : finding.shown + ", one of " + std::to_string(finding.cells) + " cells");
  text += "</dl>";
  for (const PageBuffer& buffer : finding.buffers)
    text += renderBuffer(buffer);
  text += block("explanation", finding.evidence.explanation);
  if (!finding.evidence.noExplanation.empty())
    text += htmlElement("p", "No explanation: " + finding.evidence.noExplanation, " class=\"quiet\"");
  text += block("how it was compiled", lines(finding.evidence.commands, "$ "));
  text += block("what the compilers printed", finding.evidence.log);
  text += block("to go on", lines(finding.paste, ""));
  return text + "</div></details>\n";
}

} // namespace

OutcomeLook lookOf(Outcome outcome, Verdict verdict) {
  switch (outcome) {
  case Outcome::Regressed: return {"regressed", "✖", "wrong, and nobody expected it"};
  case Outcome::Undecided: return {"undecided", "?", "could not be judged"};
  case Outcome::Fixed: return {"fixed", "★", "a known fault that is gone"};
  case Outcome::Expected: return {"expected", "▲", "a known fault, seen again"};
  case Outcome::Ok: break;
  }
  if (verdict != Verdict::Pass) return {"skipped", "–", "skipped"};
  return {"ok", "✓", "every output byte is right"};
}

std::string outcomeMark(Outcome outcome, Verdict verdict, std::string_view text) {
  OutcomeLook look = lookOf(outcome, verdict);
  return "<span class=\"mark " + std::string(look.style) + "\" title=\"" + htmlText(look.meaning) +
         "\"><span aria-hidden=\"true\">" + std::string(look.sign) + "</span> " + htmlText(text) + "</span>";
}

std::string renderCases(const std::vector<Page::Case>& cases) {
  std::string text;
  for (const Page::Case& one : cases) {
    text += "<article>" + htmlElement("h3", one.caseId);
    if (!one.title.empty()) text += htmlElement("p", one.title, " class=\"title\"");
    for (const PageFinding& finding : one.findings)
      text += renderFinding(finding, one.caseId);
    text += "</article>\n";
  }
  return text;
}

} // namespace harness
