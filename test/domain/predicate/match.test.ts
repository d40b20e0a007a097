import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Literal, Predicate } from '../../../src/domain/predicate/ast.ts';
import { match } from '../../../src/domain/predicate/match.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { compareUtf8 } from '../../../src/domain/predicate/scalar.ts';

const variables = new Map([
  ['one', ['1']],
  ['big', ['9007199254740993']],
  ['yes', ['true']],
  ['day', ['2024-01-01']],
  ['list', ['1', 'b']],
]);

const document = JSON.parse(`{
  "id": "2024-01-01", "key": "k", "version": 3, "createdAt": "2024-01-01T00:00:00.000Z",
  "n": 1, "half": 0.5, "s": "b", "digits": "1", "yes": true, "nothing": null,
  "day": "2024-01-01T01:00:00+01:00", "emoji": "\\ud83d\\ude00", "private": "\\uffee",
  "list": [1, "b", null, [2]], "empty": [], "nulls": [null], "lists": [[1], [2]], "object": {},
  "dogs": [{ "name": "Rex", "age": 3 }, { "name": "Max", "age": 9, "toys": [{ "id": 1 }, { "id": 2 }] }],
  "nested": [[{ "a": 1 }]], "street": "STRASSE", "greek": "ΟΔΟΣ",
  "at": [13.4, 52.5], "geo": { "type": "Point", "coordinates": [13.4, 52.5] }, "places": [[0, 0], [13.4, 52.5]],
  "__proto__": { "a": 1 }, "a-b": { "c": 1 },
  "objectTypeProperty": { "arrayOfIntExample": [5, 6], "arrayOfStringExample": ["x"], "arrayOfObjectType": [{ "integerExample": 7 }] },
  "arrayOfStringExample": ["own"]
}`) as JsonObject;
Object.defineProperty(document, 'big', { value: JSON.rawJSON('9007199254740993'), enumerable: true });

/** Predicates that the document satisfies, and those that it does not. */
const table: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    'equality',
    ['n = 1', 'n = 1.0', 's = "b"', 'yes = true', 'half = 5e-1'],
    ['s = "B"', 's = "bb"', 'n = "1"', 's = 1', 'yes = 1', 'yes = "true"', 'digits = 1', 'object = 1', 'nothing = 1'],
  ],
  [
    'inequality',
    ['n != 2', 'missing != 1', 'nothing != 1', 'n <> "1"', 'list != 2'],
    ['n != 1', 'list != 1', 'yes != true'],
  ],
  [
    '64-bit integers',
    ['big = 9007199254740993', 'big > 9007199254740992', 'big != 9007199254740992', 'big = :big'],
    ['big = 9007199254740992', 'big = 9007199254740992.0'],
  ],
  [
    'order of numbers',
    ['n < 2', 'n <= 1', 'n >= 1', 'n > 0.5', 'list < 2'],
    ['n < 1', 'n > 1', 'missing < 1', 'nothing < 1', 's < 1', 'n < "2"'],
  ],
  ['order of texts', ['s < "c"', 's >= "b"', 's > "a"', 's > "B"'], ['s < "b"', 's > "b1"', 's < "2024-01-01"']],
  ['order of texts by UTF-8 bytes', ['emoji > "\uffee"', 'private < "😀"'], ['emoji < "\uffee"']],
  ['no order of booleans', ['yes in (true)'], ['yes > false', 'yes >= true', 'yes <= true']],
  [
    'points in time',
    [
      'day = "2024-01-01"',
      'day = "2023-12-31T19:00-05:00"',
      'day < "2024-01-01T00:00:00.000000001Z"',
      'day >= :day',
      'createdAt = "2024-01-01"',
    ],
    ['day = "2024-01-02"', 'day > "2024"', 'day != "2024-01-01T00:00Z"'],
  ],
  [
    'id and key as plain text',
    ['id = "2024-01-01"', 'id = :day', 'id < "2024-01-02x"', 'key in ("k")'],
    ['id = "2024-01-01T00:00:00Z"', 'key = 1'],
  ],
  [
    'untyped variables',
    ['n = :one', 'digits = :one', 'yes = :yes', 'n < :big', 'list contains all :list', 'n in :list'],
    ['s = :one', 'yes = :one'],
  ],
  [
    'in and not in',
    ['n in (3, 1)', 'list in ("b")', 'n not in (2)', 'missing not in (1)'],
    ['n in ("1")', 'missing in (1)', 'list not in (9, 1)'],
  ],
  ['a literal in a path', ['1 in list', '6 in arrayOfIntExample', '9 not in list'], ['2 in list', '1 not in list']],
  [
    'contains',
    ['list contains any (9, 1)', 'list contains all ("b", 1)', 'n contains all (1)'],
    ['list contains all (1, 2)', 'list contains any (2)', 'missing contains any (1)', 'empty contains all (1)'],
  ],
  [
    'is defined',
    [
      'n is defined',
      'empty is defined',
      'nulls is defined',
      'object is defined',
      'dogs.toys is defined',
      'missing is not defined',
      'nothing is not defined',
    ],
    ['missing is defined', 'nothing is defined', 'nested.a is defined'],
  ],
  [
    'is empty',
    [
      'empty is empty',
      'nulls is empty',
      'missing is empty',
      'nothing is empty',
      'n.x is empty',
      'object is not empty',
      'lists is not empty',
      'n is not empty',
    ],
    ['list is empty', 'object is empty', 'dogs.toys is empty', 'empty is not empty'],
  ],
  [
    'paths through arrays, one level',
    ['dogs.name = "Max"', 'dogs.toys.id = 2', 'dogs.age < 4 and dogs.age > 8'],
    ['nested.a = 1', 'lists = 1', 'dogs.toys = 1'],
  ],
  [
    'embedded predicates',
    [
      'dogs(name = "Rex" and age = 3)',
      'dogs(toys(id = 1) and toys(id = 2))',
      'dogs(not(toys is defined))',
      'not dogs(age > 9)',
      'objectTypeProperty(arrayOfIntExample = 5)',
    ],
    [
      'dogs(name = "Rex" and age = 9)',
      'dogs(toys(id = 1 and id = 2))',
      'n(a = 1)',
      'missing(a is not defined)',
      'nested(a = 1)',
      'objectTypeProperty(arrayOfIntExample = 7)',
    ],
  ],
  [
    'names of ArrayTestType',
    [
      'arrayOfIntExample = 5',
      'arrayOfObjectType.integerExample = 7',
      'arrayOfObjectType(integerExample = 7)',
      'objectTypeProperty.arrayOfStringExample = "x"',
      'arrayOfStringExample = "own"',
      'arrayOfFloatExample is not defined',
    ],
    ['arrayOfStringExample = "x"', 'dogs(arrayOfIntExample = 5)'],
  ],
  [
    'awkward names',
    ['__proto__.a = 1', '__proto__(a = 1)', 'a-b.c = 1', '`a-b`(c = 1)'],
    ['constructor is defined', 'toString is defined', '__proto__.toString is defined'],
  ],
  [
    'circles',
    [
      'at within circle(13.4, 52.5, 0)',
      'geo within circle(13.41, 52.5, 700)',
      'places within circle(0, 0, 1)',
      'at within circle(-166.6, -52.5, 20015120)',
    ],
    ['at within circle(13.41, 52.5, 600)', 'n within circle(0, 0, 20020000)', 'missing within circle(0, 0, 20020000)'],
  ],
  [
    'matches ignore case',
    [
      's matches ignore case "B"',
      'street matches ignore case "Straße"',
      'greek matches ignore case "οδοσ"',
      'greek matches ignore case "οδος"',
      'list matches ignore case "B"',
    ],
    ['s matches ignore case "bb"', 'n matches ignore case "1"', 'missing matches ignore case ""'],
  ],
  [
    'logic',
    ['n = 1 and s = "b"', 'n = 9 or s = "b"', 'n = 9 and s = "z" or yes = true', 'not(n = 9 or missing = 1)'],
    ['n = 1 and s = "z"', '(n = 1 or s = "b") and yes = false', 'not n = 1 or n = 2'],
  ],
];

for (const [what, satisfied, unsatisfied] of table) {
  test(`match: ${what}`, () => {
    for (const source of satisfied) assert.equal(match(parsePredicate(source, { variables }), document), true, source);
    for (const source of unsatisfied)
      assert.equal(match(parsePredicate(source, { variables }), document), false, source);
  });
}

test('match: constants, and lists without items, as other callers than the parser make them', () => {
  assert.equal(match({ kind: 'constant', value: true }, {}), true);
  assert.equal(match({ kind: 'and', of: [] }, {}), true);
  assert.equal(match({ kind: 'or', of: [] }, {}), false);
  assert.equal(match({ kind: 'in', path: ['n'], values: [] }, document), false);
});

const number = (value: bigint | number): Literal => ({ type: 'number', value });
const text = (value: string): Literal => ({ type: 'string', value });
const untyped = (value: string): Literal => ({ type: 'untyped', value });

/** Ranges that a value at the path lies within, and others that none does. */
const ranges: readonly (readonly [path: string, within: readonly Ends[], outside: readonly Ends[]])[] = [
  [
    'n',
    [
      [number(1n), number(1n)],
      [number(0.5), undefined],
      [undefined, number(1n)],
      [untyped('1'), untyped('2')],
    ],
    [
      [number(2n), undefined],
      [undefined, number(0.5)],
      [number(2n), number(0n)],
      [number(0n), text('2')],
      [text('0'), text('2')],
    ],
  ],
  ['big', [[number(9007199254740993n), number(9007199254740993n)]], [[undefined, number(9007199254740992n)]]],
  [
    's',
    [
      [text('a'), text('b')],
      [untyped('b'), undefined],
    ],
    [
      [text('ba'), undefined],
      [text('2024-01-01'), undefined],
    ],
  ],
  [
    'day',
    [
      [text('2024-01-01'), text('2024-01-01')],
      [undefined, untyped('2024-01-01')],
    ],
    [
      [text('2024-01-02'), undefined],
      [text('2'), text('3')],
    ],
  ],
  [
    'id',
    [
      [text('2024-01-01'), text('2024-01-01')],
      [text('2'), text('3')],
    ],
    [[number(0n), undefined]],
  ],
  [
    'yes',
    [],
    [
      [untyped('true'), untyped('true')],
      [{ type: 'boolean', value: true }, undefined],
    ],
  ],
  [
    'list',
    [
      [number(1n), number(1n)],
      [text('b'), undefined],
    ],
    [[number(2n), undefined]],
  ],
  ['dogs.age', [[number(4n), number(9n)]], [[number(4n), number(8n)]]],
  ['arrayOfIntExample', [[number(6n), number(9n)]], [[number(7n), undefined]]],
  ['missing', [], [[number(0n), undefined]]],
];
type Ends = readonly [from: Literal | undefined, to?: Literal | undefined];

for (const [path, inside, outside] of ranges) {
  test(`match: ${path} within a range that holds one of its values, and only then`, () => {
    const isWithin = (...ends: readonly Ends[]) =>
      match({ kind: 'within', path: path.split('.'), ranges: ends.map(([from, to]) => ({ from, to })) }, document);
    for (const ends of inside) assert.equal(isWithin(ends), true, inspect(ends));
    for (const ends of outside) assert.equal(isWithin(ends), false, inspect(ends));
    assert.equal(isWithin(...outside, ...inside), inside.length > 0);
  });
}

test('match: one value must lie within both ends of a range, two values that lie beyond one end each do not', () => {
  const predicate: Predicate = {
    kind: 'within',
    path: ['dogs', 'age'],
    ranges: [{ from: number(4n), to: number(8n) }],
  };
  assert.equal(match(predicate, document), false);
  assert.equal(match(parsePredicate('dogs.age >= 4 and dogs.age <= 8', { variables }), document), true);
});

test('compareUtf8 orders texts as their UTF-8 bytes are ordered', () => {
  const texts = [
    '',
    'a',
    'ab',
    'b',
    'Z',
    'ä',
    '\u0800',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '😀',
    '\u{10ffff}',
    'a😀',
    'a\uffee',
  ];
  for (const left of texts) {
    for (const right of texts) {
      assert.equal(Math.sign(compareUtf8(left, right)), Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }
  }
});
