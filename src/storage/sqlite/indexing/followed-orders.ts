import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../../contract/json.ts';
import { instantOf } from '../../../domain/instant.ts';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import type { ResourceRow } from '../../row/stored-row.ts';

/**
 * The tables that have the resources of a project in the order of a system field, ties by id. They follow the changes as
 * the term index does (decision 162): in a table they would cost a lone update four pages.
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

/** Writes the place of a row in each order, inside the open transaction. Undefined documents: it is not there. */
export type OrdersWriter = (
  projectKey: string,
  row: number,
  before: Documents | undefined,
  after: Documents | undefined,
) => void;

/** Prepares writing on a connection. */
export function createOrdersWriter(db: DatabaseSync): OrdersWriter {
  const prepared = orders.map(({ table, column, ofDocument }) => ({
    ofDocument,
    add: db.prepare(`INSERT OR REPLACE INTO ${table} (project_key, ${column}, id, row) VALUES (?, ?, ?, ?)`),
    move: db.prepare(`UPDATE OR REPLACE ${table} SET ${column} = ? WHERE project_key = ? AND ${column} = ? AND id = ?`),
    remove: db.prepare(`DELETE FROM ${table} WHERE project_key = ? AND ${column} = ? AND id = ?`),
    removeRow: db.prepare(`DELETE FROM ${table} WHERE project_key = ? AND row = ?`),
  }));
  const writeOrders: OrdersWriter = (projectKey, row, before, after) => {
    // The row of a deleted resource may be that of another one, in the same run of the follower.
    if (before && after && before.current.id !== after.current.id) {
      writeOrders(projectKey, row, before, undefined);
      writeOrders(projectKey, row, undefined, after);
      return;
    }
    const id = (after ?? before)!.current.id as string;
    for (const { ofDocument, add, move, remove, removeRow } of prepared) {
      const old = before && ofDocument(before.current);
      const next = after && ofDocument(after.current);
      if (old === next) continue;
      if (old !== undefined) {
        const found = next === undefined ? remove.run(projectKey, old, id) : move.run(next, projectKey, old, id);
        if (found.changes > 0) continue;
        // Stored in another form than documents have: by an import of an older version of the service.
        removeRow.run(projectKey, row);
      }
      if (next !== undefined) add.run(projectKey, next, id, row);
    }
  };
  return writeOrders;
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

/** Fills the orders from the resources, in the open transaction. */
export function rebuildOrders(db: DatabaseSync): void {
  for (const { table, column } of orders) {
    db.exec(`DELETE FROM ${table};
      INSERT INTO ${table} SELECT project_key, ${column}, id, row FROM resource ORDER BY project_key, ${column}, id`);
  }
}
