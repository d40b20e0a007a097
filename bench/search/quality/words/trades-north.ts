import { joined, list, pairs, type ShopWords, spaced } from './shop-words.ts';

/** Of trades, in the north of Europe. */
export const northernTrades: readonly ShopWords[] = [
  {
    locale: 'en',
    kinds: pairs(
      'spade/spades rake/rakes watering_can/watering_cans saw/saws hammer/hammers brush/brushes ointment/ointments bandage/bandages syringe/syringes guitar/guitars flute/flutes drum/drums',
    ),
    departments: list('gardening workshop pharmacy music'),
    uses: list('folding pocket studio school hobby camping'),
    named: spaced,
    colours: list('blue orange silver brown grey pink'),
    materials: list('aluminium oak brass rubber linen'),
    of: 'in',
    small: list('of and in to'),
    goesWith: (one, other) => `Often bought together with a ${one} and the matching ${other}.`,
    fillers: list(
      'sturdy lightweight practical reliable compact craftsmanship ergonomic balanced robust beginner season tested',
    ),
    rare: list('rustproof hypoallergenic calibrated biodegradable waterproof tuned spare bandana'),
    synonyms: [
      ['shovel', 0],
      ['salve', 6],
    ],
  },
  {
    locale: 'de',
    kinds: pairs(
      'Schaufel/Schaufeln Harke/Harken Gießkanne/Gießkannen Säge/Sägen Hammer/Hämmer Pinsel/Pinseln Salbe/Salben Verband/Verbände Spritze/Spritzen Gitarre/Gitarren Flöte/Flöten Trommel/Trommeln',
    ),
    departments: list('Gartengeräte Werkstatt Apotheke Musikinstrumente'),
    uses: list('Hobby Profi Studio Jugend Taschen Camping'),
    named: joined,
    compounds: true,
    colours: list('blau orange silber braun grau rosa'),
    materials: list('Aluminium Eiche Messing Gummi Leinen'),
    of: 'aus',
    small: list('und der in von'),
    goesWith: (one, other) => `Wird oft zusammen mit ${one} und ${other} gekauft.`,
    fillers: list(
      'stabil leicht praktisch zuverlässig kompakt Handwerk ergonomisch ausgewogen robust Anfänger Saison geprüft',
    ),
    rare: list('rostfrei hautfreundlich geeicht biologisch wasserdicht gestimmt Schaukel Hummer'),
    synonyms: [
      ['Rechen', 1],
      ['Klampfe', 9],
    ],
  },
  {
    locale: 'nl',
    kinds: pairs(
      'schop/schoppen hark/harken gieter/gieters zaag/zagen hamer/hamers kwast/kwasten zalf/zalven verband/verbanden spuit/spuiten gitaar/gitaren fluit/fluiten trommel/trommels',
    ),
    departments: list('tuingereedschap werkplaats apotheek muziekinstrumenten'),
    uses: list('hobby studio jeugd school camping atelier'),
    named: joined,
    compounds: true,
    colours: list('blauw oranje zilver bruin grijs roze'),
    materials: list('aluminium eiken messing rubber linnen'),
    of: 'uit',
    small: list('en het in op'),
    goesWith: (one, other) => `Wordt vaak samen met een ${one} en een ${other} gekocht.`,
    fillers: list(
      'stevig licht praktisch betrouwbaar compact vakwerk ergonomisch uitgebalanceerd robuust beginner seizoen getest',
    ),
    rare: list('roestvrij huidvriendelijk geijkt biologisch waterdicht gestemd kast trompet'),
    synonyms: [
      ['spade', 0],
      ['penseel', 5],
    ],
  },
  {
    locale: 'sv',
    kinds: pairs(
      'spade/spadar kratta/krattor vattenkanna/vattenkannor såg/sågar hammare/hammaren pensel/penslar salva/salvor förband/förbanden spruta/sprutor gitarr/gitarrer flöjt/flöjter trumma/trummor',
    ),
    departments: list('trädgårdsredskap verkstad apotek musikinstrument'),
    uses: list('hobby studio ungdoms skol camping fick'),
    named: joined,
    compounds: true,
    colours: list('blå orange silver brun grå rosa'),
    materials: list('aluminium ek mässing gummi linne'),
    of: 'i',
    small: list('och på till från'),
    goesWith: (one, other) => `Köps ofta tillsammans med en ${one} och en ${other}.`,
    fillers: list(
      'stadig lätt praktisk pålitlig kompakt hantverk ergonomisk balanserad robust nybörjare säsong testad',
    ),
    rare: list('rostfri hudvänlig kalibrerad nedbrytbar vattentät stämd spalt summa'),
    synonyms: [
      ['räfsa', 1],
      ['skyffel', 0],
    ],
  },
  {
    locale: 'fi',
    kinds: pairs(
      'lapio/lapiot harava/haravat kastelukannu/kastelukannut saha/sahat vasara/vasarat sivellin/siveltimet voide/voiteet side/siteet ruisku/ruiskut kitara/kitarat huilu/huilut rumpu/rummut',
    ),
    departments: list('puutarha verstas apteekki musiikki'),
    uses: list('harraste koulu studio retki tasku nuoriso'),
    named: joined,
    compounds: true,
    colours: list('sininen oranssi hopea ruskea harmaa pinkki'),
    materials: list('alumiini tammi messinki kumi pellava'),
    of: 'ja',
    small: list('on ja tai sekä'),
    goesWith: (one, other) => `Ostetaan usein yhdessä: ${one} ja ${other}.`,
    fillers: list(
      'tukeva kevyt käytännöllinen luotettava pieni käsityö ergonominen tasapainoinen vahva aloittelija kausi testattu',
    ),
    rare: list('ruostumaton allergiaystävällinen kalibroitu maatuva vedenpitävä viritetty vasama lapsi'),
    synonyms: [
      ['laastari', 7],
      ['moukari', 4],
    ],
  },
];
