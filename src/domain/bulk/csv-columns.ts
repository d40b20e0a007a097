import { mismatch } from '../../contract/check.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { parseJson, stringifyJson } from '../json/parse.ts';
import { getOwn, isJsonObject, type ObjectInProgress, setOwn } from '../json/values.ts';

/** How the cells of a column are read. `auto`: what is JSON is that value, every other text is a string. */
const cellTypes = ['auto', 'string', 'number', 'boolean', 'json', 'list'] as const;
type CellType = (typeof cellTypes)[number];

/** A column: a field, and how its cells are read. */
export interface Column {
  /** As it is in the header. */
  readonly name: string;
  readonly path: readonly string[];
  readonly type: CellType;
}

export const maxColumns = 1000;
const maxPathNames = 32;

/** Names between dots; those with other characters are in backticks, as in predicates. Then a colon and a type, or not. */
const headerForm = /^((?:[^.:`]+|`[^`]+`)(?:\.(?:[^.:`]+|`[^`]+`))*)(?::([a-z]+))?$/;

/** The columns of a header. Throws 400 `InvalidInput` that names the column. */
export function readHeader(cells: readonly string[]): readonly Column[] {
  const [only = ''] = cells;
  // What spreadsheets write where the comma is a decimal sign would be one field, whose name has all of the others.
  if (cells.length === 1 && /^[^`]*[;\t|]/.test(only)) {
    throw wrongHeader(`${shown(only)} is one column: commas expected between columns`);
  }
  if (cells.length > maxColumns) throw wrongHeader(`at most ${maxColumns} columns expected, not ${cells.length}`);
  const columns = cells.map((cell, at) => readColumn(cell.trim(), at + 1));
  refuseOverlaps(columns);
  return columns;
}

function readColumn(name: string, number: number): Column {
  if (name === '') throw wrongHeader(`column ${number} has no name`);
  const [, dotted, type] = headerForm.exec(name) ?? [];
  if (dotted === undefined) {
    throw wrongHeader(`column ${number}, ${shown(name)}: a dotted path, then optionally a colon and a type, expected`);
  }
  if (type !== undefined && !isCellType(type)) {
    throw wrongHeader(
      `column ${number}, ${shown(name)}: the type is one of ${cellTypes.join(', ')}; a name with a colon is written in backticks`,
    );
  }
  return { name, path: pathOf(dotted, number), type: type ?? typeOfSystemField(dotted) };
}

function isCellType(type: string): type is CellType {
  return (cellTypes as readonly string[]).includes(type);
}

/** Ids and keys are texts, whatever they look like. */
function typeOfSystemField(dotted: string): CellType {
  return dotted === 'id' || dotted === 'key' ? 'string' : 'auto';
}

/** The names of a dotted path. Throws 400 `InvalidInput`. */
function pathOf(dotted: string, number: number): readonly string[] {
  const path = [...dotted.matchAll(/`([^`]+)`|[^.]+/g)].map(([whole, quoted]) => quoted ?? whole);
  if (path.length > maxPathNames) throw wrongHeader(`column ${number}: a path has at most ${maxPathNames} names`);
  if (path.some((each) => each.includes('\0') || !each.isWellFormed())) {
    throw wrongHeader(`column ${number}: the name contains NUL (U+0000), which no name of a field may have`);
  }
  if (path.includes('__proto__')) throw wrongHeader(`column ${number}: __proto__ is not the name of a column`);
  return path;
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

/** The draft of a record. An empty cell is an absent field. Throws 400 `InvalidJsonInput` that names the column. */
export function readRecord(cells: readonly string[], columns: readonly Column[]): JsonObject {
  if (cells.length !== columns.length) {
    throw mismatch('', `${columns.length} cells expected, as in the header, not ${cells.length}`);
  }
  const draft: ObjectInProgress = {};
  for (const [at, column] of columns.entries()) {
    const cell = cells[at]!;
    if (cell !== '') setAt(draft, column.path, readCell(cell, column));
  }
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

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readCell(cell: string, { type, name }: Column): JsonValue {
  switch (type) {
    case 'string':
      return cell;
    case 'number':
      if (!numberForm.test(cell)) throw mismatch(name, 'a number such as 12.5 expected');
      return parseJson(cell);
    case 'boolean':
      if (cell !== 'true' && cell !== 'false') throw mismatch(name, 'true or false expected');
      return cell === 'true';
    case 'list':
      return cell.split('|');
    case 'json':
      return parseCell(cell, name);
    case 'auto':
      return seemsJson(cell) ? readAuto(cell, name) : cell;
  }
}

function parseCell(cell: string, name: string): JsonValue {
  try {
    return parseJson(cell);
  } catch (error) {
    throw mismatch(name, isJson(cell) ? reasonOf(error) : 'JSON expected');
  }
}

/** True for JSON that exceeds our limits, too: it is no other text, and must not be kept as one. */
function isJson(cell: string): boolean {
  try {
    JSON.parse(cell);
    return true;
  } catch {
    return false;
  }
}

function reasonOf(error: unknown): string {
  return String((error instanceof ServiceError && error.details.detailedErrorMessage) || 'JSON expected');
}

/** False for what no JSON value begins and ends like. */
function seemsJson(cell: string): boolean {
  const [first, last] = [cell.charAt(0), cell.at(-1)!];
  if (first === '"') return last === '"' && cell.length > 1;
  if (first === '{') return last === '}';
  if (first === '[') return last === ']';
  return cell === 'true' || cell === 'false' || cell === 'null' || numberForm.test(cell);
}

function readAuto(cell: string, name: string): JsonValue {
  try {
    return parseJson(cell);
  } catch (error) {
    if (isJson(cell)) throw mismatch(name, reasonOf(error));
    return cell;
  }
}

/** The header of the columns, with its line end. */
export function headerText(columns: readonly Column[]): string {
  return `${columns.map(({ name }) => quoted(name)).join(',')}\r\n`;
}

/** The record of a document, with its line end (RFC 4180). Read by `readRecord`, it gives the same values. */
export function recordText(document: JsonObject, columns: readonly Column[]): string {
  return `${columns.map((column) => quoted(cellOf(valueAt(document, column.path), column))).join(',')}\r\n`;
}

function valueAt(document: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const name of path) {
    if (!isJsonObject(value)) return undefined;
    value = getOwn(value, name);
  }
  return value;
}

function cellOf(value: JsonValue | undefined, { type }: Column): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return stringifyJson(value);
  if (type === 'string') return value;
  // A text that would be read as another value is written as JSON.
  return value === '' || seemsJson(value) ? stringifyJson(value) : value;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
