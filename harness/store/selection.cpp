#include "harness/store/selection.h"

#include "harness/base/text.h"

#include <algorithm>

namespace harness {

namespace {

bool matchesAny(const std::vector<std::string>& globs, const std::string& name) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(),
                                      [&](const std::string& glob) { return globMatch(glob, name); });
}

std::vector<RowId> matching(const std::vector<Dimensions::Member>& members,
                            const std::vector<std::string>& globs) {
  std::vector<RowId> ids;
  for (const auto& member : members)
    if (matchesAny(globs, member.name)) ids.push_back(member.id);
  return ids;
}

/// A toolchain is asked for by its front end's version, or by the version it is named after (a 12.x NVRTC may
/// differ from its ptxas in the last number). In a swapped pair the front end alone decides.
bool matches(const VersionRange& range, const Dimensions::ToolchainMember& toolchain) {
  auto contains = [&](const std::string& build) {
    auto version = Version::parse(build);
    return version && range.contains(*version);
  };
  bool isPair = toolchain.name.find('+') != std::string::npos;
  return contains(toolchain.frontEndBuild) || (!isPair && contains(toolchain.ptxasBuild));
}

std::vector<RowId> matchingToolchains(const Dimensions& dimensions, const QueryFilter& filter) {
  std::vector<RowId> ids;
  const auto& names = filter.toolchains;
  for (const auto& toolchain : dimensions.toolchains) {
    if (!names.empty() && std::find(names.begin(), names.end(), toolchain.name) == names.end()) continue;
    if (filter.nvcc && !matches(*filter.nvcc, toolchain)) continue;
    ids.push_back(toolchain.id);
  }
  return ids;
}

std::string jsonList(const std::vector<RowId>& ids) {
  std::string list = "[";
  for (RowId id : ids)
    list += (list.size() > 1 ? "," : "") + std::to_string(id);
  return list + "]";
}

} // namespace

Selection Selection::resolve(Connection& connection, TextTable& texts, const Dimensions& dimensions,
                             const QueryFilter& filter) {
  Selection selection;
  selection.cases = matching(dimensions.cases, filter.caseId);
  selection.toolchains = matchingToolchains(dimensions, filter);
  if (!filter.arch.empty()) selection.archs = matching(dimensions.archs, filter.arch);
  if (!filter.opt.empty()) selection.opts = matching(dimensions.opts, filter.opt);
  auto isEmpty = [](const auto& list) { return list && list->empty(); };
  selection.empty = selection.cases.empty() || selection.toolchains.empty() || isEmpty(selection.archs) ||
                    isEmpty(selection.opts);
  auto resolveText = [&](std::string_view name) {
    auto id = texts.find(name);
    if (!id) selection.empty = true; // no cell ever had it
    return id;
  };
  if (filter.verdict) selection.verdict = resolveText(toString(*filter.verdict));
  if (filter.blame) selection.blame = resolveText(toString(*filter.blame));
  selection.run = filter.run;
  selection.changed = filter.changed;
  if (filter.changed && !filter.run) {
    Cursor newest = connection.prepare("SELECT max(run) FROM coverage");
    if (newest.step()) selection.run = newest.optionalId(0);
    if (!selection.run) selection.empty = true;
  }
  return selection;
}

SelectedCells::SelectedCells(const Selection& selection) {
  add("SELECT cell.id, cell.test_case, cell.toolchain, cell.arch, cell.opt, s.id, s.last_run, s.verdict, "
      "s.blame, s.outcome, s.bytes, s.bad, s.first_bad, s.builds, s.expectation, ");
  add(selection.changed && !selection.newCells ? "change.previous " : "NULL ");
  auto ofList = [&](const char* condition, const std::optional<std::vector<RowId>>& ids) {
    if (ids) add(std::string("AND ") + condition + " IN (SELECT value FROM json_each(?)) ", jsonList(*ids));
  };
  if (selection.newCells) {
    add("FROM cell CROSS JOIN stretch s ON s.id = (SELECT min(id) FROM stretch WHERE cell = cell.id) ");
    add("WHERE cell.id >= ? ", selection.newCells->first);
    add("AND cell.id < ? ", selection.newCells->second);
    add("AND s.first_run = ? ", selection.run.value_or(0));
    ofList("cell.test_case", selection.cases);
    ofList("cell.toolchain", selection.toolchains);
  } else {
    addPlaces(selection);
  }
  ofList("cell.arch", selection.archs);
  ofList("cell.opt", selection.opts);
  // The newest stretch's verdict stands in the cell too, under an index.
  std::string judged = selection.run ? "s." : "cell.";
  if (selection.verdict) add("AND " + judged + "verdict = ? ", *selection.verdict);
  if (selection.blame) add("AND " + judged + "blame = ? ", *selection.blame);
}

void SelectedCells::addPlaces(const Selection& selection) {
  // CROSS JOIN keeps SQLite to this order of loops: rows come sorted by case and toolchain, and whoever has
  // read enough of them can stop.
  add("FROM json_each(?) c ", jsonList(selection.cases));
  add("CROSS JOIN json_each(?) t ", jsonList(selection.toolchains));
  if (selection.changed) {
    add("CROSS JOIN change ON change.run = ? AND change.test_case = c.value AND change.toolchain = t.value "
        "CROSS JOIN stretch s ON s.id = change.stretch CROSS JOIN cell ON cell.id = s.cell ",
        selection.run.value_or(0));
  } else if (selection.run) {
    add("CROSS JOIN coverage v ON v.run = ? AND v.test_case = c.value AND v.toolchain = t.value "
        "CROSS JOIN cell ON cell.test_case = c.value AND cell.toolchain = t.value ",
        *selection.run);
    add("CROSS JOIN stretch s ON s.id = (SELECT max(id) FROM stretch WHERE cell = cell.id ");
    add("AND first_run <= ? ", *selection.run);
    add("AND last_run >= ?) ", *selection.run);
  } else {
    add("CROSS JOIN cell ON cell.test_case = c.value AND cell.toolchain = t.value "
        "CROSS JOIN stretch s ON s.id = cell.stretch ");
  }
  add("WHERE true ");
}

void SelectedCells::bindTo(Cursor& cursor) const {
  for (const auto& value : values)
    std::visit([&](const auto& v) { cursor.bind(v); }, value);
}

} // namespace harness
