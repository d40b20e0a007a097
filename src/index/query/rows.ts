import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { checksumAfter, damagedPage, pageTooLarge } from '../../record/row/stored-row.ts';
import type { Deadline } from './functions.ts';
import type { Selection } from './plan-list.ts';

/** The texts of a page, joined by commas. */
export interface Page {
  readonly results: string;
  readonly count: number;
}

type Document = Pick<Selection, 'projectKey' | 'staged'>;

/** A whole row; `head` is what `rowChecksum` covers before the documents. */
type WholeRow = readonly [row: number, checksum: number, head: string, current: string, staged: string | null];

/**
 * What `rowChecksum` covers before the documents, as one text: making a string of each of seven values would cost as much as reading
 * the row. One function, since each `||` copies what is before it. A NULL, which only damage can bring into most of these columns, is
 * left out with its line, so that the checksum does not match.
 */
export const headOfRow =
  "concat_ws(char(10), project_key, id, ifnull(key, ''), version, own_created_at, own_modified_at, history, '')";

const statements = new WeakMap<DatabaseSync, StatementSync>();

/** json_each returns its numbers in their order, and one statement does for a page of any length. */
function statementOn(db: DatabaseSync): StatementSync {
  let statement = statements.get(db);
  if (!statement) {
    statement = db.prepare(
      `SELECT row, checksum, ${headOfRow}, current, staged FROM (SELECT value FROM json_each(?)) n CROSS JOIN resource r ON r.row = n.value`,
    );
    statement.setReturnArrays(true);
    statements.set(db, statement);
  }
  return statement;
}

function select(db: DatabaseSync, rows: readonly number[]): readonly WholeRow[] {
  let found: readonly WholeRow[];
  try {
    found = statementOn(db).all(`[${rows.join(',')}]`) as unknown as readonly WholeRow[];
  } catch (error) {
    // A damaged integer may be larger than a number can hold exactly.
    throw error instanceof RangeError ? damagedPage(rows) : error;
  }
  // An entry of an index that leads to no row is as damaged as a row with a wrong checksum.
  if (found.length < rows.length) throw damagedPage(rows);
  return found;
}

/**
 * The texts of the rows, in their order. Throws `ServiceError` DataCorruption if one is not what was written to this
 * project, InvalidInput if the page would have more than `maxPageBytes`.
 */
export function readPage(
  db: DatabaseSync,
  document: Document,
  rows: readonly number[],
  deadline: Deadline,
  maxPageBytes: number,
): Page {
  if (rows.length === 0) return { results: '', count: 0 };
  const ofProject = `${document.projectKey}\n`;
  const texts: string[] = [];
  let bytes = 0;
  for (const [, checksum, head, current, staged] of select(db, rows)) {
    deadline.check();
    // The types hold unless the file is damaged.
    if (typeof head !== 'string' || !head.startsWith(ofProject)) throw damagedPage(rows);
    if (checksumAfter(crc32(head), { current, staged }) !== checksum) throw damagedPage(rows);
    const text = document.staged && staged !== null ? staged : current;
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxPageBytes) throw pageTooLarge(maxPageBytes, texts.length);
    texts.push(text);
  }
  return { results: texts.join(','), count: texts.length };
}
