import { malformedParameter } from '../../../contract/errors.ts';
import { numberForm } from '../../json/number.ts';
import type { Literal } from '../../predicate/ast.ts';
import { type Cursor, createCursor, keyword } from '../../predicate/cursor.ts';
import { readValues } from '../../predicate/literals.ts';
import { maxExpressionBytes, maxListed } from './limits.ts';

/** The syntax that filters and facets share: lists of values and ranges after a path and a colon. */

export type Variables = ReadonlyMap<string, readonly string[]>;

/** A cursor at the beginning of a filter or facet. */
export function openExpression(text: string, parameter: string): Cursor {
  if (Buffer.byteLength(text) > maxExpressionBytes) {
    throw malformedParameter(parameter, `expected at most ${maxExpressionBytes} bytes`);
  }
  if (!text.isWellFormed()) throw malformedParameter(parameter, 'the text holds half of a surrogate pair');
  return createCursor(text, parameter);
}

/** Throws if any text is left. */
export function expectEnd(cursor: Cursor, what: string): void {
  if (!cursor.sees(/$/y)) throw cursor.expected(what);
}

/** Reads things with commas between them. */
export function readListed<T>(cursor: Cursor, read: () => readonly T[]): readonly T[] {
  const position = cursor.position();
  const listed: T[] = [];
  do {
    listed.push(...read());
    if (listed.length > maxListed)
      throw cursor.refused(`More than ${maxListed} are listed, the most allowed`, position);
  } while (cursor.take(/,/y) !== undefined);
  return listed;
}

/** The start of a list of values: a quoted text, a number, a variable, true or false. */
export const beginsValue = /["\-0-9:]|(?:true|false)(?![-\w.])/iy;

/** Reads values with commas between them. Those in quotes may be numbers and instants too (decision 23). */
export function readLiterals(cursor: Cursor, variables: Variables): readonly Literal[] {
  return readListed(cursor, () => readValues(cursor, { variables, bareWords: false }).map(untyped));
}

function untyped(literal: Literal): Literal {
  return literal.type === 'string' ? { type: 'untyped', value: literal.value } : literal;
}

/** One range as it is written. */
export type WrittenRange = ReturnType<typeof readRanges>[number];

const to = keyword('to');

/** Reads `(1 to 5),(9 to *)`, what follows the word `range`, with the positions of the brackets. An open end is undefined. */
export function readRanges(cursor: Cursor, readBound: () => Literal) {
  const readEnd = () => (cursor.take(/\*/y) === undefined ? readBound() : undefined);
  return readListed(cursor, () => {
    const position = cursor.position();
    if (cursor.take(/\(/y) === undefined) throw cursor.expected("'(' and a range such as (1 to 5) or (9 to *)");
    const from = readEnd();
    if (cursor.take(to) === undefined) throw cursor.expected("'to' and the upper end of the range");
    const upper = readEnd();
    if (cursor.take(/\)/y) === undefined) throw cursor.expected("')'");
    if ((from?.type === 'number' && isText(upper)) || (upper?.type === 'number' && isText(from))) {
      throw cursor.refused(
        'A range from a number to a text holds nothing: expected two numbers or two texts',
        position,
      );
    }
    return [{ from, to: upper, position }];
  });
}

/** True for a text in quotes that is no number. */
function isText(bound: Literal | undefined): boolean {
  return bound?.type === 'untyped' && !numberForm.test(bound.value);
}

/** Reads an end of a range that is not open: a number, or a text in quotes. */
export function readBound(cursor: Cursor, what: string): Literal {
  if (!cursor.sees(/["\-0-9]/y)) throw cursor.expected(what);
  const [literal] = readValues(cursor, { variables: undefined, bareWords: false });
  return untyped(literal!);
}

/** Reads `("clothing > shoes","gifts")`, what follows the word `subtree` or `tree`. */
export function readNodes(cursor: Cursor): readonly string[] {
  if (cursor.take(/\(/y) === undefined) throw cursor.expected('\'(\' and a category such as ("clothing > shoes")');
  const nodes = readListed(cursor, () => {
    if (!cursor.sees(/"/y)) throw cursor.expected('a category in double quotes');
    return readValues(cursor, { variables: undefined, bareWords: false }).map(({ value }) => String(value));
  });
  if (cursor.take(/\)/y) === undefined) throw cursor.expected("',' and another category, or ')'");
  return nodes;
}
