import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import { changesOf, type FieldRule, type RuledPlace } from '../../../src/domain/search/field-rules.ts';
import { type Place, wordsOfDocument } from '../../../src/domain/search/words/document-words.ts';
import { changeColumn, changeColumnName } from '../../../src/index/search/columns/change-column.ts';
import { FollowedColumn } from '../../../src/index/search/columns/column.ts';
import { BegunPlaces } from '../../../src/index/search/postings/begun-places.ts';
import type { PlacedRows } from '../../../src/index/search/postings/word-places.ts';
import type { SearchCache } from '../../../src/index/search/search-cache.ts';
import type { Choice } from '../../../src/index/search/words/word-choices.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex, type TestIndex } from './open-test-index.ts';
import { searchCacheOn } from './parts-on.ts';

const policy = { leastRows: 0 };
const deadline = { check() {}, checkNow() {} };

type Found = Readonly<Record<string, number>>;

/** By the weight of the words, the best place of each resource. */
function placesOf(
  index: TestIndex,
  cache: SearchCache,
  { locale, word }: Choice,
  rules: readonly FieldRule[] = [],
): Readonly<Record<number, Found>> {
  const scope = { db: index.db, projectKey: 'p', staged: false };
  const commits = index.position();
  if (rules.length > 0) {
    cache.columns.of(scope, commits, changeColumnName(rules), 1, () => new FollowedColumn(scope, changeColumn(rules)));
  }
  const places = new BegunPlaces({ ...scope, cache, commits, deadline }, rules);
  assert.ok(places.areKnown);
  return Object.fromEntries(places.of({ locale, word }).map(({ weight, placed }) => [weight, found(index, placed)]));
}

/** By id. */
function found(index: TestIndex, { rows, places: { of, usual } }: PlacedRows): Found {
  const ids = new Map<number, string>();
  for (const { row, id } of index.db.prepare('SELECT row, id FROM resource').all() as { row: number; id: string }[]) {
    ids.set(row, id);
  }
  assert.deepEqual(
    [...rows],
    [...new Set(rows)].sort((a, b) => a - b),
    'ascending, each once',
  );
  assert.ok(of.length === 0 || of.length === rows.length);
  return Object.fromEntries([...rows].map((row, at) => [ids.get(row) ?? `row ${row}`, of[at] ?? usual]).sort());
}

/** What the documents say. */
function expected(
  documents: ReadonlyMap<string, JsonObject>,
  { locale, word }: Choice,
  rules: readonly FieldRule[] = [],
): Readonly<Record<number, Found>> {
  const byWeight = new Map<number, Map<string, number>>();
  for (const [id, document] of documents) {
    const changes = changesOf(document, rules).filter((each) => each.locale === locale);
    const indexed = wordsOfDocument(document).get(locale)?.places ?? new Map<string, Place>();
    const all = new Map<string, RuledPlace | 'nowhere'>(
      [...indexed].map(([own, place]) => [own, { place, weight: 1 }]),
    );
    for (const change of changes) all.set(change.word, change.ruled);
    for (const [own, ruled] of all) {
      if (ruled === 'nowhere' || !own.startsWith(word)) continue;
      const places = byWeight.get(ruled.weight) ?? new Map<string, number>();
      byWeight.set(ruled.weight, places);
      places.set(id, Math.max(places.get(id) ?? 0, ruled.place));
    }
  }
  return Object.fromEntries([...byWeight].map(([weight, places]) => [weight, Object.fromEntries([...places].sort())]));
}

const words = fc
  .array(fc.constantFrom('shoe', 'shoes', 'short', 's1', 's12', 'red', 'schön', '日本', 'a|n', 's|2'), { maxLength: 5 })
  .map((some) => some.join(' '));
const localised = fc.record({ en: words, de: words }, { requiredKeys: [] });
const fields = fc.record(
  { name: localised, description: fc.oneof(localised, words), brand: words, notes: fc.array(words, { maxLength: 2 }) },
  { requiredKeys: [] },
);
const write = fc.tuple(fc.nat(9), fc.option(fields));
const beginnings = ['s', 'sh', 'shoe', 's1', 'r', '日', 'sc', 'x'];

const rule: fc.Arbitrary<FieldRule> = fc.oneof(
  fc.record({
    path: fc.constantFrom(['name'], ['description'], ['brand'], ['notes']),
    weight: fc.constantFrom(0, 0.5, 2),
  }),
  fc.record({ path: fc.constantFrom(['name'], ['description']), isPlain: fc.boolean() }),
);
const rulesOrNone = fc.oneof(fc.constant([]), fc.array(rule, { minLength: 1, maxLength: 2 }));

test('the best places of words with a beginning are those of the documents and rules, whatever was written since they were read', () => {
  const batches = fc.array(fc.array(write, { maxLength: 6 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(batches, rulesOrNone, (all, rules) => {
      using index = openTestIndex([]);
      const followed = searchCacheOn(index.db, policy);
      const documents = new Map<string, JsonObject>();
      for (const batch of all) {
        for (const [at, own] of batch) {
          const id = `r${at}`;
          const document = own && documentOf(id, own as never);
          index.write('p', id, document ? { current: document } : undefined);
          if (document) documents.set(id, document);
          else documents.delete(id);
        }
        for (const locale of rules.length > 0 ? ['', 'en', 'de', '=de'] : ['', 'en', 'de']) {
          for (const word of beginnings) {
            const [choice, about] = [{ locale, word }, `${locale} ${word}`];
            const wanted = expected(documents, choice, rules);
            const once = placesOf(index, searchCacheOn(index.db, policy), choice, rules);
            assert.deepEqual(once, wanted, `${about}, read at once`);
            assert.deepEqual(placesOf(index, followed, choice, rules), wanted, `${about}, followed`);
          }
        }
      }
    }),
    { numRuns: 12 },
  );
});

test('they are not known of staged projections, nor by rules whose column is not built', () => {
  using index = openTestIndex([]);
  const cache = searchCacheOn(index.db, policy);
  const scope = { db: index.db, projectKey: 'p', commits: index.position(), cache, deadline };
  const rules = [{ path: ['name'], weight: 2 }];
  assert.equal(new BegunPlaces({ ...scope, staged: false }, []).areKnown, true);
  assert.equal(new BegunPlaces({ ...scope, staged: false }, rules).areKnown, false);
  assert.equal(new BegunPlaces({ ...scope, staged: true }, []).areKnown, false);
});

test('of another project nothing is found', () => {
  using index = openTestIndex([]);
  const cache = searchCacheOn(index.db, policy);
  index.write('p', 'a', { current: documentOf('a', { name: { en: 'shoe' } } as never) });
  assert.deepEqual(placesOf(index, cache, { locale: 'en', word: 's' }), { 1: { a: 5 } });
  index.write('q', 'b', { current: documentOf('b', { name: { en: 'shirt' } } as never) });
  assert.deepEqual(placesOf(index, cache, { locale: 'en', word: 's' }), { 1: { a: 5 } });
});
