import { checkedDocuments, type StoredRow } from '../../record/row/stored-row.ts';
import { termDifference } from '../terms/index-entries.ts';
import { GatheredTerms } from '../terms/term-writer.ts';
import type { PreparedRows } from './change-source.ts';

/** Computes what the indexes get of rows. Throws where one is damaged, or cannot be indexed. */
export function prepareRows(rows: readonly StoredRow[], declaredPaths: readonly string[]): PreparedRows {
  const gathered = new GatheredTerms();
  for (const [at, row] of rows.entries()) {
    const terms = termDifference(row.project_key, undefined, checkedDocuments(row), declaredPaths);
    for (const { prefix, added } of terms) gathered.gather(2 * at, added, prefix);
  }
  return { count: rows.length, terms: gathered.encode() };
}
