import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Documents } from '../../../src/domain/ports/resource-store.ts';
import { indexResource } from '../../../src/record/postgres/index/index-columns.ts';
import { anyFields } from '../sqlite/arbitrary-documents.ts';

const noTexts = { current: '{}', staged: null };
const wordsOf = (after: Documents, before?: Documents, project = 'p') =>
  new Set(indexResource(project, after, noTexts, [], before).words.map((word) => word.join('|')));

const anyWords = fc.string({ unit: fc.constantFrom('shoe', 'red', ' ', '7', 'ü'), maxLength: 8 });
const anyName = fc.record({ en: anyWords, de: anyWords }, { requiredKeys: [] });
const anyDocument = fc
  .tuple(anyFields, fc.record({ name: anyName, note: anyWords, tag: anyWords }, { requiredKeys: [] }))
  .map(([fields, texts]) => ({ ...fields, ...texts }) as JsonObject);
const anyDocuments = fc.record({ current: anyDocument, staged: anyDocument }, { requiredKeys: ['current'] });

test('an update adds all words that its resource did not have, and none that it has not', () => {
  let many = 0;
  const property = fc.property(anyDocuments, anyDocuments, fc.boolean(), (before, other, keepsFields) => {
    // Most updates leave most fields as they are.
    const after = keepsFields ? { ...before, current: { ...before.current, note: other.current.note ?? 'n' } } : other;
    const [had, has] = [wordsOf(before), wordsOf(after)];
    const added = wordsOf(after, before);
    assert.deepEqual(
      [...has].filter((word) => !had.has(word) && !added.has(word)),
      [],
    );
    assert.deepEqual(
      [...added].filter((word) => !has.has(word)),
      [],
    );
    many += added.size;
  });
  fc.assert(property, { numRuns: 150 });
  assert.ok(many > 500, `${many} words`);
});

test('an update of one field adds its words alone, and one of staged texts what is only there', () => {
  const current = { name: { en: 'red shoe' }, note: 'soft' };
  assert.deepEqual([...wordsOf({ current })].toSorted(), ['en|red', 'en|shoe', '|soft']);
  assert.deepEqual([...wordsOf({ current: { ...current, note: 'firm' } }, { current })], ['|firm']);
  assert.deepEqual([...wordsOf({ current, staged: { ...current, note: 'new' } }, { current })], ['|new']);
  assert.deepEqual([...wordsOf({ current }, { current })], []);
  assert.deepEqual([...wordsOf({ current }, undefined, 'p~backend')], []);
});
