-- Times are instants in canonical form (text, ordered by bytes) in resource, ms since the epoch elsewhere.

CREATE TABLE store (
  singleton    INTEGER PRIMARY KEY CHECK (singleton = 1),
  instance_id  TEXT NOT NULL,              -- which database this is; repeated in the acknowledged file
  commits      INTEGER NOT NULL,           -- counts group commits; the acknowledged file keeps the last count
  settings     TEXT NOT NULL               -- JSON: what term was built with (declared paths, word breaking)
) STRICT;

CREATE TABLE resource (
  row          INTEGER PRIMARY KEY,        -- document number in term
  project_key  TEXT NOT NULL,
  id           TEXT NOT NULL,
  key          TEXT,
  version      INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  modified_at  TEXT NOT NULL,
  current      TEXT NOT NULL,              -- JSON as it is served
  staged       TEXT,                       -- JSON as it is served with staged=true, where something is staged
  history      TEXT NOT NULL,              -- JSON: [[version, [field, …]], …], newest first
  checksum     INTEGER NOT NULL,           -- CRC-32 over all of the above but row
  UNIQUE (project_key, id)
) STRICT;
CREATE UNIQUE INDEX resource_key ON resource (project_key, key) WHERE key IS NOT NULL;
CREATE INDEX resource_keyless ON resource (project_key, id) WHERE key IS NULL;
CREATE INDEX resource_created ON resource (project_key, created_at, id);
CREATE INDEX resource_modified ON resource (project_key, modified_at, id);
CREATE INDEX resource_version ON resource (project_key, version, id);

-- Inverted index: one term per (project, projection, path, value) → rows. Written by differences: 'delete' removes the
-- terms that a document lost, an insert adds those it gained. Numbers and instants are encoded so that their bytes sort
-- as the values do: read in the order of its terms (fts5vocab), the index has ranges and orders as well.
-- See decision 34.
CREATE VIRTUAL TABLE term USING fts5 (
  t, content = '', columnsize = 0, detail = none,
  tokenize = "ascii tokenchars '_.-:|/@#%&+=,;!?()[]{}<>*^~$'"
);
-- The writer merges segments, in smaller steps.
INSERT INTO term (term, rank) VALUES ('automerge', 0);

-- The number of resources of each project, for totals and for relevance.
CREATE TABLE project (
  project_key  TEXT PRIMARY KEY,
  resources    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The rows that each of the last commits touched, so that the caches of searches can follow.
CREATE TABLE change (
  commits      INTEGER NOT NULL,           -- store.commits of that commit
  project_key  TEXT NOT NULL,
  rows         TEXT NOT NULL,              -- JSON: row numbers
  PRIMARY KEY (commits, project_key)
) STRICT, WITHOUT ROWID;

-- The vocabulary: every word that some document has in term, by locale ('' for strings under none).
CREATE TABLE word (
  project_key  TEXT NOT NULL,
  locale       TEXT NOT NULL,
  word         TEXT NOT NULL,
  born         INTEGER NOT NULL,           -- store.commits of the commit that added it
  PRIMARY KEY (project_key, locale, word)
) STRICT, WITHOUT ROWID;
CREATE INDEX word_born ON word (project_key, locale, born);

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
