import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { damagedPage, isIntact, namedRow, pageTooLarge, type RowColumns, rowColumns } from '../../row/stored-row.ts';
import type { Deadline } from './functions.ts';
import type { Selection } from './plan-list.ts';

/** The texts of a page, joined by commas. */
export interface Page {
  readonly results: string;
  readonly count: number;
}

type Document = Pick<Selection, 'projectKey' | 'staged'>;

/** What a page needs of a row. */
type PageRow = readonly [row: number, checksum: number, text: string];

/** Rows that a connection remembers as checked. */
const slots = 16_384;

/** Longer pages are of walks, which meet each row once. */
const maxRemembered = 100;

/**
 * The rows that were checked lately, by row number modulo `slots`: the checksum of the row, which changes with every
 * write, and a CRC-32 of project and text. A text that still has both is what was checked, however often it has been
 * read from the file since; the other columns need not be read (decision 100).
 */
interface Checked {
  readonly rows: Float64Array;
  readonly checksums: Uint32Array;
  readonly texts: Uint32Array;
  readonly statements: Readonly<Record<'current' | 'staged' | 'whole', StatementSync>>;
  /** Most rows of the last page were not among them: the next page is read whole at once. */
  isCold: boolean;
}

const connections = new WeakMap<DatabaseSync, Checked>();

function checkedOf(db: DatabaseSync): Checked {
  const known = connections.get(db);
  if (known) return known;
  const prepare = (columns: string) => {
    // json_each returns its numbers in their order, and one statement does for a page of any length.
    const statement = db.prepare(
      `SELECT ${columns} FROM (SELECT value FROM json_each(?)) n CROSS JOIN resource r ON r.row = n.value`,
    );
    statement.setReturnArrays(true);
    return statement;
  };
  const checked: Checked = {
    rows: new Float64Array(slots),
    checksums: new Uint32Array(slots),
    texts: new Uint32Array(slots),
    statements: {
      current: prepare('row, checksum, current'),
      staged: prepare('row, checksum, coalesce(staged, current)'),
      whole: prepare(`${rowColumns}, row`),
    },
    isCold: true,
  };
  connections.set(db, checked);
  return checked;
}

function select<Row>(statement: StatementSync, rows: readonly number[]): readonly Row[] {
  const found = statement.all(`[${rows.join(',')}]`) as unknown as readonly Row[];
  // An entry of an index that leads to no row is as damaged as a row with a wrong checksum.
  if (found.length < rows.length) throw damagedPage();
  return found;
}

/** The rows, each checked as a whole: of this project, and with the content that was written. */
function readWhole({ statements }: Checked, rows: readonly number[], { projectKey, staged }: Document) {
  return select<readonly [...RowColumns, row: number]>(statements.whole, rows).map((columns): PageRow => {
    const found = namedRow(columns as unknown as RowColumns);
    if (found.project_key !== projectKey || !isIntact(found)) throw damagedPage();
    return [columns[10], found.checksum, staged ? (found.staged ?? found.current) : found.current];
  });
}

/** The rows, of which those are checked that are not remembered as checked. */
function readChecked(checked: Checked, rows: readonly number[], document: Document): readonly PageRow[] {
  const { statements, isCold } = checked;
  const seed = crc32(document.projectKey);
  const statement = document.staged ? statements.staged : statements.current;
  const found = isCold ? readWhole(checked, rows, document) : select<PageRow>(statement, rows);
  const unknown = found.filter((row) => !isKnown(checked, row, crc32(row[2], seed)));
  checked.isCold = unknown.length * 2 > rows.length;
  if (unknown.length === 0) return found;
  const numbers = unknown.map(([row]) => row);
  const whole = isCold ? unknown : readWhole(checked, numbers, document);
  for (const [at, [row, checksum, text]] of whole.entries()) {
    // The page that was read first is damaged, and the one that was read again is not.
    if (text !== unknown[at]![2]) throw damagedPage();
    remember(checked, row, checksum, crc32(text, seed));
  }
  return found;
}

function isKnown({ rows, checksums, texts }: Checked, [row, checksum]: PageRow, text: number): boolean {
  const slot = row % slots;
  return rows[slot] === row && checksums[slot] === checksum && texts[slot] === text;
}

function remember({ rows, checksums, texts }: Checked, row: number, checksum: number, text: number): void {
  const slot = row % slots;
  rows[slot] = row;
  checksums[slot] = checksum;
  texts[slot] = text;
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
  const checked = checkedOf(db);
  const found = rows.length > maxRemembered ? readWhole(checked, rows, document) : readChecked(checked, rows, document);
  const texts: string[] = [];
  let bytes = 0;
  for (const [, , text] of found) {
    deadline.check();
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxPageBytes) throw pageTooLarge(maxPageBytes, texts.length);
    texts.push(text);
  }
  return { results: texts.join(','), count: texts.length };
}
