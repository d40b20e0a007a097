import {
  beginningOf,
  begunCompoundsOf,
  begunStems,
  canBeHead,
  compoundsOf,
  editsToHead,
  type FirstPartOf,
  firstWordsOf,
  hasForms,
  isAccented,
  isNumbered,
  lettersOfHead,
  stemOf,
  Vocabulary,
} from '#words';
import { escapeText, projectionTerm, termHead, unescapeText } from '../../terms/term-encoding.ts';
import type { TermReader } from '../../terms/term-reader.ts';
import { wordsHead } from '../../terms/word-terms.ts';
import { WordGroup } from './word-group.ts';

/** Words that are read between two calls of `check`: some milliseconds. */
const wordsAtOnce = 20_000;

/** U+10FFFF is the last character: every word with the beginning is less than this end. */
const endOf = (beginning: string) => `${beginning}\u{10ffff}`;

/** A word that ends in an asked one. */
export interface Compound {
  readonly word: string;
  /** See `firstWordsOf`. */
  readonly firstWords: readonly string[] | undefined;
}

/** About the memory of a vocabulary without words. */
const emptyBytes = 1000;

/**
 * The words of a project under one locale, which are those of the term index. Words that begin alike are read together when one of them is looked up; the
 * first look at words that resemble one, or have it as their head, reads all of them into memory. Words that no document has any more may remain.
 */
export class ProjectWords {
  readonly #check: () => void;
  readonly #projectKey: string;
  readonly #locale: string;
  /** The beginnings of the terms of its words: of the current projection, and of the staged one where any document has one. */
  #heads: readonly string[] = [];
  #reader!: TermReader;
  /** Of the last segment of the index whose words are included. */
  #stamp = 0;
  #all: Vocabulary | undefined;
  /** By the beginning of their words. Words without inflected forms are in no group. */
  readonly #groups = new Map<string, WordGroup>();

  /** To be followed by `follow`. */
  constructor(check: () => void, projectKey: string, locale: string) {
    this.#check = check;
    this.#projectKey = projectKey;
    this.#locale = locale;
  }

  get bytes(): number {
    let bytes = emptyBytes + (this.#all?.bytes ?? 0);
    for (const group of this.#groups.values()) bytes += group.bytes;
    return bytes;
  }

  /** To be called in each snapshot: adds the words of segments that came since the last one. */
  follow(reader: TermReader): void {
    this.#reader = reader;
    if (this.#stamp === reader.stamp) return;
    const hasStaged = reader.read([projectionTerm(this.#projectKey, 's')])[0]!.length > 0;
    const projections = hasStaged ? (['c', 's'] as const) : (['c'] as const);
    this.#heads = projections.map((projection) => wordsHead(termHead(this.#projectKey, projection), this.#locale));
    if (this.#all || this.#groups.size > 0) {
      for (const word of this.#between('', endOf(''), Number.POSITIVE_INFINITY, this.#stamp)) {
        if (isAccented(word)) continue;
        this.#all?.add(word);
        if (!isNumbered(word)) this.#groups.get(beginningOf(word))?.add(word);
      }
    }
    this.#stamp = reader.stamp;
  }

  /** Words from one to below another, of segments behind a stamp. */
  #between(from: string, to: string, most = Number.POSITIVE_INFINITY, since = -1): readonly string[] {
    const [begin, end] = [escapeText(from), escapeText(to)];
    const [current = [], staged] = this.#heads.map((head) => this.#reader.readWords(head, begin, end, most, since));
    const words = staged ? [...new Set([...current, ...staged])].slice(0, most) : current;
    return words.map(unescapeText);
  }

  has(word: string): boolean {
    const escaped = escapeText(word);
    return this.#reader.read(this.#heads.map((head) => head + escaped)).some((rows) => rows.length > 0);
  }

  /** The words that are the same or have the same stem, in the language of the locale (`matchesWord`). */
  forms(word: string, locale: string): readonly string[] {
    if (!hasForms(word, locale)) return this.has(word) ? [word] : [];
    // Both words have the beginning and the stem in common.
    return this.#groupWith(word).ofStem(stemOf(word, locale), locale);
  }

  /** The words of which an unfinished one may become a form (`isBegunForm`). */
  begunForms(begun: string, locale: string): readonly string[] {
    const stems = begunStems(begun, locale);
    const found = [...stems].flatMap((stem) => this.#groupWith(begun).ofStem(stem, locale));
    return found.filter((each) => !each.startsWith(begun));
  }

  /** The words with this prefix, itself included; only a part of them once enough are known. */
  beginning(word: string, enough?: number): readonly string[] {
    return this.#between(word, endOf(word), enough);
  }

  /** The words of which this one, in some form, is the head (`isHeadOf`). */
  compounds(head: string, locale: string): readonly Compound[] {
    return canBeHead(head, locale) ? this.#compounds(head, locale, compoundsOf(head, locale)) : [];
  }

  /** The words that a form may end which an unfinished one may become (`begunCompoundsOf`). */
  begunCompounds(begun: string, locale: string): readonly Compound[] {
    return begunStems(begun, locale).size === 0 ? [] : this.#compounds(begun, locale, begunCompoundsOf(begun, locale));
  }

  #compounds(head: string, locale: string, firstPartOf: FirstPartOf): readonly Compound[] {
    const words = this.#read().within(lettersOfHead(head, locale));
    return words.flatMap((word) => {
      const first = firstPartOf(word);
      if (first === undefined) return [];
      return [{ word, firstWords: firstWordsOf(word, first, locale) }];
    });
  }

  /** False: no document has the word. */
  mayHave(word: string): boolean {
    return this.#read().has(word);
  }

  /** At least the words that are 1 to `most` edits away. */
  near(word: string, most: 1 | 2): readonly string[] {
    return this.#read()
      .near(word, most)
      .map((each) => each.word);
  }

  /** At least the words that begin like a word and whose stems are 1 to `most` edits away from its stem. */
  ofNearStem(word: string, locale: string, most: 1 | 2): readonly string[] {
    return this.#groupWith(word).ofNearStem(word, locale, most);
  }

  /** At least the words of which some beginning is 1 to `most` edits away from a word (`editsToBeginning`). */
  nearBeginnings(word: string, most: 1 | 2): readonly string[] {
    return this.#read().beginningNear(word, most);
  }

  /** The words whose end is 1 or more edits away from a word (`editsToHead`). */
  nearCompounds(word: string, level: 1 | 2): readonly string[] {
    return this.#read()
      .endingNear(word, level)
      .filter((each) => editsToHead(each, word, level) !== undefined);
  }

  #groupWith(word: string): WordGroup {
    const beginning = beginningOf(word);
    const known = this.#groups.get(beginning);
    if (known) return known;
    // Words with a digit, such as article numbers, have no inflected forms, and there may be very many of them.
    const isIn = (word: string) => !isNumbered(word) && beginningOf(word) === beginning;
    const group = new WordGroup(this.#between(beginning, endOf(beginning)).filter(isIn));
    this.#groups.set(beginning, group);
    return group;
  }

  /** All words. A search that is stopped while it reads them leaves none. */
  #read(): Vocabulary {
    if (this.#all) return this.#all;
    const all = new Vocabulary();
    for (const head of this.#heads) {
      for (let from: string | undefined = ''; from !== undefined; ) {
        const words: readonly string[] = this.#reader.readWords(head, from, endOf(''), wordsAtOnce, -1);
        for (const word of words) if (!isAccented(word)) all.add(unescapeText(word));
        from = words.length < wordsAtOnce ? undefined : `${words.at(-1)}\0`;
        this.#check();
      }
    }
    this.#all = all;
    return all;
  }
}
