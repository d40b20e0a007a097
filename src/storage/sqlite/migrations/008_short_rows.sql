-- Times that the document has as the service writes them are left out of a row (decision 215): where these columns are empty,
-- the document has them. Rows of before stay as they are until they are written again.
ALTER TABLE resource RENAME COLUMN created_at TO own_created_at;
ALTER TABLE resource RENAME COLUMN modified_at TO own_modified_at;
-- The first is after the name and its quotes, 13 characters; the second after 23 of the first and 21 in between.
ALTER TABLE resource ADD COLUMN created_at TEXT GENERATED ALWAYS AS (CASE octet_length(own_created_at)
  WHEN 0 THEN rtrim(rtrim(substr(current, instr(current, '"createdAt":"') + 13, 23), '0'), '.')
  ELSE own_created_at END) VIRTUAL;
ALTER TABLE resource ADD COLUMN modified_at TEXT GENERATED ALWAYS AS (CASE octet_length(own_modified_at)
  WHEN 0 THEN rtrim(rtrim(substr(current, instr(current, '"createdAt":"') + 57, 23), '0'), '.')
  ELSE own_modified_at END) VIRTUAL;
