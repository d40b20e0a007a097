import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ResourceRow } from './checksum.ts';

type StoredRow = ResourceRow & { readonly checksum: number };

const statements = new WeakMap<DatabaseSync, StatementSync>();

/** One statement for a page of any length: json_each gives its numbers in their order. */
const pageSql = `SELECT r.project_key, r.id, r.key, r.version, r.created_at, r.modified_at, r.current, r.staged,
  r.history, r.checksum FROM json_each(?) n CROSS JOIN resource r ON r.row = n.value`;

/** Rows as arrays: naming the columns of each row costs as much as reading it. */
function prepare(db: DatabaseSync): StatementSync {
  const statement = db.prepare(pageSql);
  statement.setReturnArrays(true);
  statements.set(db, statement);
  return statement;
}

type Columns = [string, string, string | null, number, string, string, string, string | null, string, number];

/** The resources with these row numbers, in this order; a number without a resource is left out. */
export function readRows(db: DatabaseSync, rows: readonly number[]): readonly StoredRow[] {
  const statement = statements.get(db) ?? prepare(db);
  const found = statement.all(`[${rows.join(',')}]`) as unknown as Columns[];
  return found.map(([project_key, id, key, version, created_at, modified_at, current, staged, history, checksum]) => ({
    project_key,
    id,
    key,
    version,
    created_at,
    modified_at,
    current,
    staged,
    history,
    checksum,
  }));
}
