import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { JsonValue } from '../../../src/contract/json.ts';
import { numberOf } from '../../../src/domain/json/number.ts';
import { parseJson, parseJsonBytes, parseStoredJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import { scanJson } from '../../../src/domain/json/scan.ts';
import { jsonEquals } from '../../../src/domain/json/values.ts';

function problemOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'InvalidJsonInput');
    return String(error.details.detailedErrorMessage);
  }
  return 'accepted';
}

const refused: readonly (readonly [string, string])[] = [
  ['', 'line 1, column 1: expected a JSON value'],
  ['  ', 'line 1, column 3: expected a JSON value'],
  ['{"a":1,}', '(line 1, column 8): expected a key in double quotes'],
  ['[1,]', '[1] (line 1, column 4): expected a JSON value'],
  ['[1 2]', '[0] (line 1, column 4): expected a comma or ]'],
  ['{"a" 1}', 'a (line 1, column 6): expected a colon'],
  ['{a:1}', 'line 1, column 2: expected a key in double quotes'],
  ["{'a':1}", 'line 1, column 2: expected a key in double quotes'],
  ['{"a":1}{"b":2}', 'line 1, column 8: expected the end of the JSON text'],
  ['1 2', 'line 1, column 3: expected the end of the JSON text'],
  ['NaN', 'line 1, column 1: expected a JSON value'],
  ['Infinity', 'line 1, column 1: expected a JSON value'],
  ['-', 'line 1, column 1: expected a JSON number'],
  ['+1', 'line 1, column 1: expected a JSON value'],
  ['01', 'line 1, column 2: expected the end of the JSON text'],
  ['1.', 'line 1, column 2: expected the end of the JSON text'],
  ['1e400', 'line 1, column 1: expected a number within the range of a double'],
  ['{"a":[1,-1e400]}', 'a[1] (line 1, column 9): expected a number within the range of a double'],
  ['// c\n1', 'line 1, column 1: expected a JSON value'],
  ['"abc', 'line 1, column 5: expected a closing quote'],
  ['"a\\', 'line 1, column 4: expected a closing quote'],
  ['"a\nb"', 'line 1, column 3: control character in a string: expected an escape'],
  ['"\\x"', 'line 1, column 1: expected a string with escapes of JSON only'],
  ['"\\ud800"', 'line 1, column 1: expected a string without half surrogate pairs'],
  ['{"\\uDC00":1}', 'line 1, column 2: expected a string without half surrogate pairs'],
  ['["\\u0000"]', '[0] (line 1, column 2): expected a string without NUL'],
  ['{"a":1,"a":2}', 'line 1, column 8: duplicate key "a"'],
  ['{"x":\n {"__proto__":1,\n  "__proto__":2}}', 'x (line 3, column 3): duplicate key "__proto__"'],
  [
    '{"objectTypeProperty":{"x":[1,2,{"a":1,"a":1}]}}',
    'objectTypeProperty.x[2] (line 1, column 40): duplicate key "a"',
  ],
  ['{"odd name":[tru]}', '["odd name"][0] (line 1, column 14): expected a JSON value'],
  ['[\ud800]', 'expected text without half surrogate pairs'],
];

describe('parseJson, malformed text', () => {
  for (const [text, problem] of refused) {
    test(`${JSON.stringify(text)} is refused with the position`, () => {
      const actual = problemOf(() => parseJson(text));
      assert.ok(actual.endsWith(problem), actual);
    });
  }
});

describe('parseJsonBytes', () => {
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ['an invalid byte', [0x22, 0xff, 0x22]],
    ['a truncated sequence', [0x22, 0xe2, 0x82, 0x22]],
    ['half a surrogate pair in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x31, 0x00]],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x31]],
  ];
  for (const [what, bytes] of cases) {
    test(`${what} is refused`, () => {
      assert.notEqual(
        problemOf(() => parseJsonBytes(Uint8Array.from(bytes))),
        'accepted',
      );
    });
  }
  test('a part of a larger buffer is read as it is', () => {
    assert.deepEqual(parseJsonBytes(Buffer.from('xx{"a":"é"}xx').subarray(2, -2)), { a: 'é' });
  });
});

describe('parseJson, limits', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  test('depth 64 is accepted, 65 is refused', () => {
    assert.equal(stringifyJson(parseJson(nested(64))), nested(64));
    assert.match(
      problemOf(() => parseJson(nested(65))),
      /line 1, column 65\): expected at most 64 levels/,
    );
  });
  for (const depth of [1000, 500_000]) {
    test(`depth ${depth} is refused without overflow, closed or not`, () => {
      assert.match(
        problemOf(() => parseJson(nested(depth))),
        /at most 64 levels/,
      );
      assert.match(
        problemOf(() => parseJson('{"a":'.repeat(depth))),
        /at most 64 levels/,
      );
    });
  }
  test('brackets in strings are no levels', () => {
    const text = JSON.stringify(['[{"'.repeat(100), '\\'.repeat(101)]);
    assert.equal(stringifyJson(parseJson(text)), text);
  });
  test('100,000 items are accepted, one more is refused', () => {
    const items = (count: number) => `[${Array(count).fill('1').join()}]`;
    assert.equal((parseJson(items(100_000)) as JsonValue[]).length, 100_000);
    assert.match(
      problemOf(() => parseJson(items(100_001))),
      /at most 100000 items/,
    );
  });
  test('10,000 keys are accepted, one more is refused, a stored text may have more', () => {
    const keys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1])));
    assert.equal(stringifyJson(parseJson(keys(10_000))), keys(10_000));
    assert.match(
      problemOf(() => parseJson(keys(10_001))),
      /at most 10000 keys/,
    );
    assert.equal(stringifyJson(parseStoredJson(keys(10_001))), keys(10_001));
  });
});

const canonical: readonly (readonly [string, string])[] = [
  ['9007199254740991', '9007199254740991'],
  ['9007199254740993', '9007199254740993'],
  ['9007199254740993.0', '9007199254740993'],
  ['123456789012345678e1', '1234567890123456780'],
  ['1234567890123456780e-1', '123456789012345678'],
  ['0.9007199254740993e16', '9007199254740993'],
  ['-9223372036854775808.0e0', '-9223372036854775808'],
  ['9223372036854775808.0', '9223372036854776000'],
  ['9007199254740993.5', '9007199254740994'],
  ['0e99999', '0'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['9223372036854775807', '9223372036854775807'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['[9007199254740993 , 1]', '[9007199254740993,1]'],
  ['1.0', '1'],
  ['1E5', '100000'],
  ['1.10', '1.1'],
  ['-0', '0'],
  ['-0.0', '0'],
  ['1e-400', '0'],
  ['0.1000000000000000055511151231257827', '0.1'],
  ['4.611686018427387904e18', '4611686018427387904'],
  ['1e21', '1e+21'],
  ['"\\u0041\\/\\u20ac\\ud83d\\ude00"', '"A/€😀"'],
  ['{"b":1,"a":{"__proto__":{"x":1}}}', '{"b":1,"a":{"__proto__":{"x":1}}}'],
  [' {\t"a" :\r\n[ ] } ', '{"a":[]}'],
];

describe('parseJson, canonical form', () => {
  for (const [text, written] of canonical) {
    test(`${text} is written back as ${written}, and so is that`, () => {
      assert.equal(stringifyJson(parseJson(text)), written);
      assert.equal(stringifyJson(parseStoredJson(written)), written);
      assert.ok(jsonEquals(parseJson(text), parseStoredJson(written)));
    });
  }
  test('__proto__ as a key reaches no prototype, on both ways through the parser', () => {
    for (const text of [
      '{"__proto__":{"polluted":1}}',
      '{ "__proto__" : {"polluted":1} }',
      '{"\\u005f_proto__":{"polluted":1}}',
    ]) {
      const value = parseJson(text) as object;
      assert.deepEqual(Object.keys(value), ['__proto__']);
      assert.equal('polluted' in value, false);
      assert.equal(Object.getPrototypeOf(value), Object.prototype);
    }
  });
});

const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
/** A JSON text with spaces, and 64-bit integers among its numbers. */
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.oneof(
      int64.map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      text.map((value) => JSON.stringify(value)),
      fc.constantFrom('true', 'false', 'null', '-0', '1E2', '0.10'),
    ),
    fc.array(tie('value'), { maxLength: 5 }).map((items) => `[ ${items.join(' ,\n')}]`),
    fc
      .uniqueArray(fc.tuple(fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '1', '0')), tie('value')), {
        selector: ([key]) => key,
        maxLength: 5,
      })
      .map((fields) => `{${fields.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(',')} }`),
  ),
})).value;

describe('parseJson, long texts', () => {
  const long = 'linen é '.repeat(10_000);
  for (const [what, spaced] of [
    ['as it is written back', (written: string) => written],
    ['with spaces', (written: string) => written.replace('{', '{ ')],
  ] as const) {
    test(`a long text, ${what}, keeps every character, and is refused with the position`, () => {
      const written = JSON.stringify({ a: `${long}"\\\n${long}`, b: [1, 2] });
      assert.equal(stringifyJson(parseJson(spaced(written))), written);
      const [twice, control, open] = [
        spaced(`{"a":"${long}","b":1,"b":2}`),
        spaced(`{"a":"${long}\t${long}"}`),
        spaced(`{"a":"${long}`),
      ];
      assert.match(
        problemOf(() => parseJson(twice)),
        /duplicate key "b"/,
      );
      const column = control.indexOf('\t') + 1;
      assert.equal(
        problemOf(() => parseJson(control)),
        `a (line 1, column ${column}): control character in a string: expected an escape`,
      );
      assert.match(
        problemOf(() => parseJson(open)),
        new RegExp(`column ${open.length + 1}\\): expected a closing quote`),
      );
    });
  }
});

describe('parseJson, properties', () => {
  test('what was parsed is written and read back as the same value, by every way through the parser', () => {
    fc.assert(
      fc.property(jsonText, (source) => {
        const value = parseJson(source);
        const written = stringifyJson(value);
        assert.equal(stringifyJson(parseJson(written)), written);
        assert.equal(stringifyJson(parseStoredJson(written)), written);
        assert.equal(stringifyJson(scanJson(written, 'limited')), written);
        assert.ok(jsonEquals(value, parseStoredJson(written)));
      }),
      { numRuns: 500 },
    );
  });

  test('an integer of 64 bits keeps its exact value wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(int64, { minLength: 1 }), (integers) => {
        const source = `{"a": [${integers.join(', ')}]}`;
        assert.equal(stringifyJson(parseJson(source)), `{"a":[${integers.join(',')}]}`);
        const { a } = parseJson(source) as { a: JsonValue[] };
        assert.deepEqual(a.map(numberOf), integers);
      }),
      { numRuns: 300 },
    );
  });

  test('it accepts and understands what JSON.parse does', () => {
    fc.assert(
      fc.property(jsonText, (source) => {
        const approximately = JSON.parse(JSON.stringify(JSON.parse(source)));
        assert.deepEqual(JSON.parse(stringifyJson(parseJson(source))), approximately);
      }),
      { numRuns: 500 },
    );
  });

  test('a text with one character taken out or put in is accepted only if JSON.parse accepts it', () => {
    const damaged = fc.tuple(
      jsonText,
      fc.nat(),
      fc.constantFrom('', ',', '"', '{', ']', '0', '.', 'e', '-', '\\', ':', ' '),
    );
    fc.assert(
      fc.property(damaged, ([source, at, put]) => {
        const position = at % (source.length + 1);
        const broken = source.slice(0, position) + put + source.slice(put === '' ? position + 1 : position);
        const accepted = problemOf(() => parseJson(broken)) === 'accepted';
        if (accepted) assert.doesNotThrow(() => JSON.parse(broken));
      }),
      { numRuns: 1000 },
    );
  });
});

test('names with escapes stay what they are, whatever name an object of the same shape had before', () => {
  const names = ['\t', '\n', '\\', '"', '\u0001', '\ta', '\\t', '\\n', 'a\n', 'a\\n', '"a', '\\"', 'n', 't'];
  let shape = 0;
  for (const before of names) {
    for (const name of names) {
      shape += 1;
      const textOf = (last: string) =>
        JSON.stringify({ [`shape${shape}`]: 'a "word"\n\\', more: ['\\', '"', '":'], [last]: 'with "quotes":\\' });
      for (const text of [textOf(before), textOf(before), textOf(name)]) {
        assert.equal(stringifyJson(parseStoredJson(text)), text);
        assert.equal(stringifyJson(parseJson(text)), text);
      }
    }
  }
});

test('texts with escapes in values alone are left to the native parser, and are the same', () => {
  for (const value of ['\\', '"', '\\"', '":', 'a\n', '\t"\\":{', '']) {
    const text = JSON.stringify({ a: value, b: [value, { c: value }] });
    assert.deepEqual(parseStoredJson(text), { a: value, b: [value, { c: value }] });
  }
});
