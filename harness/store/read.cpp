#include "harness/store/read.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace harness {

namespace {

template <typename Members> auto ranksOf(const Members& members) {
  std::unordered_map<RowId, std::size_t> ranks;
  for (std::size_t i = 0; i < members.size(); ++i)
    ranks[members[i].id] = i;
  return ranks;
}

/// The next number; of a damaged database the last one itself.
RowId after(RowId id) {
  return id < std::numeric_limits<RowId>::max() ? id + 1 : id;
}

} // namespace

Reader::Reader(Connection& connection, TextTable& texts)
    : connection_(connection), texts_(texts), dimensions_(Dimensions::load(connection)),
      caseRanks_(ranksOf(dimensions_.cases)), toolchainRanks_(ranksOf(dimensions_.toolchains)),
      archRanks_(ranksOf(dimensions_.archs)), optRanks_(ranksOf(dimensions_.opts)) {}

template <typename Enum> Enum Reader::known(std::optional<Enum> value, RowId id) {
  if (!value)
    connection_.failDamaged("it says '" + text(id) + "' where a verdict, a blame or an outcome stands");
  return *value;
}

Verdict Reader::verdict(RowId id) {
  return known(parseVerdict(text(id)), id);
}
Blame Reader::blame(RowId id) {
  return known(parseBlame(text(id)), id);
}
Outcome Reader::outcome(RowId id) {
  return known(parseOutcome(text(id)), id);
}

std::size_t Reader::rankOf(const Ranks& ranks, RowId id) const {
  auto found = ranks.find(id);
  if (found == ranks.end()) connection_.failDamaged("a cell names a row that is not there");
  return found->second;
}

Reader::Key Reader::keyOf(const Cursor& cells) const {
  return {rankOf(caseRanks_, cells.integer(SelectedColumn::Case)),
          rankOf(toolchainRanks_, cells.integer(SelectedColumn::Toolchain)),
          rankOf(archRanks_, cells.integer(SelectedColumn::Arch)),
          rankOf(optRanks_, cells.integer(SelectedColumn::Opt))};
}

std::vector<Reader::Found> Reader::select(const QueryFilter& filter) {
  Selection selection = Selection::resolve(connection_, texts_, dimensions_, filter);
  if (selection.empty) return {};
  std::vector<Found> found = collect(selection, filter.limit);
  if (selection.changed && found.size() < filter.limit)
    for (Found& fresh : collectNew(selection, filter.limit - found.size()))
      found.push_back(std::move(fresh));
  // Cells of one case and toolchain come in no order: they were all read, and are cut when sorted.
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.key < b.key; });
  if (found.size() > filter.limit)
    found.erase(found.begin() + static_cast<std::ptrdiff_t>(filter.limit), found.end());
  return found;
}

/// Cells are numbered as they are first judged, and one process writes at a time: the numbers grow with the
/// runs.
RowId Reader::firstCellSince(RowId run) {
  RowId low = 1, high = 1;
  if (Cursor last = connection_.prepare("SELECT max(id) FROM cell"); last.step())
    high = after(last.optionalId(0).value_or(0));
  while (low < high) {
    RowId middle = low + (high - low) / 2;
    Cursor next = connection_.prepare(
        "SELECT id, (SELECT first_run FROM stretch WHERE stretch.cell = cell.id ORDER BY id LIMIT 1) "
        "FROM cell WHERE id >= ? ORDER BY id LIMIT 1");
    next.bind(middle);
    if (next.step() && next.integer(1) < run)
      low = after(std::max(next.integer(0), middle));
    else
      high = middle;
  }
  return low;
}

std::vector<Reader::Found> Reader::collectNew(Selection selection, std::size_t most) {
  RowId run = selection.run.value_or(0);
  selection.newCells = {firstCellSince(run), firstCellSince(after(run))};
  if (selection.newCells->first >= selection.newCells->second) return {};
  std::vector<Found> found = collect(selection, std::numeric_limits<std::size_t>::max());
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tie(a.row.verdict, a.key) < std::tie(b.row.verdict, b.key);
  });
  if (found.size() > most) found.erase(found.begin() + static_cast<std::ptrdiff_t>(most), found.end());
  return found;
}

std::vector<Reader::Found> Reader::collect(const Selection& selection, std::size_t enough) {
  std::vector<Found> found;
  SelectedCells cells(selection);
  Cursor cursor = connection_.prepare(cells.sql);
  cells.bindTo(cursor);
  while (cursor.step()) {
    Key key = keyOf(cursor);
    bool newGroup = found.empty() || found.back().key.testCase != key.testCase ||
                    found.back().key.toolchain != key.toolchain;
    if (newGroup && found.size() >= enough) break;
    QueryRow row;
    row.caseId = dimensions_.cases[key.testCase].name;
    row.toolchain = dimensions_.toolchains[key.toolchain].name;
    row.arch = dimensions_.archs[key.arch].name;
    row.opt = dimensions_.opts[key.opt].name;
    row.verdict = verdict(cursor.integer(SelectedColumn::Verdict));
    row.blame = blame(cursor.integer(SelectedColumn::Blame));
    row.outcome = outcome(cursor.integer(SelectedColumn::Outcome));
    if (auto previous = cursor.optionalId(SelectedColumn::Previous)) row.previous = text(*previous);
    row.isNew = selection.newCells.has_value();
    row.bytes = cursor.count(SelectedColumn::Bytes);
    row.bad = cursor.count(SelectedColumn::Bad);
    row.firstBad = text(cursor.integer(SelectedColumn::FirstBad));
    row.builds = cursor.count(SelectedColumn::Builds);
    row.run = cursor.integer(SelectedColumn::LastRun);
    if (auto expectation = cursor.optionalId(SelectedColumn::Expectation)) {
      CellRecord expected;
      readExpectation(*expectation, expected);
      row.why = expected.why;
      row.expectedBlame = expected.expectedBlame;
    }
    found.push_back(
        {key, cursor.integer(SelectedColumn::Cell), cursor.integer(SelectedColumn::Stretch), std::move(row)});
  }
  return found;
}

std::vector<QueryRow> Reader::query(const QueryFilter& filter) {
  std::vector<QueryRow> rows;
  for (Found& found : select(filter)) {
    found.row.executors = executors(found.stretch);
    rows.push_back(std::move(found.row));
  }
  return rows;
}

/// The worst of each executor and shape over the builds.
std::vector<QueryExecutor> Reader::executors(RowId stretch) {
  std::vector<QueryExecutor> executors;
  Cursor cursor =
      connection_.prepare("SELECT executor, shape, verdict, bytes, bad, first_bad, details FROM verdict "
                          "WHERE stretch = ? ORDER BY ordinal");
  cursor.bind(stretch);
  while (cursor.step()) {
    QueryExecutor next{text(cursor.integer(0)), text(cursor.integer(1)), verdict(cursor.integer(2)),
                       cursor.count(3),         cursor.count(4),         text(cursor.integer(5)),
                       text(cursor.integer(6))};
    auto same = std::find_if(executors.begin(), executors.end(), [&](const QueryExecutor& other) {
      return other.executor == next.executor && other.shape == next.shape;
    });
    if (same == executors.end())
      executors.push_back(std::move(next));
    else if (next.verdict < same->verdict)
      *same = std::move(next);
  }
  return executors;
}

std::vector<HistoryRow> Reader::history(const QueryFilter& filter) {
  std::vector<HistoryRow> rows;
  for (const Found& found : select(filter)) {
    if (rows.size() >= filter.limit) break;
    Cursor cursor = connection_.prepare(
        "SELECT s.verdict, s.blame, s.first_run, s.last_run, f.started, l.started FROM stretch s "
        "JOIN run f ON f.id = s.first_run JOIN run l ON l.id = s.last_run WHERE s.cell = ? ORDER BY s.id");
    cursor.bind(found.cell);
    for (bool first = true; cursor.step(); first = false) {
      HistoryRow row{found.row.caseId,  found.row.toolchain,        found.row.arch,
                     found.row.opt,     verdict(cursor.integer(0)), blame(cursor.integer(1)),
                     cursor.integer(2), cursor.integer(3),          cursor.text(4),
                     cursor.text(5)};
      // A new build or expectation that changed neither verdict nor blame is no event here.
      if (!first && rows.back().verdict == row.verdict && rows.back().blame == row.blame) {
        rows.back().lastRun = row.lastRun;
        rows.back().lastSeen = row.lastSeen;
      } else {
        rows.push_back(std::move(row));
      }
    }
  }
  if (rows.size() > filter.limit) rows.resize(filter.limit);
  return rows;
}

std::vector<StandingRow> Reader::standings(const QueryFilter& filter) {
  QueryFilter wanted;
  wanted.caseId = filter.caseId;
  wanted.arch = filter.arch;
  wanted.opt = filter.opt;
  Selection selection = Selection::resolve(connection_, texts_, dimensions_, wanted);
  std::vector<StandingRow> rows;
  if (selection.empty) return rows;
  SelectedCells cells(selection);
  Cursor cursor = connection_.prepare(cells.sql);
  cells.bindTo(cursor);
  std::vector<std::pair<Key, StandingRow>> found;
  while (cursor.step()) {
    Key key = keyOf(cursor);
    found.push_back(
        {key,
         {dimensions_.cases[key.testCase].name, dimensions_.toolchains[key.toolchain].name,
          dimensions_.archs[key.arch].name, dimensions_.opts[key.opt].name,
          verdict(cursor.integer(SelectedColumn::Verdict)), blame(cursor.integer(SelectedColumn::Blame))}});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [key, row] : found)
    rows.push_back(std::move(row));
  return rows;
}

std::vector<RunRecord> Reader::runs(std::size_t limit) {
  std::vector<RunRecord> runs;
  Cursor cursor =
      connection_.prepare("SELECT id, started, finished, host, revision, arguments, cells, compiled, "
                          "disassembled, executed FROM run ORDER BY id DESC LIMIT ?");
  cursor.bind(limit);
  while (cursor.step())
    runs.push_back({cursor.integer(0), cursor.text(1), cursor.text(2), cursor.text(3), cursor.text(4),
                    cursor.text(5), cursor.count(6), cursor.count(7), cursor.count(8), cursor.count(9)});
  return runs;
}

void Reader::readExpectation(RowId id, CellRecord& cell) {
  Cursor cursor = connection_.prepare("SELECT verdict, blame, why FROM expectation WHERE id = ?");
  if (!cursor.bind(id).step()) connection_.failDamaged("an expectation is missing");
  cell.expectedVerdict = text(cursor.integer(0));
  cell.expectedBlame = text(cursor.integer(1));
  cell.why = text(cursor.integer(2));
}

SourceRecord Reader::source(RowId id) {
  Cursor cursor =
      connection_.prepare("SELECT c.name, s.title, s.source_hash, s.manifest_hash, s.reference_hash "
                          "FROM source s JOIN test_case c ON c.id = s.test_case WHERE s.id = ?");
  if (!cursor.bind(id).step()) connection_.failDamaged("a source is missing");
  return {cursor.text(0), cursor.text(1), cursor.text(2), cursor.text(3), cursor.text(4)};
}

ToolchainRecord Reader::toolchain(RowId identity) {
  Cursor cursor = connection_.prepare(
      "SELECT t.name, i.front_end_kind, i.front_end_build, i.front_end_build_string, i.front_end_identity, "
      "i.ptxas_build, "
      "i.ptxas_build_string, i.ptxas_sha256 FROM toolchain_identity i JOIN toolchain t ON t.id = i.toolchain "
      "WHERE i.id = ?");
  if (!cursor.bind(identity).step()) connection_.failDamaged("a toolchain is missing");
  return {cursor.text(0), cursor.text(1), cursor.text(2), cursor.text(3),
          cursor.text(4), cursor.text(5), cursor.text(6), cursor.text(7)};
}

BuildRecord Reader::build(RowId id, RowId& source, RowId& identity) {
  Cursor cursor =
      connection_.prepare("SELECT source, toolchain_identity, ptx_hash, cubin_hash, image_hash, sass_hash, "
                          "front_end_command, ptxas_command, status, log, seconds FROM build WHERE id = ?");
  if (!cursor.bind(id).step()) connection_.failDamaged("a build is missing");
  source = cursor.integer(0);
  identity = cursor.integer(1);
  return {cursor.text(2),          cursor.text(3),          cursor.text(4),
          cursor.text(5),          text(cursor.integer(6)), text(cursor.integer(7)),
          text(cursor.integer(8)), text(cursor.integer(9)), cursor.real(10)};
}

std::optional<CellRecord> Reader::cell(std::string_view caseId, std::string_view toolchainName,
                                       std::string_view arch, std::string_view opt) {
  RowId stretch = 0;
  CellRecord record;
  record.arch = arch;
  record.opt = opt;
  {
    Cursor cursor =
        connection_.prepare("SELECT s.id, s.expectation FROM cell JOIN stretch s ON s.id = cell.stretch "
                            "WHERE cell.test_case = (SELECT id FROM test_case WHERE name = ?) "
                            "AND cell.toolchain = (SELECT id FROM toolchain WHERE name = ?) "
                            "AND cell.arch = (SELECT id FROM arch WHERE name = ?) AND cell.opt = (SELECT id "
                            "FROM opt WHERE name = ?)");
    if (!cursor.bind(caseId, toolchainName, arch, opt).step()) return std::nullopt;
    stretch = cursor.integer(0);
    if (auto expectation = cursor.optionalId(1)) readExpectation(*expectation, record);
  }
  Cursor cursor =
      connection_.prepare("SELECT ordinal, build, executor, shape, verdict, blame, outcome, bytes, bad, "
                          "first_bad, details, decides FROM verdict WHERE stretch = ? ORDER BY ordinal");
  cursor.bind(stretch);
  std::optional<RowId> lastBuild;
  RowId sourceId = 0, identity = 0;
  while (cursor.step()) {
    if (lastBuild != cursor.integer(1)) {
      lastBuild = cursor.integer(1);
      record.builds.push_back(build(*lastBuild, sourceId, identity));
      record.verdicts.emplace_back();
    }
    VerdictRecord& judged = record.verdicts.back().emplace_back(VerdictRecord{text(cursor.integer(2)),
                                                                              text(cursor.integer(3)),
                                                                              verdict(cursor.integer(4)),
                                                                              blame(cursor.integer(5)),
                                                                              outcome(cursor.integer(6)),
                                                                              cursor.count(7),
                                                                              cursor.count(8),
                                                                              text(cursor.integer(9)),
                                                                              text(cursor.integer(10)),
                                                                              {},
                                                                              cursor.integer(11) != 0});
    Cursor keys =
        connection_.prepare("SELECT e.key FROM verdict_execution v JOIN execution e ON e.id = v.execution "
                            "WHERE v.stretch = ? AND v.ordinal = ? ORDER BY v.execution");
    keys.bind(stretch, cursor.integer(0));
    while (keys.step())
      judged.executionKeys.push_back(keys.text(0));
  }
  if (record.builds.empty()) connection_.failDamaged("a cell has no verdict");
  record.source = source(sourceId);
  record.toolchain = toolchain(identity);
  return record;
}

} // namespace harness
