-- Executions on real devices: which one it was, and whether it always does the same.
ALTER TABLE execution ADD COLUMN device INTEGER REFERENCES text; -- JSON of the device and its driver; none: the CPU
ALTER TABLE execution ADD COLUMN repeats INTEGER NOT NULL DEFAULT 1; -- how often it was executed
ALTER TABLE execution ADD COLUMN outcomes TEXT NOT NULL DEFAULT ''; -- JSON list of what came out, with counts; empty: always the same
