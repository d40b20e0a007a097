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
  created_at       text COLLATE "C" NOT NULL,
  modified_at      text COLLATE "C" NOT NULL,
  current          text NOT NULL,            -- JSON as answered
  staged           text,                     -- JSON as answered with staged=true, where something is staged
  history          text NOT NULL,            -- JSON: [[version, [field, …]], …], newest first
  checksum         bigint NOT NULL,          -- CRC-32 over all the above
  document         jsonb,                    -- current as conditions see it: numbers have the value they compare by; NULL
                                             -- where that is nothing but current as JSON
  staged_document  jsonb,                    -- the same of staged
  terms            bigint[] NOT NULL DEFAULT '{}', -- hashes
  PRIMARY KEY (project_key, id),
  UNIQUE (project_key, key)
); -- distributed by project_key
-- What most queries count and never read lies outside of the row, so that a page has more rows.
ALTER TABLE resource SET (toast_tuple_target = 1280);
CREATE INDEX resource_created ON resource (project_key, created_at, id);
CREATE INDEX resource_modified ON resource (project_key, modified_at, id);
CREATE INDEX resource_version ON resource (project_key, version, id);

-- Inverted index of terms. Terms name their project as well; with the project in the index, no plan reads another index
-- beside it only to tell the project's rows from others.
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
-- For words with typos.
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch WITH SCHEMA public;
CREATE INDEX resource_terms ON resource USING gin (project_key, terms) WITH (gin_pending_list_limit = 1024);

-- The least and the greatest value of the paths whose order is indexed, or the one that is both. No row is
-- there twice, which no index says: with the id in the index of the order, equal keys would not share their entries.
CREATE TABLE ordered_value (
  project_key  text COLLATE "C" NOT NULL,
  place        bigint NOT NULL,          -- the number of "<projection>|<path>|<mark>"
  key          bytea NOT NULL,           -- class and value, in their order
  id           bytea NOT NULL            -- as grs_id reads it
); -- distributed by project_key
-- This one first: where a cluster moves the table while it is written, PostgreSQL 16 and later find deleted rows by the
-- first index that can be used.
CREATE INDEX ordered_value_resource ON ordered_value (project_key, id);
CREATE INDEX ordered_value_order ON ordered_value (project_key, place, key);
ALTER TABLE ordered_value REPLICA IDENTITY FULL;

-- Every word that some document had since the project began, by locale ('' for strings under none).
CREATE TABLE word (
  project_key  text COLLATE "C" NOT NULL,
  locale       text COLLATE "C" NOT NULL,
  word         text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_key, locale, word)
); -- distributed by project_key

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

-- What the indexes were made with.
CREATE TABLE store_setting (
  project_key  text COLLATE "C" NOT NULL,
  name         text COLLATE "C" NOT NULL,
  value        text NOT NULL,
  PRIMARY KEY (project_key, name)
); -- distributed by project_key

-- Which declared paths the rows of ordered_value cover, by project. The row with the greatest generation
-- holds; the others are of writers that have not ended yet.
CREATE TABLE index_generation (
  project_key  text COLLATE "C" NOT NULL,
  generation   bigint NOT NULL,
  paths        text NOT NULL,            -- JSON array: the paths whose entries every write maintains
  ready        text NOT NULL,            -- JSON array: those that all resources have entries for; null: not even the fixed ones
  step         text NOT NULL,            -- of the build: clean, scan or done
  position     text COLLATE "C" NOT NULL,  -- the last id that was scanned
  owner        text NOT NULL,            -- the process that builds, until lease_until
  lease_until  bigint NOT NULL,
  PRIMARY KEY (project_key, generation)
); -- distributed by project_key

-- The log of the changes of each project (decision 117).

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

-- The point in time that a text is, in canonical form; NULL where it is none (decision 38). The twin of
-- domain/instant.ts.
CREATE FUNCTION grs_instant(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  part   text[];
  y      int;
  m      int;
  d      int;
  minutes int := 0;
  instant timestamp;
  digits text;
BEGIN
  IF length(value) < 10 OR length(value) > 35 OR substr(value, 5, 1) <> '-' THEN
    RETURN NULL;
  END IF;
  part := regexp_match(value,
    '^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$');
  IF part IS NULL THEN
    RETURN NULL;
  END IF;
  y := part[1]; m := part[2]; d := part[3];
  IF y < 100 OR m < 1 OR m > 12 OR d < 1 OR d > (CASE
      WHEN m IN (4, 6, 9, 11) THEN 30
      WHEN m <> 2 THEN 31
      WHEN y % 4 = 0 AND (y % 100 <> 0 OR y % 400 = 0) THEN 29
      ELSE 28 END)
    OR part[4]::int > 23 OR part[5]::int > 59 OR part[6]::int > 59 THEN
    RETURN NULL;
  END IF;
  IF part[8] <> 'Z' THEN
    minutes := substr(part[8], 2, 2)::int * 60 + substr(part[8], 5, 2)::int;
    IF left(part[8], 1) = '-' THEN
      minutes := -minutes;
    END IF;
  END IF;
  instant := make_timestamp(y, m, d, coalesce(part[4]::int, 0), coalesce(part[5]::int, 0), coalesce(part[6]::int, 0))
    - make_interval(mins => minutes);
  IF extract(year FROM instant) > 9999 THEN
    RETURN NULL;
  END IF;
  digits := rtrim(coalesce(part[7], ''), '0');
  RETURN to_char(instant, 'YYYY-MM-DD"T"HH24:MI:SS') || CASE WHEN digits = '' THEN '' ELSE '.' || digits END;
END $$;

-- The form in which texts are equal that differ in case only. The twin of domain/predicate/fold-case.ts.
CREATE FUNCTION grs_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT normalize(lower(upper(value COLLATE "und-x-icu") COLLATE "und-x-icu"), NFC) COLLATE "C"
$$;

-- The text of a short id: 16 bytes are a UUID, all else is text. The twin of index/short-id.ts.
CREATE FUNCTION grs_id(short bytea) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (CASE WHEN length(short) = 16 THEN encode(short, 'hex')::uuid::text
    ELSE convert_from(ltrim(short, '\xff'::bytea), 'UTF8') END) COLLATE "C"
$$;

-- Metres to the nearest point of a value, along the great circle; NULL where it holds none. A point is a pair of numbers, or
-- the coordinates of a GeoJSON point. The twin of domain/predicate/circle.ts.
CREATE FUNCTION grs_metres(value jsonb, longitude double precision, latitude double precision)
RETURNS double precision LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  place   jsonb := value;
  element int := 0;
  x       double precision;
  y       double precision;
  nearest double precision;
BEGIN
  -- The value itself, then, where that is no point, each of its elements. No function of the schema is called: on a worker of a
  -- cluster the search path lacks it.
  LOOP
    IF jsonb_typeof(place) = 'object' THEN
      place := CASE WHEN place -> 'type' = '"Point"'::jsonb THEN place -> 'coordinates' END;
    END IF;
    IF jsonb_typeof(place) = 'array' AND jsonb_array_length(place) = 2
      AND jsonb_typeof(place -> 0) = 'number' AND jsonb_typeof(place -> 1) = 'number' THEN
      x := place ->> 0;
      y := place ->> 1;
      nearest := least(nearest, 2 * 6371008.8 * asin(least(1, sqrt(
        sin(((latitude - y) * (pi() / 180)) / 2) ^ 2
        + cos(y * (pi() / 180)) * cos(latitude * (pi() / 180)) * sin(((longitude - x) * (pi() / 180)) / 2) ^ 2))));
      EXIT WHEN element = 0;
    END IF;
    EXIT WHEN jsonb_typeof(value) <> 'array' OR element >= jsonb_array_length(value);
    place := value -> element;
    element := element + 1;
  END LOOP;
  RETURN nearest;
END $$;
