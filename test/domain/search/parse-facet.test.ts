import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { Literal } from '../../../src/domain/predicate/ast.ts';
import { maxListed } from '../../../src/domain/search/query/limits.ts';
import { parseFacet } from '../../../src/domain/search/query/parse-facet.ts';
import type { Facet } from '../../../src/domain/search/query/query.ts';

const number = (value: bigint | number): Literal => ({ type: 'number', value });
const date = (value: string): Literal => ({ type: 'string', value });
const untyped = (value: string): Literal => ({ type: 'untyped', value });
const terms = (name: string, path: readonly string[], countingProducts = false): Facet => ({
  kind: 'terms',
  name,
  path,
  countingProducts,
});
const ranges = (name: string, ...ends: (readonly [Literal | undefined, Literal | undefined])[]): Facet => ({
  kind: 'ranges',
  name,
  path: ['a', 'b'],
  countingProducts: false,
  ranges: ends.map(([from, to]) => ({ from, to })),
});

const forms: readonly (readonly [text: string, facet: Facet])[] = [
  ['color', terms('color', ['color'])],
  [' a.b ', terms('a.b', ['a', 'b'])],
  ['`größe (cm)`.x', terms('`größe (cm)`.x', ['größe (cm)', 'x'])],
  ['a.b as the-alias_1', terms('the-alias_1', ['a', 'b'])],
  ['a COUNTING  products', terms('a', ['a'], true)],
  ['a As as Counting Products', terms('as', ['a'], true)],
  ['as', terms('as', ['as'])],
  ['__proto__', terms('__proto__', ['__proto__'])],
  ['a.b:range (0 to 10),(10 to *)', ranges('a.b', [number(0n), number(10n)], [number(10n), undefined])],
  ['a.b:range(* to 2.5)as r', ranges('r', [undefined, number(2.5)])],
  ['a.b: Range (* TO *)', ranges('a.b', [undefined, undefined])],
  ['a.b:range ("1" to 5)', ranges('a.b', [number(1n), number(5n)])],
  ['a.b:range ("2024-01-01" to "2024-02-01T00:00Z")', ranges('a.b', [date('2024-01-01'), date('2024-02-01T00:00Z')])],
  [
    'a:"x",1,true as v counting products',
    {
      kind: 'values',
      name: 'v',
      path: ['a'],
      countingProducts: true,
      values: [untyped('x'), number(1n), { type: 'boolean', value: true }],
    },
  ],
];

for (const [text, facet] of forms) {
  test(`facet=${text} is parsed`, () => {
    assert.deepEqual(parseFacet(text), facet);
  });
}

const mistakes: readonly (readonly [text: string, problem: string, column: number])[] = [
  ['', 'Unexpected end, expected a field', 1],
  ['a b', "Unexpected 'b', expected ':', 'as' and an alias, 'counting products' or the end", 3],
  ['a as', 'Unexpected end, expected an alias', 5],
  ['a as é', "Unexpected 'é', expected an alias of letters, digits, '-' and '_'", 6],
  ['a as b as c', "Unexpected 'as', expected 'counting products' or the end", 8],
  ['a counting products as b', "Unexpected 'as', expected the end", 21],
  ['a counting', "Unexpected 'counting', expected ':', 'as'", 3],
  ['a:', 'Unexpected end, expected values (texts in double quotes, numbers, true, false)', 3],
  ['a:tre', "Unexpected 'tre', expected values (texts in double quotes, numbers, true, false), 'range' or 'tree'", 3],
  ['a:1 2', "Unexpected '2', expected ',', 'as' and an alias", 5],
  ['a:range', "Unexpected end, expected '(' and a range", 8],
  ['a:range ("x" to 5)', "Unexpected '\"', expected a number, a date or date-time in double quotes, or '*'", 10],
  ['a:range ("2024-13-01" to *)', "Unexpected '\"', expected a number, a date", 10],
  ['a:range (1 to 2), (1 to "2024-01-01")', 'Both ends of a range must be numbers, or both points in time', 19],
  ['a, b', "Unexpected ',', expected ':'", 2],
  [
    `a:${Array(maxListed + 1)
      .fill('1')
      .join()}`,
    `More than ${maxListed} are listed`,
    3,
  ],
];

for (const [text, problem, column] of mistakes) {
  test(`facet=${text.slice(0, 40)} is 400 and shows where`, () => {
    assert.throws(
      () => parseFacet(text),
      (error) =>
        error instanceof ServiceError &&
        error.code === 'InvalidInput' &&
        error.message.startsWith(`Malformed parameter: facet: Syntax error while parsing 'facet'. ${problem}`) &&
        error.message.includes(`(line 1, column ${column}):\n`),
    );
  });
}
