import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import { match } from '../../../src/domain/predicate/match.ts';
import type { FacetResult } from '../../../src/domain/search/facet-results.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { anyResource, anySearch, resourceOf } from './arbitrary-search.ts';
import { evaluateSearch, type SearchedResource } from './reference.ts';

type Parameters = Readonly<Record<string, ParameterValue>>;

/** A project of resources with these fields, named by their keys, each a second younger than the one before. */
function projectOf(fields: Readonly<Record<string, JsonObject>>): readonly SearchedResource[] {
  return Object.entries(fields).map(([id, own], at) => ({
    current: { id, createdAt: `2024-01-01T00:00:0${at}.000Z`, ...own },
  }));
}

function search(project: readonly SearchedResource[], parameters: Parameters) {
  return evaluateSearch(project, parseSearch(new Map(Object.entries(parameters)), 'p'));
}

const clothes = projectOf({
  shoe: {
    name: { en: 'shoe', de: 'Schuh' },
    variants: [{ color: 'blue', size: 38 }, { size: 46 }],
  },
  shirt: {
    name: { en: 'shirt', de: 'Hemd' },
    variants: [{ color: 'red', size: 36 }, { size: 44 }],
  },
  dress: {
    name: { en: 'dress', de: 'Kleider' },
    variants: [{ color: 'blue', size: 40 }, { size: 42 }],
  },
});

for (const [parameters, ids] of [
  [{}, ['dress', 'shirt', 'shoe']],
  [{ 'text.en': 'shoe' }, ['shoe']],
  [{ 'text.en': 'SHOES' }, ['shoe']],
  [{ 'text.de': 'shoe' }, []],
  [{ 'text.en': 'shoe', 'text.de': 'Hemd', sort: 'id' }, ['shirt', 'shoe']],
  [{ 'text.en': 'short' }, []],
  [{ 'text.en': 'short', fuzzy: true }, ['shirt']],
  [{ 'text.en': 'short', fuzzy: true, fuzzyLevel: 0 }, []],
  [{ 'text.en': '' }, []],
  [{ 'text.en': 'shoe shirt' }, ['shirt', 'shoe']],
  [{ 'text.en': 'shoe shirt', match: 'all' }, []],
  [{ 'text.en': 'shoe shirt hat' }, ['shirt', 'shoe']],
  [{ 'text.en': 'the shoe', match: 'all' }, ['shoe']],
  [{ 'text.en': 'sh', match: 'all' }, []],
  [{ 'text.en': 'sh', prefix: true }, ['shirt', 'shoe']],
  [{ 'text.en': 'shi' }, ['shirt']],
  [{ 'text.de-AT': 'Hemden' }, ['shirt']],
  [{ filter: 'variants.color:"blue"' }, ['dress', 'shoe']],
  [{ filter: 'variants.size:"36","38"', sort: 'name.en' }, ['shirt', 'shoe']],
  [{ filter: 'variants.size:range(40 to 42)' }, ['dress']],
  [{ filter: ['variants.color:"blue"', 'variants.size:46'] }, ['shoe']],
  [{ filter: 'variants(color = blue and size = 46)' }, []],
  [{ 'filter.query': 'variants.color:"red"' }, ['shirt']],
  [{ 'filter.facets': 'variants.color:"red"' }, ['dress', 'shirt', 'shoe']],
  [{ sort: 'variants.size desc', limit: 1, offset: 1 }, ['shirt']],
] as const satisfies readonly (readonly [Parameters, readonly string[]])[]) {
  test(`a search with ${JSON.stringify(parameters)} finds ${ids.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(search(clothes, parameters).ids, ids);
  });
}

function termsOf(parameters: Parameters): readonly (readonly [string, number])[] {
  const { facets } = search(clothes, { facet: 'variants.color', ...parameters });
  return (facets[0]![1] as Extract<FacetResult, { readonly type: 'terms' }>).terms.map(({ term, count }) => [
    term,
    count,
  ]);
}

test('filter.query narrows a facet, filter does not, filter.facets only the facets of other paths', () => {
  const full = [
    ['blue', 2],
    ['red', 1],
  ];
  assert.deepEqual(termsOf({}), full);
  assert.deepEqual(termsOf({ filter: 'variants.color:"red"' }), full);
  assert.deepEqual(termsOf({ 'filter.query': 'variants.color:"red"' }), [['red', 1]]);
  assert.deepEqual(termsOf({ 'filter.facets': 'variants.color:"red"' }), full);
  assert.deepEqual(termsOf({ 'filter.facets': 'variants.size:38' }), [['blue', 1]]);
  assert.deepEqual(termsOf({ 'text.en': 'shirt' }), [['red', 1]]);
});

test('facets of ranges and of values count resources', () => {
  const { facets } = search(clothes, {
    facet: ['variants.size:range (0 to *),(36 to 44) as r', 'variants.color:"blue","red" as v'],
  });
  const [, ranges] = facets[0]!;
  assert.ok(ranges.type === 'range');
  assert.deepEqual(
    ranges.ranges.map(({ count, total, min, max, mean }) => [count, total, min, max, mean]),
    [
      [3, 246, 36, 46, 41],
      [3, 156, 36, 42, 39],
    ],
  );
  assert.deepEqual(facets[1], ['v', { type: 'filter', count: 3 }]);
});

test('results with fewer edits come first, then those with the greater score, then by id', () => {
  const project = projectOf({
    c: { name: { en: 'abcdfgh' } },
    b: { name: { en: 'abcdefgh' } },
    a: { name: { en: 'abcdefgh' } },
    long: { name: { en: `abcdefgh ${'other words '.repeat(20)}` } },
    twice: { name: { en: 'abcdefgh abcdefgh' } },
  });
  assert.deepEqual(search(project, { 'text.en': 'abcdefgh', fuzzy: true }).ids, ['a', 'b', 'twice', 'long', 'c']);
  assert.deepEqual(search(project, { 'text.en': 'abcdfgh', fuzzy: true, fuzzyLevel: 1 }).ids[0], 'c');
  assert.deepEqual(search(project, { 'text.en': 'abcdfgh' }).ids, ['c']);
});

const catalogue = projectOf({
  dress: {
    name: { de: 'Sommerkleid aus Baumwolle', en: 'Summer dress' },
    description: { de: 'passt zu Jacke und Hut' },
  },
  jacket: { name: { de: 'Jacke', en: 'Jacket' }, description: { de: 'passt zu jedem Kleid und Hut, mit Garantie' } },
  table: { name: { de: 'Couchtisch', en: 'Coffee table' }, sku: 'AB-12/7' },
  pot: { name: { de: 'Topf 10 l', en: 'Pot 10L' }, color: { en: 'red' } },
  bowl: { name: { de: 'Topf 5l', en: 'Pot 5l' }, color: { en: 'blue' } },
  shoes: { name: { ja: '赤い運動靴' } },
});

for (const [parameters, ids] of [
  [{ 'text.de': 'kleid' }, ['dress', 'jacket']],
  [{ 'text.de': 'Sommer Kleider', match: 'all' }, ['dress']],
  [{ 'text.de': 'Sommer Kleider' }, ['dress', 'jacket']],
  [{ 'text.de': 'tische' }, ['table']],
  [{ 'text.en': 'coffeetable' }, ['table']],
  [{ 'text.en': 'summerdress' }, ['dress']],
  [{ 'text.en': 'pot 10l', match: 'all' }, ['pot']],
  [{ 'text.en': 'pot 10 l', match: 'all' }, ['pot']],
  [{ 'text.en': 'ab127' }, ['table']],
  [{ 'text.en': 'AB 12-7' }, ['table']],
  [{ 'text.en': 'blue pot' }, ['bowl', 'pot']],
  [{ 'text.de': 'jacke' }, ['jacket', 'dress']],
  [{ 'text.de': 'garantie' }, ['jacket']],
  [{ 'text.ja': '運動' }, ['shoes']],
  [{ 'text.ja': '動靴' }, ['shoes']],
] as const satisfies readonly (readonly [Parameters, readonly string[]])[]) {
  test(`in a catalogue, ${JSON.stringify(parameters)} finds ${ids.join(', ')} in this order`, () => {
    assert.deepEqual(search(catalogue, parameters).ids, ids);
  });
}

test('the answer says which rungs were taken, what was dropped and what corrected', () => {
  const found = search(catalogue, { 'text.en': 'summmer dress zzzzzz', fuzzy: true });
  assert.deepEqual(found.match, {
    rung: 'any',
    totals: { all: 0, typos: 0, most: 1, any: 1 },
    dropped: ['zzzzzz'],
    corrected: { summmer: 'summer' },
  });
  const exact = search(catalogue, { 'text.en': 'pot', match: 'all' });
  assert.deepEqual(exact.match, { rung: 'all', totals: { all: 2 }, dropped: [], corrected: {} });
  assert.equal(search(catalogue, {}).match, undefined);
});

test('a rung with ten hits is not filled up, whatever the limit; one with nine is, behind its own hits', () => {
  const pots = (count: number) =>
    projectOf({
      ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`pot${at}`, { name: { en: 'pot' } }])),
      near: { name: { en: 'post' } },
    });
  const parameters = { 'text.en': 'pot', fuzzy: true, limit: 1 };
  assert.equal(search(pots(10), parameters).total, 10);
  assert.equal(search(pots(9), parameters).total, 10);
  assert.deepEqual(search(pots(9), { ...parameters, offset: 9 }).ids, ['near']);
  assert.equal(search(pots(9), { ...parameters, sort: 'id' }).total, 9, 'an order by a field has no lesser hits');
});

test('while a word is typed with prefix=true, what has the word stays found', () => {
  for (const word of ['summer', 'indoor', 'the']) {
    const project = projectOf({ it: { name: { en: `Nice ${word}` } }, other: { name: { en: 'Something else' } } });
    for (let letters = 1; letters <= word.length; letters += 1) {
      const { ids } = search(project, { 'text.en': `nice ${word.slice(0, letters)}`, prefix: true, match: 'all' });
      assert.deepEqual(ids, ['it'], word.slice(0, letters));
    }
  }
});

/** A name, and a text that finds it when it is whole. */
const spelled = [
  ['de', 'Größentabelle', 'groessentabelle'],
  ['de', 'Groessentabelle', 'größentabelle'],
  ['de', 'Türschloss', 'tuerschloss'],
  ['de', 'Kinderschuhe', 'kinder schuhe'],
  ['de', 'Kindertür', 'kinder tuer'],
  ['de', 'Arbeitshose', 'arbeit hose'],
  ['de', 'Arbeit Hose', 'arbeitshose'],
  ['de', 'Garten Tür', 'gartentuer'],
  ['nl', 'Keukenstoel', 'keuken stoel'],
  ['en', 'coffee table', 'coffeetable'],
  ['en', 'iPhone 15 Pro', 'iphone15'],
  ['ko', '청소기 필터', '청소기필터'],
] as const;

for (const [locale, name, text] of spelled) {
  test(`while ${text} is typed with prefix=true, ${name} stays found once it is`, () => {
    const project = projectOf({ it: { name: { [locale]: name } }, other: { name: { [locale]: 'xyz' } } });
    for (const more of [{}, { match: 'all' }, { fuzzy: true }]) {
      let found = 0;
      for (let letters = 2; letters <= text.length; letters += 1) {
        const typed = text.slice(0, letters);
        const { ids } = search(project, { [`text.${locale}`]: typed, prefix: true, ...more });
        if (ids.length > 0) found += 1;
        else assert.equal(found, 0, `${typed} finds nothing`);
        assert.ok(!ids.includes('other'), typed);
      }
      assert.ok(found > 1, `${found} beginnings find it`);
    }
  });
}

/** A name, and a form of it that finds it when it is whole. */
const inflected = [
  ['en', 'run', 'running'],
  ['en', 'comfort', 'comfortable'],
  ['en', 'knife', 'knives'],
  ['en', 'shoe run', 'shoes running'],
  ['en', 'homerun', 'home running'],
  ['de', 'reinigen', 'reinigung'],
  ['fr', 'cheval', 'chevaux'],
  ['es', 'habitación', 'habitaciones'],
  ['sv', 'byxa', 'byxorna'],
  ['sv', 'Regnbyxa', 'byxorna'],
  ['fi', 'talo', 'taloissamme'],
  ['pl', 'but', 'butach'],
  ['ru', 'ложка', 'ложками'],
  ['tr', 'ayakkabı', 'ayakkabılarından'],
  ['ar', 'حقيبة', 'حقيبتان'],
  ['ko', '의자', '의자에서'],
] as const;

for (const [locale, name, text] of inflected) {
  test(`while ${text} is typed with prefix=true, ${name} is found with each letter from the third on`, () => {
    const project = projectOf({ it: { name: { [locale]: name } }, other: { name: { [locale]: 'xyz' } } });
    for (const more of [{}, { match: 'all' }, { fuzzy: true }]) {
      const begin = text.lastIndexOf(' ') + 1;
      for (let letters = begin + Math.min(3, text.length); letters <= text.length; letters += 1) {
        const typed = text.slice(0, letters);
        const found = search(project, { [`text.${locale}`]: typed, prefix: true, ...more });
        assert.deepEqual(found.ids, ['it'], typed);
        assert.equal(found.match!.rung, more.match === 'all' ? 'all' : found.match!.rung, typed);
      }
    }
  });
}

test('an unfinished word finds nothing that no form of it would, and without prefix=true no other forms', () => {
  const project = projectOf({
    car: { name: { en: 'car' } },
    run: { name: { en: 'run' } },
    pants: { name: { sv: 'Regnbyxa' } },
    told: { description: { sv: 'regnbyxa' } },
  });
  for (const [parameter, typed, ids] of [
    ['text.en', 'runni', ['run']],
    ['text.en', 'carp', []],
    ['text.en', 'carpe', []],
    ['text.en', 'carpet', []],
    ['text.en', 'cartoo', []],
    ['text.en', 'runway', []],
    ['text.sv', 'byxorn', ['pants']],
  ] as const) {
    assert.deepEqual(search(project, { [parameter]: typed, prefix: true, match: 'all' }).ids, ids, typed);
    assert.deepEqual(search(project, { [parameter]: typed, match: 'all' }).ids, [], `${typed} without prefix`);
  }
});

test('what begins like an unfinished word comes before what has another form of it', () => {
  const project = projectOf({ form: { name: { en: 'run' } }, begun: { name: { en: 'runnier' } } });
  assert.deepEqual(search(project, { 'text.en': 'runni', prefix: true }).ids, ['begun', 'form']);
});

test('what is still being typed finds no other spellings, joined words and parts without prefix=true, nor parts in texts', () => {
  const project = projectOf({
    size: { name: { de: 'Größentabelle' } },
    shoes: { name: { de: 'Kinderschuhe' } },
    table: { name: { en: 'coffee table' } },
    text: { description: { en: 'coffee table' } },
  });
  for (const [parameter, typed, ids] of [
    ['text.de', 'groess', ['size']],
    ['text.en', 'groess', []],
    ['text.de', 'kinder sch', ['shoes']],
    ['text.de', 'sch kinder', []],
    ['text.en', 'coffeet', ['table']],
    ['text.en', 'coffeetx', []],
  ] as const) {
    assert.deepEqual(search(project, { [parameter]: typed, prefix: true, match: 'all' }).ids, ids, typed);
    assert.deepEqual(search(project, { [parameter]: typed, match: 'all' }).ids, [], `${typed} without prefix`);
  }
});

test('dimensions are one word, however a query or a document writes them', () => {
  const project = projectOf({
    together: { name: { de: 'Matratze Nova 90x200 cm' } },
    apart: { name: { de: 'Matratze Alma 90 x 200' } },
    sign: { description: { de: 'Die Matratze hat 90 × 200 cm und kommt aufgerollt.' } },
    thick: { name: { de: 'Matratze' }, size: '90 cm x 200 cm x 20 cm' },
    other: { name: { de: 'Matratze 140x200 cm, 90 Tage zur Probe' }, price: 200 },
    board: { name: { de: 'Brett' }, size: '1.5 x 2' },
  });
  const ids = (typed: string, more: Parameters = {}) =>
    [...search(project, { 'text.de': typed, match: 'all', ...more }).ids].sort().join(' ');
  for (const size of ['90 x 200', '90x200', '90×200', '90 X 200', '90*200', '90 cm x 200']) {
    assert.equal(ids(`Matratze ${size}`), 'apart sign thick together', size);
    assert.equal(ids(`${size} matratze`), 'apart sign thick together', size);
  }
  for (const typed of ['90', '90 x', '90 x 2', '90x20', '90 × 200']) {
    assert.match(ids(`matratze ${typed}`, { prefix: true }), /^apart (?:other )?sign thick together$/, typed);
  }
  for (const size of ['90 x 200 x 20', '90×200×20', '90x200x20']) assert.equal(ids(`matratze ${size}`), 'thick', size);
  for (const size of ['90 x 200 cm', '90x200cm', '90cm x 200cm']) assert.equal(ids(size), 'sign thick together', size);
  for (const size of ['1,5 x 2', '1.5x2', '1,5 × 2']) assert.equal(ids(size), 'board', size);
});

test('the s behind an apostrophe need not occur, nor count as a word; other letters beside one do', () => {
  const project = projectOf({
    bike: { name: { en: 'Bike for children' } },
    jeans: { name: { en: 'Levi’s jeans' } },
    plain: { brand: 'Levis', name: { en: 'Jeans' } },
    small: { name: { en: 'Jeans' }, size: 'S' },
    man: { name: { fr: 'l’homme', nl: 'foto album' } },
  });
  const ids = (typed: string, locale = 'en') =>
    [...search(project, { [`text.${locale}`]: typed, match: 'all' }).ids].sort().join(' ');
  for (const typed of ["children's bikes", 'children’s bike', "CHILDREN'S"]) assert.equal(ids(typed), 'bike', typed);
  for (const typed of ["levi's jeans", 'Levi’s']) assert.equal(ids(typed), 'jeans plain', typed);
  for (const typed of ["I'm looking for a bike", 'I’d buy a bike', "don't want a bike"])
    assert.equal(ids(typed), 'bike', typed);
  assert.equal(ids("levi's", 'de'), 'plain', 'in any language');
  assert.equal(ids("jeans' s"), 'jeans small', 'a word by itself');
  assert.equal(ids("l'homme", 'fr'), 'man');
  assert.equal(ids("d'homme", 'fr'), 'man', 'a small word');
  assert.equal(ids("x'homme", 'fr'), '');
  assert.equal(ids("foto's", 'nl'), 'man');
  const { match: matched } = search(project, { 'text.en': "women's bike" });
  assert.deepEqual([matched?.rung, matched?.dropped], ['most', ['women']]);
});

test('two words with a hyphen or an apostrophe between them are also one, where a part is short', () => {
  const project = projectOf({
    router: { name: { de: 'Wi-Fi-Router' }, description: { de: 'mit USB‑C und einer X-Box-Taste' } },
    shirt: { name: { de: 'T-Shirt H&M' } },
    other: { name: { de: 'Shirt H&M' }, size: 'T' },
    sand: { name: { en: 'boots and shoes' }, size: 'S' },
    jeans: { name: { de: 'Jeans' }, brand: 'Levi’s' },
  });
  const ids = (typed: string, more: Parameters = {}) => search(project, { 'text.de': typed, ...more }).ids.join(' ');
  for (const typed of ['wifi', 'wi-fi', 'Wi Fi', 'WiFi router', 'usbc', 'usb-c', 'xbox']) {
    assert.equal(ids(typed, { match: 'all' }), 'router', typed);
  }
  for (const typed of ['tshirt', 'T-Shirts', 't shirt']) {
    assert.equal(search(project, { 'text.de': typed, fuzzy: true }).ids[0], 'shirt', typed);
  }
  assert.equal(ids('levis'), 'jeans');
  assert.equal(ids('leivs', { fuzzy: true }), 'jeans');
  assert.equal(search(project, { 'text.en': 'sand' }).total, 0, 'not the letter of a size and a word');
});

test('katakana that a dictionary divides are found with a typo and with another ending', () => {
  const project = projectOf({
    chair: { name: { ja: '黒のオフィスチェア Oslo' } },
    jacket: { name: { ja: 'ダウンジャケット' }, description: { ja: 'オフィスチェアに合います。' } },
    shoes: { category: { ja: 'ランニングシューズ' } },
  });
  const ids = (typed: string, more: Parameters = {}) => search(project, { 'text.ja': typed, ...more }).ids.join(' ');
  assert.equal(ids('オフィスチェアー'), 'chair');
  for (const typed of ['オフィスェチア', 'オフィアスチェア']) assert.equal(ids(typed, { fuzzy: true }), 'chair', typed);
  assert.equal(ids('ダウンジケット', { fuzzy: true }), 'jacket');
  assert.equal(ids('ランニグンシューズ', { fuzzy: true }), 'shoes');
});

test('a word more that no resource has takes no hits away, and polite words are no conditions', () => {
  const project = projectOf({
    helmet: { name: { en: 'Helmet' } },
    brand: { name: { en: 'Soap' }, brand: 'Weleda' },
    leash: { name: { en: 'Leash' } },
  });
  const ids = (typed: string, more: Parameters = {}) => search(project, { 'text.en': typed, ...more }).ids.toSorted();
  assert.deepEqual(ids('helmet weleda'), ['brand', 'helmet']);
  assert.deepEqual(ids('helmet weleda waterproof'), ['brand', 'helmet']);
  assert.deepEqual(ids('cheap helmet please', { fuzzy: true }), ['helmet']);
});

test('a compound that no resource has is taken for the longest word that it ends in, behind what has all words', () => {
  const project = projectOf({
    shoe: { name: { de: 'Schuh', sv: 'Sko' } },
    red: { name: { de: 'Rote Schuhe' } },
    house: { name: { de: 'Hausschuhe' } },
    wheel: { name: { de: 'Rad' } },
    bike: { name: { de: 'Fahrrad' } },
    bag: { name: { sv: 'Väskor' } },
    shoes: { name: { sv: 'Skor', en: 'shoe' } },
    text: { description: { de: 'Passt zu Damenhosen', sv: 'dansk' } },
  });
  const of = (locale: string, typed: string, more: Parameters = {}) => {
    const { ids, match: matched } = search(project, { [`text.${locale}`]: typed, ...more });
    return [ids.join(' '), matched?.rung, matched?.dropped.join(' '), JSON.stringify(matched?.corrected)];
  };
  const fuzzy = { fuzzy: true };
  assert.deepEqual(of('de', 'damenschuhe'), ['shoe red house', 'most', '', '{"damenschuhe":"schuh"}']);
  assert.deepEqual(of('de', 'rote damenschuhe', fuzzy), ['red shoe house', 'most', '', '{"damenschuhe":"schuh"}']);
  assert.deepEqual(of('de', 'kinderfahrräder', fuzzy), ['bike', 'most', '', '{"kinderfahrrader":"fahrrad"}']);
  assert.deepEqual(
    of('sv', 'damskor', fuzzy),
    ['shoe shoes bag text', 'most', '', '{"damskor":"sko"}'],
    'before two typos',
  );
  assert.equal(of('de', 'hauschuhe', fuzzy)[0], 'house', 'a resource has it but for a letter');
  assert.equal(of('de', 'hauxxschuhe', fuzzy)[0], 'house', 'or for two');
  assert.equal(of('de', 'hausschuhe', fuzzy)[0], 'house', 'a resource has it');
  assert.equal(of('de', 'damenschuhe', { match: 'all', fuzzy: true })[0], '', 'every result must have all words');
  for (const [locale, typed] of [
    ['en', 'ladyshoe'],
    ['de', 'xschuhe'],
    ['de', 'knschuhe'],
    ['de', 'damenrad'],
    ['de', 'hemd4schuhe'],
  ] as const) {
    assert.deepEqual(of(locale, typed).slice(0, 3), ['', 'most', typed], typed);
  }
});

test('what begins like a word comes before another spelling of it, and that before a split', () => {
  const project = projectOf({
    split: { name: { de: 'Grosse Tafel' } },
    other: { name: { de: 'Großetasse x' } },
    written: { name: { de: 'Groessetuch x' } },
  });
  assert.deepEqual(search(project, { 'text.de': 'groesset', prefix: true }).ids, ['written', 'other', 'split']);
});

test('while a word is typed with prefix=true and typos are tolerated, a beginning with a typo finds what the beginning does', () => {
  const project = projectOf({
    coat: { name: { de: 'Wintermantel' } },
    boots: { name: { de: 'Winterstiefel' } },
    kettle: { name: { de: 'Wasserkocher' } },
    code: { name: { de: 'Regal' }, sku: 'wint300' },
  });
  const find = (text: string, more: Parameters = {}) =>
    search(project, { 'text.de': text, prefix: true, fuzzy: true, sort: 'id', ...more });
  assert.deepEqual(find('wintr').ids, ['boots', 'coat']);
  assert.deepEqual(find('wassr').ids, ['kettle']);
  assert.deepEqual(find('winterstei').ids, ['boots']);
  assert.deepEqual(find('wimt').ids, ['boots', 'coat']);
  const { rung, corrected, dropped } = find('wintr').match!;
  assert.deepEqual({ rung, corrected, dropped }, { rung: 'typos', corrected: {}, dropped: [] });
  assert.deepEqual(find('wim').ids, [], 'too short for a typo');
  assert.deepEqual(find('wintr', { prefix: false }).ids, []);
  assert.deepEqual(find('wintr', { fuzzyLevel: 0 }).ids, []);
  assert.deepEqual(find('wintr mantel').ids, ['coat'], 'only the last word is being typed');
});

test('a beginning with a typo comes after beginnings as they are and after whole words with a typo', () => {
  const project = projectOf({
    begins: { name: { en: 'shirting' } },
    whole: { name: { en: 'short' } },
    a: { name: { en: 'shorted' } },
  });
  const { ids } = search(project, { 'text.en': 'shirt', prefix: true, fuzzy: true });
  assert.deepEqual(ids, ['begins', 'whole', 'a']);
});

test('a staged search sees the staged projection where there is one, else the current one', () => {
  const [plain, shown] = projectOf({ plain: { name: 'new' }, changed: { name: 'old' } });
  const project = [plain!, { ...shown!, staged: { ...shown!.current, name: 'new' } }];
  assert.deepEqual(search(project, { 'text.en': 'new' }).ids, ['plain']);
  assert.deepEqual(search(project, { 'text.en': 'new', staged: true, sort: 'id' }).ids, ['changed', 'plain']);
  assert.deepEqual(search(project, { filter: 'name:"old"', staged: true }).ids, []);
});

test('random searches: results satisfy all filters, and a terms facet counts each counted resource as with or without value', () => {
  const anyProject = fc
    .array(anyResource, { maxLength: 8 })
    .map((all) => all.map((each, at) => resourceOf(`r${at}`, each)));
  let found = 0;
  fc.assert(
    fc.property(anyProject, anySearch, (project, values) => {
      const query = parseSearch(values, 'p');
      const { ids, total, facets } = evaluateSearch(project, query);
      found += ids.length;
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(ids.length, Math.max(0, Math.min(query.limit, total - query.offset)));
      for (const id of ids) {
        const { current, staged } = project.find((each) => each.current.id === id)!;
        const document = query.staged ? (staged ?? current) : current;
        assert.ok([...query.filters, ...query.queryFilters].every((predicate) => match(predicate, document)));
      }
      const counted = facets.map(([, result]) => (result.type === 'terms' ? result.missing + result.total : -1));
      const isNarrowed = query.facetFilters.length > 0;
      for (const sum of counted.filter((each) => each >= 0)) {
        assert.ok(isNarrowed ? sum <= project.length : sum >= total, `${sum} of ${total}`);
      }
    }),
    { numRuns: 500 },
  );
  // Whatever the seed: some hundred.
  assert.ok(found > 100, `random searches find something: ${found}`);
});

test('random documents hold awkward names as plain data', () => {
  const fields = Object.fromEntries([['__proto__', 'red']]);
  const project = [resourceOf('r', { key: null, fields, staged: null, second: 0 })];
  assert.deepEqual(search(project, { filter: '__proto__:"red"' }).ids, ['r']);
});
