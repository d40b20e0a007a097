import { below, type Random } from '../../random.ts';

const latin = 'aeioulnrstkm';

/** A word with a letter less, more or other, behind the first one. */
export function edited(word: string, random: Random, letters: string = latin): string {
  const all = [...word];
  const at = 1 + below(random, all.length - 1);
  const from = [...letters].filter((letter) => letter !== all[at]);
  const letter = from[below(random, from.length)]!;
  const how = below(random, 3);
  if (how === 0) all.splice(at, 1);
  else if (how === 1) all.splice(at, 0, letter);
  else all[at] = letter;
  return all.join('');
}

/** A word with two letters that changed places, behind the first one; the word itself where they are the same. */
export function swapped(word: string, random: Random): string {
  const all = [...word];
  const at = 1 + below(random, all.length - 2);
  all.splice(at, 2, all[at + 1]!, all[at]!);
  return all.join('');
}

/** A word without marks and case: what a typo is compared as. */
export const folded = (word: string) => word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** True where at most one letter is less, more, other or swapped with the next one. */
export function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = [[...one], [...other]].sort((a, b) => a.length - b.length) as [string[], string[]];
  if (long.length - short.length > 1) return false;
  const first = long.findIndex((letter, at) => letter !== short[at]);
  if (first < 0) return true;
  const restOf = (letters: readonly string[], from: number) => letters.slice(from).join('');
  if (long.length > short.length) return restOf(long, first + 1) === restOf(short, first);
  if (restOf(long, first + 1) === restOf(short, first + 1)) return true;
  const areSwapped = long[first] === short[first + 1] && long[first + 1] === short[first];
  return areSwapped && restOf(long, first + 2) === restOf(short, first + 2);
}
