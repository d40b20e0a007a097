/**
 * Tables whose keys are words that were just cut out of others. A `Map` makes such a text unique among all texts first, which
 * takes longer than all else of a look-up.
 */

/** Keeps one value for each word, of as many words as there are places, a power of two: another word of a place takes it over. */
export class WordCache {
  readonly #words: (string | undefined)[];
  readonly #values: string[];

  constructor(places: number) {
    this.#words = new Array<string | undefined>(places).fill(undefined);
    this.#values = new Array<string>(places).fill('');
  }

  get(word: string): string | undefined {
    const place = this.#placeOf(word);
    return this.#words[place] === word ? this.#values[place] : undefined;
  }

  set(word: string, value: string): void {
    const place = this.#placeOf(word);
    this.#words[place] = word;
    this.#values[place] = value;
  }

  #placeOf(word: string): number {
    return hashOf(word) & (this.#words.length - 1);
  }
}

const none: readonly string[] = [];
const firstSlots = 8;

/** Lists of words by another one, such as their stem. */
export class WordLists {
  readonly #keys: string[] = [];
  readonly #lists: string[][] = [];
  /** The number of each key + 1 at its hash or behind it; 0 is free. At least twice as many as there are keys. */
  #slots = new Uint32Array(firstSlots);

  add(key: string, word: string): void {
    const slot = this.#slotOf(key);
    const known = this.#slots[slot]!;
    if (known !== 0) {
      this.#lists[known - 1]!.push(word);
      return;
    }
    this.#keys.push(key);
    this.#lists.push([word]);
    this.#slots[slot] = this.#keys.length;
    if (2 * this.#keys.length <= this.#slots.length) return;
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (const [at, each] of this.#keys.entries()) this.#slots[this.#slotOf(each)] = at + 1;
  }

  of(key: string): readonly string[] {
    return this.#lists[this.#slots[this.#slotOf(key)]! - 1] ?? none;
  }

  /** All keys with their words. */
  all(): readonly (readonly [key: string, words: readonly string[]])[] {
    return this.#keys.map((key, at) => [key, this.#lists[at]!] as const);
  }

  #slotOf(key: string): number {
    const last = this.#slots.length - 1;
    let slot = hashOf(key) & last;
    while (this.#slots[slot] !== 0 && this.#keys[this.#slots[slot]! - 1] !== key) slot = (slot + 1) & last;
    return slot;
  }
}

/** FNV-1a over the units, the high bits mixed into the low ones. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
