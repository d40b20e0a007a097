import { list, rowsOf } from '../../words/shop-words.ts';

/** What a department sells. */
export interface Department {
  readonly brands: readonly string[];
  readonly kinds: readonly string[];
  readonly sizes: readonly string[];
}

export const departments: readonly Department[] = [
  {
    brands: list('Birkenstock Geox Adidas Timberland Rieker'),
    kinds: list("shoe boot sandal slipper running_shoe hiking_boot child's_shoe"),
    sizes: list('36 38 40 42 44'),
  },
  {
    brands: list("Levi's Esprit Fjällräven Jack_Wolfskin Desigual"),
    kinds: list(
      'dress summer_dress shirt t-shirt blouse skirt pants jacket winter_jacket coat raincoat sweater sock hat glove scarf belt',
    ),
    sizes: list('L S M L XL'),
  },
  {
    brands: list('Samsonite Deuter Fossil Longchamp Eastpak'),
    kinds: list('bag handbag backpack suitcase wallet umbrella watch sunglasses jewel'),
    sizes: [],
  },
  {
    brands: list('Kartell Vitra Hülsta Muuto Bloomingville'),
    kinds: list(
      'chair office_chair table coffee_table dining_table sofa bed shelf bookshelf wardrobe mirror lamp desk_lamp vase candle',
    ),
    sizes: [],
  },
  {
    brands: list('Marimekko Villeroy Essenza Emma'),
    kinds: list('mattress pillow cushion blanket towel bath_towel curtain carpet'),
    sizes: [],
  },
  {
    brands: list('Zwilling Le_Creuset Tefal WMF Fiskars'),
    kinds: list(
      'knife bread_knife spoon fork plate cup mug glass wine_glass pot pan kettle bowl bottle coffee_machine toaster',
    ),
    sizes: [],
  },
  {
    brands: list('Samsung Philips Logitech Sennheiser'),
    kinds: list('phone headphones charger cable keyboard'),
    sizes: [],
  },
  {
    brands: list('Puma Salewa Uvex Hasbro'),
    kinds: list('ball doll bicycle helmet bicycle_helmet tent sleeping_bag toy book'),
    sizes: [],
  },
  {
    brands: list('Makita Gardena Stanley DeWalt'),
    kinds: list('hammer drill saw ladder bucket watering_can shovel toothbrush pencil pen hook'),
    sizes: [],
  },
];

export const models = list(
  'Oslo Bergen Alma Vega Milano Toscana Nova Aspen Denver Monza Siena Orion Atlas Fjord Tivoli Verona Zenit Calypso Merkur Avalon',
);

const tableOf = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(rowsOf(text).map(([key, ...cells]) => [key!, cells]));

/** What is measured, with the number and the unit. */
export const measures = tableOf(`
  bucket | 5 l | 10 l | 12 l
  watering can | 5 l | 10 l
  bottle | 0.5 l | 0.75 l | 1.5 l
  pot | 2 l | 3.5 l | 5 l
  kettle | 1.2 l | 1.7 l
  cable | 1 m | 2 m | 5 m
  drill | 12 V | 18 V
  charger | 20 W | 65 W
  mattress | 90x200 cm | 140x200 cm
  towel | 50x100 cm | 70x140 cm
  carpet | 160x230 cm | 200x300 cm`);

/** The colours of the first products of some kinds, so that something answers the sentences of each language. */
export const firstColours = tableOf(`
  dress | red
  summer dress | red
  boot | brown | black
  jacket | blue
  shirt | black
  bag | black | green
  backpack | black
  tent | green
  table | white
  wardrobe | white`);
