-- What an execution met, which decides whether it is done again in other ways.
ALTER TABLE execution ADD COLUMN divergences INTEGER NOT NULL DEFAULT 0; -- branches that lanes of a warp left differently
ALTER TABLE execution ADD COLUMN approximations INTEGER NOT NULL DEFAULT 0; -- results known to within an ulp only
ALTER TABLE execution ADD COLUMN observations TEXT NOT NULL DEFAULT ''; -- JSON list of what the observers report; empty: nothing
