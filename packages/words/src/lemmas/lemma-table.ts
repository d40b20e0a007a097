import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** Where the tables are; `LICENSE.txt` beside them names their sources. */
const folder = new URL('../../tables/', import.meta.url);

const newline = '\n';
/** Ends a lemma that shares its stem with a more frequent one. */
export const apart = '+';
/** `apart`, spaces and newlines: letters have higher codes. */
const lastSeparator = apart.charCodeAt(0);

/**
 * The forms of the frequent words of a language. Its text has a line for each word: the lemma, then its other forms, all folded, the
 * more frequent ones first. A hash table leads to each form in the text, so that 100,000 forms take two megabytes.
 */
export class LemmaTable {
  readonly #text: string;
  /** The place of each form in the text, at its hash or behind it; 0 is free. */
  readonly #slots: Uint32Array;

  constructor(lines: string) {
    const text = `${newline}${lines}${newline}`;
    this.#text = text;
    let count = 0;
    for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) <= lastSeparator) count += 1;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count)));
    let [hash, start] = [firstHash, 1];
    for (let at = 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code > lastSeparator) hash = nextHash(hash, code);
      else {
        if (at > start) this.#add(hash, start);
        [hash, start] = [firstHash, at + 1];
      }
    }
  }

  /** The lemma of a form, with `apart` where it has a stem of its own; undefined for a word that the table lacks. */
  lemmaOf(word: string): string | undefined {
    const at = this.#placeOf(word);
    if (at === 0) return undefined;
    const start = this.#lineOf(at);
    let end = start + 1;
    while (this.#text.charCodeAt(end) > space || this.#text[end] === apart) end += 1;
    return this.#text.slice(start, end);
  }

  /** All forms of the word that has this form, the lemma first; none for a word that the table lacks. */
  formsOf(word: string): readonly string[] {
    const at = this.#placeOf(word);
    if (at === 0) return [];
    return this.#text.slice(this.#lineOf(at), this.#text.indexOf(newline, at)).replace(apart, '').split(' ');
  }

  /** The forms that begin like this. */
  beginning(begun: string): readonly string[] {
    const found: string[] = [];
    for (const separator of [newline, ' ']) {
      const wanted = separator + begun;
      for (let at = this.#text.indexOf(wanted); at >= 0; at = this.#text.indexOf(wanted, at + 1)) {
        let end = at + wanted.length;
        while (this.#text.charCodeAt(end) > lastSeparator) end += 1;
        found.push(this.#text.slice(at + 1, end));
      }
    }
    return found;
  }

  #add(hash: number, at: number): void {
    const last = this.#slots.length - 1;
    let slot = mixed(hash) & last;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
    this.#slots[slot] = at;
  }

  /** Where the word stands in the text, or 0. */
  #placeOf(word: string): number {
    let hash = firstHash;
    for (let at = 0; at < word.length; at += 1) hash = nextHash(hash, word.charCodeAt(at));
    const last = this.#slots.length - 1;
    for (let slot = mixed(hash) & last; this.#slots[slot] !== 0; slot = (slot + 1) & last) {
      const at = this.#slots[slot]!;
      if (this.#text.startsWith(word, at) && this.#text.charCodeAt(at + word.length) <= lastSeparator) return at;
    }
    return 0;
  }

  #lineOf(at: number): number {
    return this.#text.lastIndexOf(newline, at) + 1;
  }
}

const space = 0x20;

/** FNV-1a over the units. */
const firstHash = 0x811c9dc5;
function nextHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** The high bits mixed into the low ones, which choose the slot. */
function mixed(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

const loaded = new Map<string, LemmaTable>();

/** A table by its name, read when its first word is looked up, which takes about 20 ms. */
export function lemmaTable(name: string): LemmaTable {
  const known = loaded.get(name);
  if (known) return known;
  const table = new LemmaTable(brotliDecompressSync(readFileSync(new URL(`${name}.br`, folder))).toString());
  loaded.set(name, table);
  return table;
}
