import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '../../src/contract/errors.ts';
import { parseQuery, prepareParameters } from '../../src/http/request/query.ts';
import type { ParameterTable } from '../../src/http/route.ts';

const table: ParameterTable = {
  text: { type: 'string', description: '' },
  path: { type: 'string', description: '', pattern: /^\// },
  flag: { type: 'boolean', description: '' },
  limit: { type: 'integer', description: '', minimum: 0, maximum: 500 },
  big: { type: 'integer', description: '', exact: true },
  ratio: { type: 'number', description: '' },
  many: { type: 'string', description: '', repeatable: true },
  word: { type: 'string', description: '', pattern: /^[a-z]+$/, form: 'a word in small letters' },
  object: { type: 'object', description: '' },
  'var.*': { type: 'string', description: '', repeatable: true, pattern: /^var[.][a-zA-Z0-9]+$/ },
  'text.*': { type: 'string', description: '', pattern: /^text[.][a-z]{2}(-[A-Z]{2})?$/ },
  'words.*': { type: 'string', description: '', elsewhere: 'a parameter of GET /words' },
  size: { type: 'integer', description: '', elsewhere: 'a parameter of GET /sizes' },
  sizes: { type: 'object', description: '', elsewhere: 'a parameter of GET /sizes' },
};

const parameters = prepareParameters(table);
const parse = (raw: string) => Object.fromEntries(parseQuery(raw, parameters));

function assertRefused(raw: string): ServiceError {
  try {
    parseQuery(raw, parameters);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'InvalidInput');
    return error;
  }
  assert.fail(`${raw}: expected a refusal`);
}

test('query strings: a pattern that the name of its parameter matches is checked, and told by its form', () => {
  assert.deepEqual(parse('word=abc'), { word: 'abc' });
  assert.equal(assertRefused('word=A').message, 'Malformed parameter: word: expected a word in small letters');
});

describe('query strings', () => {
  const good: readonly (readonly [string, object])[] = [
    ['', {}],
    ['&&', {}],
    ['text=a+b%20c%2B', { text: 'a b c+' }],
    ['text', { text: '' }],
    ['text=a=b', { text: 'a=b' }],
    ['text=%C3%A9', { text: 'é' }],
    ['t%65xt=a', { text: 'a' }],
    ['flag=true', { flag: true }],
    ['flag=false', { flag: false }],
    ['limit=0', { limit: 0 }],
    ['limit=500', { limit: 500 }],
    ['limit=1.0', { limit: 1 }],
    ['limit=1e2', { limit: 100 }],
    ['big=9007199254740993', { big: '9007199254740993' }],
    ['big=-9223372036854775808', { big: '-9223372036854775808' }],
    ['ratio=-1.5e-3', { ratio: -0.0015 }],
    ['many=a&many=b', { many: ['a', 'b'] }],
    ['many=a', { many: ['a'] }],
    ['object={"a":[1]}', { object: { a: [1] } }],
    ['object[a]=1&object[a]=2&object[b]=3', { object: { a: ['1', '2'], b: ['3'] } }],
    ['object%5Ba%5D=1', { object: { a: ['1'] } }],
    ['var.x=1&var.x=2&var.y=3', { 'var.x': ['1', '2'], 'var.y': ['3'] }],
    ['text.de-AT=a&text.en=b', { 'text.de-AT': 'a', 'text.en': 'b' }],
    ['text[de-AT]=a&var[x]=1&var.x=2&var%5By%5D=3', { 'text.de-AT': 'a', 'var.x': ['1', '2'], 'var.y': ['3'] }],
  ];
  for (const [raw, expected] of good) {
    test(`${raw || '(empty)'} → ${JSON.stringify(expected)}`, () => assert.deepEqual(parse(raw), expected));
  }

  const bad = [
    ...['text[a]=1', 'text[en][de]=1', 'text[]=1', 'var[a.b]=1', 'text[en]=a&text.en=b'],
    ...['text=%zz', 'text=%', 'text=%ff', '%zz=1', 'text=a&text=b', 'path=a'],
    ...['flag=TRUE', 'flag=1', 'flag=yes', 'flag='],
    ...[
      'limit=-1',
      'limit=501',
      'limit=1.5',
      'limit=',
      'limit=1e300',
      'limit=NaN',
      'limit=0x10',
      'limit=%201',
      'limit=1_0',
    ],
    ...['limit=01', 'limit=+1', 'limit=Infinity', 'limit=1&limit=1', 'big=1.5', 'big=9223372036854775808'],
    ...['big=9007199254740993.5', 'ratio=1e400', 'ratio=1.', 'ratio=.5', 'ratio=a'],
    ...['object=1', 'object=[]', 'object={', 'object={}&object={}', 'object={}&object[a]=1', 'object=9007199254740993'],
    ...['unknown=1', '__proto__=2', 'constructor=3', 'a[]=4', '[b]=5', 'many[c]=6', 'limit=1&many[]=6', '=1'],
    ...['var.=1', 'var.a-b=1', 'text.xxx=1', 'text.EN=1', 'text.en=1&text.en=2'],
  ];
  for (const raw of bad) test(`${raw} → 400 InvalidInput`, () => void assertRefused(raw));

  test('an unknown name → 400 that names the nearest known one, and lists all', () => {
    const { message } = assertRefused('limt=1');
    assert.match(message, /^Malformed parameter: limt: .*did you mean `limit`\?.*text, path, flag, limit/);
  });

  test('the family `*` takes every name', () => {
    const any = prepareParameters({ '*': { type: 'string', repeatable: true, description: '' } });
    const values = parseQuery('a=1&a=2&b[c]=3&__proto__=4', any);
    assert.deepEqual(
      [...values],
      [
        ['a', ['1', '2']],
        ['b[c]', ['3']],
        ['__proto__', ['4']],
      ],
    );
  });

  for (const [raw, name, elsewhere] of [
    ['size=x', 'size', 'a parameter of GET /sizes'],
    ['limit=1&size=1&size=2', 'size', 'a parameter of GET /sizes'],
    ['sizes={}', 'sizes', 'a parameter of GET /sizes'],
    ['sizes[a]=1', 'sizes', 'a parameter of GET /sizes'],
    ['words.en=a', 'words.en', 'a parameter of GET /words'],
    ['words[en]=a', 'words.en', 'a parameter of GET /words'],
  ] as const) {
    test(`${raw} → 400 that names the endpoint whose condition it is`, () => {
      assert.equal(assertRefused(raw).message, `Malformed parameter: ${name}: ${elsewhere}`);
    });
  }

  test('a condition of another endpoint is never suggested', () => {
    assert.doesNotMatch(assertRefused('sizs=1').message, /did you mean|size/);
  });

  test('250 parameters are read, 251 → 400', () => {
    assert.equal((parse(Array(250).fill('many=a').join('&')).many as string[]).length, 250);
    assertRefused(Array(251).fill('many=a').join('&'));
  });

  test('parameters behind many empty pairs are read, and counted', () => {
    assert.deepEqual(parse(`${'&'.repeat(300)}limit=1`), { limit: 1 });
    assertRefused(`${'&'.repeat(300)}limit=x`);
  });

  test('a member named __proto__ is a member', () => {
    const { object } = parse('object[__proto__]=1') as { object: object };
    assert.deepEqual(Object.entries(object), [['__proto__', ['1']]]);
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
  });
});
