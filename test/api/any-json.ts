import fc from 'fast-check';

/** JSON texts of every kind, of which some are malformed or break a limit: what a client may send as a body. */

const numbers = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('9007199254740993', '9223372036854775807', '-9223372036854775808', '0.1', '1.0', '1e3', '-0', '1E-7'),
  fc.constantFrom('100000000000000000000', '1e20', '1e21', '4.611686018427387904e18', '5e-324', '1e-400'),
);
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('""', '"\\u00e4\\/\\b"', '"\\ud83d\\ude00"', '"2026-01-02T03:04:05Z"', '"__proto__"', '"1"'),
);
const malformed = fc.constantFrom(
  '1e400',
  '01',
  '"\\u0000"',
  '"\\ud800"',
  '"\\x"',
  'NaN',
  '{',
  '[1,]',
  '{"a":1,"a":2}',
  '',
);
const names = fc.oneof(
  fc.constantFrom('a', 'b', 'n', 'name', '__proto__', 'constructor', 'toString', '', 'a.b', '$ref', 'ü', 'length'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const scalars = fc.oneof(numbers, texts, fc.constantFrom('true', 'false', 'null'));

function objectText(fields: readonly (readonly [string, string])[]): string {
  const unique = new Map(fields);
  return `{${[...unique].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map(objectText),
  ),
}));

const integers = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) },
    { weight: 1, arbitrary: scalars },
  ),
  { maxLength: 4 },
);
const known = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'arrayOfIntExample',
        'arrayOfUniqueIntExample',
        'arrayOfTwonumbersExample',
        'arrayOfFloatExample',
        'arrayOfStringExample',
        'own',
      ),
      fc.oneof(
        integers.map((items) => `[${items.join()}]`),
        fc.array(texts, { maxLength: 3 }).map((items) => `[${items.join()}]`),
      ),
    ),
    { maxLength: 2 },
  )
  .map(objectText);

const fields = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(names, value) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('objectTypeProperty'), known) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('version', 'id', 'createdAt', 'hasStagedChanges'), value) },
);

/** The text of a body: mostly an object that names the key `k`. */
export const anyBody: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.array(fields, { maxLength: 6 }).map((own) => objectText([...own, ['key', '"k"']])),
  },
  { weight: 1, arbitrary: value },
  {
    weight: 1,
    arbitrary: fc.tuple(names, malformed).map(([name, text]) => `{"key":"k",${JSON.stringify(name)}:${text}}`),
  },
  { weight: 1, arbitrary: fc.constant(`{"key":"k","deep":${'['.repeat(70)}${']'.repeat(70)}}`) },
);
