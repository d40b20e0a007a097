/** The document of all trials: about 1 KB as returned, with localised text, numbers, references and ArrayTestType. */
const colours = ['red', 'green', 'blue', 'black', 'white', 'grey', 'brown', 'pink', 'gold', 'teal'];
const words = 'linen cotton wool leather classic modern slim wide light heavy summer winter soft sturdy fine raw'.split(
  ' ',
);

/** The draft number `n` of a project; drafts differ in their values, not in their shape. */
export function draft(n: number, key: string): Record<string, unknown> {
  const word = (k: number) => words[(n * 7 + k * 13 + (n >> 4)) % words.length];
  return {
    key,
    name: { en: `${word(1)} shirt ${n}`, de: `${word(2)} Hemd ${n}` },
    description: { en: Array.from({ length: 24 }, (_, k) => word(k)).join(' ') },
    brand: `brand-${n % 97}`,
    colour: colours[n % colours.length],
    // 50 of 1,000: what the filtered list asks for.
    shelf: `shelf-${n % 20}`,
    price: { centAmount: 100 + ((n * 37) % 90_000), currencyCode: 'EUR', fractionDigits: 2 },
    weightGrams: 150 + (n % 800),
    tags: [word(3), word(5), `lot-${n % 50}`],
    available: n % 3 !== 0,
    supplier: { typeId: 'resource', key: `supplier-${n % 40}` },
    objectTypeProperty: {
      arrayOfIntExample: [n % 10, n % 100, 6],
      arrayOfUniqueIntExample: [n, n + 1_000_000],
      arrayOfStringExample: [word(6), word(8)],
      arrayOfObjectType: [{ integerExample: 4_000_000_000_000 + n, integerExampleInt32: n % 1000 }],
    },
  };
}
