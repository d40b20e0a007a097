import { mismatch } from '../../../contract/check.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { systemFieldNames } from '../../../contract/resource.ts';
import { beginsWithIndex, namesAtStart, nameText, pathSyntax } from '../../json/path-syntax.ts';
import { getOwn, isJsonObject, type ObjectInProgress, setOwn } from '../../json/values.ts';
import { type CellType, cellOf, cellTypes, readCell } from './csv-cells.ts';
import { type Delimiter, delimiterChars } from './delimiter.ts';

/** A column: a field, and how its cells are read. */
export interface Column {
  /** The name as it stands in the header. */
  readonly name: string;
  readonly path: readonly string[];
  readonly type: CellType;
}

export const maxColumns = 1000;
export const maxPathNames = 32;

/** System fields by their names in lower case. */
const systemFields: ReadonlyMap<string, string> = new Map(
  [...systemFieldNames].map((name) => [name.toLowerCase(), name]),
);

/** The columns of a header. Throws 400 `InvalidInput` that names the column. */
export function readHeader(cells: readonly string[]): readonly Column[] {
  if (cells.length > maxColumns) throw wrongHeader(`expected at most ${maxColumns} columns, not ${cells.length}`);
  const columns = cells.map((cell, at) => readColumn(cell.trim(), at + 1));
  refuseOverlaps(columns);
  return columns;
}

function readColumn(name: string, number: number): Column {
  if (name === '') throw wrongHeader(`column ${number} has no name`);
  const place = `column ${number}, ${shown(name)}`;
  const { names: path, rest } = namesAtStart(name, 'column') ?? { names: [], rest: name };
  if (beginsWithIndex(rest)) {
    throw wrongHeader(
      `${place}: a column has no index, as an array is one cell such as ["a","b"]; a name with brackets is written in backticks`,
    );
  }
  const [isTyped, type] = /^(?::([a-z]+))?$/.exec(rest) ?? [];
  if (isTyped === undefined || path.length === 0) {
    const remedy = `write a name with dots, colons or backticks in backticks, ${shown(nameText(name, 'column'))}`;
    throw wrongHeader(`${place}: expected a dotted path, then optionally a colon and a type; ${remedy}`);
  }
  if (type !== undefined && !isCellType(type)) {
    const remedy = 'a name with a colon is written in backticks';
    throw wrongHeader(`${place}: the type is one of ${cellTypes.join(', ')}; ${remedy}`);
  }
  checkNames(path, name, number);
  const isName = path.length === 1 && (path[0] === 'id' || path[0] === 'key');
  // Ids and keys are texts, whatever they look like.
  return { name, path, type: type ?? (isName ? 'string' : 'auto') };
}

/** The column of a field, with a name that `readHeader` reads back. */
export function columnOf(path: readonly string[]): Column {
  const [first = '', ...rest] = path;
  const isMistakable = (systemFields.get(first.toLowerCase()) ?? first) !== first;
  const names = [isMistakable ? `\`${first}\`` : nameText(first, 'column')];
  if (rest.length > 0) names.push(pathSyntax(rest, 'column'));
  return readColumn(names.join('.'), 1);
}

function isCellType(type: string): type is CellType {
  return (cellTypes as readonly string[]).includes(type);
}

/** Throws 400 `InvalidInput`. */
function checkNames(path: readonly string[], name: string, number: number): void {
  const [first] = path as [string];
  const field = systemFields.get(first.toLowerCase());
  if (field !== undefined && field !== first && !name.startsWith('`')) {
    const own = `an own field of that name is written in backticks, \`${first}\``;
    throw wrongHeader(`column ${number}, ${shown(name)}: did you mean the system field ${field}? If not, ${own}`);
  }
  if (path.length > maxPathNames) throw wrongHeader(`column ${number}: a path has at most ${maxPathNames} names`);
  if (path.some((each) => each.includes('\0') || !each.isWellFormed())) {
    throw wrongHeader(`column ${number}: the name contains NUL (U+0000), which no name of a field may have`);
  }
}

/** No two columns write the same field, and none writes into what another one writes as a whole. */
function refuseOverlaps(columns: readonly Column[]): void {
  const seen = new Map<string, Column>();
  const textOf = (path: readonly string[]) => JSON.stringify(path);
  for (const column of columns) {
    const other = seen.get(textOf(column.path));
    if (other) throw wrongHeader(`the columns ${shown(other.name)} and ${shown(column.name)} are the same field`);
    seen.set(textOf(column.path), column);
  }
  for (const { name, path } of columns) {
    for (let length = 1; length < path.length; length += 1) {
      const whole = seen.get(textOf(path.slice(0, length)));
      if (whole) throw wrongHeader(`the column ${shown(name)} is a part of the column ${shown(whole.name)}`);
    }
  }
}

function wrongHeader(problem: string): ServiceError {
  return new ServiceError('InvalidInput', `The header of the CSV: ${problem}.`);
}

function shown(name: string): string {
  return `“${name.length > 64 ? `${name.slice(0, 63)}…` : name}”`;
}

/**
 * The draft of a record. An empty cell is an absent field. Throws 400 `InvalidJsonInput` that names the column. `onValue` is
 * told each value of a column without a type.
 */
export function readRecord(
  cells: readonly string[],
  columns: readonly Column[],
  onValue?: (column: number, value: JsonValue) => void,
): JsonObject {
  if (cells.length !== columns.length) {
    throw mismatch('', `expected ${columns.length} cells, as in the header, not ${cells.length}`);
  }
  const draft: ObjectInProgress = {};
  for (const [at, column] of columns.entries()) {
    const cell = cells[at]!;
    if (cell === '') continue;
    const value = readCell(cell, column);
    if (column.type === 'auto') onValue?.(at, value);
    setAt(draft, column.path, value);
  }
  // Spreadsheets write such records behind the last one. Each would be a new resource.
  if (cells.every((cell) => cell === ''))
    throw mismatch('', 'expected a record with a value; all of its cells are empty');
  return draft;
}

function setAt(draft: ObjectInProgress, path: readonly string[], value: JsonValue): void {
  let object = draft;
  for (const name of path.slice(0, -1)) {
    let inner = getOwn(object, name);
    // No other column can have put anything but an object here.
    if (!isJsonObject(inner)) {
      inner = {};
      setOwn(object, name, inner);
    }
    object = inner as ObjectInProgress;
  }
  setOwn(object, path.at(-1)!, value);
}

/** The header of the columns, with its line end. No delimiter of others stands outside of quotes, so that its own is recognised. */
export function headerText(columns: readonly Column[], delimiter: Delimiter): string {
  return `${columns.map(({ name }) => quoted(name, /[",;\t|\r\n]|^\s|\s$/)).join(delimiterChars[delimiter])}\r\n`;
}

/** The record of a document, with its line end (RFC 4180). Read by `readRecord`, it gives the same values. */
export function recordText(document: JsonObject, columns: readonly Column[], delimiter: Delimiter): string {
  const special = specialIn[delimiter];
  const cells = columns.map(({ path, type }) => quoted(cellOf(valueAt(document, path), type), special));
  return `${cells.join(delimiterChars[delimiter])}\r\n`;
}

/** Which cells stand in quotes. */
const specialIn: Readonly<Record<Delimiter, RegExp>> = {
  comma: /[",\r\n]|^\s|\s$/,
  semicolon: /[";\r\n]|^\s|\s$/,
  tab: /["\r\n]|^\s|\s$|\t/,
  pipe: /["|\r\n]|^\s|\s$/,
};

function valueAt(document: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const name of path) {
    if (!isJsonObject(value)) return undefined;
    value = getOwn(value, name);
  }
  return value;
}

function quoted(cell: string, special: RegExp): string {
  return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
