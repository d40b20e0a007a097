import {
  beginningOf,
  begunCompoundsOf,
  begunPartsOf,
  compoundsOf,
  editsToBeginning,
  editsToHead,
  hasForms,
  indexedLocale,
  isBegunForm,
  matchesWord,
  spellingsOf,
} from '#words';
import type { KnownWords } from '../../../index/plan/plan-words.ts';

/** Words of one locale that were read for a search: what it needs to know of the vocabulary. */
interface ReadWords extends KnownWords {
  readonly words: ReadonlySet<string>;
  /** Those that may be the second part of a word (`begunPartsOf`). */
  begunParts(begun: string, locale: string): readonly string[];
}

/** Reads the words of each space that a text is compared with. */
export async function gather(
  spaces: readonly string[],
  read: (locale: string) => Promise<readonly string[]>,
): Promise<(space: string) => ReadWords> {
  const known = new Map<string, ReadWords>();
  for (const locale of new Set(spaces.map(indexedLocale))) known.set(locale, knownWords(await read(locale)));
  return (space) => known.get(indexedLocale(space))!;
}

function knownWords(words: readonly string[]): ReadWords {
  const all = new Set(words);
  let sorted: readonly string[] | undefined;
  const beginning = (word: string) => {
    sorted ??= [...all].sort();
    return begunIn(sorted, word);
  };
  const byBeginning = Map.groupBy(all, beginningOf);
  return {
    words: all,
    has: (word) => all.has(word),
    forms(word, locale) {
      if (!hasForms(word, locale)) return all.has(word) ? [word] : [];
      return (byBeginning.get(beginningOf(word)) ?? []).filter((each) => matchesWord(each, word, locale));
    },
    beginning,
    begunParts(begun, locale) {
      const words = spellingsOf(begun, locale).flatMap(beginning);
      return [...new Set(words)].filter(begunPartsOf(begun, locale));
    },
    compounds: (head, locale) => [...all].filter(compoundsOf(head, locale)),
    begunForms(begun, locale) {
      return (byBeginning.get(beginningOf(begun)) ?? []).filter((each) => isBegunForm(each, begun, locale));
    },
    begunCompounds: (begun, locale) => [...all].filter(begunCompoundsOf(begun, locale)),
    near: () => [...all],
    ofNearStem: (word) => byBeginning.get(beginningOf(word)) ?? [],
    nearBeginnings: (word, most) => [...all].filter((each) => editsToBeginning(each, word, most) !== undefined),
    nearCompounds: (word, level) => [...all].filter((each) => editsToHead(each, word, level) !== undefined),
  };
}

/** The words of a sorted list that begin like one: it is looked through for each of many beginnings. */
function begunIn(sorted: readonly string[], beginning: string): readonly string[] {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < beginning) from = middle + 1;
    else to = middle;
  }
  let end = from;
  while (end < sorted.length && sorted[end]!.startsWith(beginning)) end += 1;
  return sorted.slice(from, end);
}
