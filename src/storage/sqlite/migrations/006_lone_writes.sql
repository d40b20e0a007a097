-- New databases have pages of 2048 bytes (decision 188), and the pages of the term index fit into them: one that did not would
-- be read from three. 46 bytes are what FTS5 leaves of 4096 by default. A database that was made before keeps both.
INSERT INTO term (term, rank) SELECT 'pgsz', page_size - 46 FROM pragma_page_size;

-- The changes of the log by project follow the changes, as term does (decision 190): a write that comes alone does not touch
-- their page. The list has those up to store.indexed; of later ones the records are looked through.
CREATE TABLE project_change (
  project_key  TEXT NOT NULL,
  sequence     INTEGER NOT NULL,           -- of change
  PRIMARY KEY (project_key, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO project_change (project_key, sequence)
  SELECT project_key, sequence FROM change
    WHERE id IS NOT NULL AND sequence <= coalesce((SELECT indexed FROM store), 0) ORDER BY project_key, sequence;
DROP INDEX change_log;
