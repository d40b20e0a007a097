import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { parseJson } from '../../../src/domain/json/parse.ts';
import { lengthIn, wordsOfDocument } from '../../../src/domain/search/words/document-words.ts';

function wordsIn(text: string): Record<string, Record<string, number>> {
  const words = wordsOfDocument(parseJson(text) as JsonObject);
  return Object.fromEntries([...words].map(([locale, counts]) => [locale, Object.fromEntries(counts)]));
}

test('wordsOfDocument: strings at any depth and in arrays are counted under no locale', () => {
  assert.deepEqual(
    wordsIn('{"title":"Red shoe","tags":["red",["blue"]],"a":{"b":{"text":"RED"}},"n":1,"x":true,"y":null}'),
    {
      '': { red: 3, shoe: 1, blue: 1 },
    },
  );
});

test('wordsOfDocument: an object whose keys are all locales is localised text', () => {
  assert.deepEqual(wordsIn('{"name":{"en":"Shoe","de-AT":"Schuh"},"other":"plain"}'), {
    en: { shoe: 1 },
    'de-AT': { schuh: 1 },
    '': { plain: 1 },
  });
});

test('wordsOfDocument: all within a member of localised text belongs to it, unless a locale stands deeper', () => {
  assert.deepEqual(wordsIn('{"name":{"en":{"long":["One","two"],"parts":{"fr":"trois"},"text":"one"}}}'), {
    en: { one: 2, two: 1 },
    fr: { trois: 1 },
  });
});

test('wordsOfDocument: a key without a value decides nothing', () => {
  assert.deepEqual(wordsIn('{"name":{"en":"shoe","label":null},"other":{"en":null,"text":"x"},"none":{"en":null}}'), {
    en: { shoe: 1 },
    '': { x: 1 },
  });
});

test('wordsOfDocument: an object with any other key is not localised, nor is the document itself', () => {
  assert.deepEqual(wordsIn('{"en":"top","name":{"en":"shoe","label":"x"},"odd":{"EN":"a","deu":"b"},"none":{}}'), {
    '': { top: 1, shoe: 1, x: 1, a: 1, b: 1 },
  });
});

test('wordsOfDocument: names that are no language are no locales, whatever they look like', () => {
  assert.deepEqual(
    wordsIn('{"sizes":{"us":"Large","xx":"wide"},"name":{"en":"shoe","qq":"else"},"eu":{"eu":"oinetakoa"}}'),
    {
      '': { large: 1, wide: 1, shoe: 1, else: 1 },
      eu: { oinetakoa: 1 },
    },
  );
});

test('wordsOfDocument: what is in no language, as sizes and numbers are, is under no locale', () => {
  assert.deepEqual(wordsIn('{"sizes":{"eu":["42","42 1/2"],"uk":"8"},"fits":{"eu":"XL","uk":"75B"}}'), {
    '': { '1': 1, '2': 1, '42': 2, '75b': 1, '8': 1, xl: 1 },
  });
  assert.deepEqual(wordsIn('{"name":{"de":"Kalender 2024","zh":"鞋","fr":"e\u0301te\u0301"}}'), {
    de: { '2024': 1, kalender: 1 },
    fr: { ete: 1 },
    zh: { 鞋: 1 },
  });
});

test('wordsOfDocument: system fields count at the top not at all, and deeper as any other', () => {
  const system = '"id":"i","version":"v","key":"k","createdAt":"c","lastModifiedAt":"l","hasStagedChanges":"h"';
  assert.deepEqual(wordsIn(`{${system},"createdBy":{"clientId":"x"},"lastModifiedBy":{"clientId":"x"}}`), {});
  assert.deepEqual(wordsIn('{"nested":{"key":"shoe","version":"one"}}'), { '': { shoe: 1, one: 1 } });
});

test('wordsOfDocument: names that an object inherits, and long numbers, are data like all', () => {
  const words = wordsOfDocument(parseJson('{"__proto__":"constructor __proto__","n":9007199254740993}') as JsonObject);
  assert.deepEqual(
    [...words.get('')!],
    [
      ['constructor', 1],
      ['proto', 1],
    ],
  );
});

test('lengthIn: counts repeated words, those under the locale and those under none', () => {
  const words = wordsOfDocument({ name: { en: 'red red shoe', de: 'Schuh' }, text: 'one two' });
  assert.equal(lengthIn(words, 'en'), 5);
  assert.equal(lengthIn(words, 'de'), 3);
  assert.equal(lengthIn(words, 'fr'), 2);
  assert.equal(lengthIn(words, ''), 2);
  assert.equal(lengthIn(wordsOfDocument({}), 'en'), 0);
});
