-- What the types of a project need. Neither has a checksum: both are made again from the resources and the types.
-- usable from 011

-- Marks of resources: unique values and references. Several resources may have a mark; each commit looks for those that must not.
CREATE TABLE mark (
  project_key  text COLLATE "C" NOT NULL,
  mark         text COLLATE "C" NOT NULL,  -- begins with the name of its rule
  id           text COLLATE "C" NOT NULL,  -- of the resource
  PRIMARY KEY (project_key, mark, id)
); -- distributed by project_key
CREATE INDEX mark_resource ON mark (project_key, id);

-- The version of the types that a change must know to be committed; it only rises.
ALTER TABLE event_head ADD COLUMN rules bigint NOT NULL DEFAULT 0;

DROP FUNCTION IF EXISTS grs_commit;
DROP FUNCTION IF EXISTS grs_lock_log;

-- Locks the head of a log, which it makes where there is none, and returns the last event: its number, and the bytes of all events up to it,
-- and the version of the types of the project.
-- Numbers of 2^52 and more are damage, which is left out: sums with them would not be exact.
CREATE FUNCTION grs_lock_log(p text, p_epoch text, OUT sequence bigint, OUT total bigint, OUT rules bigint) LANGUAGE plpgsql AS $$
DECLARE
  pruned bigint;
BEGIN
  SELECT h.pruned, h.rules INTO pruned, rules FROM event_head h WHERE h.project_key = p FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO event_head VALUES (p, p_epoch, 0) ON CONFLICT DO NOTHING;
    SELECT h.pruned, h.rules INTO pruned, rules FROM event_head h WHERE h.project_key = p FOR UPDATE;
  END IF;
  SELECT e.sequence, CASE WHEN e.total BETWEEN 0 AND 4503599627370496 THEN e.total ELSE 0 END INTO sequence, total FROM event e
    WHERE e.project_key = p AND e.sequence < 4503599627370496 ORDER BY e.sequence DESC LIMIT 1;
  IF NOT FOUND THEN
    sequence := CASE WHEN pruned BETWEEN 0 AND 4503599627370496 THEN pruned ELSE 0 END;
    total := 0;
  END IF;
  IF rules NOT BETWEEN 0 AND 4503599627370496 THEN
    rules := 0;
  END IF;
END $$;

-- Commits changes of one project, each on its own merits or (together) all or none, and returns an outcome for each. No two of them have
-- an id, a key or a scope in common, and none has a mark, or is the resource, that another one asks for. Whoever has the head is the only writer of the project, so what is found first still holds at the end.
-- With repeated, changes whose events are there were committed by a statement whose answer was lost.
-- On a cluster it runs on the server of the project, where a session knows nothing of the search path of its caller.
CREATE FUNCTION grs_commit(
  p text, p_epoch text, p_owner text, p_owner_epoch text, together boolean, repeated boolean,
  c_kind text[], c_id text[], c_key text[], c_version bigint[], c_incarnation text[], c_created text[], c_modified text[], c_current text[], c_staged text[],
  c_history text[], c_checksum bigint[], c_expected bigint[], c_expected_incarnation text[], c_damaged boolean[], c_continues bigint[], c_rules bigint[],
  e_at bigint[], e_type text[], e_key text[], e_version bigint[], e_incarnation text[], e_client text[], e_origin text[], e_before text[],
  e_crc bigint[], e_bytes bigint[], e_nonce bigint[],
  d_place int[], d_at bigint[], d_type text[], d_id text[], d_key text[], d_version bigint[], d_client text[], d_origin text[],
  d_crc bigint[], d_bytes bigint[],
  r_project text, r_place int[], r_scope text[], r_request text[], r_status int[], r_headers text[], r_body text[], r_expires bigint[],
  r_body_checksum bigint[], r_checksum bigint[],
  m_place int[], m_id text[], m_mark text[], f_place int[], f_id text[], f_mark text[], n_place int[], n_id text[], n_version bigint[], n_incarnation text[],
  OUT outcomes text[], OUT last bigint
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  head      record;
  answered  int[];
  broken    int[] := '{}';
  sequences bigint[];
  committed int;
  put       record;
BEGIN
  SELECT * INTO head FROM grs_lock_log(p, p_epoch);
  -- By itself: responses may be on another server than the project.
  IF cardinality(r_place) > 0 THEN
    SELECT array_agg(s.place) INTO answered FROM unnest(r_place, r_scope) s (place, scope)
      JOIN idempotent_answer a ON a.scope_hash = s.scope WHERE a.project_key = r_project;
  END IF;
  -- The rules of the types: each of these looks is for nothing where the project has none.
  IF head.rules > 0 THEN
    SELECT broken || array_agg(n.place::int) INTO broken FROM unnest(c_kind, c_rules) WITH ORDINALITY n (kind, rules, place)
      WHERE n.kind NOT IN ('response', 'event') AND coalesce(n.rules, 0) < head.rules;
  END IF;
  IF cardinality(f_place) > 0 THEN
    SELECT broken || array_agg(n.place) INTO broken FROM unnest(f_place, f_id, f_mark) n (place, id, mark) LEFT JOIN LATERAL (
      SELECT m.id FROM mark m WHERE m.project_key = p AND m.mark = n.mark AND m.id <> n.id LIMIT 1) m ON true WHERE m.id IS NOT NULL;
  END IF;
  IF cardinality(n_place) > 0 THEN
    SELECT broken || array_agg(n.place) INTO broken FROM unnest(n_place, n_id, n_version, n_incarnation) n (place, id, version, incarnation)
      LEFT JOIN LATERAL (SELECT r.version, r.incarnation FROM resource r WHERE r.project_key = p AND r.id = n.id LIMIT 1) r ON true
      WHERE r.version IS DISTINCT FROM n.version OR r.incarnation IS DISTINCT FROM n.incarnation;
  END IF;
  SELECT array_agg(o.outcome ORDER BY o.place) INTO outcomes FROM (
    SELECT n.place, CASE
      WHEN repeated AND n.kind <> 'response' AND EXISTS (SELECT 1 FROM event e WHERE e.project_key = p AND e.id = n.id
        AND e.nonce = n.nonce) THEN 'done'
      WHEN n.place = ANY (answered) THEN 'responseExists'
      WHEN n.place = ANY (broken) THEN 'rulesBroken'
      WHEN n.kind IN ('response', 'event') THEN 'committed'
      WHEN n.kind = 'create' THEN CASE
        WHEN r.id IS NOT NULL THEN 'idTaken'
        WHEN n.continues IS NOT NULL AND n.continues IS DISTINCT FROM
          (SELECT max(e.sequence) FROM event e WHERE e.project_key = p AND e.id = n.id) THEN 'versionMoved'
        WHEN n.key IS NOT NULL AND EXISTS (SELECT 1 FROM resource k WHERE k.project_key = p AND k.key = n.key) THEN 'keyTaken'
        ELSE 'committed' END
      WHEN r.id IS NULL THEN 'versionMoved'
      -- Of a damaged resource only the version is compared, which may be larger than a number of JavaScript holds exactly.
      WHEN n.damaged AND r.version::double precision <> n.expected::double precision THEN 'versionMoved'
      WHEN NOT n.damaged AND (r.version <> n.expected OR r.incarnation IS DISTINCT FROM n.expected_incarnation) THEN 'versionMoved'
      WHEN n.kind = 'update' AND n.key IS NOT NULL AND n.key IS DISTINCT FROM r.key
        AND EXISTS (SELECT 1 FROM resource k WHERE k.project_key = p AND k.key = n.key) THEN 'keyTaken'
      ELSE 'committed' END AS outcome
    FROM unnest(c_kind, c_id, c_key, c_expected, c_expected_incarnation, c_damaged, c_continues, e_nonce) WITH ORDINALITY
        n (kind, id, key, expected, expected_incarnation, damaged, continues, nonce, place)
      -- The limit keeps the order of the join: with statistics of a smaller table PostgreSQL would begin with all resources of the project.
      LEFT JOIN LATERAL (SELECT r.id, r.key, r.version, r.incarnation FROM resource r WHERE r.project_key = p AND r.id = n.id LIMIT 1) r ON true
  ) o;
  last := head.sequence;
  IF together AND outcomes && ARRAY['idTaken', 'keyTaken', 'versionMoved', 'responseExists', 'rulesBroken'] THEN
    RETURN;
  END IF;
  SELECT array_agg(s.sequence ORDER BY s.place), count(s.sequence) INTO sequences, committed FROM (
    SELECT n.place, CASE WHEN n.outcome = 'committed' AND n.kind <> 'response' THEN head.sequence + count(*)
      FILTER (WHERE n.outcome = 'committed' AND n.kind <> 'response') OVER (ORDER BY n.place) END AS sequence
    FROM unnest(outcomes, c_kind) WITH ORDINALITY n (outcome, kind, place)
  ) s;

  IF 'create' = ANY (c_kind) THEN
    INSERT INTO resource
      SELECT p, n.id, n.key, n.version, n.incarnation, n.created, n.modified, n.current, n.staged, n.history, n.checksum, n.sequence, n.sequence
      FROM unnest(c_kind, c_id, c_key, c_version, c_incarnation, c_created, c_modified, c_current, c_staged, c_history, c_checksum, sequences)
        n (kind, id, key, version, incarnation, created, modified, current, staged, history, checksum, sequence)
      WHERE n.kind = 'create' AND n.sequence IS NOT NULL;
  END IF;
  -- One by one, for the same reason.
  IF 'update' = ANY (c_kind) THEN
    FOR put IN SELECT n.* FROM unnest(c_kind, c_id, c_key, c_version, c_incarnation, c_created, c_modified, c_current, c_staged, c_history, c_checksum, sequences)
        n (kind, id, key, version, incarnation, created, modified, current, staged, history, checksum, sequence)
      WHERE n.kind = 'update' AND n.sequence IS NOT NULL
    LOOP
      UPDATE resource r SET key = put.key, version = put.version, incarnation = put.incarnation, created_at = put.created, modified_at = put.modified,
          current = put.current, staged = put.staged, history = put.history, checksum = put.checksum, changed = put.sequence
        WHERE r.project_key = p AND r.id = put.id;
    END LOOP;
  END IF;
  IF 'delete' = ANY (c_kind) THEN
    DELETE FROM resource r WHERE r.project_key = p AND r.id = ANY (ARRAY(
      SELECT n.id FROM unnest(c_kind, c_id, sequences) n (kind, id, sequence) WHERE n.kind = 'delete' AND n.sequence IS NOT NULL));
  END IF;
  IF array_remove(c_rules, NULL) <> '{}' THEN
    -- One by one, as above.
    FOR put IN SELECT n.id, m.mark FROM unnest(c_id, c_rules, outcomes) n (id, rules, outcome)
      CROSS JOIN LATERAL (SELECT m.mark FROM mark m WHERE m.project_key = p AND m.id = n.id LIMIT 1000000) m
      WHERE n.rules IS NOT NULL AND n.outcome = 'committed'
        AND NOT EXISTS (SELECT 1 FROM unnest(m_id, m_mark) k (id, mark) WHERE k.id = n.id AND k.mark = m.mark)
    LOOP
      DELETE FROM mark m WHERE m.project_key = p AND m.mark = put.mark AND m.id = put.id;
    END LOOP;
    INSERT INTO mark SELECT p, k.mark, k.id FROM unnest(m_place, m_id, m_mark) k (place, id, mark) WHERE outcomes[k.place] = 'committed'
      ON CONFLICT DO NOTHING;
  END IF;
  IF committed > 0 THEN
    INSERT INTO event SELECT p, f.sequence, f.total, f.at, f.type, f.id, f.key, f.version, f.incarnation, f.client, f.origin, f.before,
        f.crc + f.sequence + f.total, f.nonce
      FROM (SELECT n.*, head.total + sum(n.bytes) OVER (ORDER BY n.sequence) AS total
        FROM unnest(sequences, c_id, e_at, e_type, e_key, e_version, e_incarnation, e_client, e_origin, e_before, e_crc, e_bytes, e_nonce)
          n (sequence, id, at, type, key, version, incarnation, client, origin, before, crc, bytes, nonce)
        WHERE n.sequence IS NOT NULL) f;
  END IF;
  last := head.sequence + committed;

  IF cardinality(r_place) > 0 THEN
    INSERT INTO idempotent_answer
      SELECT r_project, n.scope, n.request, n.status, n.headers, n.body, n.expires, n.body_checksum, n.checksum
      FROM unnest(r_place, r_scope, r_request, r_status, r_headers, r_body, r_expires, r_body_checksum, r_checksum)
        n (place, scope, request, status, headers, body, expires, body_checksum, checksum)
      WHERE outcomes[n.place] = 'committed';
  END IF;
  -- What a companion project stores is told in the log of its owner.
  IF cardinality(d_place) > 0 THEN
    SELECT * INTO head FROM grs_lock_log(p_owner, p_owner_epoch);
    INSERT INTO event SELECT p_owner, f.sequence, f.total, f.at, f.type, f.id, f.key, f.version, NULL, f.client, f.origin, NULL,
        f.crc + f.sequence + f.total
      FROM (SELECT n.*, head.sequence + row_number() OVER (ORDER BY n.position) AS sequence,
          head.total + sum(n.bytes) OVER (ORDER BY n.position) AS total
        FROM unnest(d_place, d_at, d_type, d_id, d_key, d_version, d_client, d_origin, d_crc, d_bytes) WITH ORDINALITY
          n (place, at, type, id, key, version, client, origin, crc, bytes, position)
        WHERE outcomes[n.place] = 'committed') f;
  END IF;
END $$;
