-- Which declared paths the rows of ordered_value cover, by project (decision 92). The row with the greatest generation
-- holds; the others are of writers that have not ended yet. A project without a row covers the paths that
-- store_setting names (declared-paths), which nothing writes any longer.
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
