-- usable from 003
-- The log of the changes of each project (decision 117). A version that knows only schema 003 reads and writes everything
-- else, and logs nothing.

-- Written once for each project, by its first change. Locked by each transaction that appends events, just before it
-- does: so their numbers become visible in their order. Nothing but pruning changes it.
CREATE TABLE event_head (
  project_key  text COLLATE "C" NOT NULL,
  epoch        text NOT NULL,            -- what no other log of a project of this name had
  pruned       bigint NOT NULL,          -- all events up to this number were deleted; 0: none was
  PRIMARY KEY (project_key)
); -- distributed by project_key

-- The last event of a project is never deleted: the next one continues its numbers.
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
  checksum     bigint NOT NULL,          -- CRC-32 over the others but sequence and total, plus these two
  PRIMARY KEY (project_key, sequence)
); -- distributed by project_key
CREATE INDEX event_resource ON event (project_key, id, sequence);
CREATE INDEX event_deletion ON event (project_key, sequence) WHERE type = 'deleted';
CREATE INDEX event_deleted_key ON event (project_key, key, sequence) WHERE type = 'deleted';
