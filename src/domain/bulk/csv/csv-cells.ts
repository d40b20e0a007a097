import { mismatch } from '../../../contract/check.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { JsonValue } from '../../../contract/json.ts';
import { parseJson, stringifyJson } from '../../json/parse.ts';

/** How the cells of a column are read. `auto`: what is JSON is that value, every other text is a string. */
export const cellTypes = ['auto', 'string', 'number', 'boolean', 'json', 'list'] as const;
export type CellType = (typeof cellTypes)[number];

/** The value of a cell that is not empty. Throws 400 `InvalidJsonInput` that names the column. */
export function readCell(cell: string, { type, name }: { readonly type: CellType; readonly name: string }): JsonValue {
  switch (type) {
    case 'string':
      return cell;
    case 'number':
      return readNumber(cell, name);
    case 'boolean':
      // Spreadsheets write them in capitals.
      if (!/^(?:true|false)$/i.test(cell)) throw mismatch(name, 'expected true or false');
      return cell.toLowerCase() === 'true';
    case 'list':
      return cell.split('|');
    case 'json':
      return parseCell(cell, name);
    case 'auto':
      return seemsJson(cell) ? readAuto(cell, name) : cell;
  }
}

const numberParts = /^([-+]?)(0|[1-9]\d*|(?=\.\d))(?:\.(\d*))?([eE][+-]?\d+)?$/;

/** A number as people and programs write it, which is more than JSON has: `.5`, `5.`, `+5`. */
function readNumber(cell: string, name: string): JsonValue {
  const [, sign = '', whole, fraction = '', exponent = ''] = numberParts.exec(cell) ?? [];
  if (whole === undefined) {
    const hint = /^[-+]?[\d.]*,\d+$/.test(cell) ? ', with a point before the decimals' : '';
    throw mismatch(name, `expected a number such as 12.5${hint}`);
  }
  return parseJson(`${sign === '-' ? sign : ''}${whole || '0'}${fraction && `.${fraction}`}${exponent}`);
}

function parseCell(cell: string, name: string): JsonValue {
  try {
    return parseJson(cell);
  } catch (error) {
    throw mismatch(name, isJson(cell) ? reasonOf(error) : 'expected JSON');
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
  return String((error instanceof ServiceError && error.details.detailedErrorMessage) || 'expected JSON');
}

/** A number without an exponent: `107E2` is an article number more often than 10,700. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** False for what no JSON value begins and ends like. */
function seemsJson(cell: string): boolean {
  const [first, last] = [cell.charAt(0), cell.at(-1)!];
  if (first === '"') return last === '"' && cell.length > 1;
  if (first === '{') return last === '}';
  if (first === '[') return last === ']';
  return cell === 'true' || cell === 'false' || cell === 'null' || plainNumber.test(cell);
}

function readAuto(cell: string, name: string): JsonValue {
  try {
    return parseJson(cell);
  } catch (error) {
    if (isJson(cell)) throw mismatch(name, reasonOf(error));
    return cell;
  }
}

/** The text of a value, which `readCell` reads back. */
export function cellOf(value: JsonValue | undefined, type: CellType): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return withoutExponent(stringifyJson(value));
  if (typeof value !== 'string') return stringifyJson(value);
  if (type === 'string') return value;
  // A text that would be read as another value is written as JSON.
  return value === '' || seemsJson(value) ? stringifyJson(value) : value;
}

const exponentForm = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** The number in digits. One without decimals gets `.0`, as more digits than an integer of 64 bits has are a double. */
function withoutExponent(number: string): string {
  const [, sign = '', whole, fraction = '', exponent = ''] = exponentForm.exec(number) ?? [];
  if (whole === undefined) return number;
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(shift, '0')}.0`;
}
