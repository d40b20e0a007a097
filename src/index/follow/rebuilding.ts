import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { checkedDocuments, type NumberedRow, rowColumns } from '../../record/row/stored-row.ts';
import { iterateRows } from '../../sqlite/any-numbers.ts';
import { termDifference } from '../terms/index-entries.ts';
import type { TermWriter } from '../terms/term-writer.ts';
import type { TermChange } from '../terms/word-terms.ts';
import { type DamagedRows, reasonOf } from './damaged-rows.ts';
import { removeFromOrders } from './followed-orders.ts';
import { createRebuildMark } from './rebuild-mark.ts';

/**
 * Builds the term index and the counts again row by row, in portions with a transaction each, between which others
 * write (decision 226). Of rows that a portion has passed the indexes have what they should; of those behind them they have no term
 * yet, and nothing is counted. So a row that changes is left alone by the follower until a portion reads it as it is then.
 */
export interface Rebuilding {
  /** The last row whose terms are there; infinite where nothing is to be built. */
  builtTo(): number;
  /**
   * Writes the next rows, with about so many characters of terms, inside the open transaction, in which the follower has indexed
   * every change before. Returns how many characters it were. Resources that cannot be read or indexed are left out, and listed.
   */
  write(characters: number): number;
}

/** Characters of terms in a portion beside a service: a write waits for one of them, some 20 ms. */
export const besideCharacters = 524_288;

export interface RebuildingParts {
  readonly declaredPaths: readonly string[];
  readonly termWriter: TermWriter;
  /** Adds to the number of resources of a project. */
  readonly count: StatementSync;
  readonly damaged: DamagedRows;
}

/** Prepares it on a connection that writes. */
export function createRebuilding(db: DatabaseSync, parts: RebuildingParts): Rebuilding {
  const { declaredPaths, termWriter, count, damaged } = parts;
  const mark = createRebuildMark(db);
  const rowsAfter = db.prepare(`SELECT row, ${rowColumns} FROM resource WHERE row > ? ORDER BY row`);

  /** The index entries of a row; undefined if the row cannot be read or indexed. */
  function differenceOf(found: NumberedRow): readonly TermChange[] | undefined {
    const { row, project_key: projectKey } = found;
    try {
      return termDifference(projectKey, undefined, checkedDocuments(found), declaredPaths);
    } catch (error) {
      damaged.add(row, reasonOf(error));
      removeFromOrders(db, (other) => other === row);
      return undefined;
    }
  }

  function add({ row }: NumberedRow, terms: readonly TermChange[]): number {
    let characters = 0;
    for (const { prefix, added } of terms) characters += termWriter.add(row, added, prefix);
    return characters;
  }

  return {
    builtTo: mark.read,
    write(characters) {
      const from = mark.read();
      if (!Number.isFinite(from)) return 0;
      const resources = new Map<string, number>();
      let written = 0;
      let last = from;
      let isLast = true;
      for (const row of iterateRows(rowsAfter, from) as Iterable<unknown> as Iterable<NumberedRow>) {
        if (written >= characters) {
          isLast = false;
          break;
        }
        last = row.row;
        const difference = differenceOf(row);
        if (!difference) continue;
        written += add(row, difference);
        resources.set(row.project_key, (resources.get(row.project_key) ?? 0) + 1);
      }
      termWriter.flush();
      for (const [projectKey, more] of resources) count.run(projectKey, more);
      mark.write(isLast ? Number.POSITIVE_INFINITY : last);
      return written;
    },
  };
}
