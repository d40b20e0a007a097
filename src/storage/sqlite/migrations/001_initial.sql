-- Times are instants in canonical form (text, ordered by bytes) in resource, ms since the epoch elsewhere.

CREATE TABLE store (
  singleton    INTEGER PRIMARY KEY CHECK (singleton = 1),
  instance_id  TEXT NOT NULL,              -- which database this is; repeated in the sidecar file
  commits      INTEGER NOT NULL,           -- counts group commits; the sidecar keeps the last acknowledged count
  settings     TEXT NOT NULL               -- JSON: the declared paths that sort_value holds
) STRICT;

CREATE TABLE resource (
  row          INTEGER PRIMARY KEY,        -- document number in term and sort_value
  project_key  TEXT NOT NULL,
  id           TEXT NOT NULL,
  key          TEXT,
  version      INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  modified_at  TEXT NOT NULL,
  current      TEXT NOT NULL,              -- JSON as answered
  staged       TEXT,                       -- JSON as answered with staged=true, where something is staged
  history      TEXT NOT NULL,              -- JSON: [[version, [field, …]], …], newest first
  checksum     INTEGER NOT NULL,           -- CRC-32 over all the above but row
  UNIQUE (project_key, id)
) STRICT;
CREATE UNIQUE INDEX resource_key ON resource (project_key, key) WHERE key IS NOT NULL;
CREATE INDEX resource_created ON resource (project_key, created_at, id);
CREATE INDEX resource_modified ON resource (project_key, modified_at, id);
CREATE INDEX resource_version ON resource (project_key, version, id);

-- Inverted index: one term per (project, projection, path, value) → rows. Written by differences: 'delete' takes the
-- terms that a document lost, an insert adds those it gained. See docs/decisions.md, "The term index".
CREATE VIRTUAL TABLE term USING fts5 (
  t, content = '', columnsize = 0, detail = none,
  tokenize = "ascii tokenchars '_.-:|/@#%&+=,;!?()[]{}<>*^~$'"
);

-- Order of the declared paths and of ArrayTestType's fields: least and greatest value of each type per document.
-- edge: 1 least of its type, 2 greatest of its type, 4 least of all, 8 greatest of all; times 16 the same for the short
-- form of a path below objectTypeProperty; 256 a point in time. Documents with several values have their least ones once
-- more, under the path followed by a line feed and "several".
CREATE TABLE sort_value (
  project_key  TEXT NOT NULL,
  projection   INTEGER NOT NULL,           -- 0 current, 1 staged
  path         TEXT NOT NULL,
  value        ANY NOT NULL,               -- numbers < strings and instants (text) < booleans (blob)
  row          INTEGER NOT NULL,
  edge         INTEGER NOT NULL,
  PRIMARY KEY (project_key, projection, path, value, row)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotent_answer (
  scope         TEXT PRIMARY KEY,
  request_hash  TEXT NOT NULL,
  status        INTEGER NOT NULL,
  headers       TEXT NOT NULL,
  body          TEXT NOT NULL,
  expires_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX idempotent_answer_expiry ON idempotent_answer (expires_at);

CREATE TABLE api_client (
  id           TEXT PRIMARY KEY,
  project_key  TEXT,
  name         TEXT NOT NULL,
  scopes       TEXT NOT NULL,              -- JSON array
  secret_hash  TEXT NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX api_client_project ON api_client (project_key, id);

CREATE TABLE signing_key (
  kid          TEXT PRIMARY KEY,
  private_jwk  TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  active_from  INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE revocation (
  kind         TEXT NOT NULL,
  subject      TEXT NOT NULL,
  revoked_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
