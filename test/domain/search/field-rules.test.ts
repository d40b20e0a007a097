import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { changesOf, weightOfPath } from '../../../src/domain/search/field-rules.ts';

const changes = (document: JsonObject, rules: Readonly<Record<string, number>>) => {
  const fields = Object.entries(rules).map(([path, weight]) => ({ path: path.split('.'), weight }));
  return Object.fromEntries(changesOf(document, fields).map(({ locale, word, ruled }) => [`${locale}|${word}`, ruled]));
};

test('weightOfPath: the longest path that leads to a field decides, positions in arrays aside', () => {
  const rules = [
    { path: ['variants'], weight: 0 },
    { path: ['variants', 'name'], weight: 3 },
  ];
  assert.equal(weightOfPath(['variants', 0, 'sku'], rules), 0);
  assert.equal(weightOfPath(['variants', 2, 'name', 'en'], rules), 3);
  assert.equal(weightOfPath(['variantsOf'], rules), 1);
});

test('changesOf: a word that stands only in excluded fields is nowhere; else its next place counts', () => {
  const document = { name: { en: 'Oak sofa' }, note: 'miller', description: { en: 'a sofa by Miller' } };
  assert.deepEqual(changes(document, { note: 0 }), { '|miller': 'nowhere' });
  assert.deepEqual(changes(document, { name: 0 }), {
    'en|oak': 'nowhere',
    'en|sofa': { place: 1, weight: 1 },
  });
  assert.deepEqual(changes(document, {}), {});
  assert.deepEqual(changes(document, { missing: 0 }), {});
});

test('changesOf: of several fields that where weight and place count most', () => {
  const document = { name: 'sofa', brand: 'sofa', tags: ['sofa'] };
  assert.deepEqual(changes(document, { brand: 2.5 }), { '|sofa': { place: 4, weight: 2.5 } });
  assert.deepEqual(changes(document, { brand: 1.5 }), { '|sofa': { place: 5, weight: 1 } });
  assert.deepEqual(changes(document, { name: 0, brand: 0.5 }), { '|sofa': { place: 4, weight: 1 } });
});
