import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/contract/json.ts';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { noSettings, type SearchSettings, synonymsOf } from '../../../src/domain/search/settings.ts';
import type { SearchedResource } from './reference.ts';
import { everyWord, type Language, vocabulary } from './searched-words.ts';

/** Small documents and searches of few words and few values, so that random searches find something often. */

function phrase(language: Language): fc.Arbitrary<string> {
  const word = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<string>(...vocabulary[language]) },
    { weight: 1, arbitrary: fc.constantFrom<string>(...everyWord, 'ـ') },
  );
  const between = fc.constantFrom(' ', ' ', ', ', '-', '\n');
  return fc
    .tuple(
      fc.oneof({ weight: 9, arbitrary: fc.array(word, { maxLength: 5 }) }, { weight: 1, arbitrary: lengthy(word) }),
      between,
    )
    .map(([words, sign]) => words.join(sign));
}

/** Of another class of length, with words that occur several times. */
function lengthy(word: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  return fc.array(word, { minLength: 6, maxLength: 40 });
}

type Fields = readonly (readonly [name: string, value: JsonValue])[];

/** An object of some of these members. `__proto__` would be one like any other. */
function someOf(members: Readonly<Record<string, fc.Arbitrary<JsonValue>>>, freq = 4): fc.Arbitrary<JsonObject> {
  const each = Object.entries(members).map(([name, value]) =>
    fc.option(value, { freq }).map((found): Fields => (found === null ? [] : [[name, found]])),
  );
  return fc.tuple(...each).map((fields) => Object.fromEntries(fields.flat()));
}

function oneOrSeveral(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.oneof(
    { weight: 4, arbitrary: value },
    { weight: 2, arbitrary: fc.array(fc.oneof({ weight: 6, arbitrary: value }, fc.constant(null)), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom<JsonValue>(null, [], {}, [[1]]) },
  );
}

const localised: fc.Arbitrary<JsonValue> = fc.oneof(
  {
    weight: 5,
    arbitrary: someOf(
      {
        en: phrase('en'),
        de: phrase('de'),
        fr: phrase('fr'),
        ar: phrase('ar'),
        'de-AT': phrase('de'),
        ja: phrase('ja'),
      },
      2,
    ),
  },
  {
    weight: 1,
    arbitrary: someOf(
      {
        ko: phrase('ko'),
        vi: phrase('vi'),
        sv: phrase('sv'),
        'de-Latn': phrase('de'),
        'de-Latn-AT': phrase('de'),
        'es-419': phrase('none'),
      },
      2,
    ),
  },
  { weight: 1, arbitrary: phrase('none') },
);
const colors = ['red', 'Red', 'blue', 'dark blue', 'true', '36', ''] as const;
const color = oneOrSeveral(fc.constantFrom(...colors));
const categories = ['clothing', 'clothing > shoes', 'clothing > shoes > boots', 'clothing > shirts', 'gifts > shoes'];
const category = oneOrSeveral(fc.constantFrom<JsonValue>(...categories, 'clothing > shoes ', 5));
const wholeNumbers = [36, 38, 40, 1, 0, -1] as const;
const wide = ['9007199254740993', '9007199254740992', '-9223372036854775808', '38.0', '1e2', '0.10'] as const;
const number: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<JsonValue>(...wholeNumbers) },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>(0.1, 0.2, 2.5, 1e21) },
  { weight: 1, arbitrary: fc.constantFrom(...wide).map((digits) => JSON.rawJSON(digits) as JsonValue) },
);
const size = oneOrSeveral(fc.oneof({ weight: 6, arbitrary: number }, fc.constantFrom<JsonValue>('36', '38', 'large')));
const dates = [
  ...['2024-01-01', '2024-01-01T00:00:00Z', '2024-01-01T01:00:00+01:00', '2023-12-31T23:59:59.070'],
  ...['2024-02-30', '12:30', '12:30:00'],
];
const released = oneOrSeveral(fc.constantFrom<JsonValue>(...dates));
const attribute = someOf({ name: fc.constantFrom('width', 'height'), value: oneOrSeveral(number), label: localised });
const variant = someOf({
  sku: fc.constantFrom('x-1', 'x-2'),
  color,
  size,
  attributes: fc.array(attribute, { maxLength: 2 }),
});
/** Sizes by country, which look like languages. */
const shoe = someOf(
  { uk: oneOrSeveral(phrase('none')), en: phrase('en'), de: phrase('de'), eu: phrase('none'), id: phrase('en') },
  2,
);
const maker = someOf({ id: phrase('en'), label: phrase('none') }, 3);
const integers = fc.array(fc.constantFrom<JsonValue>(5, 5, 6, 10), { maxLength: 4 });

/** The client's own fields of a document. */
export const anySearchedFields: fc.Arbitrary<JsonObject> = someOf(
  {
    name: localised,
    description: localised,
    tags: oneOrSeveral(phrase('none')),
    maker: oneOrSeveral(maker),
    shoe: fc.oneof({ weight: 4, arbitrary: shoe }, { weight: 1, arbitrary: fc.array(shoe, { maxLength: 2 }) }),
    category,
    color,
    size,
    inStock: oneOrSeveral(fc.boolean()),
    released,
    variants: fc.oneof(
      { weight: 4, arbitrary: fc.array(variant, { maxLength: 3 }) },
      { weight: 1, arbitrary: variant },
    ),
    'größe (cm)': size,
    ['__proto__']: color,
    arrayOfIntExample: integers,
    objectTypeProperty: someOf({ arrayOfIntExample: integers }, 6),
  },
  3,
);

/** Keys are searched like article numbers; the id makes them differ. */
const keyBegin = fc.constantFrom('shoe', 'x-1', 'AB-12', 'Red_Shirt', 'loc1');

export interface AnyResource {
  /** What its key begins with; null for none. */
  readonly key: string | null;
  readonly fields: JsonObject;
  readonly staged: JsonObject | null;
  /** Seconds after the first possible time of creation: some are the same. */
  readonly second: number;
}

/** What is stored for one resource, but for its id. */
export const anyResource: fc.Arbitrary<AnyResource> = fc.record({
  key: fc.option(keyBegin),
  fields: anySearchedFields,
  staged: fc.option(anySearchedFields, { freq: 2 }),
  second: fc.nat(5),
});

/** Both projections with their system fields. */
export function resourceOf(id: string, { key, fields, staged, second }: AnyResource): SearchedResource {
  const at = `2024-01-01T00:00:0${second}.000Z`;
  const system: Fields = [
    ['id', id],
    ...(key === null ? [] : [['key', `${key}-${id}`] as const]),
    ['version', 1 + second],
    ['createdAt', at],
    ['lastModifiedAt', at],
  ];
  const complete = (own: JsonObject) => Object.fromEntries([...system, ...Object.entries(own)]);
  return staged === null ? { current: complete(fields) } : { current: complete(fields), staged: complete(staged) };
}

const paths = [
  ...[
    'name',
    'name.en',
    'name.de',
    'tags',
    'category',
    'color',
    'color',
    'size',
    'size',
    'inStock',
    'released',
    'released',
  ],
  ...['variants', 'variants.color', 'variants.size', 'variants.attributes.value', 'variants.attributes', 'missing'],
  ...['arrayOfIntExample', 'objectTypeProperty.arrayOfIntExample', '`größe (cm)`', '__proto__'],
  ...['id', 'version', 'createdAt'],
];
const path = fc.constantFrom(...paths);
const quoted = fc
  .constantFrom(...colors, ...wholeNumbers.map(String), ...wide, ...dates, 'shoe', 'r1')
  .map((text) => JSON.stringify(text));
const bareNumber = fc.constantFrom(...wholeNumbers.map(String), ...wide, '2.5', '0.1', '5', '6');
const value = fc.oneof(quoted, bareNumber, fc.constantFrom('true', 'FALSE'));
const values = fc.array(value, { minLength: 1, maxLength: 3 }).map((each) => each.join(','));

function ranges(bound: fc.Arbitrary<string>, canBeOpen: boolean): fc.Arbitrary<string> {
  const end = fc.oneof({ weight: 4, arbitrary: bound }, { weight: 1, arbitrary: fc.constant('*') });
  const range = fc
    .tuple(end, fc.constantFrom(' to ', ' TO '), end)
    .filter(([from, , to]) => canBeOpen || from !== '*' || to !== '*')
    .map(([from, to, upper]) => `(${from}${to}${upper})`);
  return fc.array(range, { minLength: 1, maxLength: 3 }).map((each) => `range ${each.join(',')}`);
}

const instants = dates.slice(0, 4).map((text) => JSON.stringify(text));
const facetRanges = fc.oneof(
  ranges(fc.oneof(bareNumber, fc.constantFrom('"38"')), true),
  ranges(fc.constantFrom(...instants), true),
);

const condition = fc.oneof(
  fc.tuple(path, fc.constantFrom('=', '!=', '<', '<=', '>', '>='), value).map((each) => each.join(' ')),
  fc.tuple(path, fc.constantFrom('=', '!='), fc.constantFrom('red', 'blue', 'large')).map((each) => each.join(' ')),
  path.map((each) => `${each} is defined`),
  fc.tuple(path, values).map(([at, list]) => `${at} in (${list})`),
  fc.tuple(value, value).map(([one, other]) => `variants(size >= ${one} and color = ${other})`),
);
const predicate = fc.oneof(
  condition,
  fc.tuple(condition, fc.constantFrom('and', 'or'), condition).map((each) => each.join(' ')),
  condition.map((each) => `not (${each})`),
);

/** The text of a filter, in each of its forms. */
export const anyFilter: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(path, values).map(([at, list]) => `${at}:${list}`) },
  {
    weight: 3,
    // Between a number and a text there is nothing, so such a range is refused.
    arbitrary: fc
      .tuple(path, fc.oneof(ranges(quoted, false), ranges(bareNumber, false)))
      .map(([at, list]) => `${at}:${list}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...categories), { minLength: 1, maxLength: 2 })
      .map((nodes) => `category:subtree(${nodes.map((node) => JSON.stringify(node)).join()})`),
  },
  { weight: 1, arbitrary: fc.tuple(path, fc.constantFrom('exists', 'missing')).map(([at, word]) => `${at}: ${word}`) },
  { weight: 1, arbitrary: fc.array(path, { minLength: 1, maxLength: 2 }).map((each) => each.join(', ')) },
  { weight: 2, arbitrary: predicate },
);

/** The text of a facet without a name of its own, in each of its forms. */
const facetBody = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('category:tree', 'category:tree("clothing", "gifts")', 'color:tree') },
  { weight: 3, arbitrary: path },
  { weight: 1, arbitrary: fc.tuple(path, values).map(([at, list]) => `${at}:${list}`) },
  { weight: 2, arbitrary: fc.tuple(path, facetRanges).map(([at, list]) => `${at}:${list}`) },
);
const facets = fc
  .array(fc.tuple(facetBody, fc.constantFrom('', ' counting products')), { maxLength: 3 })
  .map((each) => each.map(([body, counting], at) => `${body} as f${at}${counting}`));

/** A word of the documents, or one with a slip in it, or its beginning. */
function askedWord(language: Language): fc.Arbitrary<string> {
  const known = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<string>(...vocabulary[language]) },
    { weight: 1, arbitrary: fc.constantFrom<string>(...everyWord) },
  );
  const slips = fc.constantFrom('', '', '', 'drop', 'swap', 'double');
  const lengths = fc.oneof(
    { weight: 2, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
    fc.integer({ min: 3, max: 8 }),
    fc.integer({ min: 7, max: 12 }),
  );
  return fc.tuple(known, slips, fc.nat(6), lengths).map(([whole, slip, at, length]) => {
    const word = whole.slice(0, length);
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (slip === 'drop') return before + after.slice(1);
    if (slip === 'swap') return before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2);
    return slip === 'double' ? before + after.slice(0, 1) + after : word;
  });
}

function askedText(locale: string, language: Language): fc.Arbitrary<readonly [string, ParameterValue]> {
  const words = fc.oneof(
    { weight: 3, arbitrary: askedWord(language).map((word) => [word]) },
    { weight: 1, arbitrary: fc.array(askedWord(language), { minLength: 2, maxLength: 4 }) },
  );
  const known = fc.constantFrom<string>(...vocabulary[language]);
  const operator = fc.oneof(
    fc.tuple(fc.constantFrom('"', '-', '-"'), known).map(([sign, word]) => sign + word + (sign === '-' ? '' : '"')),
    fc.tuple(fc.constantFrom('"', '-"'), known, known).map(([sign, one, other]) => `${sign}${one} ${other}"`),
  );
  return fc
    .tuple(
      words,
      fc.array(operator, { maxLength: 2 }),
      fc.constantFrom('plain', 'plain', 'plain', 'plain', 'behind', 'before', 'alone'),
    )
    .map(([each, operators, where]) => {
      if (where === 'plain' || operators.length === 0) return each;
      if (where === 'alone') return operators;
      return where === 'behind' ? [...each, ...operators] : [...operators, ...each];
    })
    .map((each) => [`text.${locale}`, each.join(' ')] as const);
}

const oneText = fc.oneof(
  ...(
    [
      ['en', 'en'],
      ['en', 'none'],
      ['ar', 'ar'],
      ['de', 'de'],
      ['fr', 'fr'],
      ['de-AT', 'de'],
    ] as const
  ).map(([locale, language]) => ({ weight: 3, arbitrary: askedText(locale, language) })),
  ...(
    [
      ['de-Latn-AT', 'de'],
      ['ja', 'ja'],
      ['ko', 'ko'],
      ['sv', 'sv'],
      ['id', 'en'],
    ] as const
  ).map(([locale, language]) => ({
    weight: 1,
    arbitrary: askedText(locale, language),
  })),
);
const texts = fc.oneof(
  { weight: 2, arbitrary: fc.constant<(readonly [string, ParameterValue])[]>([]) },
  { weight: 3, arbitrary: fc.uniqueArray(oneText, { selector: ([name]) => name, minLength: 1, maxLength: 2 }) },
);
/** Seldom more than one, for most filters leave little of a small project. */
const filters = fc.oneof(
  { weight: 6, arbitrary: fc.constant<string[]>([]) },
  { weight: 3, arbitrary: anyFilter.map((each) => [each]) },
  { weight: 1, arbitrary: fc.array(anyFilter, { minLength: 2, maxLength: 2 }) },
);
const sorts = fc.oneof(
  { weight: 3, arbitrary: fc.constant<string[]>([]) },
  { weight: 1, arbitrary: fc.constant(['score desc']) },
  {
    weight: 2,
    arbitrary: fc.array(
      fc.tuple(path, fc.constantFrom('', ' asc', ' desc')).map((each) => each.join('')),
      { minLength: 1, maxLength: 2 },
    ),
  },
);

/** The parameters of a search, as they are after the wire: `parseSearch` takes all of them. */
export const anySearch: fc.Arbitrary<ReadonlyMap<string, ParameterValue>> = fc
  .record({
    texts,
    fuzzy: fc.boolean(),
    fuzzyLevel: fc.option(fc.nat(2)),
    match: fc.constantFrom('auto', 'auto', 'auto', 'all', 'most'),
    prefix: fc.boolean(),
    staged: fc.boolean(),
    filterQuery: filters,
    filter: filters,
    filterFacets: filters,
    facet: facets,
    sort: sorts,
    ties: fc.option(
      fc.tuple(path, fc.constantFrom('', ' desc')).map((each) => each.join('')),
      { freq: 3 },
    ),
    limit: fc.constantFrom(0, 1, 3, 20, 20, 500),
    offset: fc.constantFrom(0, 0, 0, 1, 4),
    withTotal: fc.boolean(),
  })
  .map(({ fuzzyLevel, filterQuery, filterFacets, texts: asked, ties, sort, ...others }) => {
    const isRelevance = asked.length > 0 && (sort.length === 0 || sort[0] === 'score desc');
    const named: readonly (readonly [string, ParameterValue])[] = [
      ...asked,
      ...Object.entries(others),
      ['sort', isRelevance && ties !== null ? ['score desc', ties] : sort],
      ['filter.query', filterQuery],
      ['filter.facets', filterFacets],
      ...(fuzzyLevel === null ? [] : [['fuzzyLevel', fuzzyLevel] as const]),
    ];
    return new Map(named);
  });

const parsed = (where: string) => parsePredicate(where, { variables: new Map() });

/** Settings of a project that change what random searches find; the first has none. */
export const someSettings: readonly SearchSettings[] = [
  noSettings,
  {
    ...noSettings,
    fields: [
      { path: ['description'], weight: 0 },
      { path: ['key'], weight: 0 },
      { path: ['tags'], weight: 2.5 },
    ],
    match: 'most',
  },
  {
    ...noSettings,
    fields: [
      { path: ['name'], weight: 0.1 },
      { path: ['name', 'de'], weight: 0 },
      { path: ['variants'], weight: 0 },
      { path: ['variants', 'attributes'], weight: 7 },
    ],
    synonyms: synonymsOf([
      { locale: 'en', from: ['shoe'], to: ['shirt'] },
      { locale: 'en', from: ['coffee', 'table'], to: ['run', 'short'] },
      { locale: 'de', from: ['hemd'], to: ['kleid'] },
      { locale: 'de-AT', from: ['kleid'], to: ['schuh'] },
    ]),
    stopWords: new Map([['en', new Set(['run', 'red'])]]),
    boosts: [
      { predicate: parsed('color = "red" or size > 37'), factor: 2 },
      { predicate: parsed('not (category is defined)'), factor: 0.25 },
    ],
  },
  {
    ...noSettings,
    fields: [
      { path: ['shoe'], isPlain: true },
      { path: ['name'], isPlain: true },
      { path: ['name', 'de'], isPlain: false },
      { path: ['name', 'en'], weight: 3 },
      { path: ['shoe', 'en'], weight: 0 },
      { path: ['variants', 'attributes'], isPlain: true },
    ],
  },
  {
    ...noSettings,
    fields: [{ path: ['description'], isPlain: true }],
    synonyms: synonymsOf([{ locale: 'en', from: ['shoe'], to: ['schuh'] }]),
  },
  {
    ...noSettings,
    boosts: [
      { predicate: parsed('inStock = true'), factor: 4 },
      { predicate: parsed('variants(size >= 36 and color = "blue")'), factor: 0.5 },
      { predicate: parsed('version > 3'), factor: 2 },
    ],
  },
  {
    ...noSettings,
    boosts: [
      { recent: ['released'], halfLifeDays: 30, factor: 3 },
      { near: ['variants', 'size'], origin: 37, scale: 2, factor: 0.5 },
      { recent: ['createdAt'], halfLifeDays: 0.5, factor: 2 },
    ],
  },
];
