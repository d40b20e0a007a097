import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../contract/json.ts';
import { instantOf } from '../../domain/instant.ts';
import type { Documents } from '../../domain/ports/resource-store.ts';
import { type ChangeRecord, documentsBeforeAll } from '../../record/row/change-record.ts';
import type { ResourceRow } from '../../record/row/stored-row.ts';
import { isNumberedRow } from '../../sqlite/row-numbers.ts';
import { hasTypes } from '../../sqlite/value-types.ts';

/**
 * The tables that have the resources of a project in the order of a system field, ties by id. They follow the changes as
 * the term index does: in a table they would cost a lone update four pages.
 */
interface FollowedOrder {
  readonly table: string;
  readonly column: string;
  readonly ofDocument: (document: JsonObject) => string | number;
  readonly ofRow: (row: ResourceRow) => string | number;
}

const orders: readonly FollowedOrder[] = [
  {
    ...{ table: 'by_created', column: 'created_at' },
    ofDocument: ({ createdAt }) => instantOf(createdAt as string),
    ofRow: (row) => row.created_at,
  },
  {
    ...{ table: 'by_modified', column: 'modified_at' },
    ofDocument: ({ lastModifiedAt }) => instantOf(lastModifiedAt as string),
    ofRow: (row) => row.modified_at,
  },
  {
    ...{ table: 'by_version', column: 'version' },
    ofDocument: ({ version }) => version as number,
    ofRow: (row) => row.version,
  },
];

/** Where a resource is in the orders: its value in each of them. */
export interface Place {
  readonly projectKey: string;
  readonly id: string;
  readonly values: readonly (string | number)[];
}

/** The place of a resource with these documents. */
export function placeOf(projectKey: string, { current }: Documents): Place {
  return { projectKey, id: current.id as string, values: orders.map(({ ofDocument }) => ofDocument(current)) };
}

/** What has happened to a row since the orders were written last: undefined where it was not there, or is not any more. */
export interface PlaceChange {
  readonly row: number;
  readonly before: Place | undefined;
  readonly after: Place | undefined;
}

/** Where the changes of a row move it, given in their order, and the documents that it has after them. */
export function placeChangeOf(ofRow: readonly ChangeRecord[], after: Documents | undefined): PlaceChange {
  const [first, last] = [ofRow[0]!, ofRow.at(-1)!];
  const before = documentsBeforeAll(ofRow, after);
  return {
    row: first.row,
    before: before && placeOf(first.projectKey, before),
    after: after && placeOf(last.projectKey, after),
  };
}

/** Writes the places of rows, each of them once, inside the open transaction. */
export type OrdersWriter = (changes: readonly PlaceChange[]) => void;

/** Prepares writing on a connection. */
export function createOrdersWriter(db: DatabaseSync): OrdersWriter {
  const prepared = orders.map(({ table, column }) => ({
    add: db.prepare(`INSERT OR REPLACE INTO ${table} (project_key, ${column}, id, row) VALUES (?, ?, ?, ?)`),
    move: db.prepare(
      `UPDATE OR REPLACE ${table} SET ${column} = ?, row = ? WHERE project_key = ? AND ${column} = ? AND id = ?`,
    ),
    remove: db.prepare(`DELETE FROM ${table} WHERE project_key = ? AND ${column} = ? AND id = ?`),
  }));

  function remove({ projectKey, id, values }: Place): void {
    for (const [at, { remove }] of prepared.entries()) remove.run(projectKey, values[at]!, id);
  }

  function move(row: number, before: Place, { projectKey, id, values }: Place): void {
    for (const [at, { move }] of prepared.entries()) {
      const [old, next] = [before.values[at]!, values[at]!];
      if (old !== next) move.run(next, row, projectKey, old, id);
    }
  }

  function add(row: number, { projectKey, id, values }: Place): void {
    for (const [at, { add }] of prepared.entries()) add.run(projectKey, values[at]!, id, row);
  }

  return (changes) => {
    // First what is gone: a deleted resource may be there again in another row, and another one in its row.
    for (const { before, after } of changes) if (before && !isOfOne(before, after)) remove(before);
    for (const { row, before, after } of changes) {
      if (before && after && isOfOne(before, after)) move(row, before, after);
      else if (after) add(row, after);
    }
  };
}

function isOfOne({ projectKey, id }: Place, after: Place | undefined): boolean {
  return after !== undefined && after.id === id && after.projectKey === projectKey;
}

/** An entry of an order as a text, to be compared. */
function orderEntry(table: string, projectKey: string, value: string | number, id: string): string {
  return `${table}\n${projectKey}\n${value}\n${id}`;
}

/** The entries that the orders should have for a resource, of its row or, where that is of a later version, its documents. */
export function orderEntriesOf(projectKey: string, of: ResourceRow | Documents): readonly string[] {
  return orders.map(({ table, ofDocument, ofRow }) =>
    'project_key' in of
      ? orderEntry(table, projectKey, ofRow(of), of.id)
      : orderEntry(table, projectKey, ofDocument(of.current), of.current.id as string),
  );
}

/** The entries that the orders have, with their rows. */
export function* storedOrderEntries(db: DatabaseSync): Generator<{ readonly entry: string; readonly row: number }> {
  for (const { table, column } of orders) {
    const all = db.prepare(`SELECT project_key, ${column}, id, row FROM ${table}`);
    all.setReturnArrays(true);
    for (const [projectKey, value, id, row] of all.iterate() as unknown as Iterable<
      [string, string | number, string, number]
    >) {
      yield { entry: orderEntry(table, projectKey, value, id), row };
    }
  }
}

/**
 * Removes the entries of rows from the orders, whatever they say. Returns a row and the project of each resource that was there: an order
 * may have had it in another row.
 */
export function removeFromOrders(
  db: DatabaseSync,
  isRemoved: (row: number) => boolean,
): readonly (readonly [row: number, projectKey: string])[] {
  const removed = new Map<string, readonly [row: number, projectKey: string]>();
  for (const { table } of orders) {
    const all = db.prepare(`SELECT row, project_key, id FROM ${table} WHERE ${isNumberedRow}`);
    all.setReturnArrays(true);
    const rows: number[] = [];
    for (const [row, projectKey, id] of all.iterate() as unknown as Iterable<[number, string, string]>) {
      if (!isRemoved(row)) continue;
      rows.push(row);
      removed.set(`${projectKey}\n${id}`, [row, projectKey]);
    }
    const numbers = JSON.stringify(rows);
    if (rows.length > 0) db.prepare(`DELETE FROM ${table} WHERE row IN (SELECT value FROM json_each(?))`).run(numbers);
  }
  return [...removed.values()];
}

/** The rows that the orders do not have as the resources do, in SQL: of resources that one lacks, and of entries that lead nowhere. */
export const misplacedRows = orders
  .map(
    ({ table }) => `SELECT row FROM resource WHERE row NOT IN (SELECT row FROM ${table})
      UNION SELECT row FROM ${table} WHERE row NOT IN (SELECT row FROM resource) AND ${isNumberedRow}`,
  )
  .join(' UNION ');

/** True if a row has what it is ordered by, in SQL. */
const isOrdered = hasTypes({
  ...({ project_key: 'text', id: 'text', version: 'integer' } as const),
  ...({ created_at: 'text', modified_at: 'text' } as const),
});

/** Empties the orders, in the open transaction, without reading what they have: their pages may be damaged. */
export function emptyOrders(db: DatabaseSync): void {
  for (const { table } of orders) db.exec(`DELETE FROM ${table}`);
}

/**
 * Prepares filling the orders from the resources in rows from one on, which they lack, in the open transaction. A damaged row may have
 * nothing that can be ordered.
 */
export function createOrdersFiller(db: DatabaseSync): (firstRow: number) => void {
  const statements = orders.map(({ table, column }) =>
    db.prepare(`INSERT OR IGNORE INTO ${table} SELECT project_key, ${column}, id, row FROM resource
        WHERE row >= ? AND ${isOrdered}
        ORDER BY project_key, ${column}, id`),
  );
  return (firstRow) => {
    for (const statement of statements) statement.run(firstRow);
  };
}
