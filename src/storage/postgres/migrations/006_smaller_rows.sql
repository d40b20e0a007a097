-- usable from 006
-- Smaller rows (decisions 176 and 177). Versions before cannot use them. Conditions are answered as ever meanwhile; ranges
-- and orders read documents until the entries of their project are built again.

-- NULL where it would be nothing but current as JSON. The build does this for the resources that are here.
ALTER TABLE resource ALTER COLUMN document DROP NOT NULL;

-- The least and the greatest value of the paths whose order is indexed, or the one that is both (decision 173). No row is
-- there twice, which no index says: with the id in the index of the order, equal keys would not share their entries.
DROP TABLE ordered_value;
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

-- The text of a short id: 16 bytes are a UUID, all else is text. The twin of index/short-id.ts.
CREATE FUNCTION grs_id(short bytea) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (CASE WHEN length(short) = 16 THEN encode(short, 'hex')::uuid::text
    ELSE convert_from(ltrim(short, '\xff'::bytea), 'UTF8') END) COLLATE "C"
$$;

-- The builds of all projects. Where a build has still to make terms, it goes on doing so.
UPDATE index_generation SET ready = CASE ready WHEN 'false' THEN 'false' ELSE 'null' END, step = 'clean', position = '',
  owner = '', lease_until = 0;
INSERT INTO index_generation (project_key, generation, paths, ready, step, position, owner, lease_until)
  SELECT DISTINCT r.project_key, 1::bigint, '[]', 'null', 'clean', '', '', 0::bigint FROM resource r
  WHERE NOT EXISTS (SELECT 1 FROM index_generation g WHERE g.project_key = r.project_key);
