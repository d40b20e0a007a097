-- Resources that the indexes leave out because they cannot be read or indexed, each with the reason. A write of such a resource
-- has its index entries made anew.
CREATE TABLE damaged (
  row          INTEGER PRIMARY KEY,        -- of resource
  project_key  TEXT NOT NULL,
  id           TEXT NOT NULL,
  reason       TEXT NOT NULL
) STRICT;
