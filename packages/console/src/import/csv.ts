import { systemFields } from '../model/paths.ts';

/** Separators of cells; the service gets the one that the file has. */
export const separators = [',', ';', '\t', '|'] as const;
export type Separator = (typeof separators)[number];

/** A first line that names the separator, as Excel writes it. */
const separatorLine = /^"?sep=([,;\t|])"?[,;\t|]*\r?\n/i;

/** A record as it is written: its cells with their quotes. */
export interface RawRecord {
  readonly cells: readonly string[];
  /** The whole record without the end of its line. */
  readonly text: string;
}

/**
 * Reads records one after the other while the text arrives in pieces. Only quotes, separators and ends of lines are
 * looked at: what is wrong inside a record, the service tells.
 */
export function createRecordReader(separator: Separator) {
  let rest = '';
  let isFirst = true;

  /** The records that are whole; `isEnd`: nothing follows. */
  function read(piece: string, isEnd: boolean): readonly RawRecord[] {
    let text = rest + piece;
    if (isFirst && !isEnd && !text.includes('\n')) {
      rest = text;
      return [];
    }
    if (isFirst) text = text.replace(/^\uFEFF/, '').replace(separatorLine, '');
    isFirst = false;
    const records: RawRecord[] = [];
    let cells: string[] = [];
    let [recordStart, cellStart, at] = [0, 0, 0];
    let isQuoted = false;
    const endRecord = (end: number, next: number) => {
      cells.push(text.slice(cellStart, end));
      records.push({ cells, text: text.slice(recordStart, end) });
      cells = [];
      recordStart = next;
      cellStart = next;
    };
    for (; at < text.length; at += 1) {
      const char = text[at];
      if (char === '"') isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (char === separator) {
        cells.push(text.slice(cellStart, at));
        cellStart = at + 1;
      } else if (char === '\n') endRecord(text[at - 1] === '\r' && at > recordStart ? at - 1 : at, at + 1);
    }
    if (isEnd && recordStart < text.length) endRecord(text.length, text.length);
    rest = text.slice(recordStart);
    return records;
  }
  return { read };
}

/** The text of a cell, without its quotes. */
export function plainCell(cell: string): string {
  const trimmed = cell.trim();
  return trimmed.startsWith('"') && trimmed.endsWith('"') && trimmed.length > 1
    ? trimmed.slice(1, -1).replaceAll('""', '"')
    : cell;
}

/** The separator of a file: what a line `sep=` names, else the most frequent one in its first line outside of quotes. */
export function separatorOf(text: string): Separator {
  const [, named] = separatorLine.exec(text.replace(/^\uFEFF/, '')) ?? [];
  if (named !== undefined) return named as Separator;
  const header = (text.replaceAll(/"(?:[^"]|"")*"/g, '').split('\n')[0] ?? '').trim();
  const counts = separators.map((one) => [one, header.split(one).length] as const);
  return counts.sort(([, a], [, b]) => b - a)[0]![0];
}

/** How the cells of a column are read. */
export const columnTypes = ['auto', 'string', 'number', 'boolean', 'list', 'json'] as const;
export type ColumnType = (typeof columnTypes)[number];

/** The mapping of a column. */
export interface Column {
  /** Its name in the file. */
  readonly name: string;
  /** The field that it goes to, as a dotted path; '' leaves the column out. */
  readonly path: string;
  readonly type: ColumnType;
}

const typed = /^(.*):(string|number|boolean|list|json)$/s;

/** Names between dots, those with other characters in backticks. */
const pathForm = /^(?:[^.:`[]+|`(?:[^`]|``)*`)(?:\.(?:[^.:`[]+|`(?:[^`]|``)*`))*$/;
const systemNames = new Map([...systemFields].map((name) => [name.toLowerCase(), name]));

/** The columns of a header. `Key` is taken for the key, and a name that is no path for that of one field. */
export function columnsOf(header: RawRecord): readonly Column[] {
  return header.cells.map((cell) => {
    const name = plainCell(cell).trim();
    const [, text = name, type = 'auto'] = typed.exec(name) ?? [];
    const isPath = text === '' || pathForm.test(text);
    const path = systemNames.get(text.toLowerCase()) ?? (isPath ? text : `\`${text.replaceAll('`', '``')}\``);
    return { name, path, type: type as ColumnType };
  });
}

/** Why columns cannot be imported as they are; undefined if they can. */
export function problemOf(columns: readonly Column[]): string | undefined {
  const paths = columns.map(({ path }) => path).filter((path) => path !== '');
  if (paths.length === 0) return 'Choose at least one column.';
  const seen = new Set<string>();
  for (const path of paths) {
    if (seen.has(path)) return `Two columns go to ${path}.`;
    seen.add(path);
  }
  for (const path of paths) {
    const names = path.split('.');
    const outer = names.map((_, at) => names.slice(0, at).join('.')).find((part) => part !== '' && seen.has(part));
    if (outer !== undefined) return `${path} is part of ${outer}, which is also a column.`;
  }
  return undefined;
}

const quotedCell = (text: string) => (/[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Writes the header and the records that the service gets: without the columns that are left out. */
export function createRecordWriter(columns: readonly Column[], separator: Separator) {
  const kept = columns.map(({ path }) => path !== '');
  const isWhole = kept.every(Boolean);
  const header = columns
    .filter(({ path }) => path !== '')
    .map(({ path, type }) => quotedCell(type === 'auto' || path === 'id' || path === 'key' ? path : `${path}:${type}`))
    .join(separator);
  return {
    header,
    write({ cells, text }: RawRecord): string {
      // A record with another number of cells is sent as it is: the service refuses it, and says so.
      if (isWhole || cells.length !== columns.length) return text;
      return cells.filter((_, at) => kept[at]).join(separator);
    },
  };
}
