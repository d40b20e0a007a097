-- What the types of a project need. Neither has a checksum: both are made again from the resources and the types.

-- The version of the types that a change must know to be committed; it only rises.
CREATE TABLE project_rules (
  project_key  TEXT PRIMARY KEY,
  version      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Marks of resources: unique values and references. Several resources may have a mark; each commit looks for those that must not.
CREATE TABLE mark (
  project_key  TEXT NOT NULL,
  mark         TEXT NOT NULL,              -- begins with the name of its rule
  id           TEXT NOT NULL,              -- of the resource
  PRIMARY KEY (project_key, mark, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mark_resource ON mark (project_key, id);
