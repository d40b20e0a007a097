import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldWord, languages, matchesWord, stemOf, wordsOf } from '#words';

interface Sentence {
  readonly locale: string;
  readonly text: string;
  /** Each is found, by one of the words of the text. */
  readonly found: string;
  readonly notFound: string;
}

const sentences: readonly Sentence[] = [
  {
    locale: 'en',
    text: 'Waterproof running shoes for two cities, in boxes.',
    found: 'shoe SHOES run city box',
    notFound: 'shirt ru cat',
  },
  {
    locale: 'en-GB',
    text: 'Batteries are included; dresses of all colours',
    found: 'battery dress colour including',
    notFound: 'bat press',
  },
  {
    locale: 'de',
    text: 'Die schönen Häuser und die größten Straßen; rote Schuhe, warme Kleider, gute Bücher',
    found: 'Haus SCHÖN schoner strasse Straße Schuh Kleid Buch',
    notFound: 'Maus Schal',
  },
  {
    locale: 'de-AT',
    text: 'Tische mit Stühlen',
    found: 'Tisch tischen Stuhl',
    notFound: 'Tasche',
  },
  {
    locale: 'fr',
    text: 'Des chaussures élégantes brodées, premières de l’été; chevaux légers',
    found: 'chaussure élégant elegante brodé premier ETE cheval léger légère',
    notFound: 'chaise chat',
  },
  {
    locale: 'es',
    text: 'Zapatos rojos y camiones, dos habitaciones para niños',
    found: 'zapato roja camión habitacion habitación niña',
    notFound: 'zona caminar',
  },
  {
    locale: 'it',
    text: 'Le scarpe rosse e gli orologi eleganti dell’acqua',
    found: 'scarpa rosso orologio elegante acqua',
    notFound: 'scala rana',
  },
  {
    locale: 'pt',
    text: 'Botões azuis, hotéis e sapatos vermelhos, promoções',
    found: 'botão azul hotel sapato vermelha promoção',
    notFound: 'bota sopa',
  },
  {
    locale: 'nl',
    text: 'Rode schoenen, fietsen, glazen, brieven en jassen in huizen',
    found: 'rood schoen fiets glas brief jas huis',
    notFound: 'roos',
  },
  {
    locale: 'da',
    text: 'Kjolerne, husene og bøgerne er røde',
    found: 'kjole hus bøger rød',
    notFound: 'kjortel',
  },
  {
    locale: 'sv',
    text: 'Bilarna, skjortorna och klänningarna är röda',
    found: 'bil skjorta klänning röd',
    notFound: 'bild',
  },
  {
    locale: 'nb',
    text: 'Jentene har røde kjoler og stoler',
    found: 'jente rød kjole stol',
    notFound: 'jern',
  },
  {
    locale: 'fi',
    text: 'Pöydällä taloissa on kissat ja autoja',
    found: 'pöydän talo kissa auto',
    notFound: 'kirja',
  },
  {
    locale: 'hu',
    text: 'A házban könyveket és táskákat, székeken cipők',
    found: 'ház házak könyv táska szék cipő',
    notFound: 'hal',
  },
  {
    locale: 'ro',
    text: 'Cărțile și mașinile, rochii frumoase cu flori',
    found: 'carte mașină rochie frumoasă florile',
    notFound: 'castel',
  },
  {
    locale: 'ru',
    text: 'Зелёные книги лежат на столах, красная туфля',
    found: 'зеленый книга книгу стол красный туфли',
    notFound: 'книжный стена',
  },
  {
    locale: 'uk',
    text: 'Червоні черевики та книги',
    found: 'червоний черевик книга',
    notFound: 'час',
  },
  {
    locale: 'tr',
    text: 'İstanbul’da kırmızılar, gözlükler, ayakkabılar, kapılar ve kitapları',
    found: 'istanbul ISTANBUL kırmızı gözlük ayakkabı kapı kitap KİTAP',
    notFound: 'kitle gölge',
  },
  {
    locale: 'el',
    text: 'Κόκκινα παπούτσια και βιβλία για ανθρώπους',
    found: 'κόκκινος παπούτσι βιβλίο ΑΝΘΡΩΠΟΣ',
    notFound: 'παλιός',
  },
  {
    locale: 'tr',
    text: 'kadın çantası, gömleğin rengi, masaları, şişesi, elbiseleri, mutfakta, bardağı, perdesi, kilim, altın',
    found: 'çanta çantalar gömlek gömlekler renk masa masalar şişe elbise mutfak bardak bardaklar perde perdeler',
    notFound: 'can kil alt sis kadar',
  },
  { locale: 'ar', text: 'مُعَلِّمُونَ و سيارة جديدة', found: 'معلم سيارة جديد', notFound: 'قلم' },
  {
    locale: 'ar',
    text: 'فساتين حقائب مفاتيح ملاعق كراسي',
    found: 'فستان حقيبة مفتاح ملعقة كرسي',
    notFound: 'فلفل كريم',
  },
  { locale: 'en', text: 'Knives on shelves', found: 'knife shelf', notFound: 'knit shell' },
  { locale: 'it', text: 'Lanterne, asciugamani e divani', found: 'lanterna asciugamano divano', notFound: 'lana' },
  { locale: 'cs', text: 'Stoly a láhve', found: 'stůl láhev', notFound: 'stáj' },
  { locale: 'hi', text: 'किताबें और जूते', found: 'किताब जूता', notFound: 'कलम' },
  { locale: 'id', text: 'Sepatunya dan bukunya', found: 'sepatu buku', notFound: 'rumah' },
  { locale: 'lt', text: 'Raudoni batai ir knygos namuose', found: 'raudona batas knyga namas', notFound: 'bala' },
  { locale: 'sr', text: 'Књиге и ципеле', found: 'књига ципела', notFound: 'кућа' },
  { locale: 'zh', text: '红色的鞋子很舒服', found: '红色 鞋子', notFound: '红 帽子' },
  { locale: 'ja', text: '東京で赤い靴を買いました', found: '東京 靴 赤い', notFound: '京都' },
  { locale: 'th', text: 'รองเท้าสีแดงสวยมาก', found: 'รองเท้า แดง', notFound: 'หมวก' },
  { locale: 'ko', text: '빨간 신발 한 켤레', found: '신발 빨간', notFound: '모자' },
  { locale: 'pl', text: 'Żółte buty z Łodzi', found: 'zolte ŻÓŁTE łodzi', notFound: 'lodowka' },
];

for (const { locale, text, found, notFound } of sentences) {
  test(`matchesWord in ${locale}: “${text}” has ${found}, but not ${notFound}`, () => {
    const words = wordsOf(text);
    const isIn = (asked: string) => words.some((word) => matchesWord(word, foldWord(asked), locale));
    for (const asked of found.split(' ')) assert.ok(isIn(asked), `${asked} (${stemOf(foldWord(asked), locale)})`);
    for (const asked of notFound.split(' ')) assert.ok(!isIn(asked), asked);
  });
}

test('matchesWord: forms of a word match in their language only', () => {
  assert.equal(matchesWord('shoes', 'shoe', 'en'), true);
  assert.equal(matchesWord('shoes', 'shoe', 'zh'), false);
  assert.equal(matchesWord('shoes', 'shoe', ''), false);
  assert.equal(matchesWord('shoes', 'shoes', ''), true);
});

test('matchesWord: words with one stem that begin otherwise do not match', () => {
  assert.equal(stemOf('dibaca', 'id'), stemOf('membaca', 'id'));
  assert.equal(matchesWord('dibaca', 'membaca', 'id'), false);
});

test('stemOf: the locales of one language have one stem', () => {
  assert.equal(stemOf('kleider', 'de-CH'), 'kleid');
  assert.equal(stemOf('kleider', 'de'), 'kleid');
});

for (const { code, stemmer } of languages) {
  test(`stemOf in ${code}: any word has a folded stem, the same each time`, () => {
    const piece = fc.constantFrom(
      ...'aeiouyäbcdklmnrstgzvжкийаяыλοσαςكتابال한कि漢𠮷2.,',
      'ing',
      'ung',
      'lar',
      'ees',
      'ион',
    );
    const random = fc.array(piece, { maxLength: 12 }).map((pieces) => foldWord(pieces.join('')));
    const any = fc.string({ unit: 'binary', maxLength: 20 }).map(foldWord);
    fc.assert(
      fc.property(fc.oneof(random, any), (word) => {
        const stem = stemOf(word, code);
        assert.equal(foldWord(stem), stem);
        assert.equal(stemOf(word, code), stem);
        if (!stemmer) assert.equal(stem, word);
      }),
      { numRuns: 100 },
    );
  });
}

test('stemOf: more words than are cached still have their stems', () => {
  for (let i = 0; i < 25_000; i += 1) stemOf(`filler${i}`, 'en');
  assert.equal(stemOf('filler1', 'en'), 'filler1');
  assert.equal(stemOf('running', 'en'), 'run');
});
