import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Documents } from '../../domain/ports/resource-store.ts';
import type { DamagedResource, StoreStatus } from '../../domain/ports/store.ts';
import { checkedDocuments, rowColumns, type StoredRow } from '../../record/row/stored-row.ts';
import { readOne } from '../../sqlite/any-numbers.ts';
import { resultCode } from '../../sqlite/connection.ts';
import { isNumberedRow, moveStrayRows } from '../../sqlite/row-numbers.ts';
import { termDifference } from '../terms/index-entries.ts';
import { newTermReader } from '../terms/term-reader.ts';
import type { TermWriter } from '../terms/term-writer.ts';
import { splitTerm } from '../terms/word-terms.ts';
import { createOrdersWriter, misplacedRows, placeOf, removeFromOrders } from './followed-orders.ts';

/** The resources that the indexes leave out, because they cannot be read or indexed. */
export interface DamagedRows {
  /** Their rows. */
  read(): ReadonlySet<number>;
  /**
   * The rows that are to be indexed anew, of those that have changed, since it is not known what the indexes have of them: those that
   * are left out, and all where the records of the changes are not `isIntact`.
   */
  unknown(changed: Iterable<number>, isIntact: boolean): Set<number>;
  /**
   * Leaves the resource in a row out, inside the open transaction. Without a reason: it is being written again, and what the indexes
   * have of it is not known.
   */
  add(row: number, reason: string): void;
  remove(row: number): void;
}

/** Longer reasons are cut. */
const maxReason = 300;

/** Prepares it on a connection that writes. */
export function createDamagedRows(db: DatabaseSync): DamagedRows {
  const all = db.prepare('SELECT row FROM damaged');
  all.setReturnArrays(true);
  // A damaged value may have another type than its column.
  const add = db.prepare(
    `INSERT OR REPLACE INTO damaged (row, project_key, id, reason)
      SELECT row, coalesce(CAST(project_key AS TEXT), ''), coalesce(CAST(id AS TEXT), ''), ? FROM resource WHERE row = ?`,
  );
  const remove = db.prepare('DELETE FROM damaged WHERE row = ?');
  const changedSince = db.prepare(
    `SELECT row FROM resource WHERE changed > (SELECT indexed FROM store) AND ${isNumberedRow}`,
  );
  const read = () => new Set((all.all() as unknown as [number][]).map(([row]) => row));
  return {
    read,
    unknown(changed, isIntact) {
      const rows = read();
      const unknown = new Set([...changed].filter((row) => !isIntact || rows.has(row)));
      if (!isIntact) for (const { row } of changedSince.all() as unknown as { row: number }[]) unknown.add(row);
      return unknown;
    },
    add: (row, reason) => add.run(reason.slice(0, maxReason), row),
    remove: (row) => remove.run(row),
  };
}

/** Returns the result of `work`, or undefined if a record or a row is damaged. Throws other errors of SQLite. */
export function unlessDamaged<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (resultCode(error) !== undefined) throw error;
    return undefined;
  }
}

/**
 * Prepares giving resources whose row has a damaged number another one, inside the open transaction, where one of the rows that a
 * query met is gone, or none is named since no query can read its number. Returns all rows that are not as the indexes have them, of
 * resources that they lack and of those that are not there any more; undefined where each row is there.
 */
export function createMisplacedRows(db: DatabaseSync): (met: readonly number[]) => readonly number[] | undefined {
  const rowOf = db.prepare('SELECT row FROM resource WHERE row = ?');
  const misplaced = db.prepare(`SELECT row FROM (${misplacedRows}) WHERE row NOT IN (SELECT row FROM damaged)`);
  return (met) => {
    if (met.length > 0 && met.every((row) => rowOf.get(row) !== undefined)) return undefined;
    moveStrayRows(db);
    return misplaced.all().map((each) => (each as { row: number }).row);
  };
}

/** Why a resource cannot be indexed. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Resources that are named; more are counted. */
const maxNamed = 100;

/** Prepares reading which resources the indexes leave out. */
export function createDamagedList(db: DatabaseSync): () => NonNullable<StoreStatus['damagedResources']> {
  const count = db.prepare("SELECT count(*) AS count FROM damaged WHERE reason <> ''");
  const first = db.prepare(
    `SELECT project_key AS projectKey, id, reason FROM damaged WHERE reason <> '' ORDER BY row LIMIT ${maxNamed}`,
  );
  return () => ({
    count: (count.get() as { count: number }).count,
    first: first.all().map((each) => ({ ...each })) as unknown as readonly DamagedResource[],
  });
}

/** Prepares reading the documents of rows to be indexed; undefined where there is none. Throws what `checkedDocuments` throws. */
export function createDocumentReader(db: DatabaseSync): (row: number) => Documents | undefined {
  const statement = db.prepare(`SELECT ${rowColumns} FROM resource WHERE row = ?`);
  return (row) => {
    const found = readOne(statement, [row]) as StoredRow | undefined;
    return found && checkedDocuments(found);
  };
}

export interface ReindexParts {
  readonly declaredPaths: readonly string[];
  readonly termWriter: TermWriter;
  readonly damaged: DamagedRows;
  /** Adds to the number of resources of a project. */
  readonly count: StatementSync;
  /** Reads the documents of a row. Throws where the row is damaged. */
  readonly documentsIn: (row: number) => Documents | undefined;
}

/**
 * Makes the index entries of rows anew, inside the open transaction, where it is not known which ones they have: a record of a
 * change is damaged, or what a write replaced was. Their entries are found by a scan of the whole term index, some seconds for ten
 * million entries. A resource that cannot be read or indexed is left out and listed in `damaged`. `unknown`: entries of rows that
 * no resource is in any more go as well. Rows behind `builtTo` have no terms yet.
 */
export type ReindexRows = (rows: ReadonlySet<number>, unknown: boolean, builtTo: number) => void;

/** Prepares it on a connection that writes. */
export function createReindexRows(db: DatabaseSync, parts: ReindexParts): ReindexRows {
  const { declaredPaths, termWriter, damaged, count, documentsIn } = parts;
  const writeOrders = createOrdersWriter(db);
  const projectOf = db.prepare('SELECT project_key AS projectKey FROM resource WHERE row = ?');

  function rowsOfResources(): ReadonlySet<number> {
    const all = db.prepare(`SELECT row FROM resource WHERE ${isNumberedRow}`);
    all.setReturnArrays(true);
    return new Set((all.all() as unknown as [number][]).map(([row]) => row));
  }

  /** The terms that the index has of the rows. */
  function storedTerms(isWanted: (row: number) => boolean): Map<number, string[]> {
    const found = new Map<number, string[]>();
    newTermReader(db).readBeginning('', (term, rows) => {
      for (const row of rows) {
        if (!isWanted(row)) continue;
        const terms = found.get(row);
        if (terms) terms.push(term);
        else found.set(row, [term]);
      }
    });
    return found;
  }

  function remove(isWanted: (row: number) => boolean): void {
    for (const [row, ofRow] of storedTerms(isWanted)) {
      for (const term of ofRow) {
        const [prefix, rest] = splitTerm(term);
        termWriter.remove(row, [rest], prefix);
      }
    }
  }

  function add(row: number, withTerms: boolean): void {
    const documents = documentsIn(row);
    if (!documents) return;
    const { projectKey } = projectOf.get(row) as { projectKey: string };
    const terms = termDifference(projectKey, undefined, documents, declaredPaths);
    writeOrders([{ row, before: undefined, after: placeOf(projectKey, documents) }]);
    if (!withTerms) return;
    for (const { prefix, added } of terms) termWriter.add(row, added, prefix);
    count.run(projectKey, 1);
  }

  return (rows, unknown, builtTo) => {
    const resources = unknown ? rowsOfResources() : undefined;
    const isWanted = (row: number) => rows.has(row) || resources?.has(row) === false;
    remove(isWanted);
    for (const [row, projectKey] of removeFromOrders(db, isWanted)) if (row <= builtTo) count.run(projectKey, -1);
    for (const row of [...rows].sort((a, b) => a - b)) {
      damaged.remove(row);
      try {
        add(row, row <= builtTo);
      } catch (error) {
        if (resultCode(error) !== undefined) throw error;
        damaged.add(row, reasonOf(error));
      }
    }
  };
}
