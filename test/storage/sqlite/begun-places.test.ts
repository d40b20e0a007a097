import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import { wordsOfDocument } from '../../../src/domain/search/words/document-words.ts';
import { createBuildPolicy } from '../../../src/storage/sqlite/search/build-policy.ts';
import { createBegunPlaces } from '../../../src/storage/sqlite/search/postings/begun-places.ts';
import type { PlacedRows } from '../../../src/storage/sqlite/search/postings/word-places.ts';
import { createSearchCache, type SearchCache } from '../../../src/storage/sqlite/search/search-cache.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex, type TestIndex } from './open-test-index.ts';

const policy = createBuildPolicy(() => {}, 0);
const deadline = { check() {}, checkNow() {} };

function placesOf(index: TestIndex, cache: SearchCache, locale: string, word: string): PlacedRows {
  const scope = { db: index.db, projectKey: 'p', staged: false, commits: index.position() };
  return createBegunPlaces({ ...scope, cache, deadline }).of({ locale, word });
}

/** By id. */
function found(index: TestIndex, { rows, places: { of, usual } }: PlacedRows): Readonly<Record<string, number>> {
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
function expected(documents: ReadonlyMap<string, JsonObject>, locale: string, word: string) {
  const best = [...documents].map(([id, document]): [string, number] => {
    const places = wordsOfDocument(document).get(locale)?.places ?? new Map<string, number>();
    return [id, Math.max(0, ...[...places].map(([each, place]) => (each.startsWith(word) ? place : 0)))];
  });
  return Object.fromEntries(best.filter(([, place]) => place > 0).sort());
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

test('the best places of words with a beginning are those of the documents, read at once and followed from write to write', () => {
  fc.assert(
    fc.property(fc.array(fc.array(write, { maxLength: 6 }), { minLength: 1, maxLength: 5 }), (batches) => {
      using index = openTestIndex([]);
      const followed = createSearchCache(index.db, policy);
      const documents = new Map<string, JsonObject>();
      for (const batch of batches) {
        for (const [at, own] of batch) {
          const id = `r${at}`;
          const document = own && documentOf(id, own as never);
          index.write('p', id, document ? { current: document } : undefined);
          if (document) documents.set(id, document);
          else documents.delete(id);
        }
        for (const locale of ['', 'en', 'de']) {
          for (const word of beginnings) {
            const wanted = expected(documents, locale, word);
            const once = placesOf(index, createSearchCache(index.db, policy), locale, word);
            assert.deepEqual(found(index, once), wanted, `${locale} ${word}, read at once`);
            assert.deepEqual(
              found(index, placesOf(index, followed, locale, word)),
              wanted,
              `${locale} ${word}, followed`,
            );
          }
        }
      }
    }),
    { numRuns: 30 },
  );
});

test('of another project nothing is found, and nothing of it is followed', () => {
  using index = openTestIndex([]);
  const cache = createSearchCache(index.db, policy);
  index.write('p', 'a', { current: documentOf('a', { name: { en: 'shoe' } } as never) });
  assert.deepEqual(found(index, placesOf(index, cache, 'en', 's')), { a: 5 });
  index.write('q', 'b', { current: documentOf('b', { name: { en: 'shirt' } } as never) });
  assert.deepEqual(found(index, placesOf(index, cache, 'en', 's')), { a: 5 });
});

test('after more changes than are followed the index is read again', () => {
  using index = openTestIndex([]);
  const cache = createSearchCache(index.db, policy);
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      index.write('p', `r${at}`, { current: documentOf(`r${at}`, { sku: `s${at}` } as never) });
    }
  };
  add(0, 10);
  assert.equal(placesOf(index, cache, '', 's').rows.length, 10);
  add(10, 100);
  assert.equal(placesOf(index, cache, '', 's').rows.length, 100);
  add(100, 110);
  assert.equal(placesOf(index, cache, '', 's').rows.length, 110);
});
