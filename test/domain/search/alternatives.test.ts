import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  begunCompoundsOf,
  begunPartsOf,
  begunSplitsOf,
  begunStems,
  bigramsOf,
  canBeginNearly,
  canBeHead,
  canBeNearHead,
  codesOf,
  editsAllowed,
  editsBetween,
  editsToBeginning,
  editsToHead,
  firstWordsOf,
  foldWord,
  headsOf,
  isBegunForm,
  isHeadOf,
  isStopWord,
  joinedPartsOf,
  lettersOfHead,
  matchesWord,
  measuresIn,
  otherSpellings,
  pairsOf,
  spacesOf,
  splitsOf,
  thousandsIn,
  unitsOf,
} from '#words';
import { askedText } from '../../../src/domain/search/words/asked-text.ts';
import { testSeed } from '../../seed.ts';

test('unitsOf: a number and what it measures, apart and as one; not other words', () => {
  assert.deepEqual(
    unitsOf(['pot', '10l']).map(({ form }) => form),
    ['10', 'l'],
  );
  assert.deepEqual(
    unitsOf(['10', 'l', 'pot']).map(({ form }) => form),
    ['10l'],
  );
  assert.deepEqual(
    unitsOf(['2.5kg']).map(({ form }) => form),
    ['2.5', 'kg'],
  );
  assert.deepEqual(
    unitsOf(['10', 'pieces', 'b12', '10x20']).map(({ form }) => form),
    [],
  );
});

test('measuresIn: a text of many dimensions and fractions is read in one pass', () => {
  const found = measuresIn('1/2 x 4, 3/4; 4x8, '.repeat(50_000));
  assert.deepEqual(
    found.slice(-3).map(({ word }) => word),
    ['0.5x4', '0.75', '4x8'],
  );
  assert.equal(found.length, 150_000);
});

test('measuresIn: numbers with a sign between them; no codes, nor words that only look like them', () => {
  const words = (text: string) => measuresIn(text).map(({ word, start, end }) => [word, text.slice(start, end)]);
  assert.deepEqual(words('Bett 90 x 200 cm, 1,5 × 2'), [
    ['90x200', '90 x 200'],
    ['1.5x2', '1,5 × 2'],
  ]);
  assert.deepEqual(words('90 cm x 200cm*20'), [['90x200x20', '90 cm x 200cm*20']]);
  assert.deepEqual(words('90х200'), [['90x200', '90х200']], 'the Cyrillic letter');
  for (const text of ['AB-90x200', '90x200-B', '90 x', 'x 90', '90 xl 200', '90 y 200'])
    assert.deepEqual(words(text), [], text);
});

test('measuresIn: units with full stops, letters before a number, fractions; no dates, tyres and codes', () => {
  const words = (text: string) => measuresIn(text).map(({ word, start, end }) => [word, text.slice(start, end)]);
  for (const [text, word, written] of [
    ['4 ft. x 8 ft.', '4x8', '4 ft. x 8'],
    ["4' x 8'", '4x8', "4' x 8"],
    ['M8 × 40 mm', 'm8x40', 'M8 × 40'],
    ['Ø8 x 40', '8x40', 'Ø8 x 40'],
    ['rør ø8x40', '8x40', 'ø8x40'],
    ['2"x4"', '2x4', '2"x4'],
    ['2”x4”x6”', '2x4x6', '2”x4”x6'],
    ["4'x8'", '4x8', "4'x8"],
    ['24 in.x36 in.', '24x36', '24 in.x36'],
    ['1-1/2-in. elbow', '1.5', '1-1/2'],
    ['2 ¾"', '2.75', '2 ¾'],
    ['3/4 x 1/2', '0.75x0.5', '3/4 x 1/2'],
    ['3x2,5mm²', '3x2.5', '3x2,5'],
    ['１２ｘ３', '12x3', '１２ｘ３'],
  ] as const) {
    assert.deepEqual(words(text), [[word, written]], text);
  }
  for (const text of ['24/7', '1/2/2024', '205/55 R16', '11/2', 'AB-1/2', 'x1/2', '1/2-3', '5/7 m']) {
    assert.deepEqual(words(text), [], text);
  }
});

test('thousandsIn: numbers without what divides their thousands; no decimals', () => {
  const forms = (words: readonly string[]) => thousandsIn(words).map(({ form }) => form);
  assert.deepEqual(forms(['1.000', '12.345.678', '2.500kg']), ['1000', '12345678', '2500']);
  assert.deepEqual(forms(['12', '345', '678', 'pieces']), ['12345678']);
  assert.deepEqual(forms(['0.125', '1.5', '1000.000', '012', '345', 'a', '100', '1', '10']), []);
});

test('joinedPartsOf: two parts of which one is short, each once, as one word; no long ones, codes and elisions', () => {
  const words = (text: string) => joinedPartsOf(text).map(({ word, start, end }) => [word, text.slice(start, end)]);
  assert.deepEqual(words('my Wi-Fi-Router and É‑Mail'), [
    ['wifi', 'Wi-Fi'],
    ['email', 'É‑Mail'],
  ]);
  assert.deepEqual(words('a-b-c'), [['ab', 'a-b']]);
  assert.deepEqual(words("Levi's and don’t"), [
    ['levis', "Levi's"],
    ['dont', 'don’t'],
  ]);
  for (const text of ['Coca-Cola', 'AB-12', 'USB-C3', 'p-en-12', '12-p-en', 'a-b.1', "l'homme", "d'été", 'x - y', "'s"])
    assert.deepEqual(words(text), [], text);
});

test('codesOf: a run with a digit and separators, without them; not a number', () => {
  const codes = (text: string) => codesOf(text).map(({ code, words }) => [code, ...words]);
  assert.deepEqual(codes('see AB-12/7 there'), [['ab127', 'ab', '12', '7']]);
  assert.deepEqual(codes('X_1.2'), [['x12', 'x', '1.2']]);
  for (const text of ['3.5', '42 1/2', 'T-shirt', 'AB127', 'a - 1']) assert.deepEqual(codes(text), [], text);
});

test('bigramsOf: neighbours in a run without spaces, across its words', () => {
  assert.deepEqual(bigramsOf('赤い運動靴 red'), ['赤イ', 'イ運', '運動', '動靴']);
  assert.deepEqual(bigramsOf('운동화'), ['운동', '동화']);
  assert.deepEqual(bigramsOf('Schuh'), []);
  assert.deepEqual(pairsOf('運動靴'), ['運動', '動靴']);
  assert.deepEqual(pairsOf('運動'), []);
});

test('splitsOf: two parts of three letters and more, with the linking sounds of the language', () => {
  assert.deepEqual(splitsOf('teapot', 'en'), [['tea', 'pot']]);
  assert.ok(splitsOf('arbeitshose', 'de').some(([a, b]) => a === 'arbeit' && b === 'hose'));
  assert.ok(!splitsOf('arbeitshose', 'en').some(([a, b]) => a === 'arbeit' && b === 'hose'));
  assert.deepEqual(splitsOf('xt450', 'en'), [['xt', '450']]);
  assert.deepEqual(splitsOf('pot', 'en'), []);
  assert.deepEqual(splitsOf('운동화끈', 'ko'), [['운동', '화끈']]);
  assert.deepEqual(splitsOf('운동화', 'ko'), []);
  assert.deepEqual(splitsOf('運動靴紐', 'ja'), []);
});

test('begunSplitsOf: the second part may be a letter; not where the first one is a form of the word', () => {
  assert.deepEqual(begunSplitsOf('coffeet', 'en', false).at(-1), ['coffee', 't']);
  assert.ok(begunSplitsOf('arbeitsh', 'de', false).some(([a, b]) => a === 'arbeit' && b === 'h'));
  assert.deepEqual(begunSplitsOf('xt4', 'en', false), [['xt', '4']]);
  assert.deepEqual(
    begunSplitsOf('shoes', 'en', false).map(([first]) => first),
    ['sho'],
  );
  assert.deepEqual(begunSplitsOf('shoe', 'en', false), [['sho', 'e']]);
  assert.deepEqual(begunSplitsOf('sho', 'en', false), []);
  assert.deepEqual(begunSplitsOf('dish', 'en', false), [['dis', 'h']]);
  assert.deepEqual(begunSplitsOf('dish', 'en', true), []);
  const sure = begunSplitsOf('coffeet', 'en', true);
  assert.deepEqual(sure.at(-1), ['coffee', 't']);
  assert.ok(sure.every(([first, second]) => first.length >= 5 || second.length >= 3));
  assert.deepEqual(begunSplitsOf('운동화', 'ko', false), [['운동', '화']]);
  assert.deepEqual(begunSplitsOf('運動靴', 'ja', false), []);
});

test('begunPartsOf: words with these letters that may be parts when they are whole', () => {
  const isPart = begunPartsOf('t', 'en');
  assert.deepEqual(['table', 'tea', 't', 'te', 'xt', 't300'].filter(isPart), ['table', 'tea']);
  assert.deepEqual(['1', '15', '1a', '21'].filter(begunPartsOf('1', 'en')), ['1', '15', '1a']);
  assert.deepEqual(['tur', 'tuer', 'tor', 'ture'].filter(begunPartsOf('tue', 'de')), ['tur', 'tuer', 'ture']);
  assert.deepEqual(['필터', '필', '필터를'].filter(begunPartsOf('필', 'ko')), ['필터', '필터를']);
});

test('otherSpellings: with and without the e of umlauts, in German; not of the first letter, nor behind a vowel', () => {
  assert.deepEqual(otherSpellings('groess', 'de'), ['gross']);
  assert.deepEqual(otherSpellings('gross', 'de-AT'), ['groess']);
  assert.deepEqual(otherSpellings('tuerschl', 'de'), ['turschl']);
  assert.deepEqual(otherSpellings('tuerschloss', 'de').toSorted(), ['tuerschloess', 'turschloess', 'turschloss']);
  for (const word of ['aermel', 'oel', 'neue', 'quelle', 'frei', 'gro', 'groess1']) {
    const others = otherSpellings(word, 'de');
    assert.deepEqual(others, [], `${word}: ${others}`);
  }
  assert.deepEqual(otherSpellings('groess', 'en'), []);
  assert.equal(otherSpellings('tuerbodenbalkendach', 'de').length, 7, 'three vowels at most');
  assert.ok(
    otherSpellings('abaladafaer', 'de').some((each) => each.endsWith('far')),
    'those with an e first',
  );
});

test('otherSpellings: all that begins alike where e behind a, o and u is left out', () => {
  const pieces = fc.array(fc.constantFrom('g', 's', 'q', 'e', 'a', 'ae', 'o', 'oe', 'u', 'ue'), {
    minLength: 2,
    maxLength: 6,
  });
  const rest = fc.constantFrom('', 'e', 's', 'as');
  const plain = (text: string) => text.replace(/(?<!^|[aeiouq])([aou])e/g, '$1');
  let alike = 0;
  fc.assert(
    fc.property(pieces, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), rest, (typed, swapped, more) => {
      const begun = typed.join('');
      const [one, other] = [/^([aou])$/, /^([aou])e$/];
      const swap = (piece: string) => piece.replace(one, '$1_').replace(other, '$1').replace('_', 'e');
      const word = typed.map((piece, at) => (swapped[at] ? swap(piece) : piece)).join('') + more;
      fc.pre(typed.filter((piece) => /[aou]/.test(piece)).length <= 3);
      const begins = [begun, ...otherSpellings(begun, 'de')].some((each) => word.startsWith(each));
      assert.equal(begins, plain(word).startsWith(plain(begun)), `${begun}, ${word}`);
      if (begins && !word.startsWith(begun)) alike += 1;
    }),
    { numRuns: 2000, seed: testSeed },
  );
  assert.ok(alike > 100, `${alike} of them begin alike`);
});

test('headsOf: ends of four letters and more, the longest first, behind three with a vowel; no small words', () => {
  assert.deepEqual(headsOf('tagesdecke', 'de'), ['esdecke', 'sdecke', 'decke', 'ecke']);
  assert.deepEqual(headsOf('flskor', 'sv'), [], 'no vowel before it');
  assert.deepEqual(headsOf('abcdefg', 'en'), [], 'no compounds');
  assert.deepEqual(headsOf('ladenoder', 'de'), ['enoder', 'noder'], 'a word that says little');
  for (const word of ['hose', 'xhosen', 'abc4hose', '運動靴']) assert.deepEqual(headsOf(word, 'de'), [], word);
});

test('isHeadOf: the end of a compound in any of its forms; not a short rest, nor any end of letters', () => {
  assert.ok(isHeadOf('kleid', 'sommerkleider', 'de'));
  assert.ok(isHeadOf('kleider', 'sommerkleid', 'de'));
  assert.ok(canBeHead('rad', 'de') && isHeadOf('rad', 'fahrrad', 'de'));
  assert.ok(!isHeadOf('uhr', 'gebuhr', 'de'));
  assert.ok(isHeadOf('靴', '運動靴', 'ja'));
  assert.ok(!isHeadOf('kleid', 'umkleid', 'de'));
  assert.ok(!isHeadOf('kleid', 'kleidung', 'de'));
  assert.ok(!isHeadOf('kleid', 'sommerkleidung', 'de'));
});

test('firstWordsOf: parts that compounds begin with need no word of the project, others one, adjectives in -isch cannot be compounds', () => {
  const sure = [
    ['de', 'badeente', 'bade'],
    ['de', 'dinkelvollkornmehl', 'dinkelvollkorn'],
    ['nl', 'keukentafel', 'keuken'],
    ['sv', 'skolvaska', 'skol'],
    ['da', 'bornestol', 'borne'],
    ['nn', 'barnestol', 'barne'],
    ['fi', 'jalkapallo', 'jalka'],
    ['hu', 'konyhaasztal', 'konyha'],
    ['ja', '運動靴', '運動'],
  ] as const;
  for (const [locale, word, first] of sure) assert.equal(firstWordsOf(word, first, locale), undefined, word);
  const unsure = [
    ['de', 'medikamente', 'medikam'],
    ['de', 'brennenstuhl', 'brennen'],
    ['nl', 'instrument', 'instrum'],
    ['sv', 'epistol', 'epi'],
    ['da', 'forsikring', 'forsik'],
    ['nb', 'forsikring', 'forsik'],
    ['fi', 'gallopallo', 'gallo'],
    ['hu', 'kamfora', 'kamf'],
  ] as const;
  for (const [locale, word, first] of unsure) assert.ok(firstWordsOf(word, first, locale), word);
  assert.deepEqual(firstWordsOf('atlantischer', 'atlan', 'de'), []);
  assert.deepEqual(firstWordsOf('romantisches', 'roman', 'de'), []);
  assert.ok(firstWordsOf('pikachusbecher', 'pikachus', 'de')!.includes('pikachu'));
  assert.ok(!firstWordsOf('brennenstuhl', 'brennen', 'de')!.includes('brennen'));
});

test('isHeadOf in German: as if the ends of all words were stemmed that have three letters of the head', () => {
  const piece = fc.constantFrom(
    ...'aeouikdlnrstqß',
    'ae',
    'oe',
    'ue',
    'ee',
    'qu',
    'sch',
    'ung',
    'keit',
    'ig',
    'nis',
    'ж',
  );
  const begin = fc.array(piece, { minLength: 2, maxLength: 5 }).map((pieces) => pieces.join(''));
  const ending = fc.constantFrom(
    '',
    'e',
    'en',
    'er',
    'ern',
    's',
    'es',
    'nisse',
    'ung',
    'ungen',
    'lich',
    'keiten',
    'erin',
  );
  const joined = (some: string) =>
    fc.constantFrom(some, some.replace(/[aou](?!e)/g, '$&e'), some.replace(/([aou])e/g, '$1'));
  const pair = begin.chain((shared) =>
    fc.tuple(
      joined(shared),
      joined(shared),
      ending,
      ending,
      fc.constantFrom('', 'x'),
      fc.constantFrom('haus', 'ab', 'nasen'),
    ),
  );
  let heads = 0;
  fc.assert(
    fc.property(pair, ([own, other, ownEnding, otherEnding, letter, rest]) => {
      const [asked, word] = [foldWord(own + ownEnding), foldWord(rest + other + letter + otherEnding)];
      fc.pre(canBeHead(asked, 'de'));
      const from = asked.length <= 3 ? 4 : 3;
      const ends = Array.from({ length: word.length }, (_, at) => word.slice(at)).slice(from);
      const expected = ends.some((end) => end.startsWith(asked.slice(0, 3)) && matchesWord(end, asked, 'de'));
      assert.equal(isHeadOf(asked, word, 'de-AT'), expected, `${asked} in ${word}`);
      if (expected) assert.ok(word.includes(lettersOfHead(asked, 'de'), 1));
      heads += Number(expected);
    }),
    { numRuns: 2000 },
  );
  assert.ok(heads > 100, `${heads}`);
});

test('editsToHead: the end of a compound with a typo that begins like it; not in short words, nor without compounds', () => {
  const edits = (word: string, asked: string, locale: string) =>
    canBeNearHead(asked, locale, 2) ? editsToHead(word, asked, 2) : undefined;
  assert.equal(edits('konzertgitarre', 'gitare', 'de'), 1);
  assert.equal(edits('konzertgitarre', 'gitar', 'de'), undefined, 'two edits of five letters');
  assert.equal(edits('sommerkleid', 'kleeid', 'de'), 1);
  assert.equal(edits('fahrrad', 'rat', 'de'), undefined);
  assert.equal(edits('ankleid', 'kleeid', 'de'), undefined, 'a short rest');
  assert.equal(edits('4711kleid', 'kleeid', 'de'), undefined, 'digits');
  assert.equal(edits('konzertgitarre', 'gitare', 'en'), undefined);
  assert.equal(canBeNearHead('gitare', 'de', 0), false);
});

test('editsToBeginning: a beginning with a typo, from the fourth letter on; not of numbers, nor with another first letter', () => {
  const edits = (word: string, asked: string) =>
    canBeginNearly(asked, 2) ? editsToBeginning(word, asked, 2) : undefined;
  for (const [asked, expected] of [
    ...([
      ['wintr', 1],
      ['wnite', 1],
      ['wimtermant', 1],
      ['wimtrma', 2],
    ] as const),
    ...([
      ['winter', undefined],
      ['wim', undefined],
      ['wiman', undefined],
      ['vinter', undefined],
      ['iwnter', undefined],
    ] as const),
  ] as const) {
    assert.equal(edits('wintermantel', asked), expected, asked);
  }
  assert.equal(edits('wint3000', 'wimt'), undefined);
  assert.equal(edits('wb400500x', 'wb400600'), undefined);
  assert.equal(edits('運動靴下', '運動靴上'), undefined);
  assert.equal(canBeginNearly('wintr', 0), false);
});

test('editsBetween: of the word or of its stem, none in short words and few in numbers', () => {
  assert.equal(editsBetween('broek', 'bhroeken', 'nl', 2), 2, 'the stem of the asked word');
  assert.equal(editsBetween('kudde', 'kudar', 'sv', 2), 2, 'both stems');
  assert.equal(editsBetween('rake', 'raks', 'en', 2), 1);
  assert.equal(editsBetween('oak', 'raks', 'en', 2), 2, 'a stem counts less than the word');
  assert.equal(editsBetween('sin', 'ninos', 'es', 2), undefined, 'a short word for a longer one');
  assert.equal(editsBetween('par', 'parlement', 'fr', 2), undefined);
  assert.equal(editsBetween('kudde', 'xudar', 'sv', 2), undefined, 'another beginning');
  assert.equal(editsBetween('kudde', 'kudar', 'sv', 0), undefined);
  assert.equal(editsBetween('dress', 'dres', 'en', 2), 1);
  assert.equal(editsBetween('dress', 'cat', 'en', 2), undefined);
  assert.deepEqual(
    ['ab', '2024', 'ab1234', 'ab12345', 'dress', 'dresses'].map((word) => editsAllowed(word, 2)),
    [0, 0, 0, 1, 1, 2],
  );
  assert.equal(editsAllowed('dresses', 1), 1);
});

test('editsBetween: a form that lacks a letter, so that its ending is none', () => {
  for (const [locale, asked, word] of [
    ['sv', 'flskor', 'flaska'],
    ['fr', 'seux', 'seau'],
    ['pl', 'stly', 'stol'],
    ['fi', 'laiot', 'lapio'],
    ['tr', 'davullai', 'davul'],
    ['ru', 'молоки', 'молоток'],
    ['de', 'huser', 'haus'],
    ['sv', 'handdukana', 'handduk'],
  ] as const) {
    assert.equal(editsBetween(word, asked, locale, 2), 2, `${asked}, ${word}`);
    assert.equal(editsBetween(word, asked, locale, 0), undefined, `${asked}, ${word}`);
  }
  assert.equal(editsBetween('flaska', 'flxkor', 'sv', 2), undefined, 'another letter');
  assert.equal(editsBetween('haus', 'hser', 'de', 2), undefined, 'another beginning');
  assert.equal(editsBetween('confort', 'confortablemets', 'fr', 2), undefined, 'a long ending');
  assert.equal(editsBetween('eis', 'esr', 'de', 2), undefined, 'too short');
});

test('spacesOf: a locale falls back to its language, and every text to no locale', () => {
  assert.deepEqual(spacesOf('de-CH'), ['de-CH', 'de', '']);
  assert.deepEqual(spacesOf('de'), ['de', '']);
  assert.deepEqual(spacesOf('zh-Hant-TW'), ['zh-Hant-TW', 'zh-Hant', 'zh', '']);
  assert.deepEqual(spacesOf('es-419'), ['es-419', 'es', '']);
});

test('isStopWord: words that say little, elisions included; no sizes, no content words, no unknown language', () => {
  for (const [locale, words] of [
    ['en', 'the with for a'],
    ['de', 'fur der und aus'],
    ['fr', 'l d avec pour'],
    ['pl', 'dla z na'],
    ['ja', 'ノ ガ'],
  ] as const) {
    for (const word of words.split(' ')) assert.ok(isStopWord(word, locale), `${locale}: ${word}`);
  }
  for (const word of ['l', 'xl', 'red', '10', 'shoe']) assert.ok(!isStopWord(word, 'en'), word);
  assert.ok(!isStopWord('the', 'xx'));
});

test('isStopWord: what people ask a shop with, and no word that is a thing as well', () => {
  for (const [locale, words] of [
    ['en', 'buy looking want'],
    ['de', 'suche kaufen mochte'],
    ['nl', 'zoek kopen'],
    ['sv', 'soker kopa'],
    ['nn', 'kjope soker'],
    ['es', 'busco comprar'],
    ['pl', 'szukam kupic'],
    ['ru', 'куплю ищу'],
    ['tr', 'ariyorum'],
    ['ar', 'ابحث اريد'],
    ['ja', 'エ マス デス ドコ'],
  ] as const) {
    for (const word of words.split(' ')) assert.ok(isStopWord(word, locale), `${locale}: ${word}`);
  }
  for (const [locale, word] of [
    ['en', 'look'],
    ['nl', 'kop'],
    ['es', 'compra'],
    ['sv', 'koppar'],
    ['fr', 'commande'],
    ['ja', 'サイ'],
  ] as const) {
    assert.ok(!isStopWord(word, locale), `${locale}: ${word}`);
  }
  const { words, small } = askedText('de', ['ich möchte Sofas kaufen'], false);
  assert.deepEqual(
    words.filter((_, place) => !small.includes(place)),
    ['sofas'],
  );
});

test('askedText: neighbours and codes are one word as well; words that say little need not occur, unless all do', () => {
  const text = askedText('de', ['Arbeit Hose', 'AB-1'], false);
  assert.deepEqual(text.words, ['arbeit', 'hose', 'ab', '1']);
  assert.ok(text.wholes.some(({ word, of }) => word === 'arbeitshose' && `${of}` === '0,1'));
  assert.ok(text.wholes.some(({ word, of }) => word === 'ab1' && `${of}` === '2,3'));
  assert.ok(!text.wholes.some(({ word }) => word === 'hoseab'), 'not across texts');
  assert.deepEqual(askedText('en', ['shoes for the'], false).small, [1, 2]);
  assert.equal(askedText('en', ['shoes for the'], false).last, undefined);
  assert.deepEqual(askedText('en', ['shoes for the'], true).small, [1]);
  assert.deepEqual(askedText('en', ['for the'], false).small, []);
  assert.deepEqual(text.begun, [{ word: 'ab1', of: [2, 3] }], 'a code without its separators alone');
});

test('askedText: with prefix, what begins with the last word and those before it as one word', () => {
  const begun = (locale: string, ...texts: readonly string[]) =>
    askedText(locale, texts, true).begun.map(({ word, of }) => `${word} ${of}`);
  assert.deepEqual(begun('en', 'red coffee t'), ['coffeet 1,2']);
  assert.deepEqual(begun('sv', 'arbete d'), ['arbeted 0,1', 'arbetesd 0,1']);
  assert.deepEqual(begun('sv', 'av d'), ['avd 0,1'], 'nothing between what says little and a word');
  assert.deepEqual(begun('en', 'see AB-12/7'), ['ab127 1,2,3', '127 2,3']);
  assert.deepEqual(begun('en', 'coffee', 't'), [], 'not across texts');
  assert.deepEqual(begun('en', 't coffee t'), ['coffeet 1,0']);
  assert.deepEqual(begun('en', 'coffee'), []);
});

test('begunStems: those of the words that an ending makes of an unfinished one; not its own', () => {
  for (const [begun, locale, stem] of [
    ['runn', 'en', 'run'],
    ['runni', 'en', 'run'],
    ['runnin', 'en', 'run'],
    ['chevau', 'fr', 'cheval'],
    ['byxorn', 'sv', 'byx'],
  ] as const) {
    assert.ok(begunStems(begun, locale).has(stem), begun);
  }
  assert.ok(!begunStems('run', 'en').has('run'), 'its own');
  for (const begun of ['carp', 'carpe', 'carpet']) assert.ok(!begunStems(begun, 'en').has('car'), begun);
  for (const [begun, locale] of [
    ['ru', 'en'],
    ['run1', 'en'],
    ['runn', 'sk'],
    ['コンピュ', 'ja'],
  ] as const) {
    assert.equal(begunStems(begun, locale).size, 0, begun);
  }
});

test('isBegunForm: a word with such a stem that begins alike, unless it begins with all letters', () => {
  assert.ok(isBegunForm('run', 'runni', 'en'));
  assert.ok(isBegunForm('runs', 'runni', 'en'));
  assert.ok(!isBegunForm('running', 'runni', 'en'), 'a beginning');
  assert.ok(!isBegunForm('car', 'carpe', 'en'));
  // While *inspection* is typed, every text with *in* would come and go.
  for (const [small, begun] of [
    ['in', 'ins'],
    ['on', 'ons'],
    ['up', 'ups'],
  ] as const)
    assert.ok(!matchesWord(small, begun, 'en'), begun);
  assert.ok(begunCompoundsOf('byxorn', 'sv')('regnbyxa'));
  assert.ok(!begunCompoundsOf('byxorn', 'sv')('byxa'), 'nothing before it');
  assert.ok(!begunCompoundsOf('runni', 'en')('forerun'), 'no compounds');
});
