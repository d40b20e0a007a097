/**
 * Prints a catalogue of 200 products in English, German and French, one JSON object per line, always the same ones.
 * `examples/search.sh` loads it; or: `npx node examples/catalogue.ts > catalogue.ndjson`.
 */

interface Localised {
  readonly en: string;
  readonly de: string;
  readonly fr: string;
  readonly 'de-AT'?: string;
}

interface Kind {
  readonly type: string;
  readonly name: Localised;
  readonly description: Localised;
  readonly materials: readonly string[];
  /** Every size the kind comes in; a product has some of them. None for furniture and lamps. */
  readonly sizes: readonly number[];
  /** Cents. */
  readonly priceFrom: number;
}

const materials = new Map<string, Localised>([
  ['leather', { en: 'leather', de: 'Leder', fr: 'cuir' }],
  ['suede', { en: 'suede', de: 'Wildleder', fr: 'daim' }],
  ['canvas', { en: 'canvas', de: 'Segeltuch', fr: 'toile' }],
  ['cotton', { en: 'cotton', de: 'Baumwolle', fr: 'coton' }],
  ['linen', { en: 'linen', de: 'Leinen', fr: 'lin' }],
  ['silk', { en: 'silk', de: 'Seide', fr: 'soie' }],
  ['wool', { en: 'wool', de: 'Wolle', fr: 'laine' }],
  ['brass', { en: 'brass', de: 'Messing', fr: 'laiton' }],
  ['glass', { en: 'glass', de: 'Glas', fr: 'verre' }],
  ['steel', { en: 'steel', de: 'Stahl', fr: 'acier' }],
  ['oak', { en: 'oak', de: 'Eiche', fr: 'chêne' }],
  ['beech', { en: 'beech', de: 'Buche', fr: 'hêtre' }],
  ['velvet', { en: 'velvet', de: 'Samt', fr: 'velours' }],
]);

const shoeSizes = [36, 37, 38, 39, 40, 41, 42, 43, 44, 45];
const clothingSizes = [34, 36, 38, 40, 42, 44, 46];

const kinds: readonly Kind[] = [
  {
    type: 'shoe',
    name: { en: 'Running shoe', de: 'Laufschuh', fr: 'Chaussure de course' },
    description: {
      en: 'A light shoe with a soft sole, made for long runs on roads and forest paths.',
      de: 'Ein leichter Schuh mit weicher Sohle, gemacht für lange Läufe auf Straßen und Waldwegen.',
      fr: 'Une chaussure légère à semelle souple, conçue pour les longues courses sur route et en forêt.',
    },
    ...{ materials: ['canvas', 'suede'], sizes: shoeSizes, priceFrom: 6900 },
  },
  {
    type: 'shoe',
    name: { en: 'Sandal', de: 'Sandale', fr: 'Sandale' },
    description: {
      en: 'An open sandal for warm days, with two straps that can be adjusted.',
      de: 'Eine offene Sandale für warme Tage, mit zwei verstellbaren Riemen.',
      fr: 'Une sandale ouverte pour les journées chaudes, avec deux brides réglables.',
    },
    ...{ materials: ['leather', 'canvas'], sizes: shoeSizes, priceFrom: 3900 },
  },
  {
    type: 'shoe',
    name: { en: 'Winter boot', de: 'Winterstiefel', fr: 'Botte d’hiver' },
    description: {
      en: 'A warm, lined boot that keeps feet dry in snow and rain.',
      de: 'Ein warmer, gefütterter Stiefel, der die Füße bei Schnee und Regen trocken hält.',
      fr: 'Une botte chaude et doublée qui garde les pieds au sec sous la neige et la pluie.',
    },
    ...{ materials: ['leather', 'suede'], sizes: shoeSizes, priceFrom: 11900 },
  },
  {
    type: 'shirt',
    name: { en: 'Shirt', de: 'Hemd', fr: 'Chemise' },
    description: {
      en: 'A shirt with a straight cut, easy to iron, for the office and for evenings.',
      de: 'Ein gerade geschnittenes, bügelleichtes Hemd für Büro und Abend.',
      fr: 'Une chemise droite, facile à repasser, pour le bureau comme pour le soir.',
    },
    ...{ materials: ['cotton', 'linen', 'silk'], sizes: clothingSizes, priceFrom: 3500 },
  },
  {
    type: 'dress',
    name: { en: 'Summer dress', de: 'Sommerkleid', fr: 'Robe d’été' },
    description: {
      en: 'An airy dress with pockets, falling to the knee.',
      de: 'Ein luftiges Kleid mit Taschen, das bis zum Knie reicht.',
      fr: 'Une robe légère à poches, qui descend jusqu’au genou.',
    },
    ...{ materials: ['cotton', 'linen', 'silk'], sizes: clothingSizes, priceFrom: 5900 },
  },
  {
    type: 'jacket',
    name: { en: 'Jacket', de: 'Jacke', fr: 'Veste' },
    description: {
      en: 'A jacket against wind and rain, with a hood that can be taken off.',
      de: 'Eine Jacke gegen Wind und Regen, mit abnehmbarer Kapuze.',
      fr: 'Une veste contre le vent et la pluie, à capuche amovible.',
    },
    ...{ materials: ['wool', 'cotton', 'leather'], sizes: clothingSizes, priceFrom: 8900 },
  },
  {
    type: 'lamp',
    name: { en: 'Floor lamp', de: 'Stehlampe', fr: 'Lampadaire' },
    description: {
      en: 'A floor lamp with a warm light, to read by or to brighten a corner.',
      de: 'Eine Stehlampe mit warmem Licht, zum Lesen oder für eine dunkle Ecke.',
      fr: 'Un lampadaire à lumière chaude, pour lire ou éclairer un coin.',
    },
    ...{ materials: ['brass', 'steel', 'oak'], sizes: [], priceFrom: 12900 },
  },
  {
    type: 'lamp',
    name: { en: 'Table lamp', de: 'Tischlampe', fr: 'Lampe de table' },
    description: {
      en: 'A small lamp for desk and bedside, dimmed at a touch.',
      de: 'Eine kleine Lampe für Schreibtisch und Nachttisch, durch Berühren zu dimmen.',
      fr: 'Une petite lampe de bureau et de chevet, dont l’intensité se règle du doigt.',
    },
    ...{ materials: ['glass', 'brass'], sizes: [], priceFrom: 4900 },
  },
  {
    type: 'chair',
    // What German calls Stuhl is a Sessel in Austria, where the German Sessel is a Fauteuil.
    name: { en: 'Chair', de: 'Stuhl', fr: 'Chaise', 'de-AT': 'Sessel' },
    description: {
      en: 'A plain chair for kitchen and dining room, light enough to be carried in one hand.',
      de: 'Ein schlichter Stuhl für Küche und Esszimmer, leicht genug für eine Hand.',
      fr: 'Une chaise sobre pour la cuisine et la salle à manger, assez légère pour une seule main.',
    },
    ...{ materials: ['oak', 'beech', 'steel'], sizes: [], priceFrom: 7900 },
  },
  {
    type: 'armchair',
    name: { en: 'Armchair', de: 'Sessel', fr: 'Fauteuil', 'de-AT': 'Fauteuil' },
    description: {
      en: 'A deep armchair to sink into, with removable cushions.',
      de: 'Ein tiefer Sessel zum Versinken, mit abnehmbaren Kissen.',
      fr: 'Un fauteuil profond où se blottir, à coussins amovibles.',
    },
    ...{ materials: ['velvet', 'leather', 'wool'], sizes: [], priceFrom: 29900 },
  },
];

const models =
  'Alma Bruno Cleo Dario Elba Fjord Gala Hugo Ines Juno Kari Lario Mika Nora Olmo Pina Rio Sol Tilda Vero'.split(' ');
const colours = ['red', 'blue', 'green', 'black', 'white', 'brown', 'yellow', 'grey'];
const brands = ['Nordlys', 'Atelier Vert', 'Kaufmann', 'Harbour & Sons', 'Lumen', 'Rivage', 'Tannwald', 'Moor'];

/** Pseudo-random numbers, the same each time (Park and Miller's generator). */
function createDraw(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % count;
  };
}

const draw = createDraw(2026);

/** The texts of one product: kind, model and material. */
function texts(kind: Kind, model: string, material: Localised): object {
  const { en, de, fr, 'de-AT': austrian } = kind.name;
  return {
    name: {
      en: `${en} ${model} of ${material.en}`,
      de: `${de} ${model} aus ${material.de}`,
      fr: `${fr} ${model} en ${material.fr}`,
      ...(austrian === undefined ? {} : { 'de-AT': `${austrian} ${model} aus ${material.de}` }),
    },
    description: kind.description,
  };
}

function product(kind: Kind, model: string, n: number): object {
  const material = kind.materials[draw(kind.materials.length)]!;
  const created = new Date(Date.UTC(2026, 0, 1 + draw(180)));
  return {
    key: `product-${String(n + 1).padStart(3, '0')}`,
    type: kind.type,
    ...texts(kind, model, materials.get(material)!),
    material,
    color: colours[draw(colours.length)],
    ...(kind.sizes.length > 0 ? { size: kind.sizes.filter(() => draw(3) > 0) } : {}),
    price: kind.priceFrom + 500 * draw(20),
    brand: brands[draw(brands.length)],
    sku: `${kind.type.slice(0, 2).toUpperCase()}-${1000 + n}`,
    stock: draw(4) > 0,
    createdOn: created.toISOString().slice(0, 10),
  };
}

for (let n = 0; n < 200; n += 1) {
  console.log(JSON.stringify(product(kinds[n % kinds.length]!, models[Math.floor(n / kinds.length)]!, n)));
}
