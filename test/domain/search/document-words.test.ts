import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { parseJson } from '../../../src/domain/json/parse.ts';
import { wordsOfDocument } from '../../../src/domain/search/words/document-words.ts';

const places = ['', 'text', 'text twice', 'text often', 'attribute', 'name'];

/** Where the words stand, by locale. */
function wordsIn(text: string): Record<string, Record<string, string>> {
  const words = wordsOfDocument(parseJson(text) as JsonObject);
  const named = (one: ReadonlyMap<string, number>) => Object.fromEntries([...one].map(([w, at]) => [w, places[at]!]));
  return Object.fromEntries([...words].map(([locale, own]) => [locale, named(own.places)]));
}

test('wordsOfDocument: strings at any depth and in arrays are found under no locale, each word at its best place', () => {
  assert.deepEqual(
    wordsIn('{"title":"Red shoe","tags":["red",["blue"]],"a":{"b":{"text":"RED green"}},"n":1,"x":true,"y":null}'),
    { '': { '1': 'attribute', red: 'name', shoe: 'name', blue: 'attribute', green: 'text' } },
  );
});

test('wordsOfDocument: a name in a list is an attribute, and whatever is long or a description is text', () => {
  assert.deepEqual(
    wordsIn('{"attributes":[{"name":"width"}],"parts":{"displayName":"Sole"},"description":{"en":"soft"}}'),
    {
      '': { width: 'attribute', sole: 'name' },
      en: { soft: 'text' },
    },
  );
  const words = wordsIn('{"care":"wash wash wash wash cold cold iron by hand"}')['']!;
  assert.deepEqual([words.wash, words.cold, words.iron], ['text often', 'text twice', 'text']);
});

test('wordsOfDocument: units, codes and pairs of letters are found in each of their forms, and count for no length', () => {
  const words = wordsOfDocument({
    name: { en: 'Pot 10 l', ja: '運動靴 オフィスチェア' },
    sku: 'AB-12/7',
    text: 'holds 2,5kg',
  });
  assert.deepEqual([...words.get('en')!.places.keys()], ['pot', '10', 'l', '10l']);
  assert.equal(words.get('en')!.nameLength, 3);
  for (const form of ['運動', '動靴', 'オフイスチエア']) assert.ok(words.get('ja')!.places.has(form), form);
  assert.equal(words.get('ja')!.nameLength, 4);
  assert.deepEqual([...words.get('')!.places.keys()], ['ab', '12', '7', 'ab127', 'holds', '2.5kg', '2.5', 'kg']);
  assert.deepEqual([words.get('')!.nameLength, words.get('')!.textLength], [0, 2]);
});

test('wordsOfDocument: an object whose keys are all locales is localised text', () => {
  assert.deepEqual(wordsIn('{"name":{"en":"Shoe","de-AT":"Schuh"},"other":"plain"}'), {
    en: { shoe: 'name' },
    'de-AT': { schuh: 'name' },
    '': { plain: 'attribute' },
  });
});

test('wordsOfDocument: a locale may have a script, and a region that is a group of countries', () => {
  assert.deepEqual(wordsIn('{"name":{"zh-Hans":"鞋子","zh-Hant-TW":"鞋","sr-Latn":"Cipele","es-419":"Zapato"}}'), {
    'zh-Hans': { 鞋子: 'name' },
    'zh-Hant-TW': { 鞋: 'name' },
    'sr-Latn': { cipele: 'name' },
    'es-419': { zapato: 'name' },
  });
  // No script, no group of countries, another case, and parts in another order.
  for (const name of ['is-Sold', 'st-100', 'zh-hans', 'zh-HANS', 'pt-br', 'zh_Hans', 'zh-TW-Hant', 'zh-Hans-', 'gsw']) {
    assert.deepEqual(
      wordsIn(JSON.stringify({ name: { en: 'shoe', [name]: 'clog' } }))[''],
      {
        shoe: 'attribute',
        clog: 'attribute',
      },
      name,
    );
  }
});

test('wordsOfDocument: all within a member of localised text belongs to it, unless a locale stands deeper', () => {
  assert.deepEqual(wordsIn('{"name":{"en":{"long":["One","two"],"parts":{"fr":"trois"},"text":"one"}}}'), {
    en: { one: 'attribute', two: 'attribute' },
    fr: { trois: 'attribute' },
  });
});

test('wordsOfDocument: a key without a value decides nothing', () => {
  assert.deepEqual(wordsIn('{"name":{"en":"shoe","label":null},"other":{"en":null,"text":"x"},"none":{"en":null}}'), {
    en: { shoe: 'name' },
    '': { x: 'text' },
  });
});

test('wordsOfDocument: an object of an id alone is an identifier and no Indonesian, in the role of its field', () => {
  assert.deepEqual(wordsIn('{"maker":{"id":"zorblax","tag":null},"brands":[{"id":"lumen"}],"name":{"id":"Sepatu"}}'), {
    '': { zorblax: 'attribute', lumen: 'attribute', sepatu: 'name' },
  });
  assert.deepEqual(
    wordsIn('{"name":{"id":"Sepatu","en":"Shoe"},"label":{"en":{"id":"inner"}},"note":{"id":{"de":"Notiz"}}}'),
    {
      id: { sepatu: 'name' },
      en: { shoe: 'name', inner: 'name' },
      de: { notiz: 'text' },
    },
  );
});

test('wordsOfDocument: an object with any other key is not localised, nor is the document itself', () => {
  assert.deepEqual(wordsIn('{"en":"top","name":{"en":"shoe","label":"x"},"odd":{"EN":"a","deu":"b"},"none":{}}'), {
    '': { top: 'attribute', shoe: 'attribute', x: 'name', a: 'attribute', b: 'attribute' },
  });
});

test('wordsOfDocument: names that are no language are no locales, whatever they look like', () => {
  assert.deepEqual(
    wordsIn('{"sizes":{"us":"Large","xx":"wide"},"name":{"en":"shoe","qq":"else"},"eu":{"eu":"oinetakoa"}}'),
    {
      '': { large: 'attribute', wide: 'attribute', shoe: 'attribute', else: 'attribute' },
      eu: { oinetakoa: 'attribute' },
    },
  );
});

test('wordsOfDocument: what is in no language, as sizes and numbers are, is under no locale', () => {
  assert.deepEqual(wordsIn('{"sizes":{"eu":["42","42 1/2"],"uk":"8"},"fits":{"eu":"XL","uk":"75B"}}'), {
    '': {
      ...{
        '1': 'attribute',
        '2': 'attribute',
        '42': 'attribute',
        '42.5': 'attribute',
        '75b': 'attribute',
        '8': 'attribute',
      },
      ...{ xl: 'attribute', '75': 'attribute', b: 'attribute' },
    },
  });
  assert.deepEqual(wordsIn('{"name":{"de":"Kalender 2024","zh":"鞋","fr":"e\u0301te\u0301"}}'), {
    de: { '2024': 'name', kalender: 'name' },
    fr: { ete: 'name', '´été': 'name' },
    zh: { 鞋: 'name' },
  });
});

test('wordsOfDocument: system fields but for the key count at the top not at all, and deeper as any other', () => {
  const system = '"id":"i","version":"v","createdAt":"c","lastModifiedAt":"l","hasStagedChanges":"h"';
  assert.deepEqual(wordsIn(`{${system},"createdBy":{"clientId":"x"},"lastModifiedBy":{"clientId":"x"}}`), {});
  assert.deepEqual(wordsIn('{"nested":{"key":"shoe","version":"one"}}'), {
    '': { shoe: 'attribute', one: 'attribute' },
  });
});

test('wordsOfDocument: the words and codes of the key are those of an attribute under no locale', () => {
  const attributes = (...words: readonly string[]) => Object.fromEntries(words.map((word) => [word, 'attribute']));
  assert.deepEqual(wordsIn('{"id":"i","key":"loc1"}'), { '': attributes('loc1') });
  assert.deepEqual(wordsIn('{"key":"AB-12/7"}'), { '': attributes('ab', '12', '7', 'ab127') });
});

test('wordsOfDocument: names that an object inherits, and long numbers, are data like all', () => {
  const words = wordsOfDocument(parseJson('{"__proto__":"constructor __proto__","n":9007199254740993}') as JsonObject);
  assert.deepEqual(
    [...words.get('')!.places],
    [
      ['constructor', 4],
      ['proto', 4],
      ['9007199254740993', 4],
    ],
  );
});

test('wordsOfDocument: numbers are words as they are stored, in no language, at the place of their field', () => {
  assert.deepEqual(
    wordsIn('{"ean":4006381333931,"size":{"eu":42,"uk":7.5},"year":[2024,-5],"title":{"en":1984},"note":7,"big":1e21}'),
    {
      '': {
        ...{
          '4006381333931': 'attribute',
          '42': 'attribute',
          '7.5': 'attribute',
          '2024': 'attribute',
          '5': 'attribute',
        },
        ...{ '1984': 'name', '7': 'text', '1e': 'attribute', '1': 'attribute', '21': 'attribute' },
        e: 'attribute',
      },
    },
  );
  const raw = '{"a":-9223372036854775808,"b":18446744073709551616,"c":0.10,"version":3,"nested":{"version":3}}';
  assert.deepEqual(Object.keys(wordsIn(raw)['']!), ['3', '9223372036854775808', '18446744073709552000', '0.1']);
});

test('wordsOfDocument: a word with the Arabic article is found without it as well, and counts once for the length', () => {
  const words = wordsOfDocument({ name: { ar: 'الحقيبة وللسفر' }, description: { ar: 'والحقائب الماء' } }).get('ar')!;
  assert.deepEqual(
    [...words.places].map(([word, place]) => `${word} ${place}`),
    [...['الحقيبة 5', 'وللسفر 5', 'حقيبة 5', 'سفر 5', 'والحقائب 1', 'الماء 1', 'حقائب 1', 'ماء 1']],
  );
  assert.deepEqual([words.nameLength, words.textLength], [2, 2]);
  assert.deepEqual(wordsIn('{"name":{"ar":"الى بالون"}}'), { ar: { الي: 'name', بالون: 'name' } });
});
