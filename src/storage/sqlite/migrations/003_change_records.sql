-- A commit writes the rows and a record of each change; the index follows from the records (decision 98).

DROP TABLE change;
CREATE TABLE change (
  sequence     INTEGER PRIMARY KEY,        -- one more for each change, over all projects; the last one is always kept
  project_key  TEXT NOT NULL,
  row          INTEGER NOT NULL,           -- of resource
  before       TEXT,                       -- JSON: what the change replaced; NULL where it created the resource
  checksum     INTEGER NOT NULL            -- CRC-32 over all of the above
) STRICT;

-- The indexes (term, word, project) are those of the resources after the change with this number. It may be lower than
-- the last one: then the changes in between are yet to be indexed.
ALTER TABLE store ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
-- From here on store.commits counts the commits that changed no resource. The acknowledged file keeps their number plus
-- that of the last change.
