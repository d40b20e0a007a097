import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { JsonObject } from '../../contract/json.ts';
import { DamagedData } from '../../domain/damaged-data.ts';
import { parseStoredJson } from '../../domain/json/parse.ts';
import { checksumAfter, damagedDocument, damagedPage, pageTooLarge } from '../../record/row/stored-row.ts';
import { raw, type Sql, sql } from '../plan/sql.ts';
import type { Deadline } from './functions.ts';
import type { Selection } from './plan-list.ts';
import { eachArray, selectArrays } from './statements.ts';

/** The texts of a page. */
interface Page {
  readonly results: readonly string[];
  readonly count: number;
}

/**
 * What `rowChecksum` covers before the documents, as one text: making a string of each of eight values would cost as much as reading
 * the row. One function, since each `||` copies what is before it. A NULL, which only damage can bring into most of these columns, is
 * left out with its line, so that the checksum does not match.
 */
const head = raw(
  "concat_ws(char(10), project_key, id, ifnull(key, ''), version, ifnull(incarnation, ''), created_at, modified_at, history, '')",
);

/** A whole row, since its checksum is over all of it; `head` is what that covers before the documents. */
type WholeRow = readonly [row: number, checksum: number, head: string, current: string, staged: string | null];

type Scope = Pick<Selection, 'projectKey' | 'staged'>;

/** json_each returns its numbers in their order, and one statement does for any number of them. */
function wholeRows(rows: readonly number[] | Uint32Array): Sql {
  const listed = sql`(SELECT value FROM json_each(${`[${rows.join(',')}]`})) n CROSS JOIN resource r ON r.row = n.value`;
  return sql`SELECT row, checksum, ${head}, current, staged FROM ${listed} WHERE r.row NOT IN (SELECT row FROM damaged)`;
}

/** The text of a row; undefined if it is of another project, of which only an intact row tells. Throws where it is not what was written. */
function textOf([row, checksum, before, current, own]: WholeRow, { projectKey, staged }: Scope): string | undefined {
  // The types hold unless the file is damaged.
  if (typeof before !== 'string' || checksumAfter(crc32(before), { current, staged: own }) !== checksum) {
    throw damagedDocument(row);
  }
  if (!before.startsWith(`${projectKey}\n`)) return undefined;
  return staged && own !== null ? own : current;
}

/**
 * Calls `each` with the documents of rows in a projection, in the order in which the rows are listed. Rows that are deleted, or of another
 * project by now, are left out, and so are those that are known to be damaged. Throws `ServiceError` DataCorruption where a row is not what
 * was written: what is counted of it would be wrong.
 */
export function eachDocument(
  scope: Scope & { readonly db: DatabaseSync },
  rows: readonly number[] | Uint32Array,
  each: (document: JsonObject, row: number) => void,
): void {
  for (const row of eachArray<WholeRow>(scope.db, wholeRows(rows))) {
    const text = textOf(row, scope);
    if (text !== undefined) each(parseStoredJson(text) as JsonObject, row[0]);
  }
}

/**
 * The texts of the rows, in their order. Throws `ServiceError` DataCorruption if one is not what was written to this
 * project, InvalidInput if the page would have more than `maxPageBytes`.
 */
export function readPage(
  db: DatabaseSync,
  scope: Scope,
  rows: readonly number[],
  deadline: Deadline,
  maxPageBytes: number,
): Page {
  if (rows.length === 0) return { results: [], count: 0 };
  try {
    const found = selectArrays<WholeRow>(db, wholeRows(rows));
    // An entry of an index that leads to no row is as damaged as a row with a wrong checksum.
    if (found.length < rows.length) throw damagedPage(rows);
    let bytes = 0;
    const results = found.map((each, at) => {
      deadline.check();
      const text = textOf(each, scope);
      if (text === undefined) throw damagedPage(rows);
      bytes += Buffer.byteLength(text) + 1;
      if (bytes > maxPageBytes) throw pageTooLarge(maxPageBytes, at);
      return text;
    });
    return { results, count: results.length };
  } catch (error) {
    throw error instanceof DamagedData ? damagedPage(rows) : error;
  }
}
