import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { damagedPage, pageTooLarge, stagedSeed } from '../../row/stored-row.ts';
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

/** A whole row; `head` is what `rowChecksum` covers before the documents. */
type WholeRow = readonly [row: number, checksum: number, head: string, current: string, staged: string | null];

/**
 * What `rowChecksum` covers before the documents, as one text: making a string of each of seven values would cost as much as reading
 * the row. One function, since each `||` copies what is before it. A NULL, which only damage can bring into most of these columns, is
 * left out with its line, so that the checksum does not match.
 */
export const headOfRow =
  "concat_ws(char(10), project_key, id, ifnull(key, ''), version, own_created_at, own_modified_at, history, '')";

/** Rows that a connection remembers as checked. */
const slots = 16_384;

/** Longer pages are of walks, which meet each row once. */
const maxRemembered = 100;

/**
 * The rows that were checked lately, by row number modulo `slots`: the project and checksum of the row, which changes with
 * every write, and the CRC-32 of its text, which goes on from that of what precedes it. A text that still has both is what
 * was checked, however often it has been read from the file since; the other columns need not be read.
 */
interface Checked {
  readonly rows: Float64Array;
  readonly checksums: Uint32Array;
  readonly seeds: Uint32Array;
  readonly texts: Uint32Array;
  readonly projects: string[];
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
    seeds: new Uint32Array(slots),
    texts: new Uint32Array(slots),
    projects: new Array<string>(slots).fill(''),
    statements: {
      current: prepare('row, checksum, current'),
      staged: prepare('row, checksum, coalesce(staged, current)'),
      whole: prepare(`row, checksum, ${headOfRow}, current, staged`),
    },
    isCold: true,
  };
  connections.set(db, checked);
  return checked;
}

function select<Row>(statement: StatementSync, rows: readonly number[]): readonly Row[] {
  let found: readonly Row[];
  try {
    found = statement.all(`[${rows.join(',')}]`) as unknown as readonly Row[];
  } catch (error) {
    // A damaged integer may be larger than a number can hold exactly.
    throw error instanceof RangeError ? damagedPage(rows) : error;
  }
  // An entry of an index that leads to no row is as damaged as a row with a wrong checksum.
  if (found.length < rows.length) throw damagedPage(rows);
  return found;
}

/** The rows, each checked as a whole: of this project, and with the content that was written. */
function readWhole(
  checked: Checked,
  rows: readonly number[],
  { projectKey, staged }: Document,
  remembers: boolean,
): readonly PageRow[] {
  const ofProject = `${projectKey}\n`;
  return select<WholeRow>(checked.statements.whole, rows).map(([row, checksum, head, current, stagedText]): PageRow => {
    // The types hold unless the file is damaged.
    if (typeof head !== 'string' || !head.startsWith(ofProject)) throw damagedPage(rows);
    if (typeof current !== 'string' || (stagedText !== null && typeof stagedText !== 'string')) throw damagedPage(rows);
    const seed = crc32(head);
    const body = crc32(current, seed);
    const own = stagedText === null ? body : crc32(stagedText, stagedSeed(body));
    if (own !== checksum) throw damagedPage(rows);
    const isStaged = staged && stagedText !== null;
    if (remembers) {
      const slot = row % slots;
      checked.rows[slot] = row;
      checked.checksums[slot] = checksum;
      checked.seeds[slot] = isStaged ? stagedSeed(body) : seed;
      checked.texts[slot] = isStaged ? own : body;
      checked.projects[slot] = projectKey;
    }
    return [row, checksum, isStaged ? stagedText : current];
  });
}

/** The rows, of which those are checked that are not remembered as checked. */
function readChecked(checked: Checked, rows: readonly number[], document: Document): readonly PageRow[] {
  if (checked.isCold) {
    const before = rows.filter((row) => checked.rows[row % slots] === row).length;
    checked.isCold = before * 2 < rows.length;
    return readWhole(checked, rows, document, true);
  }
  const { statements } = checked;
  const found = select<PageRow>(document.staged ? statements.staged : statements.current, rows);
  const unknown = found.filter((row) => !isKnown(checked, row, document));
  checked.isCold = unknown.length * 2 > rows.length;
  if (unknown.length === 0) return found;
  const numbers = unknown.map(([row]) => row);
  for (const [at, [, , text]] of readWhole(checked, numbers, document, true).entries()) {
    // The page that was read first is damaged, and the one that was read again is not.
    if (text !== unknown[at]![2]) throw damagedPage(rows);
  }
  return found;
}

function isKnown(checked: Checked, [row, checksum, text]: PageRow, { projectKey }: Document): boolean {
  const slot = row % slots;
  if (checked.rows[slot] !== row || checked.checksums[slot] !== checksum || typeof text !== 'string') return false;
  return checked.projects[slot] === projectKey && crc32(text, checked.seeds[slot]!) === checked.texts[slot];
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
  const found =
    rows.length > maxRemembered ? readWhole(checked, rows, document, false) : readChecked(checked, rows, document);
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
