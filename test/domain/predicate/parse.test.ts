import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { Literal, Predicate } from '../../../src/domain/predicate/ast.ts';
import { maxListItems } from '../../../src/domain/predicate/literals.ts';
import {
  maxPredicateBytes,
  maxPredicateDepth,
  maxPredicateTerms,
  type ParseOptions,
  parsePredicate,
} from '../../../src/domain/predicate/parse.ts';

const variables = new Map([
  ['n', ['Peter']],
  ['list', ['1', 'two']],
  ['lon', ['13.4']],
  ['many', Array.from({ length: 400 }, (_, at) => String(at))],
]);

function parse(text: string, options: Partial<ParseOptions> = {}): Predicate {
  return parsePredicate(text, { variables, ...options });
}

const text = (value: string): Literal => ({ type: 'string', value });
const number = (value: bigint | number): Literal => ({ type: 'number', value });
const untyped = (value: string): Literal => ({ type: 'untyped', value });
const eq = (path: string, value: Literal): Predicate => ({ kind: 'compare', path: path.split('.'), op: '=', value });
const not = (of: Predicate): Predicate => ({ kind: 'not', of });
const and = (...of: Predicate[]): Predicate => ({ kind: 'and', of });
const or = (...of: Predicate[]): Predicate => ({ kind: 'or', of });
const one = number(1n);

const forms: readonly (readonly [string, Predicate])[] = [
  ['name = "Peter"', eq('name', text('Peter'))],
  ['a=1', eq('a', one)],
  ['\t a\r\n=\f1 ', eq('a', one)],
  ...(['=', '!=', '<', '<=', '>', '>='] as const).map((op): [string, Predicate] => [
    `a ${op} 1`,
    { kind: 'compare', path: ['a'], op, value: one },
  ]),
  ['a <> 1', { kind: 'compare', path: ['a'], op: '!=', value: one }],
  ['a = -12', eq('a', number(-12n))],
  ['a = 123.045e-10', eq('a', number(123.045e-10))],
  ['a = 1e3', eq('a', number(1000n))],
  ['a = 1.0', eq('a', one)],
  ['a = 9007199254740993', eq('a', number(9007199254740993n))],
  ['a = -9223372036854775808', eq('a', number(-(2n ** 63n)))],
  ['a = 9223372036854775808', eq('a', number(2 ** 63))],
  ['a = TRUE', eq('a', { type: 'boolean', value: true })],
  ['a = false', eq('a', { type: 'boolean', value: false })],
  ['a = :n', eq('a', untyped('Peter'))],
  [String.raw`a = "\" \\ \/ \b \f \n \r \t \u00e4 \ud83d\ude00"`, eq('a', text('" \\ / \b \f \n \r \t ä 😀'))],
  ['a = ""', eq('a', text(''))],
  ['a.b.c = 1', eq('a.b.c', one)],
  ['en-US = 1', eq('en-US', one)],
  ['1abc = 1', eq('1abc', one)],
  ['7 = 1', eq('7', one)],
  ['in = 1', eq('in', one)],
  ['not = 1', eq('not', one)],
  ['nothing = 1', eq('nothing', one)],
  ['`a b.c"`.d = 1', { kind: 'compare', path: ['a b.c"', 'd'], op: '=', value: one }],
  ['`` = 1', { kind: 'compare', path: [''], op: '=', value: one }],
  ['a.``.`x``y` = 1', { kind: 'compare', path: ['a', '', 'x`y'], op: '=', value: one }],
  ['````.```x` = 1', { kind: 'compare', path: ['`', '`x'], op: '=', value: one }],
  ['`not` is defined', { kind: 'defined', path: ['not'] }],
  ['__proto__ = 1', eq('__proto__', one)],
  ['a = 1 and b = 1 or c = 1', or(and(eq('a', one), eq('b', one)), eq('c', one))],
  ['a = 1 OR b = 1 AND c = 1', or(eq('a', one), and(eq('b', one), eq('c', one)))],
  ['(a = 1 or b = 1) and c = 1', and(or(eq('a', one), eq('b', one)), eq('c', one))],
  ['a contains any (1) and c = 1', and({ kind: 'in', path: ['a'], values: [one] }, eq('c', one))],
  ['not (a = 1) and b = 1', and(not(eq('a', one)), eq('b', one))],
  ['not a = 1 and b = 1', and(not(eq('a', one)), eq('b', one))],
  ['NOT not(a = 1)', not(not(eq('a', one)))],
  ['not in(a = 1)', not({ kind: 'embedded', path: ['in'], of: eq('a', one) })],
  [
    'dog(age < 7 and name = :n)',
    {
      kind: 'embedded',
      path: ['dog'],
      of: and({ kind: 'compare', path: ['age'], op: '<', value: number(7n) }, eq('name', untyped('Peter'))),
    },
  ],
  ['a.b (c(d = 1))', { kind: 'embedded', path: ['a', 'b'], of: { kind: 'embedded', path: ['c'], of: eq('d', one) } }],
  [
    'a in (1, "x", :n, :list)',
    {
      kind: 'in',
      path: ['a'],
      values: [one, text('x'), untyped('Peter'), untyped('1'), untyped('two')],
    },
  ],
  ['a IN :list', { kind: 'in', path: ['a'], values: [untyped('1'), untyped('two')] }],
  ['a not in (1)', not({ kind: 'in', path: ['a'], values: [one] })],
  ['a Not\nIn :n', not({ kind: 'in', path: ['a'], values: [untyped('Peter')] })],
  ['a contains all (1, 1)', and(eq('a', one), eq('a', one))],
  ['a contains any :list', { kind: 'in', path: ['a'], values: [untyped('1'), untyped('two')] }],
  ['6 in arrayOfIntExample', { kind: 'in', path: ['arrayOfIntExample'], values: [number(6n)] }],
  ['-1.5e2 in a.b', { kind: 'in', path: ['a', 'b'], values: [number(-150n)] }],
  ['"x" in a', { kind: 'in', path: ['a'], values: [text('x')] }],
  ['true in a', { kind: 'in', path: ['a'], values: [{ type: 'boolean', value: true }] }],
  [':list in a', { kind: 'in', path: ['a'], values: [untyped('1'), untyped('two')] }],
  ['6 not in a', not({ kind: 'in', path: ['a'], values: [number(6n)] })],
  ['6 in (1)', { kind: 'in', path: ['6'], values: [one] }],
  ['a is empty', { kind: 'empty', path: ['a'] }],
  ['a is not empty', not({ kind: 'empty', path: ['a'] })],
  ['a IS NOT DEFINED', not({ kind: 'defined', path: ['a'] })],
  [
    'a within circle(13.37770, 52.51627, 1000)',
    {
      kind: 'circle',
      path: ['a'],
      longitude: 13.3777,
      latitude: 52.51627,
      radiusMetres: 1000,
    },
  ],
  ['a within circle (:lon, -1, 0)', { kind: 'circle', path: ['a'], longitude: 13.4, latitude: -1, radiusMetres: 0 }],
  ['a matches ignore case "x"', { kind: 'matchesIgnoreCase', path: ['a'], value: 'x' }],
  ['a MATCHES  Ignore Case :n', { kind: 'matchesIgnoreCase', path: ['a'], value: 'Peter' }],
];

for (const [source, expected] of forms) {
  test(`parsePredicate reads ${JSON.stringify(source)}`, () => assert.deepEqual(parse(source), expected));
}

test('parsePredicate with bareWords takes a word without quotes as a text, and still knows numbers and booleans', () => {
  const options = { bareWords: true };
  assert.deepEqual(parse('lastName = Doe', options), eq('lastName', text('Doe')));
  assert.deepEqual(parse('a = 12', options), eq('a', number(12n)));
  assert.deepEqual(parse('a = 12ab', options), eq('a', text('12ab')));
  assert.deepEqual(
    parse('a = Münch-en and b = true', options),
    and(eq('a', text('Münch-en')), eq('b', { type: 'boolean', value: true })),
  );
  assert.throws(() => parse('lastName = Doe'), /expected a value/);
});

/** Source, what the message says, line and column. */
const errors: readonly (readonly [string, RegExp, number, number])[] = [
  ['', /Unexpected end, expected a field/, 1, 1],
  ['a', /Unexpected end, expected an operator/, 1, 2],
  ['a =', /Unexpected end, expected a value/, 1, 4],
  ['a == 1', /Unexpected '=', expected a value/, 1, 4],
  ['a = null', /Unexpected 'null', expected a value; where there is none, the condition is 'is not defined'/, 1, 5],
  ['a between 1 and 2', /Unexpected 'between', expected an operator/, 1, 3],
  ['a = 1 and', /expected a field/, 1, 10],
  ['a = 1 b', /Unexpected 'b', expected 'and', 'or' or the end/, 1, 7],
  ['a = 1)', /Unexpected '\)', expected 'and', 'or' or the end/, 1, 6],
  ['(a = 1', /Unexpected end, expected 'and', 'or' or '\)'/, 1, 7],
  ['a(b = 1', /expected 'and', 'or' or '\)'/, 1, 8],
  ['a()', /expected a field/, 1, 3],
  ['a = 01', /expected a value/, 1, 5],
  ['a = 1.', /expected a value/, 1, 5],
  ['a = null', /Unexpected 'null', expected a value/, 1, 5],
  ["a = 'x'", /Unexpected ''', expected a value/, 1, 5],
  ['a = 1e400', /The number is too large/, 1, 5],
  ['a = "x', /the text in double quotes is not closed/, 1, 5],
  ['a = "\\q"', /no escape but/, 1, 6],
  ['a = "\\u12"', /no escape but/, 1, 6],
  ['a = "\u0001"', /no bare control character/, 1, 6],
  ['a = "\\ud800"', /half of a surrogate pair/, 1, 5],
  ['a in 1', /expected '\(' and a list of values/, 1, 6],
  ['a in ()', /expected a value/, 1, 7],
  ['a in (1 2)', /expected ',' or '\)'/, 1, 9],
  ['a in (1,)', /expected a value/, 1, 9],
  ['a contains (1)', /expected 'all' or 'any'/, 1, 12],
  ['a is', /expected 'empty', 'defined' or 'not'/, 1, 5],
  ['a is not', /expected 'empty' or 'defined'/, 1, 9],
  ['a is null', /Unexpected 'null'/, 1, 6],
  ['a within (1,2,3)', /expected 'circle'/, 1, 10],
  ['a within circle(181,0,1)', /expected a longitude from -180 to 180/, 1, 17],
  ['a within circle(0,-90.5,1)', /expected a latitude from -90 to 90/, 1, 19],
  ['a within circle(0,0,-1)', /expected a radius in metres, 0 or more/, 1, 21],
  ['a within circle(0,0)', /expected ','/, 1, 20],
  ['a within circle(:n,0,1)', /expected a longitude/, 1, 17],
  ['a matches ignore case 1', /expected a text in double quotes/, 1, 23],
  ['a.=1', /expected a field/, 1, 3],
  ['``` = 1', /expected a field/, 1, 1],
  ['"x" = 1', /expected 'in' and a field/, 1, 5],
  ['a = :x', /The variable ':x' has no value; give one as the parameter var\.x/, 1, 5],
  ['not(a = :x)', /The variable ':x' has no value/, 1, 9],
  ['a = :list', /The variable has 2 values, which only 'in' and 'contains' can take/, 1, 5],
  ['a = 1\n  and b = ?', /Unexpected '\?'/, 2, 11],
];

for (const [source, problem, line, column] of errors) {
  test(`parsePredicate refuses ${JSON.stringify(source)} at line ${line}, column ${column}`, () => {
    assert.throws(
      () => parse(source),
      (error) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.code, 'InvalidInput');
        assert.match(error.message, /^Malformed parameter: where: Syntax error while parsing 'where'\. /);
        assert.match(error.message, problem);
        assert.ok(error.message.includes(`(line ${line}, column ${column}):\n`), error.message);
        assert.ok(
          error.message.endsWith(`\n${source.split('\n')[line - 1]}\n${' '.repeat(column - 1)}^`),
          error.message,
        );
        return true;
      },
    );
  });
}

test('parsePredicate names the parameter that it is told', () => {
  assert.throws(
    () => parse('a', { parameter: 'filter' }),
    /^ServiceError: Malformed parameter: filter: Syntax error while parsing 'filter'/,
  );
});

const nested = (depth: number) => `${'not('.repeat(depth - 1)}a = 1${')'.repeat(depth - 1)}`;
const terms = (count: number) => Array.from({ length: count }, () => 'a=1').join(' or ');
const list = (count: number) => `a in (${Array.from({ length: count }, () => '1').join()})`;

/** At the limit, beyond it, and how the refusal says the limit. */
const limits: readonly (readonly [string, string, string, RegExp])[] = [
  [
    'text',
    `a="${'x'.repeat(maxPredicateBytes - 4)}"`,
    `a="${'ä'.repeat(maxPredicateBytes / 2 - 1)}"`,
    /32768 bytes at most/,
  ],
  ['negations', nested(maxPredicateDepth), nested(maxPredicateDepth + 1), /nested 32 levels deep at most/],
  ['groups', `${'('.repeat(31)}a=1${')'.repeat(31)}`, `${'('.repeat(32)}a=1${')'.repeat(32)}`, /32 levels/],
  ['bare nots', `${'not '.repeat(31)}a=1`, `${'not '.repeat(32)}a=1`, /32 levels/],
  ['dotted names', `${'a.'.repeat(31)}a=1`, `${'a.'.repeat(32)}a=1`, /32 levels/],
  [
    'dotted and embedded names',
    `${'a.b('.repeat(15)}a.b=1${')'.repeat(15)}`,
    `${'a.b('.repeat(16)}a.b=1${')'.repeat(16)}`,
    /32 levels/,
  ],
  ['conditions', terms(maxPredicateTerms), terms(maxPredicateTerms + 1), /200 conditions at most/],
  ['list items', list(maxListItems), list(maxListItems + 1), /more than 500 items/],
  ['items of variables', 'a contains all (:many)', 'a contains all (:many, :many)', /more than 500 items/],
];

for (const [what, within, beyond, message] of limits) {
  test(`parsePredicate reads ${what} up to the limit and refuses more, saying the limit`, () => {
    assert.ok(parse(within));
    assert.throws(() => parse(beyond), message);
  });
}

test('parsePredicate refuses the deepest text it can be sent without exhausting the stack', () => {
  assert.throws(() => parse('('.repeat(maxPredicateBytes)), /32 levels/);
  assert.throws(() => parse('not '.repeat(maxPredicateBytes / 4)), /32 levels/);
});
