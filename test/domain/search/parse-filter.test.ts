import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { Literal, Path, Predicate } from '../../../src/domain/predicate/ast.ts';
import { match } from '../../../src/domain/predicate/match.ts';
import { maxExpressionBytes, maxListed } from '../../../src/domain/search/query/limits.ts';
import { parseFilter } from '../../../src/domain/search/query/parse-filter.ts';

const untyped = (value: string): Literal => ({ type: 'untyped', value });
const number = (value: bigint | number): Literal => ({ type: 'number', value });
const isIn = (path: string, ...values: Literal[]): Predicate => ({ kind: 'in', path: path.split('.'), values });
const within = (path: string, ...ends: (readonly [Literal | undefined, Literal | undefined])[]): Predicate => ({
  kind: 'within',
  path: path.split('.'),
  ranges: ends.map(([from, to]) => ({ from, to })),
});
const missing = (...path: string[]): Predicate => ({ kind: 'empty', path });
const exists = (...path: string[]): Predicate => ({ kind: 'not', of: missing(...path) });
const five = number(5n);
const staged: Predicate = {
  ...{ kind: 'compare', path: ['hasStagedChanges'], op: '=', value: { type: 'boolean', value: true } },
};

const forms: readonly (readonly [text: string, predicate: Predicate])[] = [
  ['color:"red","dark blue"', isIn('color', untyped('red'), untyped('dark blue'))],
  [' a.b : "x" ', isIn('a.b', untyped('x'))],
  ['size:1,-2.5', isIn('size', number(1n), number(-2.5))],
  ['size:9007199254740993', isIn('size', number(9007199254740993n))],
  ['on:true,FALSE', isIn('on', { type: 'boolean', value: true }, { type: 'boolean', value: false })],
  ['size:"36",38', isIn('size', untyped('36'), number(38n))],
  ['size::sizes', isIn('size', untyped('36'), untyped('38'))],
  ['size:range(* to *)', exists('size')],
  ['size:range (1 to 5),( * to * )', exists('size')],
  [
    'hasStagedChanges:true,false',
    {
      kind: 'or',
      of: [
        { kind: 'in', path: ['hasStagedChanges'], values: [{ type: 'boolean', value: true }] },
        { kind: 'not', of: staged },
      ],
    },
  ],
  ['hasStagedChanges:"false"', { kind: 'not', of: staged }],
  ['hasStagedChanges = false', { kind: 'not', of: staged }],
  ['size:range(1 to 5),(9 to *)', within('size', [number(1n), five], [number(9n), undefined])],
  ['size: RANGE ( * TO 5 )', within('size', [undefined, five])],
  ['at:range("2024-01-01" to "2024-02-01")', within('at', [untyped('2024-01-01'), untyped('2024-02-01')])],
  ['name.en:range("a" to "b")', within('name.en', [untyped('a'), untyped('b')])],
  ['a:exists', exists('a')],
  ['a: Missing', missing('a')],
  ['`größe (cm)`.`a.b`:exists', exists('größe (cm)', 'a.b')],
  ['exists', exists('exists')],
  ['a.b', exists('a', 'b')],
  ['a, b.c,`d e`', { kind: 'and', of: [exists('a'), exists('b', 'c'), exists('d e')] }],
  ['__proto__:1', isIn('__proto__', number(1n))],
  ['lastName = "Doe"', { kind: 'compare', path: ['lastName'], op: '=', value: { type: 'string', value: 'Doe' } }],
  ['lastName = Doe', { kind: 'compare', path: ['lastName'], op: '=', value: { type: 'string', value: 'Doe' } }],
  ['not (a is empty)', { kind: 'not', of: { kind: 'empty', path: ['a'] } }],
  ['(a is empty)', { kind: 'empty', path: ['a'] }],
  ['6 in a', { kind: 'in', path: ['a'], values: [number(6n)] }],
  ['"x" in a', { kind: 'in', path: ['a'], values: [{ type: 'string', value: 'x' }] }],
];

const variables = new Map([['sizes', ['36', '38']]]);

for (const [text, predicate] of forms) {
  test(`filter=${text} is parsed`, () => {
    assert.deepEqual(parseFilter(text, 'filter', variables).predicate, predicate);
  });
}

for (const [text, ...paths] of [
  ['a:1', ['a']],
  ['a.b:missing', ['a', 'b']],
  ['a, b, a', ['a'], ['b']],
  ['a = 1 and (b.c < 2 or not (a is defined))', ['a'], ['b', 'c']],
  ['variants(color = "red" and size(x = 1))', ['variants', 'color'], ['variants', 'size', 'x']],
] as const satisfies readonly (readonly [string, ...Path[]])[]) {
  test(`filter=${text} is about ${paths.map((path) => path.join('.')).join(' and ')}`, () => {
    assert.deepEqual(parseFilter(text, 'filter.facets').paths, paths);
  });
}

const document = {
  size: 36,
  digits: '36',
  colors: ['red', 'blue'],
  empty: [],
  nothing: null,
  object: {},
  at: '2024-01-15T12:00:00Z',
};

for (const [text, expected] of [
  ['size:"36"', true],
  ['digits:"36"', true],
  ['digits:36', false],
  ['size:"37","38"', false],
  ['size:range(36 to 36)', true],
  ['size:range("30" to "36")', true],
  ['size:range(* to 35),(37 to *)', false],
  ['size:range(40 to 30)', false],
  ['size:range(1 to "36")', true],
  ['size:range("30" to "x")', false],
  ['at:range("2024-01-01" to "2024-02-01")', true],
  ['at:range("2024-01-16" to *)', false],
  ['colors:"red"', true],
  ['colors, size', true],
  ['colors, empty', false],
  ['empty:missing', true],
  ['nothing:missing', true],
  ['nowhere:missing', true],
  ['object:missing', false],
  ['object:exists', true],
  ['colors = red', true],
] as const) {
  test(`filter=${text} ${expected ? 'selects' : 'does not select'} the document`, () => {
    assert.equal(match(parseFilter(text, 'filter').predicate, document), expected);
  });
}

const listed = (count: number) => Array(count).fill('1').join();

const mistakes: readonly (readonly [text: string, problem: string, column: number])[] = [
  ['a:', "Unexpected end, expected values (texts in double quotes, numbers, true, false), 'range'", 3],
  ['a:red', "Unexpected 'red', expected values (texts in double quotes", 3],
  ['a:1,', 'Unexpected end, expected a value', 5],
  ['a:1 2', "Unexpected '2', expected ',' or the end", 5],
  ['a:exists b', "Unexpected 'b', expected the end", 10],
  ['a:"x', 'Unexpected end, the text in double quotes is not closed', 3],
  ['a:1e999', 'The number is too large', 3],
  ['a:range', "Unexpected end, expected '(' and a range", 8],
  ['a:range(1)', "Unexpected ')', expected 'to'", 10],
  ['a:range(1 to)', "Unexpected ')', expected a number, a text or date in double quotes, or '*'", 13],
  ['a:range(true to 5)', "Unexpected 'true', expected a number", 9],
  ['a:range(9 to "x")', 'A range from a number to a text holds nothing: expected two numbers or two texts', 8],
  ['a:range(1 to 5),("x" to 9)', 'A range from a number to a text holds nothing', 17],
  ['a:range(1 to 5', "Unexpected end, expected ')'", 15],
  ['a:range(1 to 5),', "Unexpected end, expected '(' and a range", 17],
  ['a,', 'Unexpected end, expected a field', 3],
  ['a, b:1', "Unexpected ':', expected ',' and another field, or the end", 5],
  ['', 'Unexpected end, expected a field', 1],
  ['a =', 'Unexpected end, expected a value', 4],
  ['a::unknown', "The variable ':unknown' has no value", 3],
  [`a:${listed(maxListed + 1)}`, `More than ${maxListed} are listed`, 3],
];

for (const [text, problem, column] of mistakes) {
  test(`filter=${text.slice(0, 40)} is 400 and shows where`, () => {
    assert.throws(
      () => parseFilter(text, 'filter.query'),
      (error) =>
        error instanceof ServiceError &&
        error.code === 'InvalidInput' &&
        error.message.startsWith(
          `Malformed parameter: filter.query: Syntax error while parsing 'filter.query'. ${problem}`,
        ) &&
        error.message.includes(`(line 1, column ${column}):\n`) &&
        error.message.endsWith(`\n${' '.repeat(column - 1)}^`),
    );
  });
}

test('a filter lists so many values as are allowed, and has no more bytes than are allowed', () => {
  assert.deepEqual(parseFilter(`a:${listed(maxListed)}`, 'filter').paths, [['a']]);
  const long = `a:"${'x'.repeat(maxExpressionBytes - 4)}"`;
  assert.deepEqual(parseFilter(long, 'filter').paths, [['a']]);
  assert.throws(() => parseFilter(`${long} `, 'filter'), {
    message: 'Malformed parameter: filter: expected at most 8192 bytes',
  });
  assert.throws(() => parseFilter('`\ud800`', 'filter'), ServiceError);
});
