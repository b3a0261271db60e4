#include "harness/store/record.h"

#include "harness/base/error.h"
#include "harness/base/hash.h"

#include <algorithm>

namespace harness {

namespace {

/// What a cell's verdicts come to.
struct Summary {
  Verdict verdict = Verdict::Pass;
  Blame blame = Blame::None;
  Outcome outcome = Outcome::Ok;
  std::uint64_t bytes = 0, bad = 0;
  std::string firstBad;
};

std::string nameOf(const CellRecord& cell) {
  return cell.source.caseId + "@" + cell.toolchain.name + "/" + cell.arch + "/" + cell.opt;
}

[[noreturn]] void failInternal(const CellRecord& cell, const std::string& what) {
  throw Error(ErrorKind::Internal, "cannot record " + nameOf(cell) + ": " + what);
}

Summary summarise(const CellRecord& cell) {
  const VerdictRecord& deciding = decisiveVerdict(cell);
  CellTotals totals = totalsOf(cell);
  return {deciding.verdict, deciding.blame, deciding.outcome, totals.bytes, totals.bad, deciding.firstBad};
}

std::string shortened(KeyHasher& hasher) {
  return hasher.hex().substr(0, 32);
}

std::string digestOf(const BuildRecord& build, RowId source, RowId identity) {
  KeyHasher hasher("build/1");
  hasher.add("source", static_cast<std::uint64_t>(source))
      .add("toolchain", static_cast<std::uint64_t>(identity));
  for (const std::string* field : {&build.ptxHash, &build.cubinHash, &build.imageHash, &build.sassHash,
                                   &build.frontEndCommand, &build.ptxasCommand, &build.status})
    hasher.add("", *field);
  return shortened(hasher);
}

/// Of everything in a cell that makes it another result. The builds' order does not.
std::string digestOf(const CellRecord& cell, RowId source, RowId identity) {
  std::vector<std::string> builds;
  for (std::size_t i = 0; i < cell.builds.size(); ++i) {
    KeyHasher hasher("judged-build/1");
    hasher.add("build", digestOf(cell.builds[i], source, identity));
    for (const VerdictRecord& verdict : cell.verdicts[i]) {
      hasher.add("executor", verdict.executor).add("shape", verdict.shape);
      hasher.add("verdict", toString(verdict.verdict)).add("blame", toString(verdict.blame));
      hasher.add("outcome", toString(verdict.outcome)).add("bytes", verdict.bytes).add("bad", verdict.bad);
      hasher.add("first", verdict.firstBad).add("details", verdict.details);
      hasher.add("decides", std::uint64_t{verdict.decides});
      for (const std::string& key : verdict.executionKeys)
        hasher.add("execution", key);
    }
    builds.push_back(hasher.hex());
  }
  std::sort(builds.begin(), builds.end());
  KeyHasher hasher("cell/1");
  for (const std::string& build : builds)
    hasher.add("build", build);
  hasher.add("expected", cell.expectedVerdict).add("blame", cell.expectedBlame).add("why", cell.why);
  return shortened(hasher);
}

} // namespace

const VerdictRecord& decisiveVerdict(const CellRecord& cell) {
  const VerdictRecord* worst = nullptr;
  for (const auto& verdicts : cell.verdicts)
    for (const VerdictRecord& verdict : verdicts)
      if (verdict.decides && (!worst || verdict.verdict < worst->verdict)) worst = &verdict;
  if (!worst) failInternal(cell, "it has no verdict");
  return *worst;
}

std::size_t decisiveBuild(const CellRecord& cell) {
  const VerdictRecord& decisive = decisiveVerdict(cell);
  auto isOf = [&](const std::vector<VerdictRecord>& verdicts) {
    return std::any_of(verdicts.begin(), verdicts.end(), [&](const auto& one) { return &one == &decisive; });
  };
  return static_cast<std::size_t>(std::find_if(cell.verdicts.begin(), cell.verdicts.end(), isOf) -
                                  cell.verdicts.begin());
}

CellTotals totalsOf(const CellRecord& cell) {
  const VerdictRecord& decisive = decisiveVerdict(cell);
  CellTotals totals;
  for (const VerdictRecord& verdict : cell.verdicts[decisiveBuild(cell)]) {
    if (verdict.executor != decisive.executor) continue;
    totals.bytes += verdict.bytes;
    totals.bad += verdict.bad;
  }
  return totals;
}

void Recorder::cell(RowId run, const CellRecord& record) {
  if (record.builds.empty() || record.builds.size() != record.verdicts.size())
    failInternal(record, "there must be one list of verdicts a build");
  Place place{run,
              dimensions_.testCase(record.source.caseId),
              dimensions_.toolchain(record.toolchain.name),
              dimensions_.arch(record.arch),
              dimensions_.opt(record.opt),
              dimensions_.source(record.source),
              dimensions_.identity(record.toolchain)};
  connection_.prepare("INSERT OR IGNORE INTO coverage (run, test_case, toolchain) VALUES (?, ?, ?)")
      .bind(run, place.testCase, place.toolchain)
      .run();
  std::string digest = digestOf(record, place.source, place.identity);
  std::optional<Known> known = find(place);
  if (known && known->digest == digest)
    connection_.prepare("UPDATE stretch SET last_run = max(last_run, ?) WHERE id = ?")
        .bind(run, known->stretch)
        .run();
  else
    begin(place, record, digest, known);
}

std::optional<Recorder::Known> Recorder::find(const Place& place) {
  Cursor cursor = connection_.prepare("SELECT id, stretch, verdict, digest FROM cell "
                                      "WHERE test_case = ? AND toolchain = ? AND arch = ? AND opt = ?");
  if (!cursor.bind(place.testCase, place.toolchain, place.arch, place.opt).step()) return std::nullopt;
  return Known{cursor.integer(0), cursor.integer(1), cursor.integer(2), cursor.text(3)};
}

void Recorder::begin(const Place& place, const CellRecord& record, const std::string& digest,
                     const std::optional<Known>& known) {
  Summary summary = summarise(record);
  RowId verdictText = text(toString(summary.verdict)), blameText = text(toString(summary.blame));
  // A new cell's stretch follows; the reference is checked at the end of the transaction.
  RowId cell =
      known ? known->cell
            : connection_.insert(
                  "INSERT INTO cell (test_case, toolchain, arch, opt, stretch, verdict, blame, digest) "
                  "VALUES (?, ?, ?, ?, 0, ?, ?, '')",
                  place.testCase, place.toolchain, place.arch, place.opt, verdictText, blameText);
  std::optional<RowId> expected;
  if (!record.expectedVerdict.empty()) expected = expectation(record);
  RowId stretch =
      connection_.insert("INSERT INTO stretch (cell, first_run, last_run, verdict, blame, outcome, bytes, "
                         "bad, first_bad, builds, "
                         "expectation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                         cell, place.run, place.run, verdictText, blameText, text(toString(summary.outcome)),
                         summary.bytes, summary.bad, text(summary.firstBad), record.builds.size(), expected);
  connection_.prepare("UPDATE cell SET stretch = ?, verdict = ?, blame = ?, digest = ? WHERE id = ?")
      .bind(stretch, verdictText, blameText, digest, cell)
      .run();
  if (known && known->verdict != verdictText)
    connection_.insert(
        "INSERT INTO change (run, test_case, toolchain, stretch, previous) VALUES (?, ?, ?, ?, ?)", place.run,
        place.testCase, place.toolchain, stretch, known->verdict);

  std::size_t ordinal = 0;
  for (std::size_t i = 0; i < record.builds.size(); ++i) {
    if (record.verdicts[i].empty()) failInternal(record, "a build of it has no verdict");
    RowId buildId = build(cell, place.source, place.identity, record.builds[i]);
    for (const VerdictRecord& judged : record.verdicts[i])
      verdict(stretch, ordinal++, buildId, judged);
  }
}

RowId Recorder::expectation(const CellRecord& cell) {
  RowId verdict = text(cell.expectedVerdict), blame = text(cell.expectedBlame), why = text(cell.why);
  {
    Cursor known = connection_.prepare("SELECT id FROM expectation WHERE (verdict, blame, why) = (?, ?, ?)");
    if (known.bind(verdict, blame, why).step()) return known.integer(0);
  }
  return connection_.insert("INSERT INTO expectation (verdict, blame, why) VALUES (?, ?, ?)", verdict, blame,
                            why);
}

RowId Recorder::build(RowId cell, RowId source, RowId identity, const BuildRecord& build) {
  std::string digest = digestOf(build, source, identity);
  {
    Cursor known = connection_.prepare("SELECT id FROM build WHERE cell = ? AND digest = ?");
    if (known.bind(cell, digest).step()) return known.integer(0);
  }
  return connection_.insert("INSERT INTO build (cell, digest, source, toolchain_identity, ptx_hash, "
                            "cubin_hash, image_hash, sass_hash, "
                            "front_end_command, ptxas_command, status, log, seconds) VALUES (?, ?, ?, ?, ?, "
                            "?, ?, ?, ?, ?, ?, ?, ?)",
                            cell, digest, source, identity, build.ptxHash, build.cubinHash, build.imageHash,
                            build.sassHash, text(build.frontEndCommand), text(build.ptxasCommand),
                            text(build.status), text(build.log), build.seconds);
}

void Recorder::verdict(RowId stretch, std::size_t ordinal, RowId build, const VerdictRecord& verdict) {
  connection_
      .prepare("INSERT INTO verdict (stretch, ordinal, build, executor, shape, verdict, blame, outcome, "
               "bytes, bad, "
               "first_bad, details, decides) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(stretch, ordinal, build, text(verdict.executor), text(verdict.shape),
            text(toString(verdict.verdict)), text(toString(verdict.blame)), text(toString(verdict.outcome)),
            verdict.bytes, verdict.bad, text(verdict.firstBad), text(verdict.details),
            std::uint64_t{verdict.decides})
      .run();
  for (const std::string& key : verdict.executionKeys) {
    std::optional<RowId> execution;
    {
      Cursor known = connection_.prepare("SELECT id FROM execution WHERE key = ?");
      if (known.bind(key).step()) execution = known.integer(0);
    }
    if (!execution)
      throw Error(ErrorKind::Internal,
                  "a verdict rests on the execution '" + key + "', which was not recorded");
    connection_
        .prepare("INSERT OR IGNORE INTO verdict_execution (stretch, ordinal, execution) VALUES (?, ?, ?)")
        .bind(stretch, ordinal, *execution)
        .run();
  }
}

} // namespace harness
