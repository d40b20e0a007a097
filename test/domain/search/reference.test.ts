import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import { match } from '../../../src/domain/predicate/match.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import type { TermsFacetResult } from '../../../src/domain/search/query/query.ts';
import { anyResource, anySearch, resourceOf } from './arbitrary-search.ts';
import { evaluateSearch, type SearchedResource } from './reference.ts';

type Parameters = Readonly<Record<string, ParameterValue>>;

/** A project of resources with these fields, named by their keys, each a second younger than the one before. */
function projectOf(fields: Readonly<Record<string, JsonObject>>): readonly SearchedResource[] {
  return Object.entries(fields).map(([id, own], at) => ({
    current: { id, createdAt: `2024-01-01T00:00:0${at}.000Z`, ...own },
  }));
}

function search(project: readonly SearchedResource[], parameters: Parameters) {
  return evaluateSearch(project, parseSearch(new Map(Object.entries(parameters)), 'p'));
}

const clothes = projectOf({
  shoe: {
    name: { en: 'shoe', de: 'Schuh' },
    variants: [{ color: 'blue', size: 38 }, { size: 46 }],
  },
  shirt: {
    name: { en: 'shirt', de: 'Hemd' },
    variants: [{ color: 'red', size: 36 }, { size: 44 }],
  },
  dress: {
    name: { en: 'dress', de: 'Kleider' },
    variants: [{ color: 'blue', size: 40 }, { size: 42 }],
  },
});

for (const [parameters, ids] of [
  [{}, ['dress', 'shirt', 'shoe']],
  [{ 'text.en': 'shoe' }, ['shoe']],
  [{ 'text.en': 'SHOES' }, ['shoe']],
  [{ 'text.de': 'shoe' }, []],
  [{ 'text.en': 'shoe', 'text.de': 'Hemd', sort: 'id' }, ['shirt', 'shoe']],
  [{ 'text.en': 'short' }, []],
  [{ 'text.en': 'short', fuzzy: true }, ['shirt']],
  [{ 'text.en': 'short', fuzzy: true, fuzzyLevel: 0 }, []],
  [{ 'text.en': '' }, []],
  [{ 'text.en': 'shoe shirt' }, []],
  [{ filter: 'variants.color:"blue"' }, ['dress', 'shoe']],
  [{ filter: 'variants.size:"36","38"', sort: 'name.en' }, ['shirt', 'shoe']],
  [{ filter: 'variants.size:range(40 to 42)' }, ['dress']],
  [{ filter: ['variants.color:"blue"', 'variants.size:46'] }, ['shoe']],
  [{ filter: 'variants(color = blue and size = 46)' }, []],
  [{ 'filter.query': 'variants.color:"red"' }, ['shirt']],
  [{ 'filter.facets': 'variants.color:"red"' }, ['dress', 'shirt', 'shoe']],
  [{ sort: 'variants.size desc', limit: 1, offset: 1 }, ['shirt']],
] as const satisfies readonly (readonly [Parameters, readonly string[]])[]) {
  test(`a search with ${JSON.stringify(parameters)} finds ${ids.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(search(clothes, parameters).ids, ids);
  });
}

function termsOf(parameters: Parameters): readonly (readonly [string, number])[] {
  const { facets } = search(clothes, { facet: 'variants.color', ...parameters });
  return (facets[0]![1] as TermsFacetResult).terms.map(({ term, count }) => [term, count]);
}

test('filter.query narrows a facet, filter does not, filter.facets only the facets of other paths', () => {
  const full = [
    ['blue', 2],
    ['red', 1],
  ];
  assert.deepEqual(termsOf({}), full);
  assert.deepEqual(termsOf({ filter: 'variants.color:"red"' }), full);
  assert.deepEqual(termsOf({ 'filter.query': 'variants.color:"red"' }), [['red', 1]]);
  assert.deepEqual(termsOf({ 'filter.facets': 'variants.color:"red"' }), full);
  assert.deepEqual(termsOf({ 'filter.facets': 'variants.size:38' }), [['blue', 1]]);
  assert.deepEqual(termsOf({ 'text.en': 'shirt' }), [['red', 1]]);
});

test('facets of ranges and of values count resources', () => {
  const { facets } = search(clothes, {
    facet: ['variants.size:range (0 to *),(36 to 44) as r', 'variants.color:"blue","red" as v'],
  });
  const [, ranges] = facets[0]!;
  assert.ok(ranges.type === 'range');
  assert.deepEqual(
    ranges.ranges.map(({ count, total, min, max, mean }) => [count, total, min, max, mean]),
    [
      [3, 246, 36, 46, 41],
      [3, 156, 36, 42, 39],
    ],
  );
  assert.deepEqual(facets[1], ['v', { type: 'filter', count: 3 }]);
});

test('results with fewer edits come first, then those with the greater score, then by id', () => {
  const project = projectOf({
    c: { name: { en: 'abcdfgh' } },
    b: { name: { en: 'abcdefgh' } },
    a: { name: { en: 'abcdefgh' } },
    long: { name: { en: `abcdefgh ${'other words '.repeat(20)}` } },
    twice: { name: { en: 'abcdefgh abcdefgh' } },
  });
  assert.deepEqual(search(project, { 'text.en': 'abcdefgh', fuzzy: true }).ids, ['twice', 'a', 'b', 'long', 'c']);
  assert.deepEqual(search(project, { 'text.en': 'abcdfgh', fuzzy: true, fuzzyLevel: 1 }).ids[0], 'c');
  assert.deepEqual(search(project, { 'text.en': 'abcdfgh' }).ids, ['c']);
});

test('a staged search sees the staged projection where there is one, else the current one', () => {
  const [plain, shown] = projectOf({ plain: { name: 'new' }, changed: { name: 'old' } });
  const project = [plain!, { ...shown!, staged: { ...shown!.current, name: 'new' } }];
  assert.deepEqual(search(project, { 'text.en': 'new' }).ids, ['plain']);
  assert.deepEqual(search(project, { 'text.en': 'new', staged: true, sort: 'id' }).ids, ['changed', 'plain']);
  assert.deepEqual(search(project, { filter: 'name:"old"', staged: true }).ids, []);
});

test('random searches: results satisfy all filters, and a terms facet counts each counted resource as with or without value', () => {
  const anyProject = fc
    .array(anyResource, { maxLength: 8 })
    .map((all) => all.map((each, at) => resourceOf(`r${at}`, each)));
  let found = 0;
  fc.assert(
    fc.property(anyProject, anySearch, (project, values) => {
      const query = parseSearch(values, 'p');
      const { ids, total, facets } = evaluateSearch(project, query);
      found += ids.length;
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(ids.length, Math.max(0, Math.min(query.limit, total - query.offset)));
      for (const id of ids) {
        const { current, staged } = project.find((each) => each.current.id === id)!;
        const document = query.staged ? (staged ?? current) : current;
        assert.ok([...query.filters, ...query.queryFilters].every((predicate) => match(predicate, document)));
      }
      const counted = facets.map(([, result]) => (result.type === 'terms' ? result.missing + result.total : -1));
      const isNarrowed = query.facetFilters.length > 0;
      for (const sum of counted.filter((each) => each >= 0)) {
        assert.ok(isNarrowed ? sum <= project.length : sum >= total, `${sum} of ${total}`);
      }
    }),
    { numRuns: 500 },
  );
  // Whatever the seed: some hundred.
  assert.ok(found > 100, `random searches find something: ${found}`);
});

test('random documents hold awkward names as plain data', () => {
  const fields = Object.fromEntries([['__proto__', 'red']]);
  const project = [resourceOf('r', { fields, staged: null, second: 0 })];
  assert.deepEqual(search(project, { filter: '__proto__:"red"' }).ids, ['r']);
});
