import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { askedText, askedWordsOf } from '../../../src/domain/search/words/asked-text.ts';
import { hasPhrase, isExcluded, phraseRanges } from '../../../src/domain/search/words/text-conditions.ts';

/** The operators of a text: words, phrases in brackets, exclusions behind a minus. */
function read(locale: string, text: string): string {
  const { words, phrases, excluded } = askedText(locale, [text], false);
  return [
    words.join(' '),
    ...phrases.map((phrase) => `[${phrase.words.join(' ')}]`),
    ...excluded.map(({ word, phrase }) => (word === undefined ? `-[${phrase.join(' ')}]` : `-${word}`)),
  ].join(' ');
}

test('phrases, in the quotes of many languages', () => {
  const cases: readonly (readonly [locale: string, text: string, read: string])[] = [
    ['en', '"new york" hotel', 'new york hotel [new york]'],
    ['en', '“new york” hotel', 'new york hotel [new york]'],
    ['en', 'hotel "new york" "first class"', 'hotel new york first class [new york] [first class]'],
    ['en', '("new york")', 'new york [new york]'],
    ['en', '"new york", cheap', 'new york cheap [new york]'],
    ['de', '„Haus am See“ kaufen', 'haus am see kaufen [haus am see]'],
    ['de', '»Haus am See«', 'haus am see [haus am see]'],
    ['pl', '„nowy sącz” hotel', 'nowy sacz hotel [nowy sacz]'],
    ['fr', '« robe rouge » été', 'robe rouge ete [robe rouge]'],
    ['fr', '«\u00a0robe rouge\u00a0»', 'robe rouge [robe rouge]'],
    ['ru', '«новый город» отель', 'новыи город отель [новыи город]'],
    ['sv', '”röd stol”', 'rod stol [rod stol]'],
    ['ja', '木製「回転椅子」', '木製 回転 椅子 [回転 椅子]'],
    ['zh', '“红色 椅子”', '红色 椅子 [红色 椅子]'],
    ['ar', '"كرسي خشب" أحمر', 'كرسي خشب احمر [كرسي خشب]'],
    ['es', '"silla roja', 'silla roja'],
    ['it', 'sedia "', 'sedia'],
    // Inches, abbreviations with quotes within, and quotes without words.
    ['en', 'monitor 24" 16:9 27"', 'monitor 24 16 9 27'],
    ['de', '19" Schrank 24"', '19 schrank 24'],
    ['he', 'צה"ל מדים ארה"ב', 'צה ל מדים ארה ב'],
    ['en', '"" "!" shoe', 'shoe'],
  ];
  for (const [locale, text, expected] of cases) {
    const folded = expected
      .replace('новыи', askedWordsOf('ru', 'новый')[0]!)
      .replace('новыи', askedWordsOf('ru', 'новый')[0]!);
    assert.equal(read(locale, text), folded, text);
  }
});

test('a question is prose, whose quotes and hyphens are plain', () => {
  for (const [locale, text] of [
    ['en', 'Who wrote "war and peace"?'],
    ['de', 'Wer schrieb „Krieg und Frieden“ ?'],
    ['ru', 'Кто написал «Войну и мир»?'],
    ['ar', 'من كتب "الحرب والسلام"؟'],
    ['el', 'Ποιος έγραψε «Πόλεμος και ειρήνη»;'],
    ['zh', '谁写了「战争与和平」？'],
  ] as const) {
    assert.deepEqual(askedText(locale, [text], false).phrases, [], text);
    assert.equal(askedText(locale, [text.replace(/\s*[?;؟？]$/u, '')], false).phrases.length, 1, text);
  }
});

test('a text of more than sixteen words is prose, whose quotes and hyphens are plain', () => {
  const text = (words: number) => `"new york" -white${' hotel'.repeat(words - 3)}`;
  assert.equal(read('en', text(16)), 'new york hotel [new york] -white');
  assert.equal(read('en', text(17)), 'new york white hotel');
  const prose =
    'Wie heißt der Fachbegriff dafür, dass man „was man sieht, bekommt man“ meint, und gibt es -auch- andere?';
  assert.equal(askedText('de', [prose], false).phrases.length, 0);
});

test('exclusions, and hyphens that are none', () => {
  const cases: readonly (readonly [locale: string, text: string, read: string])[] = [
    ['en', 'shoe -white', 'shoe -white'],
    ['en', '-white shoe', 'shoe -white'],
    ['en', 'shoe -white -red', 'shoe -white -red'],
    ['en', 'shoe -"dark red" blue', 'shoe blue -[dark red]'],
    ['en', 'shirt -t-shirt', 'shirt -[t shirt] -tshirt'],
    ['en', 'iphone -14 case', 'iphone case -14'],
    ['de', 'Messer -5 grau', 'messer grau -5'],
    ['de', 'Schuhe −weiß', 'schuhe -weiss'],
    ['de', 'Schuhe -„dunkel rot“', 'schuhe -[dunkel rot]'],
    ['fr', 'robe -rouge', 'robe -rouge'],
    ['es', 'silla -roja, barata', 'silla barata -roja'],
    ['ja', '椅子　－赤', '椅子 -赤'],
    ['ru', 'стул -белый', 'стул -белыи'],
    ['ar', 'كرسي -أبيض', 'كرسي -ابيض'],
    // Words with hyphens, dashes, ranges, temperatures.
    ['en', 't-shirt wi-fi', 't shirt wi fi'],
    ['en', '10 - 12 years', '10 12 years'],
    ['en', '10 -12', '10 12'],
    ['en', '10cm -12cm', '10cm 12cm'],
    ['en', 'sleeping bag -5°C', 'sleeping bag 5 c'],
    ['de', 'Schlafsack -20 °C', 'schlafsack 20 c'],
    ['de', 'Schlafsack -20 Grad', 'schlafsack 20 grad'],
    ['fr', 'duvet -15 degrés', 'duvet 15 degres'],
    ['es', 'saco -10 grados', 'saco 10 grados'],
    ['pl', 'śpiwór -5 stopni', 'spiwor 5 stopni'],
    ['ja', '寝袋 -20度', '寝袋 20 度'],
    ['en', 'jacket -5 f', 'jacket 5 f'],
    ['de', 'Gartenstühle und -tische', 'gartenstuhle und tische'],
    ['de', 'Damen- und Herrenschuhe', 'damen und herrenschuhe'],
    ['nl', 'tuinstoelen en -tafels', 'tuinstoelen en tafels'],
    ['sv', 'trädgårdsstolar och -bord', 'tradgardsstolar och bord'],
    ['fr', 'porte-monnaie -', 'porte monnaie'],
    ['ru', 'кресло - качалка из-за', 'кресло качалка из за'],
    ['es', 'franco--alemán -- rojo', 'franco aleman rojo'],
    ['it', 'sedia – rossa', 'sedia rossa'],
  ];
  const й = askedWordsOf('ru', 'белый')[0]!;
  for (const [locale, text, expected] of cases) {
    assert.equal(read(locale, text), expected.replace('белыи', й), text);
  }
});

test('a word behind which a phrase or an exclusion stands is no beginning, words in a phrase are none either', () => {
  const last = (text: string) => askedText('en', [text], true).last;
  assert.equal(last('oak cha'), 1);
  assert.equal(last('"oak" cha'), 1);
  assert.equal(last('cha "oak table'), 2);
  assert.equal(last('cha "oak table"'), undefined);
  assert.equal(last('cha -oak'), undefined);
});

test('a document has a phrase where one of its texts has the words side by side, as they are written', () => {
  const cases: readonly (readonly [locale: string, phrase: string, text: string, has: boolean])[] = [
    ['en', 'new york', 'Hotels in New York, cheap', true],
    ['en', 'new york', 'York is new', false],
    ['en', 'new york', 'new in York', false],
    ['en', 'new york', 'Anew Yorkshire', false],
    ['en', 'running shoe', 'running shoes', false],
    ['en', "men's shoe", 'Men’s shoe', true],
    ['de', 'Straße am See', 'an der STRASSE AM SEE 5', true],
    ['de', 'rotes kleid', 'rotes Sommerkleid', false],
    ['fr', "robe d'été", 'une robe d’ete rouge', true],
    ['tr', 'kırmızı elbise', 'Kırmızı Elbise', true],
    ['ru', 'красный стул', 'Красный стул', true],
    ['ru', 'красный стул', 'красные стулья', false],
    ['ja', '回転椅子', '木製の回転椅子です', true],
    ['ja', '回転椅子', '椅子と回転', false],
    ['zh', '红色椅子', '新款红色椅子套', true],
    ['ko', '나무 의자', '큰 나무 의자를', true],
    ['ar', 'كرسي خشب', 'كرسي خشب أحمر', true],
  ];
  for (const [locale, phrase, text, has] of cases) {
    const { phrases } = askedText(locale, [`"${phrase}"`], false);
    const found = (document: object) => hasPhrase(document as never, phrases[0]!.words, locale, []);
    assert.equal(found({ name: { [locale]: text } }), has, `${phrase} in ${text}`);
    assert.equal(found({ tags: ['x', text] }), has, text);
    assert.equal(found({ name: { [locale === 'en' ? 'de' : 'en']: text } }), false, text);
  }
  assert.equal(hasPhrase({ name: 'new', brand: 'york' }, ['new', 'york'], 'en', []), false);
  const excluded = [{ path: ['notes'], weight: 0 }];
  assert.equal(hasPhrase({ notes: { a: 'new york' } }, ['new', 'york'], 'en', excluded), false);
  const plain = [{ path: ['size'], isPlain: true }];
  assert.equal(hasPhrase({ size: { uk: 'extra wide', eu: '41 wide' } }, ['extra', 'wide'], 'en', plain), true);
});

test('a document is excluded by a word in any of its forms, not by what begins like it, has it in a compound, or resembles it', () => {
  const cases: readonly (readonly [
    locale: string,
    word: string,
    excluded: readonly string[],
    others: readonly string[],
  ])[] = [
    ['en', 'shoe', ['Shoes', 'a shoe'], ['shoelace', 'shore', 'horseshoe']],
    ['en', 'foot', ['feet'], ['football']],
    ['en', 'wi-fi', ['Wifi', 'Wi-Fi', 'WI FI'], ['wi, or fi-wi']],
    ['de', 'Kleid', ['Kleider', 'rotes Kleid'], ['Sommerkleid', 'Kleidung']],
    ['de', 'weiß', ['weiß', 'WEISS', 'weiße'], ['schneeweiß', 'Weizen']],
    ['fr', 'cheval', ['chevaux', 'un cheval'], ['chevalet']],
    ['es', 'roja', ['roja', 'rojas'], ['rojizo']],
    ['ru', 'стул', ['стулья', 'стула'], ['ступка']],
    ['sv', 'stol', ['stolar', 'stolen'], ['stolpe']],
    ['ar', 'حقيبة', ['الحقيبة', 'حقيبة'], ['حق']],
    ['ja', '赤', ['赤', '赤い'], ['青']],
    ['nl', 'stoel', ['stoelen'], ['bureaustoel']],
  ];
  for (const [locale, word, all, others] of cases) {
    const { excluded } = askedText(locale, [`-${word}`], false);
    const isOut = (text: string) =>
      excluded.some((each) => isExcluded({ name: { [locale]: text } } as never, each, []));
    for (const text of all) assert.equal(isOut(text), true, `-${word}: ${text}`);
    for (const text of others) assert.equal(isOut(text), false, `-${word}: ${text}`);
  }
});

test('exclusions alone search everything else; beside other words they are no words of the text', () => {
  const parse = (...texts: (readonly [string, ParameterValue])[]) => parseSearch(new Map(texts), 'p');
  assert.deepEqual(parse(['text.en', '-white']).texts, []);
  assert.equal(parse(['text.en', '-white']).excluded.length, 1);
  assert.equal(parse(['text.en', '!']).texts.length, 1);
  const both = parse(['text.en', 'shoe -white'], ['text.de', '-weiß']);
  assert.deepEqual(
    both.texts.map(({ words }) => words),
    [['shoe'], []],
  );
  assert.deepEqual(
    both.excluded.map(({ locale, word }) => [locale, word]),
    [
      ['en', 'white'],
      ['de', 'weiss'],
    ],
  );
});

test('the ranges of a phrase in a text, also within what a dictionary takes for one word', () => {
  const marked = (text: string, ...phrase: string[]) => phraseRanges(text, phrase).map((range) => text.slice(...range));
  assert.deepEqual(marked('New York, new  york!', 'new', 'york'), ['New York', 'new  york']);
  assert.deepEqual(marked('yes yes yes', 'yes', 'yes'), ['yes yes', 'yes yes']);
  assert.deepEqual(marked('York New', 'new', 'york'), []);
  assert.deepEqual(marked('新款红色椅子套', '红色', '椅子'), ['红色椅子']);
});
