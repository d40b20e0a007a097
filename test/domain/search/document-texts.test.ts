import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wordSpansOf, wordsOf } from '#words';
import type { JsonObject } from '../../../src/contract/json.ts';
import { textsOfDocument } from '../../../src/domain/search/words/document-texts.ts';
import { inAttribute, type LocaleWords, wordsOfDocument } from '../../../src/domain/search/words/document-words.ts';
import { anySearchedFields } from './arbitrary-search.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom('l’été', '3,5', '10 l', '運動靴は', 'ｶﾞﾗｽ', 'รองเท้า', 'ﬁne', 'İ', '👟x', 'a_b', 'ـ', 'AB-12/7'),
    )
    .map((parts) => parts.join(' ')),
);

test('wordSpansOf has the words of wordsOf, each where it stands', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const spans = wordSpansOf(text);
      assert.deepEqual(
        spans.map(({ word }) => word),
        wordsOf(text),
      );
      for (const { word, start, end } of spans) assert.deepEqual(wordsOf(text.slice(start, end)).join(''), word);
    }),
    { numRuns: 500 },
  );
});

test('textsOfDocument has the words and places of wordsOfDocument, in a random document', () => {
  const anyDocument = fc.oneof(
    anySearchedFields,
    fc.record({ name: anyText, label: fc.record({ en: anyText, ja: anyText }), tags: fc.array(anyText), id: anyText }),
  );
  fc.assert(
    fc.property(anyDocument, (document) => {
      const own = new Map<string, Map<string, number>>();
      for (const { locale, place, words, text } of textsOfDocument(document as JsonObject)) {
        const known = own.get(locale) ?? new Map<string, number>();
        own.set(locale, known);
        for (const { word, start, end } of words) {
          assert.ok(start < end && end <= text.length);
          const before = known.get(word) ?? 0;
          known.set(word, place === 1 ? (before < 3 ? before + 1 : before) : Math.max(before, place));
        }
      }
      const places = ([locale, words]: readonly [string, LocaleWords]) => [locale, new Map(words.places)] as const;
      const expected = new Map([...wordsOfDocument(document as JsonObject)].map(places));
      // Of a word in several kinds of strings the best place counts, whatever their order.
      for (const [locale, words] of expected) {
        for (const [word, place] of words) {
          const found = own.get(locale)!.get(word)!;
          if (place >= inAttribute || found < inAttribute) assert.equal(found, place, `${locale} ${word}`);
        }
      }
      const names = (map: ReadonlyMap<string, ReadonlyMap<string, number>>) =>
        [...map].map(([locale, words]) => [locale, [...words.keys()].sort()]).sort();
      assert.deepEqual(names(own), names(expected));
    }),
    { numRuns: 150 },
  );
});
