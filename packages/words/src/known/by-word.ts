/**
 * Tables whose keys are words that were just cut out of others. A `Map` makes such a text unique among all texts first, which
 * takes longer than all else of a look-up.
 */

/** Keeps one value for each word, of as many words as there are places: another word of a place takes it over. */
export interface WordCache {
  get(word: string): string | undefined;
  set(word: string, value: string): void;
}

/** A cache with places of a number that is a power of two. */
export function createWordCache(places: number): WordCache {
  const words = new Array<string | undefined>(places).fill(undefined);
  const values = new Array<string>(places).fill('');
  const placeOf = (word: string) => hashOf(word) & (places - 1);
  return {
    get(word) {
      const place = placeOf(word);
      return words[place] === word ? values[place] : undefined;
    },
    set(word, value) {
      const place = placeOf(word);
      words[place] = word;
      values[place] = value;
    },
  };
}

/** Lists of words by another one, such as their stem. */
export interface WordLists {
  add(key: string, word: string): void;
  of(key: string): readonly string[];
  /** All keys with their words. */
  all(): readonly (readonly [key: string, words: readonly string[]])[];
}

const none: readonly string[] = [];
const firstSlots = 8;

/** No lists. */
export function createWordLists(): WordLists {
  const keys: string[] = [];
  const lists: string[][] = [];
  /** The number of each key + 1 at its hash or behind it; 0 is free. At least twice as many as there are keys. */
  let slots = new Uint32Array(firstSlots);

  function slotOf(key: string): number {
    let slot = hashOf(key) & (slots.length - 1);
    while (slots[slot] !== 0 && keys[slots[slot]! - 1] !== key) slot = (slot + 1) & (slots.length - 1);
    return slot;
  }

  return {
    add(key, word) {
      const slot = slotOf(key);
      if (slots[slot] !== 0) {
        lists[slots[slot]! - 1]!.push(word);
        return;
      }
      keys.push(key);
      lists.push([word]);
      slots[slot] = keys.length;
      if (2 * keys.length <= slots.length) return;
      slots = new Uint32Array(2 * slots.length);
      for (let at = 0; at < keys.length; at += 1) slots[slotOf(keys[at]!)] = at + 1;
    },
    of: (key) => lists[slots[slotOf(key)]! - 1] ?? none,
    all: () => keys.map((key, at) => [key, lists[at]!] as const),
  };
}

/** FNV-1a over the units, the high bits mixed into the low ones. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
