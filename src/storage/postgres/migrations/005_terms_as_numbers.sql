-- usable from 005
-- Terms are numbers (decision 172). Versions before know them as texts, and cannot use the result. Resources that are
-- here already get their terms and entries by a build of the index of their project (decision 92). Until that is done,
-- conditions are refused.
DROP INDEX resource_terms;
ALTER TABLE resource DROP COLUMN terms;
ALTER TABLE resource ADD COLUMN terms bigint[] NOT NULL DEFAULT '{}';
-- What most queries count and never read lies outside of the row, so that a page has more rows.
ALTER TABLE resource SET (toast_tuple_target = 1280);
CREATE INDEX resource_terms ON resource USING gin (project_key, terms) WITH (gin_pending_list_limit = 1024);

-- The least and the greatest value of the paths whose order is indexed, or the one that is both (decision 173).
DROP TABLE ordered_value;
CREATE TABLE ordered_value (
  project_key  text COLLATE "C" NOT NULL,
  place        bigint NOT NULL,          -- the number of "<projection>|<path>|<mark>"
  key          bytea NOT NULL,           -- class and value, in their order
  id           text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_key, place, key, id)
); -- distributed by project_key

-- The builds of all projects. A standby that has the new columns has these orders as well.
UPDATE index_generation SET ready = 'false', step = 'clean', position = '', owner = '', lease_until = 0;
INSERT INTO index_generation (project_key, generation, paths, ready, step, position, owner, lease_until)
  SELECT DISTINCT r.project_key, 1::bigint, '[]', 'false', 'clean', '', '', 0::bigint FROM resource r
  WHERE NOT EXISTS (SELECT 1 FROM index_generation g WHERE g.project_key = r.project_key);
