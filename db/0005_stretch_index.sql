-- cell.stretch is a deferred reference: SQLite looks for the cells that wait for a stretch whenever one is inserted,
-- which without this index is a scan of all cells.
CREATE INDEX cell_by_stretch ON cell (stretch);
