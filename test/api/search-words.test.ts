import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '../start-test-api.ts';

/** Words as they are written: which of some names a text finds, and in which order, by kinds of rules and languages. */

const api = await startTestApi();
after(() => api.close());
let projects = 0;

/** What is found, in this order; and what is not. */
type Case = readonly [locale: string, text: string, found: readonly string[], not?: readonly string[]];

/** The last name is written first, so that equal scores would turn the order round. */
async function found(
  [locale, text, names, not = []]: Case,
  more: Readonly<Record<string, string>> = {},
  synonyms: Synonyms = {},
) {
  projects += 1;
  const path = `/words-${projects}/resource`;
  if (synonyms[locale]) {
    const body = { version: 0, synonyms: synonyms[locale].map((words) => ({ locale, words })) };
    await api.call({ method: 'PUT', path: `/words-${projects}/settings/search`, body });
  }
  for (const [number, name] of [...[...names, ...not].entries()].reverse()) {
    const body = { name: { [locale]: name }, number: 7_000_000 + number };
    const { status, text: response } = await api.call({ method: 'POST', path, body });
    assert.equal(status, 201, response);
  }
  const query = new URLSearchParams({ [`text.${locale}`]: text, ...more });
  const { status, json, text: response } = await api.call({ path: `${path}/searchApiPattern?${query}` });
  assert.equal(status, 200, response);
  return json.results.map(({ name }: { readonly name: Readonly<Record<string, string>> }) => name[locale]);
}

type Synonyms = Readonly<Record<string, readonly (readonly string[])[]>>;

function cases(
  claim: string,
  all: readonly Case[],
  more?: Readonly<Record<string, string>>,
  synonyms?: Synonyms,
): void {
  test(claim, async () => {
    const line = ([locale, text]: Case, names: readonly string[]) => `${locale}: ${text} → ${names.join(' | ')}`;
    const answers: string[] = [];
    for (const each of all) answers.push(line(each, await found(each, more, synonyms)));
    assert.deepEqual(answers.join('\n'), all.map((each) => line(each, each[2])).join('\n'));
  });
}

cases('a word finds itself before compounds, and these before words that only end in its letters', [
  ['de', 'Stuhl', ['Stuhl für Garten und Balkon', 'Bürostuhl', 'brennenstuhl Kabel 3m']],
  ['de', 'Tisch', ['Tische', 'Esstische', 'Couchtisch Eiche', 'Praktisches Set', 'Atlantischer Lachs Filet']],
  ['de', 'Kette', ['Kette', 'Halskette Silber mit Anhänger', 'Etikette']],
  ['de', 'Ente', ['Ente', 'Badeente gelb', 'Medikamente']],
  ['de', 'Ring', ['Ring', 'Ohrring aus Gold'], ['Hering']],
  ['de', 'Mehl', ['Mehl', 'Dinkelvollkornmehl']],
  ['de', 'Notizbuch', ['Buch', 'Kochbücher'], ['Buche', 'Rotbuchen']],
  ['de', 'Grünkohl', ['Kohl', 'Rotkohl'], ['Holzkohle', 'Kohlen']],
  ['nl', 'stoel', ['stoel voor de tuin', 'kinderstoel van hout']],
  ['nl', 'ring', ['ring', 'sleutelring van staal', 'verzekering']],
  ['nl', 'lamp', ['lamp', 'bureaulamp zwart']],
  ['sv', 'ring', ['ring', 'nyckelring i stål', 'förstoring']],
  ['sv', 'stol', ['stol', 'kontorsstol svart', 'epistol']],
  ['sv', 'väska', ['väska', 'skolväska blå']],
  ['da', 'ring', ['ring', 'nøglering i stål', 'forsikring']],
  ['da', 'stol', ['stol', 'kontorstol sort']],
  ['nb', 'ring', ['ring', 'nøkkelring i stål', 'forsikring']],
  ['nn', 'stol', ['stol', 'kontorstol svart']],
  ['fi', 'tuoli', ['tuoli', 'puutarhatuoli puuta']],
  ['fi', 'pallo', ['pallo', 'jalkapallo nahkaa', 'gallopallo']],
  ['hu', 'szék', ['szék', 'kertiszék fából']],
  ['hu', 'óra', ['óra', 'falióra fából', 'kamfora']],
  // A first part that only the project has as a word.
  ['de', 'Becher', ['Becher', 'Pikachubecher klein', 'Xolchubecher'], ['Pikachu Figur']],
  ['sv', 'mugg', ['mugg', 'mumintrollmugg liten', 'xolchumugg'], ['mumintroll figur']],
]);

cases('a compound that no resource has is taken for its head, other words are not taken for what they end in', [
  ['de', 'Damenschuhe', ['Schuhe', 'Hausschuhe'], ['Damen']],
  ['de', 'Medikamente', [], ['Ente', 'Enten']],
  ['de', 'Etikette', [], ['Kette']],
  ['nl', 'damesschoenen', ['Schoenen'], ['Dames']],
  ['nl', 'verzekering', [], ['Kering']],
  ['sv', 'barnstol', ['Stol'], ['Barn']],
  ['sv', 'epistol', [], ['Stol']],
  ['da', 'havestol', ['Stol'], ['Have']],
  ['da', 'protokol', [], ['Okol', 'Kol']],
  ['nb', 'hagestol', ['Stol'], ['Hage']],
  ['nn', 'hagestol', ['Stol'], ['Hage']],
  ['fi', 'puutarhatuoli', ['Tuoli'], ['Puutarha']],
  ['hu', 'konyhaasztal', ['Asztal'], ['Konyha']],
  ['hu', 'vigasztal', [], ['Asztal']],
  // The project knows the first part.
  ['de', 'Pikachukissen', ['Kissen'], ['Pikachu']],
]);

cases(
  'what has a word with one edit comes before what has one with two, even in a longer name; and so do other forms of that word',
  [
    ['de', 'Schredder', ['Ein Shredder für Papier, Karten und alte CDs im Büro', 'Schneider']],
    ['en', 'botttles', ['Two large green bottles for water, milk and juice', 'Bottle', 'Battles']],
    ['fr', 'casmeroles', ['Un lot de casseroles en inox pour tous les feux', 'Casserole', 'Casmarolles']],
    ['nl', 'tafrels', ['Set van twee tafels voor binnen en voor buiten', 'Tafel', 'Takels']],
    ['sv', 'klockkor', ['Två små klockor för kök och badrum', 'Klocka', 'Blockor']],
    ['es', 'cakmisas', ['Dos camisas de algodón para el verano', 'Camisa', 'Calmosas']],
    ['it', 'spazkzole', ['Due spazzole per capelli lunghi e corti', 'Spazzola', 'Spaziole']],
    ['pl', 'krzesklo', ['Jedno krzesło do kuchni albo do jadalni', 'Krzesła', 'Krzesimo']],
  ],
  { fuzzy: 'true' },
);

cases(
  'measures are found however they are written, and not by their parts',
  [
    [
      'en',
      '4 ft x 8 ft',
      ['Plywood 4 ft. x 8 ft.', 'Plywood 4 feet x 8 ft'],
      ['Plywood 8 ft. x 12 ft.', 'Plywood 4 pieces, 8 ft'],
    ],
    ['en', '4x8', ['Plywood 4 ft. x 8 ft.', 'Sheet 4x8', "Panel 4' x 8'"], ['Board 4 pieces, 8 ft.']],
    ['en', '2"x4"', ['Lumber 2x4', 'Lumber 2”x4” oak', 'Lumber 2 in. x 4 in.'], ['Lumber 2"x6", 4 pieces']],
    ['en', '24x36', ['Poster 24"x36"', "Rug 24'x36'"], ['Poster 24"x30", 36 g']],
    ['de', 'ø8x40', ['Dübel Ø8 x 40', 'Dübel 8x40 mm', 'Dübel ⌀ 8×40'], ['Dübel Ø8, 40 Stück']],
    ['en', '24x48', ['Panel 24 in. x 48 in.'], ['Panel 24 in. x 36 in., 48 pieces']],
    ['en', '1 1/2 in pvc elbow', ['PVC elbow 1-1/2 in.', 'Elbow of PVC 1½ in'], ['PVC elbow 1/2 in.']],
    ['en', '1/2 in elbow', ['Elbow 1/2 in.', 'Elbow ½ in', 'Elbow 0.5 in'], ['Elbow 1-1/2 in.']],
    ['en', '3/4 x 1/2', ['Reducer 3/4 in. x 1/2 in.'], ['Reducer 1-3/4 in. x 1/2 in.']],
    ['en', '1000', ['Box of 1,000 pieces'], ['Box of 1,500 pieces']],
    ['en', '1,000', ['Box of 1,000', 'Box of 1000']],
    ['de', 'M8 x 40', ['Schraube M8x40', 'Schraube M8 × 40 mm'], ['Schraube M6x40', 'Schraube M8, 40 Stück']],
    ['de', 'm8x40', ['Schraube M8 x 40', 'Schraube M8×40']],
    ['de', '3x2,5 mm²', ['Kabel 3 x 2,5 mm²', 'Kabel 3x2.5 mm2'], ['Kabel 3 x 1,5 mm²']],
    ['de', '10000', ['Lumen 10.000', 'Etiketten 10 000'], ['Lumen 100']],
    ['fr', '2.5 mm2', ['Câble 2,5 mm²', 'Câble 2,5mm²'], ['Câble 1,5 mm²']],
    ['fr', '1000', ['Boîte de 1 000 vis'], ['Boîte de 100 vis']],
    ['es', '1 1/2', ['Codo 1-1/2 pulg.', 'Codo de 1½ pulg.'], ['Codo 1/2 pulg.']],
    ['it', '½', ['Tubo 1/2 pollice'], ['Tubo 1-1/2 pollice']],
    ['pl', '12345678', ['Seria 12.345.678', 'Seria 12 345 678'], ['Seria 12.345']],
    ['sv', '4 x 8', ['Skiva 4 m x 8 m', 'Skiva 4×8'], ['Skiva 4 st, 8 m']],
    ['nl', 'M10×60', ['Bout M10 x 60'], ['Bout M10, 60 stuks']],
    ['ja', '12.5', ['ケーブル １２．５', 'ケーブル １２，５'], ['ケーブル １２ ５']],
    ['ja', '１０００', ['ネジ 1,000 本', 'ネジ １，０００ 本'], ['ネジ 100 本']],
  ],
  { match: 'all', sort: 'number' },
);

cases('where nothing has the measure, others come behind', [
  ['en', '1 1/2 in pvc elbow', ['PVC elbow 1-1/2 in.', 'PVC elbow 1/2 in.']],
  ['de', 'Schraube M8 x 40', ['Schraube M8x40 verzinkt', 'Schraube M8x60']],
]);

cases('a word that is asked for twice finds first what has it twice, and what has both as one', [
  ['en', 'duran duran', ['Duran Duran: Rio', 'Duran']],
  ['en', 'yo-yo', ['Yo-Yo', 'Yo', 'Yo bike'], ['Bike']],
  ['en', 'yo yo', ['Yoyo', 'Yo']],
  ['en', 'yoyo', ['Yo yo'], ['Yo']],
  ['de', 'bora bora', ['Reise nach Bora Bora', 'Bora Herd']],
  ['fr', 'tam-tam', ['Petit tam-tam en bois', 'Tam']],
  ['es', 'chin chin', ['Copas Chin Chin', 'Chin']],
  ['it', 'ciao ciao', ['Cartolina Ciao Ciao', 'Ciao']],
  ['sv', 'kuku kuku', ['Duk Kuku Kuku', 'Kuku']],
  ['ja', 'ルル ルル', ['ルル ルル 缶', 'ルル']],
]);

cases('accents that are asked for come first among equals, and none are needed', [
  ['de', 'schön', ['Schön wie neu', 'Schon wie neu', 'Schonende Pflege']],
  ['de', 'Straße', ['Straße Holz', 'Strasse Holz']],
  ['fr', 'pêche', ['canne à pêche', 'canne à péché']],
  ['es', 'año', ['vino del año', 'vino del ano']],
  ['sv', 'hår', ['hår klippt', 'har klippt']],
  ['pl', 'sąd', ['sąd nowy', 'sad nowy']],
  ['cs', 'být', ['být doma', 'byt doma']],
  ['tr', 'kış', ['kış montu', 'kis montu']],
  ['el', 'νόμος', ['νόμος νέος', 'νομός νέος']],
  ['ru', 'всё', ['всё сразу', 'все сразу']],
  ['vi', 'đèn bàn', ['đèn bàn', 'đèn bán', 'den ban']],
  // Written in two characters each.
  ['fr', 'pe\u0302che', ['canne à pêche', 'canne a peche']],
]);

test('without accents those with and without them are found alike', async () => {
  for (const [locale, text, names] of [
    ['de', 'schon', ['Schon wie neu', 'Schön wie neu']],
    ['fr', 'peche', ['canne à peche', 'canne à pêche']],
    ['vi', 'den ban', ['den ban', 'đèn bàn']],
  ] as const) {
    assert.deepEqual((await found([locale, text, names])).sort(), [...names]);
  }
});

cases(
  'accents of a beginning come first as well',
  [
    ['de', 'schö', ['Schöner Stuhl', 'Schoner Stuhl']],
    ['fr', 'pêch', ['pêcheur assis', 'pecheur assis']],
    ['vi', 'đè', ['đèn trắng', 'den trắng']],
  ],
  { prefix: 'true' },
);

cases('signs tell words apart, and words are found without them', [
  ['en', 'c++', ['C++ handbook', 'C handbook']],
  ['en', 'c#', ['C# handbook', 'C++ handbook']],
  ['en', '.net', ['.NET handbook', 'Net']],
  ['en', 'net', ['Net', '.NET handbook']],
  ['en', 'm&m', ['M&M chocolate', 'M']],
  ['en', 'mm', ['M&M'], ['M']],
  ['de', 'H&M', ['Gutschein H&M', 'M und H']],
  ['de', 'h m', ['H M', 'Gutschein H&M']],
  ['fr', 'canal+', ['Abonnement Canal+', 'Canal']],
  ['es', 'crema 50+', ['Crema solar 50+ sin perfume', 'Crema 50']],
  ['it', 'disney+', ['Buono Disney+ di un anno', 'Disney']],
  ['sv', 'at&t', ['Kort AT&T', 'AT T']],
  ['pl', 'r&b', ['Płyta R&B', 'R B']],
]);

cases(
  'codes are begun with and without their separators, and the letters of a model are found before its number',
  [
    ['en', 'MT-10', ['MT-10', 'MT-1023', 'MT1023'], ['MT-9']],
    ['en', 'MT10', ['MT-10', 'MT-1023', 'MT1023'], ['MT-9']],
    ['de', 'XR-2', ['XR-2', 'XR-20', 'XR20b'], ['XR-30']],
    ['en', 'galaxys5', ['Galaxy S5'], ['Galaxy S4', 'Gala']],
    ['de', 'thinkpadx1', ['ThinkPad X1'], ['ThinkPad T1']],
    ['fr', 'citroenc3', ['Citroën C3'], ['Citroën C4']],
    ['es', 'redmin9', ['Redmi N9'], ['Redmi N8']],
    ['sv', 'volvov70', ['Volvo V70'], ['Volvo V60']],
    ['pl', 'xperiaz5', ['Xperia Z5'], ['Xperia Z3']],
  ],
  { match: 'all', sort: 'number' },
);

cases(
  'Chinese words are found in simplified and traditional characters; Japanese ones are not converted',
  [
    ['zh', '运动鞋', ['运动鞋', '運動鞋'], ['運動']],
    ['zh', '運動鞋', ['運動鞋', '运动鞋'], ['运动']],
    ['zh', '手机', ['手机', '手機'], ['相機']],
    ['zh', '台湾茶', ['台湾茶', '台灣茶'], ['紅茶']],
    ['zh', '圖書館', ['圖書館', '图书馆'], ['图书']],
    ['zh', '头发', ['头发', '頭髮'], ['頭']],
    ['zh-TW', '洗衣機', ['洗衣機', '洗衣机'], ['洗衣']],
    ['ja', '机', ['机'], ['機', '掃除機']],
  ],
  { match: 'all' },
);

const synonyms: Synonyms = {
  en: [
    ['sofa', 'couch'],
    ['television', 'tv set'],
  ],
  de: [
    ['Sofa', 'Couch'],
    ['Handy', 'Smartphone'],
  ],
  nl: [
    ['bank', 'sofa'],
    ['koelkast', 'ijskast'],
  ],
  sv: [
    ['soffa', 'divan'],
    ['mobil', 'telefon'],
  ],
  da: [
    ['køleskab', 'fryser'],
    ['sofa', 'divan'],
  ],
  fi: [
    ['sohva', 'divaani'],
    ['puhelin', 'kännykkä'],
  ],
  fr: [['canapé', 'sofa']],
  pl: [['kanapa', 'sofa']],
};

cases(
  'synonyms are found by beginnings of a word, before what resembles it',
  [
    ['en', 'sof', ['Sofa', 'Couch'], ['Table']],
    ['en', 'telev', ['Television', 'TV set'], ['Set']],
    ['de', 'han', ['Handy', 'Smartphone'], ['Stuhl']],
    ['nl', 'koel', ['Koelkast', 'IJskast'], ['Kast']],
    ['sv', 'sof', ['Soffa', 'Divan'], ['Stol']],
    ['fi', 'soh', ['Sohva', 'Divaani'], ['Tuoli']],
    ['fr', 'cana', ['Canapé', 'Sofa'], ['Chaise']],
    ['pl', 'kana', ['Kanapa', 'Sofa'], ['Fotel']],
    ['en', 'so', [], ['Couch']],
  ],
  { match: 'all' },
  synonyms,
);

cases(
  'synonyms are found by a word with typos, behind the word that it misspells',
  [
    ['en', 'soffa', ['Sofa', 'Couch'], ['Table']],
    ['de', 'Smartfone', ['Smartphone', 'Handy'], ['Stuhl']],
    ['nl', 'koelksat', ['Koelkast', 'IJskast'], ['Lamp']],
    ['sv', 'soffaa', ['Soffa', 'Divan'], ['Stol']],
    ['fi', 'sohvva', ['Sohva', 'Divaani'], ['Tuoli']],
    ['fr', 'cannapé', ['Canapé', 'Sofa'], ['Chaise']],
    ['pl', 'kannapa', ['Kanapa', 'Sofa'], ['Fotel']],
  ],
  { fuzzy: 'true' },
  synonyms,
);

cases(
  'synonyms are found by compounds of a word, and in compounds; the head alone behind them',
  [
    ['de', 'Ledersofa', ['Ledersofa', 'Ledercouch', 'Couch'], ['Leder']],
    ['de', 'Couch', ['Couch', 'Sofa', 'Ledersofa'], ['Leder']],
    ['nl', 'tuinbank', ['Tuinbank', 'Tuinsofa', 'Sofa'], ['Tuin']],
    ['sv', 'skinnsoffa', ['Skinnsoffa', 'Skinndivan', 'Divan'], ['Skinn']],
    ['da', 'lædersofa', ['Lædersofa', 'Læderdivan', 'Divan'], ['Læder']],
    ['fi', 'nahkasohva', ['Nahkasohva', 'Nahkadivaani', 'Divaani'], ['Nahka']],
    // No compounds: the second words are other words there.
    ['en', 'leathersofa', ['Leathersofa'], ['Leathercouch', 'Couch']],
  ],
  {},
  synonyms,
);
