import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bigramsOf,
  codesOf,
  foldWord,
  joinedPartsOf,
  maxWordUnits,
  measureFormsOf,
  plainCodesOf,
  segmentedWordsOf,
  textWordsOf,
  unitsOf,
  wordsOf,
} from '#words';

const texts: readonly (readonly [text: string, words: string])[] = [
  ['', ''],
  [' … – !? ', ''],
  ['The quick, brown fox; the LAZY dog.', 'the quick brown fox the lazy dog'],
  ["L'homme n’est pas l'été", 'l homme n est pas l ete'],
  ['foo_bar example.com a:b AT&T', 'foo bar example com a b at t'],
  ['1,000 pieces at 3.5 mm, v1.2.3 of 5. (6.x)', '1.000 pieces at 3.5 mm v1.2.3 of 5 6 x'],
  ['SKU-4711/B #12', 'sku 4711 b 12'],
  ['Größe: „schön“ – Straße', 'grosse schon strasse'],
  ['红色的鞋子很舒服', '红色 的 鞋子 很 舒服'],
  ['東京で赤い靴を', '東京 デ 赤イ 靴 ヲ'],
  ['รองเท้าสีแดงสวยมาก', 'รองเท้า สี แดง สวย มาก'],
  ['빨간 신발을 샀습니다', '빨간 신발을 샀습니다'],
  ['Красные ботинки, ёлка!', 'красные ботинки елка'],
  ['כְּתָב שָׁלוֹם', 'כתב שלום'],
  ['كِتَابٌ جَدِيد', 'كتاب جديد'],
  ['Ｆｕｌｌ ｗｉｄｔｈ １２', 'full width 12'],
  ['good 👍🏽 shoes 👩‍👩‍👧', 'good shoes'],
  ['col·lecció it\u00adem', 'colleccio item'],
  ['x² ½ ①', 'x'],
  ['\ud800 broken \udc00pair', 'broken pair'],
];

for (const [text, words] of texts) {
  test(`wordsOf: ${JSON.stringify(text)} has the words [${words}]`, () => {
    assert.deepEqual(wordsOf(text), words.split(' ').filter(Boolean).map(normalised));
  });
}

function normalised(word: string): string {
  return word.normalize('NFKC');
}

test('wordsOf: a simple text mixed with strange ones keeps the order and repeats of its words', () => {
  assert.deepEqual(wordsOf('red shoe 红色 red\nnew\t鞋子 red'), ['red', 'shoe', '红色', 'red', 'new', '鞋子', 'red']);
});

test('wordsOf: the words found without the segmenter are those that it finds, in any text', () => {
  const simple = 'aZ09.,_:;\'"-’ßéłŁİıǄͻΰς·ЖёЁ‘“ \n\t«»×÷ªº²½\u00ad\u0301\u200d\ufe0f✓👍漢かがゃヴヾ々ーｶﾞกำ한कि';
  const unit = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...simple) },
    fc.string({ unit: 'binary', maxLength: 1 }),
  );
  const text = fc.array(unit, { maxLength: 24 }).map((units) => units.join(''));
  fc.assert(
    fc.property(text, (some) => assert.deepEqual(wordsOf(some), segmentedWordsOf(some))),
    { numRuns: 1000 },
  );
});

test('textWordsOf: the words of wordsOf, and no further form where it says that there is none, in any text', () => {
  const unit = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(..."abcxXYZ0123456789.,-_/ \n+'*") },
    { weight: 1, arbitrary: fc.constantFrom(...'éßЖ漢字½\0\x7f') },
  );
  const text = fc.array(unit, { maxLength: 80 }).map((units) => units.join(''));
  fc.assert(
    fc.property(text, (some) => {
      const { words, hasNumber, hasCode, hasJoint, isSimple } = textWordsOf(some);
      assert.deepEqual(words, wordsOf(some));
      if (!hasNumber) assert.deepEqual([unitsOf(words), measureFormsOf(some)].flat(), []);
      if (!hasJoint) assert.deepEqual(joinedPartsOf(some), []);
      if (!hasCode) assert.deepEqual(codesOf(some), []);
      if (isSimple) assert.deepEqual(bigramsOf(some), []);
      const codes = codesOf(some).map(({ code }) => code);
      assert.deepEqual(plainCodesOf(some), codes);
    }),
    { numRuns: 1000, examples: [['a'.repeat(70)], ['1,2.3'], ['brand-12'], ['1_'], ['AB-12/7 x.5']] },
  );
});

test('textWordsOf: words that are cut from one text are those of any other, however many there are', () => {
  const letters = (n: number) => n.toString(36);
  const texts = Array.from(
    { length: 30_000 },
    (_, n) => `${letters(n * 7919)} ${n} ${letters(n)}${'x'.repeat(n % 14)}`,
  );
  for (const text of [...texts, ...texts.toReversed()]) assert.deepEqual(textWordsOf(text).words, text.split(' '));
});

test('wordsOf: what only lengthens a word is none by itself', () => {
  for (const text of ['ـ', 'ـ ـ', '\u06e5', '\u06e6', '\ufcf2', '\ufe7f', '\ufe71 \ufe79'])
    assert.deepEqual(wordsOf(text), [], text);
  assert.deepEqual(wordsOf('ـ كتـاب ـ'), wordsOf('كتاب'));
  for (let point = 0; point <= 0x2ffff; point += 1) {
    if (point < 0xd800 || point > 0xdfff)
      assert.ok(!wordsOf(String.fromCodePoint(point)).includes(''), point.toString(16));
  }
});

test('wordsOf: every single character is divided as the segmenter does, between letters and between digits', () => {
  for (let point = 0; point <= 0x2fff; point += 1) {
    const character = String.fromCodePoint(point);
    const text = `a${character}b 1${character}2 ${character}`;
    assert.deepEqual(wordsOf(text), segmentedWordsOf(text), `U+${point.toString(16)}`);
  }
});

test('wordsOf: a word is cut at its greatest length, never within a character', () => {
  assert.deepEqual(wordsOf('x'.repeat(1000)), ['x'.repeat(maxWordUnits)]);
  const [rare] = wordsOf(`a${'𐐨'.repeat(100)}`);
  assert.equal(rare, `a${'𐐨'.repeat(maxWordUnits / 2 - 1)}`);
});

test('wordsOf: a long text of strange words does not overflow', () => {
  assert.equal(wordsOf('鞋 '.repeat(150_000)).length, 150_000);
});

const folds: readonly (readonly [string, string])[] = [
  ['É', 'e'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['ẞ', 'ss'],
  ['Øre', 'ore'],
  ['Łódź', 'lodz'],
  ['Đà', 'da'],
  ['Æther', 'aether'],
  ['Œuvre', 'oeuvre'],
  ['Þór', 'thor'],
  ['İstanbul', 'istanbul'],
  ['ISTANBUL', 'istanbul'],
  ['ısı', 'isi'],
  ['Ёлка', 'елка'],
  ['йод', 'йод'],
  ['їжак', 'їжак'],
  ['за\u0301мок', 'замок'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδός', 'οδοσ'],
  ['ΆΈΉ', 'αεη'],
  ['Ｔ－ｓｈｉｒｔ', 't-shirt'],
  ['ﬁx', 'fix'],
  ['か', 'カ'],
  ['が', 'ガ'],
  ['くつ', 'クツ'],
  ['ｺﾝﾋﾟｭｰﾀｰ', 'コンピユーター'],
  ['キャノン', 'キヤノン'],
  ['ヴァイオリン', 'バイオリン'],
  ['ゔ', 'ブ'],
  ['いすゞ', 'イスズ'],
  ['佐々木', '佐佐木'],
  ['々', '々'],
  ['カ\u3099', 'ガ'],
  ['ｶﾞ', 'ガ'],
  ['한국', '한국'],
  ['한국'.normalize('NFD'), '한국'],
  ['किताब', 'किताब'],
  ['ที่', 'ที่'],
  ['שָׁלוֹם', 'שלום'],
  ['كِتَابٌ', 'كتاب'],
  ['أحمد', 'احمد'],
  ['e\u0301te\u0301', 'ete'],
];

for (const [word, folded] of folds) {
  test(`foldWord: ${word} is ${folded}`, () => assert.equal(foldWord(word), folded));
}

test('foldWord: what is folded stays as it is, whatever the word', () => {
  const marks = [
    ...'\u0300\u0301\u0306\u0308\u0323\u0327\u0345\u064b\u0653\u0654\u05b8\u3099\u00ad\u0640·ееиіГгкΑςشأىかカ가ßŐǽﬃ℡ſŀŉ',
  ];
  const unit = fc.oneof(fc.constantFrom(...marks), fc.string({ unit: 'binary', maxLength: 1 }));
  const word = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''));
  fc.assert(
    fc.property(word, (some) => assert.equal(foldWord(foldWord(some)), foldWord(some))),
    { numRuns: 1000 },
  );
});

test('foldWord: both ways to write a character fold alike', () => {
  for (let point = 0xa0; point <= 0x2fff; point += 1) {
    const character = `a${String.fromCodePoint(point)}b`;
    assert.equal(foldWord(character.normalize('NFD')), foldWord(character), `U+${point.toString(16)}`);
  }
});
