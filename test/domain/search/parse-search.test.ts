import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import { maxFacets, maxFilters, maxTextBytes, maxTexts } from '../../../src/domain/search/query/limits.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { anySearch } from './arbitrary-search.ts';

const parse = (values: Readonly<Record<string, ParameterValue>>) => parseSearch(new Map(Object.entries(values)), 'p');

test('a search without parameters is all resources, the first twenty, newest first', () => {
  assert.deepEqual(parse({}), {
    projectKey: 'p',
    staged: false,
    texts: [],
    fuzzyLevel: 0,
    hour: 0,
    pinned: [],
    match: 'auto',
    prefix: false,
    queryFilters: [],
    filters: [],
    facetFilters: [],
    facets: [],
    fields: [],
    boosts: [],
    excluded: [],
    sort: [],
    ties: [],
    limit: 20,
    offset: 0,
    withTotal: true,
  });
});

test('a search takes its parameters', () => {
  const found = parse({
    'text.de-AT': 'Schöne  Schuhe, schöne!',
    'text.en': ['shoe', 'Red shoe'],
    'text.fr': '',
    fuzzy: true,
    fuzzyLevel: 1,
    match: 'most',
    prefix: true,
    staged: true,
    filter: 'a:1',
    'filter.query': ['b:exists', 'c = :v'],
    'filter.facets': ['d, e'],
    facet: ['a', 'a as x'],
    sort: ['name.en desc', 'id'],
    limit: 3,
    offset: 4,
    withTotal: false,
    'var.v': '7',
  });
  assert.deepEqual(
    found.texts.map(({ locale, words, last }) => ({ locale, words, last })),
    [
      { locale: 'de-AT', words: ['schone', 'schuhe'], last: 0 },
      { locale: 'en', words: ['shoe', 'red'], last: 0 },
      { locale: 'fr', words: [], last: undefined },
    ],
  );
  assert.deepEqual([found.match, found.prefix], ['most', true]);
  assert.equal(found.fuzzyLevel, 1);
  assert.equal(found.staged, true);
  assert.deepEqual(
    [found.filters, found.queryFilters, found.facetFilters].map((each) => each.length),
    [1, 2, 1],
  );
  assert.deepEqual(found.queryFilters[1], {
    kind: 'compare',
    path: ['c'],
    op: '=',
    value: { type: 'untyped', value: '7' },
  });
  assert.deepEqual(found.facetFilters[0]!.paths, [['d'], ['e']]);
  assert.deepEqual(
    found.facets.map(({ name }) => name),
    ['a', 'x'],
  );
  assert.deepEqual(found.sort, [
    { path: ['name', 'en'], direction: 'desc' },
    { path: ['id'], direction: 'asc' },
  ]);
  assert.deepEqual([found.limit, found.offset, found.withTotal], [3, 4, false]);
});

test('fuzzy without a level asks for the greatest, a level without fuzzy for nothing', () => {
  assert.equal(parse({ fuzzy: true }).fuzzyLevel, 2);
  assert.equal(parse({ fuzzy: true, fuzzyLevel: 0 }).fuzzyLevel, 0);
  assert.equal(parse({ fuzzyLevel: 2 }).fuzzyLevel, 0);
  assert.equal(parse({ fuzzy: false, fuzzyLevel: 1 }).fuzzyLevel, 0);
});

test('sort=score desc is relevance where there is text, and a field where there is none', () => {
  const field = { path: ['score'], direction: 'desc' };
  assert.deepEqual(parse({ 'text.en': 'x', sort: 'score desc' }).sort, []);
  const mixed = parse({ 'text.en': 'x', sort: ['score desc', 'popularity desc'] });
  assert.deepEqual([mixed.sort, mixed.ties], [[], [{ path: ['popularity'], direction: 'desc' }]]);
  assert.deepEqual(parse({ sort: 'score desc' }).sort, [field]);
  assert.deepEqual(parse({ sort: 'score' }).sort, [{ ...field, direction: 'asc' }]);
  const nested = { path: ['rating', 'score'], direction: 'asc' };
  assert.deepEqual(parse({ 'text.en': 'x', sort: 'rating.score asc' }).sort, [nested]);
});

const times = (count: number, text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at));
const locales = times(maxTexts + 1, (at) => `text.a${String.fromCharCode(97 + at)}`);

test('a search takes as much as its limits allow', () => {
  assert.equal(parse({ 'text.en': 'x'.repeat(maxTextBytes) }).texts.length, 1);
  assert.equal(parse({ facet: times(maxFacets, (at) => `f${at}`) }).facets.length, maxFacets);
  assert.equal(parse({ filter: times(maxFilters, () => 'a') }).filters.length, maxFilters);
  assert.equal(parse(Object.fromEntries(locales.slice(1).map((name) => [name, 'x']))).texts.length, maxTexts);
});

const refusals: readonly (readonly [string, Readonly<Record<string, ParameterValue>>, string])[] = [
  ['fuzzyLevel=3', { fuzzyLevel: 3, fuzzy: true }, 'fuzzyLevel: expected an integer from 0 to 2'],
  ['fuzzyLevel=-1', { fuzzyLevel: -1 }, 'fuzzyLevel: expected an integer from 0 to 2'],
  ['fuzzyLevel=0.5 without fuzzy', { fuzzyLevel: 0.5 }, 'fuzzyLevel: expected an integer from 0 to 2'],
  ['fuzzyLevel=1.5 and fuzzy=false', { fuzzyLevel: 1.5, fuzzy: false }, 'fuzzyLevel: expected an integer from 0 to 2'],
  ['text.EN', { 'text.EN': 'x' }, 'text.EN: expected text.<locale>'],
  ['text.eng', { 'text.eng': 'x' }, 'text.eng: expected text.<locale>'],
  ['filter.results', { 'filter.results': 'x' }, 'filter.results: expected one of filter.query, filter, filter.facets'],
  [
    'too long a text',
    { 'text.en': 'é'.repeat(maxTextBytes / 2 + 1) },
    'text.en: expected at most 8192 bytes, not 8194',
  ],
  ['too many locales', Object.fromEntries(locales.map((name) => [name, 'x'])), 'text.aq: expected at most 16 locales'],
  ['too many facets', { facet: times(maxFacets + 1, (at) => `f${at}`) }, 'facet: expected at most 50 facets'],
  [
    'too many filters of all kinds together',
    { filter: times(maxFilters - 1, () => 'a'), 'filter.query': 'a', 'filter.facets': 'a' },
    'filter: expected at most 50 filters',
  ],
  ['two facets of one name', { facet: ['a', 'b as a'] }, 'facet: two facets have the name a'],
  ['relevance after other sorts', { 'text.en': 'x', sort: ['id', 'score desc'] }, 'sort: with text, score desc means'],
  ['relevance twice', { 'text.en': 'x', sort: ['score desc', 'score desc'] }, 'sort: with text, score desc means'],
  ...['score', 'score asc', ['id', 'score'], ['score desc', 'score asc'], ['score asc', 'score desc'], '`score`'].map(
    (sort) =>
      [
        `sort=${sort} with text`,
        { 'text.en': 'x', sort },
        'sort: with text, score is relevance and sorts desc',
      ] as const,
  ),
  ['limit=501', { limit: 501 }, 'limit: expected an integer from 0 to 500'],
  ['a bad filter.facets', { 'filter.facets': 'a:' }, "filter.facets: Syntax error while parsing 'filter.facets'."],
  ['a bad facet', { facet: ['a', 'b:'] }, "facet: Syntax error while parsing 'facet'."],
];

for (const [what, values, problem] of refusals) {
  test(`a search with ${what} is 400 and says what would be right`, () => {
    assert.throws(
      () => parse(values),
      (error) =>
        error instanceof ServiceError &&
        error.code === 'InvalidInput' &&
        error.message.startsWith(`Malformed parameter: ${problem}`),
    );
  });
}

test('random searches that use the grammar as it is meant are all parsed, with as many filters and facets as were sent', () => {
  fc.assert(
    fc.property(anySearch, (values) => {
      const found = parseSearch(values, 'p');
      const sent = (name: string) => (values.get(name) as readonly string[]).length;
      assert.equal(found.filters.length, sent('filter'));
      assert.equal(found.queryFilters.length, sent('filter.query'));
      assert.equal(found.facetFilters.length, sent('filter.facets'));
      assert.equal(found.facets.length, sent('facet'));
    }),
    { numRuns: 300 },
  );
});

test('random texts as filters and facets are parsed or 400, never another error', () => {
  const pieces = fc.constantFrom(
    ...['a', 'b.c', ':', ',', '"x"', '1', 'range', '(', ')', 'to', '*', 'exists', 'missing', 'as', 'counting'],
    ...['products', '=', 'not', 'and', '`', '"', '\\', '-', '.', 'é', '\u0000', '\ud800', '2024-01-01', ' ', '\n'],
  );
  const text = fc.array(pieces, { maxLength: 8 }).map((each) => each.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom('filter', 'filter.query', 'filter.facets', 'facet'), (sent, name) => {
      try {
        parse({ [name]: sent });
      } catch (error) {
        assert.ok(error instanceof ServiceError && error.code === 'InvalidInput', String(error));
      }
    }),
    { numRuns: 1000 },
  );
});
