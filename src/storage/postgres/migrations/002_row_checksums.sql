-- Checksums of the rows that decide who may do what (decision 87). -1 marks a row of a version that knew none: the next
-- start replaces it, except in idempotent_answer, whose rows expire within a day. Processes of that version may still
-- run, and write rows without the new columns.
ALTER TABLE api_client ADD COLUMN checksum bigint NOT NULL DEFAULT -1;
ALTER TABLE signing_key ADD COLUMN checksum bigint NOT NULL DEFAULT -1;
ALTER TABLE revocation ADD COLUMN checksum bigint NOT NULL DEFAULT -1;
ALTER TABLE idempotent_answer
  ADD COLUMN body_checksum bigint NOT NULL DEFAULT -1,  -- over body
  ADD COLUMN checksum bigint NOT NULL DEFAULT -1;       -- over all the others
