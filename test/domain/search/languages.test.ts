import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endingsOf, foldWord, languageOf, languages, stemOf, wordsOf } from '#words';

test('languages: codes are two letters, in order, each once', () => {
  const codes = languages.map(({ code }) => code);
  assert.deepEqual(codes, [...new Set(codes)].sort());
  for (const code of codes) assert.match(code, /^[a-z]{2}$/);
});

test('languageOf: a locale has the language that it begins with', () => {
  assert.equal(languageOf('de')?.name, 'German');
  assert.equal(languageOf('de-AT')?.name, 'German');
  assert.equal(languageOf('nn-NO')?.name, 'Norwegian Nynorsk');
});

test('languageOf: a locale without a language of its own, or none, has no language', () => {
  for (const locale of ['', 'xx', 'xx-DE', '__', 'sk-SK']) assert.equal(languageOf(locale), undefined, locale);
});

test('languages: a language that is said to be stemmed loses an ending, any other none', () => {
  const inflected: Readonly<Record<string, string>> = {
    ar: 'السيارة',
    el: 'παπουτσια',
    hi: 'किताबों',
    ja: 'コンピューター',
    ko: '의자를',
    hy: 'սեղաններ',
    ne: 'घरहरू',
    ru: 'книгами',
    sr: 'књиге',
    ta: 'புத்தகங்கள்',
    uk: 'книгами',
  };
  const latin =
    'kitaplar bilarna autoissa namuose bukunya running hauser chaussures asztalok zapatos scarpe boeken masinile';
  for (const { code, stemmer } of languages) {
    const words = [...(inflected[code] ? [inflected[code]] : []), ...latin.split(' ')];
    assert.equal(
      words.some((word) => stemOf(word, code) !== word),
      stemmer !== undefined,
      code,
    );
  }
});

test('languages: where a dictionary finds the words, a sentence without spaces has several', () => {
  const texts: Readonly<Record<string, string>> = {
    ja: '赤い靴を買いました',
    th: 'รองเท้าสีแดงสวยมาก',
    zh: '红色的鞋子很舒服',
  };
  const codes = languages.filter(({ usesDictionary }) => usesDictionary).map(({ code }) => code);
  assert.deepEqual(codes, Object.keys(texts));
  for (const code of codes) assert.ok(wordsOf(texts[code]!).length > 3, code);
});

test('endings: of languages whose words have forms; folded, each once', () => {
  const withEndings = languages.filter(({ code }) => endingsOf(code).length > 0);
  for (const { code, stemmer } of withEndings) {
    const endings = endingsOf(code);
    assert.ok(stemmer, code);
    assert.deepEqual(endings, [...new Set(endings)], code);
    for (const ending of endings) assert.equal(foldWord(ending), ending, code);
  }
  const without = languages.filter((one) => 'stemmer' in one && !withEndings.includes(one));
  assert.deepEqual(
    without.map(({ code }) => code),
    ['ja', 'ta'],
  );
});
