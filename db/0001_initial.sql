-- What was judged, on what, with what result.
--
-- A cell is a case on a toolchain, an architecture and a point of the options axis. Its verdicts are kept in
-- stretches: as long as run after run finds the same, only stretch.last_run moves; anything new (a verdict, a
-- build, an expectation) begins a new stretch. Columns that say `text` hold text.id.

CREATE TABLE text ( -- every repeated or long string, once
  id     INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE, -- of the value: SHA-256, its first 32 hex digits
  value  TEXT NOT NULL
) STRICT;

CREATE TABLE run (
  id           INTEGER PRIMARY KEY,
  started      TEXT NOT NULL, -- UTC, ISO 8601
  finished     TEXT NOT NULL, -- empty while it runs, and for ever after a kill
  host         TEXT NOT NULL,
  revision     TEXT NOT NULL,
  arguments    TEXT NOT NULL,
  cells        INTEGER NOT NULL,
  compiled     INTEGER NOT NULL, -- this and the following: work really done, not remembered
  disassembled INTEGER NOT NULL,
  executed     INTEGER NOT NULL
) STRICT;

CREATE TABLE test_case (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE toolchain (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE arch      (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE opt       (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE toolchain_identity ( -- the very compilers that bore a toolchain's name; the newest has the greatest id
  id                     INTEGER PRIMARY KEY,
  toolchain              INTEGER NOT NULL REFERENCES toolchain,
  front_end_kind         TEXT NOT NULL,
  front_end_build        TEXT NOT NULL,
  front_end_build_string TEXT NOT NULL,
  front_end_identity     TEXT NOT NULL,
  ptxas_build            TEXT NOT NULL,
  ptxas_build_string     TEXT NOT NULL,
  ptxas_sha256           TEXT NOT NULL,
  UNIQUE (toolchain, front_end_kind, front_end_build, front_end_build_string, front_end_identity, ptxas_build,
          ptxas_build_string, ptxas_sha256)
) STRICT;

CREATE TABLE source ( -- a case as it was
  id             INTEGER PRIMARY KEY,
  test_case      INTEGER NOT NULL REFERENCES test_case,
  title          TEXT NOT NULL,
  source_hash    TEXT NOT NULL,
  manifest_hash  TEXT NOT NULL,
  reference_hash TEXT NOT NULL,
  UNIQUE (test_case, title, source_hash, manifest_hash, reference_hash)
) STRICT;

CREATE TABLE expectation (
  id      INTEGER PRIMARY KEY,
  verdict INTEGER NOT NULL REFERENCES text,
  blame   INTEGER NOT NULL REFERENCES text,
  why     INTEGER NOT NULL REFERENCES text,
  UNIQUE (verdict, blame, why)
) STRICT;

CREATE TABLE artifact (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  size INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE cell (
  id        INTEGER PRIMARY KEY,
  test_case INTEGER NOT NULL REFERENCES test_case,
  toolchain INTEGER NOT NULL REFERENCES toolchain,
  arch      INTEGER NOT NULL REFERENCES arch,
  opt       INTEGER NOT NULL REFERENCES opt,
  -- Of its newest stretch, kept here so that a filter on them is an index look-up:
  stretch   INTEGER NOT NULL REFERENCES stretch DEFERRABLE INITIALLY DEFERRED,
  verdict   INTEGER NOT NULL REFERENCES text,
  blame     INTEGER NOT NULL REFERENCES text,
  digest    TEXT NOT NULL, -- of all that was recorded: equal digests prolong the stretch
  UNIQUE (test_case, toolchain, arch, opt)
) STRICT;
CREATE INDEX cell_by_verdict ON cell (verdict, test_case, toolchain);
CREATE INDEX cell_by_blame ON cell (blame, test_case, toolchain);

CREATE TABLE stretch ( -- a cell's verdict: the worst of its `verdict` rows
  id          INTEGER PRIMARY KEY, -- grows with time
  cell        INTEGER NOT NULL REFERENCES cell,
  first_run   INTEGER NOT NULL REFERENCES run,
  last_run    INTEGER NOT NULL REFERENCES run,
  verdict     INTEGER NOT NULL REFERENCES text,
  blame       INTEGER NOT NULL REFERENCES text,
  outcome     INTEGER NOT NULL REFERENCES text,
  bytes       INTEGER NOT NULL,
  bad         INTEGER NOT NULL,
  first_bad   INTEGER NOT NULL REFERENCES text,
  builds      INTEGER NOT NULL,
  expectation INTEGER REFERENCES expectation -- none: a pass
) STRICT;
CREATE INDEX stretch_by_cell ON stretch (cell);

CREATE TABLE build (
  id                 INTEGER PRIMARY KEY,
  cell               INTEGER NOT NULL REFERENCES cell,
  digest             TEXT NOT NULL, -- of everything but log and seconds
  source             INTEGER NOT NULL REFERENCES source,
  toolchain_identity INTEGER NOT NULL REFERENCES toolchain_identity,
  ptx_hash           TEXT NOT NULL,
  cubin_hash         TEXT NOT NULL,
  image_hash         TEXT NOT NULL,
  sass_hash          TEXT NOT NULL,
  front_end_command  INTEGER NOT NULL REFERENCES text,
  ptxas_command      INTEGER NOT NULL REFERENCES text,
  status             INTEGER NOT NULL REFERENCES text,
  log                INTEGER NOT NULL REFERENCES text,
  seconds            REAL NOT NULL,
  UNIQUE (cell, digest)
) STRICT;

CREATE TABLE execution (
  id                  INTEGER PRIMARY KEY,
  key                 TEXT NOT NULL UNIQUE, -- of all that went in
  executor            INTEGER NOT NULL REFERENCES text,
  executor_version    INTEGER NOT NULL REFERENCES text,
  schedule            INTEGER NOT NULL REFERENCES text,
  image_hash          TEXT NOT NULL,
  shape               INTEGER NOT NULL REFERENCES text,
  poison              INTEGER NOT NULL,
  seed                INTEGER NOT NULL,
  end                 INTEGER NOT NULL REFERENCES text,
  message             INTEGER NOT NULL REFERENCES text,
  output_hash         TEXT NOT NULL,
  changed_input       INTEGER NOT NULL REFERENCES text,
  thread_instructions INTEGER NOT NULL,
  seconds             REAL NOT NULL
) STRICT;

CREATE TABLE verdict ( -- one a stretch x build x executor x shape
  stretch   INTEGER NOT NULL REFERENCES stretch,
  ordinal   INTEGER NOT NULL,
  build     INTEGER NOT NULL REFERENCES build,
  executor  INTEGER NOT NULL REFERENCES text,
  shape     INTEGER NOT NULL REFERENCES text,
  verdict   INTEGER NOT NULL REFERENCES text,
  blame     INTEGER NOT NULL REFERENCES text,
  outcome   INTEGER NOT NULL REFERENCES text,
  bytes     INTEGER NOT NULL,
  bad       INTEGER NOT NULL,
  first_bad INTEGER NOT NULL REFERENCES text,
  details   INTEGER NOT NULL REFERENCES text,
  PRIMARY KEY (stretch, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdict_execution ( -- what a verdict rests on
  stretch   INTEGER NOT NULL,
  ordinal   INTEGER NOT NULL,
  execution INTEGER NOT NULL REFERENCES execution,
  PRIMARY KEY (stretch, ordinal, execution),
  FOREIGN KEY (stretch, ordinal) REFERENCES verdict
) STRICT, WITHOUT ROWID;

CREATE TABLE coverage ( -- which cases a run judged on which toolchains
  run       INTEGER NOT NULL REFERENCES run,
  test_case INTEGER NOT NULL REFERENCES test_case,
  toolchain INTEGER NOT NULL REFERENCES toolchain,
  PRIMARY KEY (run, test_case, toolchain)
) STRICT, WITHOUT ROWID;

CREATE TABLE change ( -- stretches that began with another verdict than the one before
  run       INTEGER NOT NULL REFERENCES run,
  test_case INTEGER NOT NULL REFERENCES test_case,
  toolchain INTEGER NOT NULL REFERENCES toolchain,
  stretch   INTEGER NOT NULL REFERENCES stretch,
  previous  INTEGER NOT NULL REFERENCES text,
  PRIMARY KEY (run, test_case, toolchain, stretch)
) STRICT, WITHOUT ROWID;
