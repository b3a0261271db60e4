-- The PTX executor: what it tells, and verdicts that a cell does not hang on.
ALTER TABLE execution ADD COLUMN undefined TEXT NOT NULL DEFAULT ''; -- JSON list of what its language leaves undefined; empty: nothing
ALTER TABLE verdict ADD COLUMN decides INTEGER NOT NULL DEFAULT 1; -- 0: the cell's verdict does not heed it
