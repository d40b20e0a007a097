-- The records of changes are the log of changes as well: what a change was, of which resource, by whom and when. A record
-- without these columns is there for the indexes alone: of a companion project, of a store that keeps no history, from
-- before this schema, or pruned.

ALTER TABLE change RENAME TO change_003;
CREATE TABLE change (
  sequence      INTEGER PRIMARY KEY,       -- one more for each change, over all projects; the last one is always kept
  project_key   TEXT NOT NULL,
  row           INTEGER NOT NULL,          -- of resource; 0 where the change is of none
  checksum      INTEGER NOT NULL,          -- CRC-32 over the above and before
  id            TEXT,                      -- of the resource; NULL where the record is there for the indexes alone
  key           TEXT,                      -- after the change; of a deletion, that of the resource before
  version       INTEGER,                   -- the same
  incarnation   TEXT,
  previous      INTEGER,                   -- sequence of the change before of the same id
  type          TEXT,
  at            INTEGER,                   -- ms since the epoch
  client        TEXT,
  origin        TEXT,                      -- JSON: [cause, external user, correlation id, update action, …]
  log_checksum  INTEGER,                   -- CRC-32 over sequence, project_key, and from id to origin
  before        TEXT                       -- JSON: what the change replaced; NULL where it created the resource
) STRICT;
INSERT INTO change (sequence, project_key, row, checksum, before)
  SELECT sequence, project_key, row, checksum, before FROM change_003 ORDER BY sequence;
DROP TABLE change_003;

CREATE INDEX change_log ON change (project_key) WHERE id IS NOT NULL;
-- The newest of them says whether the resource was deleted or forgotten last.
CREATE INDEX change_gone ON change (project_key, id) WHERE type IN ('deleted', 'forgotten');
CREATE INDEX change_deleted ON change (project_key) WHERE type = 'deleted';
CREATE INDEX change_deleted_key ON change (project_key, key) WHERE type = 'deleted' AND key IS NOT NULL;

CREATE TABLE project_log (
  project_key  TEXT PRIMARY KEY,
  pruned       INTEGER NOT NULL DEFAULT 0, -- all changes of the project up to this one are gone
  bytes        INTEGER NOT NULL DEFAULT 0  -- of its changes, about, as far as they are indexed
) STRICT, WITHOUT ROWID;

ALTER TABLE resource ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;  -- sequence of its last change
ALTER TABLE store ADD COLUMN epoch TEXT NOT NULL DEFAULT '';         -- of the log; a store with another past has another
-- Changes up to this one are not logged. NULL: none is, since the store keeps no history.
ALTER TABLE store ADD COLUMN log_from INTEGER DEFAULT 0;
-- Records up to this one that are there for the indexes alone have been deleted.
ALTER TABLE store ADD COLUMN swept INTEGER NOT NULL DEFAULT 0;
UPDATE store SET log_from = coalesce((SELECT max(sequence) FROM change), 0);
