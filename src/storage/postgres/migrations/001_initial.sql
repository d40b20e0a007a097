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
  document         jsonb NOT NULL,           -- current as conditions see it: numbers have the value they compare by
  staged_document  jsonb,                    -- the same of staged
  terms            text[] COLLATE "C" NOT NULL,
  PRIMARY KEY (project_key, id),
  UNIQUE (project_key, key)
); -- distributed by project_key
CREATE INDEX resource_created ON resource (project_key, created_at, id);
CREATE INDEX resource_modified ON resource (project_key, modified_at, id);
CREATE INDEX resource_version ON resource (project_key, version, id);

-- Inverted index of terms. Terms name their project as well; with the project in the index, no plan reads another index
-- beside it only to tell the project's rows from others.
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
-- For words with typos.
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch WITH SCHEMA public;
CREATE INDEX resource_terms ON resource USING gin (project_key, terms) WITH (gin_pending_list_limit = 512);

-- The least and the greatest value of the paths whose order is indexed: "<projection>|<path>|<kind><class><key>".
CREATE TABLE ordered_value (
  project_key  text COLLATE "C" NOT NULL,
  entry        text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_key, entry, id)
); -- distributed by project_key

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
  PRIMARY KEY (project_key, kid)
); -- distributed by project_key

CREATE TABLE revocation (
  project_key  text COLLATE "C" NOT NULL,
  kind         text COLLATE "C" NOT NULL,
  subject      text COLLATE "C" NOT NULL,
  revoked_at   bigint NOT NULL,
  expires_at   bigint NOT NULL,
  PRIMARY KEY (project_key, kind, subject)
); -- distributed by project_key

-- What the indexes were made with.
CREATE TABLE store_setting (
  project_key  text COLLATE "C" NOT NULL,
  name         text COLLATE "C" NOT NULL,
  value        text NOT NULL,
  PRIMARY KEY (project_key, name)
); -- distributed by project_key

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

-- A pair of numbers, or the coordinates of a GeoJSON point; NULL for anything else.
CREATE FUNCTION grs_point(value jsonb) RETURNS double precision[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF jsonb_typeof(value) = 'object' THEN
    value := CASE WHEN value -> 'type' = '"Point"'::jsonb THEN value -> 'coordinates' END;
  END IF;
  IF value IS NULL OR jsonb_typeof(value) <> 'array' OR jsonb_array_length(value) <> 2
    OR jsonb_typeof(value -> 0) <> 'number' OR jsonb_typeof(value -> 1) <> 'number' THEN
    RETURN NULL;
  END IF;
  RETURN ARRAY[(value ->> 0)::double precision, (value ->> 1)::double precision];
END $$;

-- Metres along the great circle between two points. The twin of domain/predicate/circle.ts.
CREATE FUNCTION grs_distance(point double precision[], longitude double precision, latitude double precision)
RETURNS double precision LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT 2 * 6371008.8 * asin(least(1, sqrt(
    sin(((latitude - point[2]) * (pi() / 180)) / 2) ^ 2
    + cos(point[2] * (pi() / 180)) * cos(latitude * (pi() / 180)) * sin(((longitude - point[1]) * (pi() / 180)) / 2) ^ 2)))
$$;

-- Metres to the nearest point of a value; NULL where it holds none.
CREATE FUNCTION grs_metres(value jsonb, longitude double precision, latitude double precision)
RETURNS double precision LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  point double precision[] := grs_point(value);
BEGIN
  IF point IS NOT NULL THEN
    RETURN grs_distance(point, longitude, latitude);
  END IF;
  IF jsonb_typeof(value) <> 'array' THEN
    RETURN NULL;
  END IF;
  RETURN (SELECT min(grs_distance(grs_point(each), longitude, latitude)) FROM jsonb_array_elements(value) AS each);
END $$;
