import { pick, type Random, seededRandom } from '../random.ts';
import type { Item } from './catalogue.ts';
import type { Question } from './questions.ts';
import type { Shelf } from './words/shelf.ts';
import { easternShelves } from './words/shelves-east.ts';
import { farShelves } from './words/shelves-far.ts';
import { northernShelves } from './words/shelves-north.ts';
import { rowsOf } from './words/shop-words.ts';

const shelves: readonly Shelf[] = [...northernShelves, ...easternShelves, ...farShelves];

export const shelfLocales: readonly string[] = shelves.map(({ locale }) => locale);

/**
 * The products of all shelves, among others of each language that are of no kind of their own: every description names
 * two products of the shelf. Everything follows from the seed.
 */
export function createShelves(others: number, series: readonly string[], seed: number): readonly Item[] {
  return shelves.flatMap((shelf, at) => {
    const random = seededRandom(seed * 100 + at);
    const rows = rowsOf(shelf.products);
    const own = rows.map((row) => itemOf(shelf, rows, row as ProductRow, random));
    const filling = Array.from({ length: others }, (_, n) => {
      const name = `${pick(series, random)} ${pick(series, random)}`;
      return itemOf(shelf, rows, [`x${n}`, name, pick(series, random), `X${1000 + n}`, ''], random);
    });
    return [...own, ...filling];
  });
}

type ProductRow = readonly [key: string, name: string, maker: string, code: string, remark: string];

function itemOf(
  { locale, goesWith }: Shelf,
  rows: readonly (readonly string[])[],
  [key, name, maker, code, remark]: ProductRow,
  random: Random,
): Item {
  const others = rows.map((row) => row[1]!).filter((other) => other !== name);
  const description = `${remark}. ${goesWith(pick(others, random), pick(others, random))}`;
  const texts = { name, description, brand: maker, sku: code };
  const document = { name: { [locale]: name }, description: { [locale]: description }, maker, code };
  return { key: `${locale}-${key}`, locale, texts, document };
}

/** The questions of all shelves. */
export function shelfQuestions(): readonly Question[] {
  return shelves.flatMap(({ locale, questions }) =>
    rowsOf(questions).map(([kind, text, keys]): Question => {
      const right = new Set(keys!.split(' ').map((key) => `${locale}-${key}`));
      return { kind: kind!, locale, text: text!, guards: kind === 'guard', right };
    }),
  );
}
