-- The schema that the first release has; lower numbers were never released. Times are instants in canonical form (text, ordered by
-- bytes) in resource, ms since the epoch elsewhere. Checksums are CRC-32.

CREATE TABLE store (
  singleton    INTEGER PRIMARY KEY CHECK (singleton = 1),
  instance_id  TEXT NOT NULL,              -- which database this is; repeated in the acknowledged file
  commits      INTEGER NOT NULL,           -- counts the commits that changed no resource; the acknowledged file keeps it plus the last sequence
  settings     TEXT NOT NULL,              -- JSON: what term was built with (declared paths, word breaking)
  indexed      INTEGER NOT NULL DEFAULT 0, -- the indexes (term, word, project, by_…, project_change) have the changes up to this one
  epoch        TEXT NOT NULL DEFAULT '',   -- of the log; a store with another past has another
  log_from     INTEGER DEFAULT 0,          -- changes up to this one are not logged; NULL: none is, since the store keeps no history
  purging      INTEGER NOT NULL DEFAULT 0, -- something was forgotten: 1: the indexes still have its words; 2: they are being merged without them
  swept        INTEGER NOT NULL DEFAULT 0  -- records up to this one that were there for the indexes alone have been deleted
) STRICT;

CREATE TABLE resource (
  row              INTEGER PRIMARY KEY,    -- document number in term
  project_key      TEXT NOT NULL,
  id               TEXT NOT NULL,
  key              TEXT,
  version          INTEGER NOT NULL,
  incarnation      TEXT,                   -- what no other resource of this id had
  created_at       TEXT NOT NULL,
  modified_at      TEXT NOT NULL,
  current          TEXT NOT NULL,          -- JSON as it is served
  staged           TEXT,                   -- JSON as it is served with staged=true, where something is staged
  history          TEXT NOT NULL,          -- JSON: [version, [field, …]], …, newest first
  checksum         INTEGER NOT NULL,       -- over all of the above but row
  changed          INTEGER NOT NULL DEFAULT 0, -- sequence of its last change
  born             INTEGER,                -- in a mirror: the event that created it, which is its place in a list without a sort
  UNIQUE (project_key, id)
) STRICT;
CREATE UNIQUE INDEX resource_key ON resource (project_key, key) WHERE key IS NOT NULL;
CREATE INDEX resource_keyless ON resource (project_key, id) WHERE key IS NULL;
CREATE INDEX resource_born ON resource (project_key, born) WHERE born IS NOT NULL;

-- How far a mirror has followed the log of each project in another database; empty in a store of its own.
CREATE TABLE mirrored (
  project_key  TEXT PRIMARY KEY,
  sequence     INTEGER NOT NULL,           -- of the last event that was applied
  epoch        TEXT NOT NULL,              -- of the log
  checksum     INTEGER NOT NULL,           -- of that event: a log that went back has another one there
  complete     INTEGER NOT NULL            -- 0 while it is no state that the project ever had, so that nothing may be read
) STRICT, WITHOUT ROWID;

-- A commit writes the rows and a record of each change; the indexes follow from the records (decision 98). The records are the log of
-- changes as well: what a change was, of which resource, by whom and when.
CREATE TABLE change (
  sequence      INTEGER PRIMARY KEY,       -- one more for each change, over all projects; the last one is always kept
  project_key   TEXT NOT NULL,
  row           INTEGER NOT NULL,          -- of resource; 0 where the change is of none
  checksum      INTEGER NOT NULL,          -- over the above and before
  id            TEXT,                      -- of the resource; NULL where the record is there for the indexes alone: of a companion
                                           -- project, of a store that keeps no history, or pruned
  key           TEXT,                      -- after the change; of a deletion, that of the resource before
  version       INTEGER,                   -- the same
  incarnation   TEXT,
  previous      INTEGER,                   -- sequence of the change before of the same id
  type          TEXT,
  at            INTEGER,                   -- ms since the epoch
  client        TEXT,
  origin        TEXT,                      -- JSON: [cause, external user, correlation id, update action, …]
  log_checksum  INTEGER,                   -- over sequence, project_key, and from id to origin
  before        TEXT                       -- JSON: what the change replaced; NULL where it created the resource
) STRICT;
-- The newest of them says whether the resource was deleted or forgotten last.
CREATE INDEX change_gone ON change (project_key, id) WHERE type IN ('deleted', 'forgotten');
CREATE INDEX change_deleted ON change (project_key) WHERE type = 'deleted';
CREATE INDEX change_deleted_key ON change (project_key, key) WHERE type = 'deleted' AND key IS NOT NULL;

CREATE TABLE project_log (
  project_key  TEXT PRIMARY KEY,
  pruned       INTEGER NOT NULL DEFAULT 0, -- all changes of the project up to this one are gone
  bytes        INTEGER NOT NULL DEFAULT 0  -- of its changes, about, as far as they are indexed
) STRICT, WITHOUT ROWID;

-- The indexes. A write that comes alone does not touch their pages: they follow.

-- Inverted index: one term per (project, projection, path, value) → rows. Numbers and instants are encoded so that their bytes sort
-- as the values do: read in the order of its terms, the index has ranges and orders as well. It is a log-structured merge tree, which
-- terms/segments.ts describes (decision 34).
CREATE TABLE term_index (
  singleton    INTEGER PRIMARY KEY CHECK (singleton = 1),
  segments     TEXT NOT NULL,              -- JSON
  checksum     INTEGER NOT NULL            -- CRC-32 of segments
) STRICT;
INSERT INTO term_index VALUES (1, '{"last":0,"segments":[]}', 1094784597);
CREATE TABLE posting (
  segment      INTEGER NOT NULL,
  term         BLOB NOT NULL,              -- the first of the block
  part         INTEGER NOT NULL,           -- of a frequent term, which has several blocks of its own; else 0
  checksum     INTEGER NOT NULL,           -- CRC-32 of the block
  block        BLOB NOT NULL,              -- terms with their rows
  UNIQUE (segment, term, part)
) STRICT;

-- The number of resources of each project, for totals and for relevance.
CREATE TABLE project (
  project_key  TEXT PRIMARY KEY,
  resources    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The orders of resources by times and by version.
CREATE TABLE by_created (
  project_key  TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  id           TEXT NOT NULL,
  row          INTEGER NOT NULL,           -- of resource
  PRIMARY KEY (project_key, created_at, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE by_modified (
  project_key  TEXT NOT NULL,
  modified_at  TEXT NOT NULL,
  id           TEXT NOT NULL,
  row          INTEGER NOT NULL,
  PRIMARY KEY (project_key, modified_at, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE by_version (
  project_key  TEXT NOT NULL,
  version      INTEGER NOT NULL,
  id           TEXT NOT NULL,
  row          INTEGER NOT NULL,
  PRIMARY KEY (project_key, version, id)
) STRICT, WITHOUT ROWID;

-- The changes of the log by project, up to store.indexed; of later ones the records are looked through.
CREATE TABLE project_change (
  project_key  TEXT NOT NULL,
  sequence     INTEGER NOT NULL,           -- of change
  PRIMARY KEY (project_key, sequence)
) STRICT, WITHOUT ROWID;

-- Resources that the indexes leave out because they cannot be read or indexed, each with the reason. A write of such a resource
-- has its index entries made anew.
CREATE TABLE damaged (
  row          INTEGER PRIMARY KEY,        -- of resource
  project_key  TEXT NOT NULL,
  id           TEXT NOT NULL,
  reason       TEXT NOT NULL
) STRICT;

CREATE TABLE idempotent_answer (
  scope          TEXT PRIMARY KEY,
  request_hash   TEXT NOT NULL,
  status         INTEGER NOT NULL,
  headers        TEXT NOT NULL,
  body           TEXT NOT NULL,
  expires_at     INTEGER NOT NULL,
  body_checksum  INTEGER NOT NULL,         -- over body
  checksum       INTEGER NOT NULL          -- over all the others, as in the tables below
) STRICT;
CREATE INDEX idempotent_answer_expiry ON idempotent_answer (expires_at);

CREATE TABLE api_client (
  id           TEXT PRIMARY KEY,
  project_key  TEXT,
  name         TEXT NOT NULL,
  scopes       TEXT NOT NULL,              -- JSON array
  secret_hash  TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  checksum     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX api_client_project ON api_client (project_key, id);

CREATE TABLE signing_key (
  kid          TEXT PRIMARY KEY,
  private_jwk  TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  active_from  INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  checksum     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE revocation (
  kind         TEXT NOT NULL,
  subject      TEXT NOT NULL,
  revoked_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  checksum     INTEGER NOT NULL,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
