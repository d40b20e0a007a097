import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/contract/json.ts';
import { exactNumber } from '../../../src/domain/json/number.ts';
import {
  containing,
  type Literal,
  type Path,
  type Predicate,
  type ValueRange,
} from '../../../src/domain/predicate/ast.ts';

/** Few names and few values, awkward all of them, so that random predicates meet random documents often. */
const names = ['a', 'b', 'a-b', '__proto__', 'q"\\`.x y', 'Ä😀', ''] as const;
const topNames = [
  ...names,
  'price',
  'arrayOfIntExample',
  'arrayOfStringExample',
  'arrayOfObjectType',
  'objectTypeProperty',
];
const inner = ['arrayOfIntExample', 'arrayOfStringExample', 'arrayOfObjectType', 'integerExample', 'a'];

/** Instants, some of them the same, and texts that look like one. */
export const dates = [
  ...['2024-01-01', '2024-01-01T00:00:00Z', '2024-01-01T01:00:00+01:00', '2024-01-01T00:00:00.500', '2023-12-31T23:59'],
  ...['2024-06-31', '2024-02-30T00:00', '2023-99-01'],
];

const texts = [
  ...[
    '',
    'a',
    'A',
    'ä',
    'a\u0308',
    'Ä',
    'x y',
    '"',
    '%7c',
    '^a',
    '~',
    '*',
    'a|b',
    '1',
    '2.5',
    'true',
    'false',
    'ß',
    'SS',
  ],
  ...[
    '\u{1f600}',
    '\uffee',
    'z'.repeat(23),
    'z'.repeat(24),
    'z'.repeat(25),
    'z'.repeat(65),
    `${'z'.repeat(64)}y`,
    'Z'.repeat(70),
    '\u0001',
    'Σς',
    'σσ',
    `${'z'.repeat(23)}\u{1f600}`,
  ],
  ...dates,
  ...['2024-13-01', '2024-01-01x', '9007199254740993', '1e2'],
];
const wide = [
  '9007199254740993',
  '9007199254740992',
  '-9223372036854775808',
  '9223372036854775807',
  '4611686018427388000',
];
/** Integers around the doubles that stand for several of them, and texts of one number that are not the same. */
const edgeIntegers = [
  ...['9007199254740991', '-9007199254740991', '-9007199254740992', '-9007199254740993'],
  ...['4611686018427387903', '4611686018427387904', '4611686018427387905', '9223372036854775806'],
  ...['-9223372036854775807', '9223372036854775808', '-9223372036854775809'],
];
const encodings = ['-0', '-0.0', '1.0', '10e-1', '4611686018427387904.5', '0.10'];
const numbers = [
  ...[0, 1, -1, 2, 2.5, 100, 1e21, 0.1, -0.5, 5e-324, 1e300, 2 ** 53, 2 ** 62, 9007199254740994],
  ...[-0, -2.5, -100, -1e300, -1e-300, -(2 ** 53), 2 ** 63, -(2 ** 63), 0.30000000000000004],
];

const text = fc.constantFrom(...texts);
const rawNumber = fc
  .constantFrom(...wide, ...edgeIntegers, ...encodings)
  .map((digits) => JSON.rawJSON(digits) as JsonValue);
const plainNumber = fc.constantFrom(...numbers);
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(text, plainNumber, rawNumber, fc.boolean(), fc.constant(null));
const point: fc.Arbitrary<JsonValue> = fc
  .tuple(fc.constantFrom(13.3, 13.4, 0, 180), fc.constantFrom(52.5, 52.6, 0))
  .chain((pair) => fc.constantFrom<JsonValue>([...pair], { type: 'Point', coordinates: [...pair] }, [[...pair], 'x']));

function objectWith(keys: readonly string[], value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...keys), value), { selector: ([key]) => key, maxLength: 3 })
    .map(toObject);
}

/** An object whose `__proto__` is a member like any other. */
export function toObject(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  const object = {};
  for (const [key, value] of members) {
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return object;
}

const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 5, arbitrary: scalar },
    { weight: 1, arbitrary: point },
    { weight: 3, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 4, arbitrary: objectWith(names, tie('value')) },
  ),
}));

const arrayTest = objectWith(
  inner,
  fc.oneof(fc.array(scalar, { maxLength: 3 }), fc.array(objectWith(inner, scalar), { maxLength: 2 }), scalar),
);

const date = fc.constantFrom(...dates);
const price: fc.Arbitrary<JsonValue> = fc.oneof(
  ...[plainNumber, rawNumber, text, date],
  fc.array(fc.oneof(scalar, date), { maxLength: 3 }),
);

/** The client's own fields of a document. */
export const anyFields: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom(...topNames.slice(0, -1)), anyValue), {
      selector: ([key]) => key,
      maxLength: 4,
    }),
    fc.option(fc.oneof({ weight: 4, arbitrary: arrayTest }, { weight: 1, arbitrary: anyValue }), { freq: 3 }),
    fc.option(price, { freq: 4 }),
    fc.option(fc.constantFrom('k', '2024-01-01', 'K'), { freq: 2 }),
  )
  .map(([members, property, price, key]) =>
    toObject([
      ...members.filter(([name]) => name !== 'price'),
      ...(property === null ? [] : [['objectTypeProperty', property] as const]),
      ...(price === null ? [] : [['price', price] as const]),
      ...(key === null ? [] : [['key', key] as const]),
    ]),
  );

const ownPath: fc.Arbitrary<Path> = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });

/** A path of a document: the client's own names, ArrayTestType's in both forms, the declared ones, system fields. */
export const anyPath: fc.Arbitrary<Path> = fc.oneof(
  { weight: 6, arbitrary: ownPath },
  { weight: 2, arbitrary: fc.constantFrom<Path>(['price'], ['a', 'b'], ['a-b'], ['__proto__']) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.boolean(),
        fc.constantFrom<Path>(
          ['arrayOfIntExample'],
          ['arrayOfStringExample'],
          ['arrayOfObjectType', 'integerExample'],
          ['arrayOfObjectType', 'a'],
          ['arrayOfObjectType'],
        ),
      )
      .map(([long, path]) => (long ? ['objectTypeProperty', ...path] : path)),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Path>(['id'], ['key'], ['version'], ['createdAt'], ['lastModifiedAt'], ['id', 'a']),
  },
);

export const anyLiteral: fc.Arbitrary<Literal> = fc.oneof(
  fc.constantFrom(...texts, 'r1', 'k').map((value) => ({ type: 'string' as const, value })),
  fc.constantFrom(...numbers).map((value) => ({ type: 'number' as const, value: exactNumber(value) })),
  fc
    .constantFrom(...wide, ...edgeIntegers)
    .map((value) => ({ type: 'number' as const, value: exactNumber(BigInt(value)) })),
  fc.boolean().map((value) => ({ type: 'boolean' as const, value })),
  fc.constantFrom(...texts, 'r2', ...wide, '0', '-2.5').map((value) => ({ type: 'untyped' as const, value })),
);

/** A range of a search filter, with one end open or none. */
const anyValueRange: fc.Arbitrary<ValueRange> = fc
  .tuple(anyLiteral, anyLiteral, fc.constantFrom('both', 'both', 'from', 'to'))
  .map(([from, to, ends]) => ({ from: ends === 'to' ? undefined : from, to: ends === 'from' ? undefined : to }));

/** A condition that one value at the path lies within some ranges. */
export function anyWithin(path: fc.Arbitrary<Path>): fc.Arbitrary<Predicate> {
  return fc
    .tuple(path, fc.array(anyValueRange, { minLength: 1, maxLength: 4 }))
    .map(([at, ranges]) => ({ kind: 'within' as const, path: at, ranges }));
}

function atom(path: fc.Arbitrary<Path>): fc.Arbitrary<Predicate> {
  const literals = fc.array(anyLiteral, { minLength: 1, maxLength: 4 });
  return fc.oneof(
    fc
      .tuple(path, fc.constantFrom('=', '!=', '<', '<=', '>', '>=' as const), anyLiteral)
      .map(([at, op, value]) => ({ kind: 'compare' as const, path: at, op: op as '=', value })),
    fc.tuple(path, literals).map(([at, values]) => ({ kind: 'in' as const, path: at, values })),
    fc
      .tuple(path, fc.constantFrom('all' as const, 'any' as const), literals)
      .map(([at, mode, values]) => containing(at, mode, values)),
    fc.tuple(path, fc.constantFrom('empty' as const, 'defined' as const)).map(([at, kind]) => ({ kind, path: at })),
    anyWithin(path),
    fc
      .tuple(path, fc.constantFrom(13.3, 0), fc.constantFrom(52.5, 0), fc.constantFrom(0, 8000, 2e7))
      .map(([at, longitude, latitude, radiusMetres]) => ({
        ...{ kind: 'circle' as const, path: at },
        ...{ longitude, latitude, radiusMetres },
      })),
    fc
      .tuple(path, fc.constantFrom(...texts, 'K'))
      .map(([at, value]) => ({ kind: 'matchesIgnoreCase' as const, path: at, value })),
    fc.constantFrom<Predicate>({ kind: 'constant', value: true }, { kind: 'constant', value: false }),
  );
}

const innerPath = fc.oneof(ownPath, fc.constantFrom<Path>(['integerExample'], ['a'], ['arrayOfIntExample']));

function tree(path: fc.Arbitrary<Path>, embedded: fc.Arbitrary<Predicate>, depth: number): fc.Arbitrary<Predicate> {
  if (depth === 0) return atom(path);
  const part = tree(path, embedded, depth - 1);
  return fc.oneof(
    { weight: 5, arbitrary: atom(path) },
    {
      weight: 2,
      arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }).map((of) => ({ kind: 'and' as const, of })),
    },
    { weight: 2, arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }).map((of) => ({ kind: 'or' as const, of })) },
    { weight: 1, arbitrary: part.map((of) => ({ kind: 'not' as const, of })) },
    { weight: 3, arbitrary: fc.tuple(path, embedded).map(([at, of]) => ({ kind: 'embedded' as const, path: at, of })) },
  );
}

/** Any predicate, embedded ones up to three levels deep. */
export const anyPredicate: fc.Arbitrary<Predicate> = tree(
  anyPath,
  tree(innerPath, tree(innerPath, atom(innerPath), 1), 2),
  2,
);
