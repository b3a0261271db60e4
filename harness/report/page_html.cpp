#include "harness/report/page_html.h"

#include "harness/report/html.h"
#include "harness/report/page_sections.h"
#include "harness/report/page_style.h"

#include <array>

namespace harness {

namespace {

/// Whatever a case or a compiler says, nothing on the page may run or be fetched.
constexpr std::string_view kPolicy = "default-src 'none'; style-src 'unsafe-inline'";

constexpr std::array kOutcomes{Outcome::Regressed, Outcome::Undecided, Outcome::Fixed, Outcome::Expected,
                               Outcome::Ok};

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string fact(std::string_view name, const std::string& text) {
  return text.empty() ? "" : htmlElement("dt", name) + htmlElement("dd", text);
}

std::string renderHead(const Page& page) {
  std::string text = "<header>" + htmlElement("h1", page.headline) + "\n<ul class=\"totals\">";
  for (const Page::Total& total : page.totals) {
    std::string words = std::to_string(total.cells) + " " + std::string(toString(total.outcome));
    text += "<li>" + outcomeMark(total.outcome, Verdict::Pass, words) + "</li>";
  }
  const RunRecord& run = page.run;
  text += "</ul>\n" + htmlElement("p", page.totalsInWords) + "<dl class=\"facts\">";
  text += fact("started", run.started);
  text += fact("finished", run.finished.empty() ? "not finished: it runs still, or was ended" : run.finished);
  text += fact("revision", run.revision);
  text += fact("host", run.host);
  text += fact("command", run.arguments);
  text += fact("work", page.work);
  return text + "</dl></header>\n";
}

std::string linked(const std::string& anchor, const std::string& html) {
  return anchor.empty() ? html : "<a href=\"#" + anchor + "\">" + html + "</a>";
}

std::string renderChange(const Page::Changed& one) {
  std::string text = "<tr>";
  text += "<td>" + outcomeMark(one.outcome, Verdict::Pass, toString(one.change)) + "</td>";
  text += "<td>" + linked(one.anchor, htmlText(one.caseId)) + "</td>";
  text += htmlElement("td", one.toolchain) + htmlElement("td", one.where) + htmlElement("td", one.verdict);
  text += htmlElement("td", one.blame == Blame::None ? "" : toString(one.blame));
  return text + htmlElement("td", one.found) + "</tr>\n";
}

std::string renderChanges(const Page& page) {
  std::string since = "Changed: this is the first run";
  if (page.before)
    since = "Changed since run " + std::to_string(page.before->id) + " (" + page.before->started + ")";
  std::string text = "<section id=\"changes\">" + htmlElement("h2", since) + htmlElement("p", page.changes);
  if (!page.changed.empty()) {
    text += "<div class=\"scroll\" tabindex=\"0\"><table class=\"wide changes\"><thead><tr><th>change</th>"
            "<th>case</th><th>toolchain</th><th>where</th><th>verdict</th><th>blame</th><th>finding</th></tr>"
            "</thead><tbody>\n";
    for (const Page::Changed& one : page.changed)
      text += renderChange(one);
    text += "</tbody></table></div>\n";
  }
  if (!page.quietChanges.empty()) {
    text += "<ul>";
    for (const std::string& line : page.quietChanges)
      text += htmlElement("li", line);
    text += "</ul>";
  }
  return text + "</section>\n";
}

std::string renderPart(const Page::Part& part, bool isAlone) {
  std::string words =
      part.outcome == Outcome::Ok && part.verdict == Verdict::Pass ? "" : std::string(toString(part.verdict));
  if (part.where.empty() && !isAlone) words = words.empty() ? "others" : "others " + words;
  std::string text =
      "<div class=\"part\">" + linked(part.anchor, outcomeMark(part.outcome, part.verdict, words));
  if (!part.where.empty()) text += htmlElement("span", part.where, " class=\"where\"");
  return text + "</div>";
}

std::string renderField(const Page::Field& field) {
  if (field.parts.empty()) return "<td class=\"quiet\" title=\"not judged\">·</td>";
  std::string text = "<td>";
  for (const Page::Part& part : field.parts)
    text += renderPart(part, field.parts.size() == 1);
  return text + "</td>";
}

std::string renderLegend() {
  std::string text = "<ul class=\"legend\">";
  auto item = [&](Outcome outcome, Verdict verdict) {
    text += "<li>" + outcomeMark(outcome, verdict, lookOf(outcome, verdict).meaning) + "</li>";
  };
  for (Outcome outcome : kOutcomes)
    item(outcome, Verdict::Pass);
  item(Outcome::Ok, Verdict::Skipped);
  return text + "<li>· not judged</li></ul>\n";
}

std::string renderGrid(const Page& page) {
  std::string text = "<div class=\"scroll\" tabindex=\"0\"><table class=\"grid\"><thead><tr><th>case</th>";
  for (const std::string& toolchain : page.toolchains)
    text += htmlElement("th", toolchain, " scope=\"col\"");
  text += "</tr></thead><tbody>\n";
  for (const Page::Line& line : page.lines) {
    text += "<tr>" + htmlElement("th", line.caseId, " scope=\"row\"");
    for (const Page::Field& field : line.fields)
      text += renderField(field);
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string renderClean(const Page& page) {
  if (page.clean.empty()) return "";
  std::string text = "<details><summary>" +
                     outcomeMark(Outcome::Ok, Verdict::Pass,
                                 counted(page.clean.size(), "case") +
                                     (page.clean.size() == 1 ? " passes" : " pass") + " on every toolchain") +
                     "</summary><ul class=\"names\">";
  for (const Page::Clean& one : page.clean)
    text += htmlElement("li", one.caseId + ": " + counted(one.passed, "cell") +
                                  (one.skipped ? ", " + std::to_string(one.skipped) + " skipped" : ""));
  return text + "</ul></details>\n";
}

std::string renderTable(const Page& page) {
  std::string text = "<section id=\"table\">" + htmlElement("h2", "Cases by toolchain");
  if (page.lines.empty() && page.clean.empty()) return text + htmlElement("p", "no cells") + "</section>\n";
  if (!page.lines.empty()) text += renderGrid(page) + renderLegend();
  text += renderClean(page);
  if (!page.archLegend.empty()) text += htmlElement("p", page.archLegend, " class=\"quiet\"");
  for (const std::string& line : page.blameDifferences)
    text += htmlElement("p", line);
  return text + "</section>\n";
}

} // namespace

std::string renderHtml(const Page& page) {
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
                     std::string(kPolicy) +
                     "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"referrer\" content=\"no-referrer\">\n";
  text += htmlElement("title", page.headline) + "\n<style>" + std::string(kPageStyle) +
          "</style>\n</head>\n<body>\n";
  text += renderHead(page) + "<main>\n" + renderChanges(page) + renderTable(page);
  if (!page.cases.empty())
    text += "<section id=\"findings\">" + htmlElement("h2", "Findings, case by case") +
            renderCases(page.cases) + "</section>\n";
  return text + "</main>\n</body>\n</html>\n";
}

} // namespace harness
