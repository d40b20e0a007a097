-- The changes of the log by project follow the changes, as term does (decision 184): a write that comes alone does not touch
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
