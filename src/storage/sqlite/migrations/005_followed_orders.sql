-- The orders of resources by version and by times follow the changes, as term does (decision 162): a write that comes alone
-- does not touch their pages. They have the resources after the change store.indexed.
DROP INDEX resource_created;
DROP INDEX resource_modified;
DROP INDEX resource_version;

CREATE TABLE by_created (
  project_key  TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  id           TEXT NOT NULL,
  row          INTEGER NOT NULL,           -- of resource
  PRIMARY KEY (project_key, created_at, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE by_modified (
  project_key  TEXT NOT NULL,
  modified_at  TEXT NOT NULL,
  id           TEXT NOT NULL,
  row          INTEGER NOT NULL,
  PRIMARY KEY (project_key, modified_at, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE by_version (
  project_key  TEXT NOT NULL,
  version      INTEGER NOT NULL,
  id           TEXT NOT NULL,
  row          INTEGER NOT NULL,
  PRIMARY KEY (project_key, version, id)
) STRICT, WITHOUT ROWID;

-- Changes that are not indexed yet are applied to these once more: each entry is replaced or removed by its key.
INSERT INTO by_created SELECT project_key, created_at, id, row FROM resource ORDER BY project_key, created_at, id;
INSERT INTO by_modified SELECT project_key, modified_at, id, row FROM resource ORDER BY project_key, modified_at, id;
INSERT INTO by_version SELECT project_key, version, id, row FROM resource ORDER BY project_key, version, id;
