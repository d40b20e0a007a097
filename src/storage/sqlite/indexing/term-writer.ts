import type { DatabaseSync } from 'node:sqlite';

/**
 * Writes the terms of rows, to be called by ascending row: FTS5 starts a new segment whenever a row number is lower than
 * the one before. While the row lives each delete is paired with an insert, so that FTS5's own count of rows stays
 * correct. Each returns the characters of the terms.
 */
export interface TermWriter {
  /** The row exists from now on, with these terms. */
  begin(row: number, added?: string): number;
  /** A row that exists loses and gains terms. */
  replace(row: number, removed: string, added: string): number;
  /** The row is gone, with these terms. */
  end(row: number, removed?: string): number;
}

/** Prepares it on a connection. */
export function createTermWriter(db: DatabaseSync): TermWriter {
  const removeTerms = db.prepare("INSERT INTO term (term, rowid, t) VALUES ('delete', ?, ?)");
  const addTerms = db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
  // FTS5 leaves a last rowid that may not fit a number; reading it as one throws after the statement has run.
  for (const statement of [removeTerms, addTerms]) statement.setReadBigInts(true);
  return {
    begin(row, added = '') {
      addTerms.run(row, added);
      return added.length;
    },
    replace(row, removed, added) {
      if (removed === '' && added === '') return 0;
      removeTerms.run(row, removed);
      addTerms.run(row, added);
      return removed.length + added.length;
    },
    end(row, removed = '') {
      removeTerms.run(row, removed);
      return removed.length;
    },
  };
}

/** Terms of values and of words as one text. */
export function joined(values: string, text: string): string {
  return values === '' || text === '' ? values + text : `${values} ${text}`;
}
