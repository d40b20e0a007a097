import { impact, maxLengthClass } from '../../../../domain/search/relevance.ts';
import { inAttribute, inName, type Place } from '../../../../domain/search/words/document-words.ts';
import type { WordPlaces } from './word-places.ts';

/*
 * What a word is worth in a row follows from its place and one length, of which there are few pairs. So the rows of a word
 * fall into few tiers of equal worth, and a page begins with the first rows of the best of them.
 */

/** The classes of a length, of which there are few. */
export const lengthClassCount = maxLengthClass + 1;

/** What a word adds by its place and the class of the length that matters there. */
export const impacts = Float64Array.from({ length: 6 * lengthClassCount }, (_, at) => {
  const place = Math.floor(at / lengthClassCount);
  return place === 0 ? 0 : impact(place as Place, at % lengthClassCount, at % lengthClassCount);
});

/** The rows of a word by what it is worth there. */
export interface WordTiers {
  /** What the form of the word is worth beside the asked one: the tiers hold for this factor alone. */
  readonly factor: number;
  /** By row: the place and the class of the length that matters there. */
  readonly classes: Uint8Array;
  /** Those of the greatest score first. */
  readonly tiers: readonly WordTier[];
}

/** Rows of equal worth. */
export interface WordTier {
  readonly score: number;
  readonly classes: readonly number[];
  /** How many rows these are. */
  readonly total: number;
  /** The first of them by id that were asked for, in order: see `rememberFirst`. */
  first: readonly number[];
}

/** Ranks the rows of a word by its places and the lengths of texts and names that matter there. */
export function tiersOf(
  { of, usual }: WordPlaces,
  texts: Uint8Array,
  names: Uint8Array | undefined,
  factor: number,
): WordTiers {
  const counts = new Uint32Array(impacts.length);
  const classes = new Uint8Array(texts.length);
  const isUsual = of.length === 0;
  for (let at = 0; at < classes.length; at += 1) {
    const place = isUsual ? usual : of[at]!;
    const length = place < inAttribute ? texts[at]! : names && place === inName ? names[at]! : 0;
    const found = place * lengthClassCount + length;
    classes[at] = found;
    counts[found]! += 1;
  }
  const present = [...counts.keys()].filter((each) => counts[each]! > 0);
  const tiers = [...Map.groupBy(present, (each) => factor * impacts[each]!)].sort(([a], [b]) => b - a);
  return {
    factor,
    classes,
    tiers: tiers.map(([score, same]) => {
      return { score, classes: same, total: same.reduce((sum, each) => sum + counts[each]!, 0), first: [] };
    }),
  };
}

/** The rows of a tier, ascending, out of those of the word. */
export function rowsOfTier(rows: Uint32Array, { classes }: WordTiers, tier: WordTier): Uint32Array {
  if (tier.total === rows.length) return rows;
  const isWanted = new Uint8Array(256);
  for (const each of tier.classes) isWanted[each] = 1;
  const group = new Uint32Array(tier.total);
  let end = 0;
  for (let at = 0; end < tier.total; at += 1) {
    if (isWanted[classes[at]!] === 0) continue;
    group[end] = rows[at]!;
    end += 1;
  }
  return group;
}

/** One first row is remembered for so many rows of the word, in all tiers together. */
const rowsPerFirst = 8;

/** How many first rows of a tier are read and remembered where so many are wanted: 0 where none can be remembered. */
export function worthRemembering({ tiers, classes }: WordTiers, tier: WordTier, wanted: number): number {
  const others = tiers.reduce((sum, each) => sum + (each === tier ? 0 : each.first.length), 0);
  const room = Math.floor(classes.length / rowsPerFirst) - others;
  return wanted <= room ? Math.min(room, tier.total, 2 * wanted) : 0;
}

/** The tiers of words that many rows have, by these: with each stamp of the index lengths may change. */
const kept = new WeakMap<Uint32Array, { readonly stamp: number; readonly tiers: WordTiers }>();

/** The tiers that are kept of the word with these rows, as of a stamp. */
export function knownTiersOf(rows: Uint32Array, stamp: number): WordTiers | undefined {
  const known = kept.get(rows);
  return known?.stamp === stamp ? known.tiers : undefined;
}

export function keepTiers(rows: Uint32Array, stamp: number, tiers: WordTiers): void {
  kept.set(rows, { stamp, tiers });
}
