-- Checksums of the rows that decide who may do what (decision 87). -1 marks a row of a version that knew none: the next
-- start replaces it, except in idempotent_answer, whose rows expire within a day.
ALTER TABLE api_client ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE signing_key ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE revocation ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE idempotent_answer ADD COLUMN body_checksum INTEGER NOT NULL DEFAULT -1;  -- over body
ALTER TABLE idempotent_answer ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;       -- over all the others
