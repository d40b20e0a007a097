import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../contract/errors.ts';
import type { ListPage } from '../../domain/ports.ts';
import { sql } from '../sql/sql.ts';
import { type ResourceRow, rowChecksum } from './checksum.ts';
import type { CompiledExists, CompiledList } from './compile-list.ts';
import type { Deadline } from './functions.ts';
import { countRows, selectRows, settleSources } from './select-rows.ts';
import { selectOne } from './statements.ts';

export { type CompiledExists, type CompiledList, compileExists, compileList } from './compile-list.ts';
export { type Deadline, registerFunctions } from './functions.ts';

/**
 * Runs a compiled list on a connection that `registerFunctions` prepared, all of it in one read transaction: the one
 * that is open, or its own. `deadline.check` throws when the time is over. Throws `ServiceError` DataCorruption where
 * a row fails its checksum, InvalidInput where the page would have more than `maxPageBytes`.
 */
export function runList(db: DatabaseSync, list: CompiledList, deadline: Deadline, maxPageBytes: number): ListPage {
  return inReadTransaction(db, () => {
    deadline.check();
    const { order, limit, offset, withTotal } = list;
    const selection = settleSources(db, list);
    const wanted = limit === 0 ? 0 : offset + limit;
    const rows = selectRows(db, selection, order, wanted);
    const page = rows.slice(offset);
    const results = readPage(db, list, page, deadline, maxPageBytes);
    if (!withTotal) return { results, count: page.length };
    // Fewer rows than were asked for are all there are.
    const total = rows.length < wanted ? rows.length : countRows(db, selection);
    return { results, count: page.length, total };
  });
}

/** True if anything matches. As `runList` otherwise. */
export function runExists(db: DatabaseSync, exists: CompiledExists, deadline: Deadline): boolean {
  return inReadTransaction(db, () => {
    deadline.check();
    return selectRows(db, settleSources(db, exists), [], 1).length > 0;
  });
}

function inReadTransaction<T>(db: DatabaseSync, read: () => T): T {
  if (db.isTransaction) return read();
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    db.exec('COMMIT');
  }
}

function readPage(
  db: DatabaseSync,
  list: CompiledList,
  rows: readonly number[],
  deadline: Deadline,
  maxPageBytes: number,
): string {
  const texts: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    deadline.check();
    const text = readText(db, list, row);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxPageBytes) {
      throw new ServiceError(
        'InvalidInput',
        `Malformed parameter: limit: The page would have more than ${maxPageBytes} bytes; ask for a smaller limit, ${Math.max(1, texts.length)} or less.`,
      );
    }
    texts.push(text);
  }
  return texts.join(',');
}

function readText(db: DatabaseSync, { projectKey, staged }: CompiledList, row: number): string {
  const found = selectOne(db, sql`SELECT * FROM resource WHERE row = ${row}`) as
    | (ResourceRow & { readonly checksum: number })
    | undefined;
  // An index that names a row of another project, or none, is as damaged as a row with a wrong checksum.
  if (!found || found.project_key !== projectKey || rowChecksum(found) !== found.checksum) {
    throw new ServiceError('DataCorruption', `The stored resource with row number ${row} is damaged.`);
  }
  return staged ? (found.staged ?? found.current) : found.current;
}
