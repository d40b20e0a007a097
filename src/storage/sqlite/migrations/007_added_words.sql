-- Caches of vocabularies follow by a list of the words that were added last, of which each run of the follower writes a row for
-- each locale, instead of an index of all words ever (decision 208). Records of changes up to store.swept have left it.
DROP INDEX word_born;
ALTER TABLE word DROP COLUMN born;
CREATE TABLE added_word (
  born         INTEGER NOT NULL,           -- number of the last change of that run
  project_key  TEXT NOT NULL,
  locale       TEXT NOT NULL,
  words        TEXT NOT NULL,              -- JSON texts with commas between them
  PRIMARY KEY (born, project_key, locale)
) STRICT, WITHOUT ROWID;
