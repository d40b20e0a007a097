import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import {
  changesOf,
  type FieldRule,
  kindOfPlace,
  ruledDocument,
  spaceOfText,
  type WordChange,
  weightOfPath,
} from '../../../src/domain/search/field-rules.ts';
import { wordsOfDocument } from '../../../src/domain/search/words/document-words.ts';

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
  assert.deepEqual(changes(document, { brand: 1.2 }), { '|sofa': { place: 5, weight: 1 } });
  assert.deepEqual(changes(document, { name: 0, brand: 0.5 }), { '|sofa': { place: 4, weight: 1 } });
});

test('spaceOfText: plain texts are in a space of their own, but for those of a longer path that is not plain', () => {
  const rules: readonly FieldRule[] = [
    { path: ['attributes'], isPlain: true },
    { path: ['attributes', 'label'], isPlain: false },
    { path: ['attributes', 'label', 'en', 'size'], weight: 2 },
  ];
  assert.equal(spaceOfText('uk', ['attributes', 0, 'size', 'uk'], rules), '=uk');
  assert.equal(spaceOfText('en', ['attributes', 0, 'label', 'en'], rules), 'en');
  assert.equal(spaceOfText('uk', ['size', 'uk'], rules), 'uk');
  assert.equal(spaceOfText('', ['attributes', 'code'], rules), '', 'it is under no locale already');
  assert.equal(weightOfPath(['attributes', 'label', 'en', 'size'], rules), 2);
});

test('changesOf: a plain word leaves the locale that the index has it under, unless a text there has it as well', () => {
  const document = { shoe: { uk: 'wide', eu: 'weit' }, name: { uk: 'wide boot' }, brand: 'Lumen' };
  const of = (fields: readonly FieldRule[]) =>
    Object.fromEntries(changesOf(document, fields).map(({ locale, word, ruled }) => [`${locale}|${word}`, ruled]));
  const attribute = { place: 4, weight: 1 };
  const shoe: FieldRule = { path: ['shoe'], isPlain: true };
  assert.deepEqual(of([shoe]), {
    ...{ '=uk|wide': attribute, '=eu|weit': attribute },
    ...{ 'eu|weit': 'nowhere', 'uk|wide': { place: 5, weight: 1 } },
  });
  const excluded = of([shoe, { path: ['shoe', 'uk'], weight: 0 }, { path: ['name'], weight: 0 }]);
  const { '=uk|wide': plain, 'uk|wide': localised, 'uk|boot': other } = excluded;
  assert.deepEqual([plain, localised, other], ['nowhere', 'nowhere', 'nowhere']);
  assert.deepEqual(of([{ path: ['brand'], isPlain: true }]), {});
});

const someWords = fc
  .array(fc.constantFrom('sofa', 'oak', 'red', 'wide'), { minLength: 1, maxLength: 4 })
  .map((all) => all.join(' '));
const localised = fc.record({ en: someWords, uk: someWords }, { requiredKeys: [] });
const someDocument = fc.record(
  {
    ...{ name: localised, description: localised, note: someWords, tags: fc.array(someWords, { maxLength: 2 }) },
    spec: fc.record({ name: someWords, note: localised, description: someWords }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const somePath = fc.constantFrom(
  ['name'],
  ['description'],
  ['note'],
  ['tags'],
  ['spec'],
  ['spec', 'note'],
  ['spec', 'name'],
);
const someRule = fc.oneof(
  { weight: 3, arbitrary: fc.record({ path: somePath, weight: fc.constantFrom(0, 0.5, 1, 2) }) },
  { weight: 1, arbitrary: fc.record({ path: somePath, isPlain: fc.boolean() }) },
);

test('ruledDocument: says of every word what changesOf says, in no more values', () => {
  let shorter = 0;
  fc.assert(
    fc.property(someDocument, fc.array(someRule, { maxLength: 3 }), (fields, rules) => {
      const document = fields as unknown as JsonObject;
      const all = changesOf(document, rules);
      const { usual, changes } = ruledDocument(document, rules);
      assert.ok(usual.length + changes.length <= all.length + 6, 'three kinds of places in two locales and none');
      if (usual.length + changes.length < all.length) shorter += 1;
      const isOf = (locale: string, word: string) => (each: { locale: string; word: string }) =>
        each.locale === locale && each.word === word;
      for (const [locale, { places }] of wordsOfDocument(document)) {
        for (const [word, place] of places) {
          const isAsIndexed = { place, weight: 1 };
          const expected = all.find(isOf(locale, word))?.ruled ?? isAsIndexed;
          const weight = usual.find((each) => each.locale === locale && each.kind === kindOfPlace(place))?.weight ?? 1;
          const own = changes.find(isOf(locale, word))?.ruled;
          assert.deepEqual(own ?? (weight === 0 ? 'nowhere' : { place, weight }), expected, `${locale} ${word}`);
        }
      }
      const plain = (some: readonly WordChange[]) =>
        some
          .filter(({ locale }) => locale.startsWith('='))
          .map((each) => JSON.stringify(each))
          .sort();
      assert.deepEqual(plain(changes), plain(all), 'plain words are all listed');
    }),
    { numRuns: 2000 },
  );
  assert.ok(shorter > 300, `${shorter}`);
});

test('ruledDocument: of a long description that weighs half, one value says it', () => {
  const description = {
    en: Array.from({ length: 100 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}`).join(' '),
  };
  const document = { name: { en: 'Sofa worda' }, description, brand: 'Lumen' };
  assert.deepEqual(ruledDocument(document, [{ path: ['description'], weight: 0.5 }]), {
    usual: [{ locale: 'en', kind: 't', weight: 0.5 }],
    changes: [],
  });
});
