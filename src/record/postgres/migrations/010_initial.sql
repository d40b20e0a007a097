-- The schema that the first release has; lower numbers were never released.
--
-- Every table is keyed by project_key first, so that it can be spread over machines by it; each has one statement
-- that ends in "distributed by project_key". Texts compare by their bytes. Times are instants in canonical form in
-- resource, ms since the epoch elsewhere; they, ids and versions come from the service, never from the database.

CREATE TABLE resource (
  project_key      text COLLATE "C" NOT NULL,
  id               text COLLATE "C" NOT NULL,
  key              text COLLATE "C",
  version          bigint NOT NULL,
  incarnation      text COLLATE "C",         -- what no other resource of this id had
  created_at       text COLLATE "C" NOT NULL,
  modified_at      text COLLATE "C" NOT NULL,
  current          text NOT NULL,            -- JSON as answered
  staged           text,                     -- JSON as answered with staged=true, where something is staged
  history          text NOT NULL,            -- JSON: [version, [field, …]], …, newest first
  checksum         bigint NOT NULL,          -- CRC-32 over all the above
  born             bigint NOT NULL,          -- sequence of the event that created it: the order of a list without a sort
  changed          bigint NOT NULL,          -- sequence of its last event
  PRIMARY KEY (project_key, id),
  UNIQUE (project_key, key)
); -- distributed by project_key
ALTER TABLE resource SET (fillfactor = 90);

CREATE TABLE idempotent_answer (
  project_key   text COLLATE "C" NOT NULL,
  scope_hash    text COLLATE "C" NOT NULL,   -- SHA-256 of the scope, which may be longer than an index takes
  request_hash  text NOT NULL,
  status        integer NOT NULL,
  headers       text NOT NULL,
  body          text NOT NULL,
  expires_at    bigint NOT NULL,
  body_checksum bigint NOT NULL,             -- over body
  checksum      bigint NOT NULL,             -- over all the others, as in the tables below
  PRIMARY KEY (project_key, scope_hash)
); -- distributed by project_key
CREATE INDEX idempotent_answer_expiry ON idempotent_answer (project_key, expires_at);

-- project_key is '' for a client of no project.
CREATE TABLE api_client (
  project_key  text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL,
  name         text NOT NULL,
  scopes       text NOT NULL,                -- JSON array
  secret_hash  text NOT NULL,
  created_at   bigint NOT NULL,
  checksum     bigint NOT NULL,
  PRIMARY KEY (project_key, id)
); -- distributed by project_key

-- What belongs to the service as a whole has '~' for its project, which no project is called.
CREATE TABLE signing_key (
  project_key  text COLLATE "C" NOT NULL,
  kid          text COLLATE "C" NOT NULL,
  private_jwk  text NOT NULL,
  created_at   bigint NOT NULL,
  active_from  bigint NOT NULL,
  expires_at   bigint NOT NULL,
  checksum     bigint NOT NULL,
  PRIMARY KEY (project_key, kid)
); -- distributed by project_key

CREATE TABLE revocation (
  project_key  text COLLATE "C" NOT NULL,
  kind         text COLLATE "C" NOT NULL,
  subject      text COLLATE "C" NOT NULL,
  revoked_at   bigint NOT NULL,
  expires_at   bigint NOT NULL,
  checksum     bigint NOT NULL,
  PRIMARY KEY (project_key, kind, subject)
); -- distributed by project_key

CREATE TABLE store_setting (
  project_key  text COLLATE "C" NOT NULL,
  name         text COLLATE "C" NOT NULL,
  value        text NOT NULL,
  PRIMARY KEY (project_key, name)
); -- distributed by project_key

-- The log of the changes of each project (decision 117), companion projects included: mirrors follow it.

-- Made by the first commit of a project. Each commit locks it first, so the events of a project have their numbers in the order in which
-- they become visible.
CREATE TABLE event_head (
  project_key  text COLLATE "C" NOT NULL,
  epoch        text NOT NULL,            -- what no other log of a project of this name had
  pruned       bigint NOT NULL,          -- all events up to this number were deleted; 0: none was
  PRIMARY KEY (project_key)
); -- distributed by project_key

CREATE TABLE event (
  project_key  text COLLATE "C" NOT NULL,
  sequence     bigint NOT NULL,          -- one more for each event of the project, from 1
  total        bigint NOT NULL,          -- bytes of all events of the project up to this one, as they were appended
  at           bigint NOT NULL,
  type         text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL,
  key          text COLLATE "C",
  version      bigint NOT NULL,
  incarnation  text,
  client       text COLLATE "C" NOT NULL,  -- the id of the API client; '' for the service itself
  origin       text NOT NULL,            -- JSON: [cause, external user, correlation id, action, …]
  before       text,                     -- JSON: what the change replaced; NULL where nothing was there, or it was forgotten
  checksum     bigint NOT NULL,          -- CRC-32 over the others but sequence, total and nonce, plus these two
  nonce        bigint,                   -- random: by it a writer whose answer was lost finds what it committed
  PRIMARY KEY (project_key, sequence)
); -- distributed by project_key
CREATE INDEX event_resource ON event (project_key, id, sequence);
CREATE INDEX event_deletion ON event (project_key, sequence) WHERE type = 'deleted';
CREATE INDEX event_deleted_key ON event (project_key, key, sequence) WHERE type = 'deleted';

-- How far the mirror of each machine is with the projects that it follows: writers wait for the slowest. Nothing is lost with it.
CREATE TABLE mirror_position (
  project_key  text COLLATE "C" NOT NULL,
  node         text COLLATE "C" NOT NULL,  -- another one with each start of a service
  sequence     bigint NOT NULL,
  ms_of_change double precision NOT NULL,  -- what it takes that machine to apply a change
  at           double precision NOT NULL,  -- ms since the epoch, by the clock of the database
  PRIMARY KEY (project_key, node)
); -- distributed by project_key
