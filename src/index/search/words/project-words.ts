import type { DatabaseSync } from 'node:sqlite';
import {
  beginningOf,
  begunCompoundsOf,
  begunStems,
  compoundsOf,
  editsToHead,
  hasForms,
  isNumbered,
  lettersOfHead,
  stemOf,
  Vocabulary,
} from '#words';
import { WordGroup } from './word-group.ts';

/** Words that are read between two calls of `check`: some milliseconds. */
const wordsAtOnce = 20_000;

export type WordStatements = ReturnType<typeof prepareStatements>;

/** The statements that read the words of a project. All but `present` return arrays. */
export function prepareStatements(db: DatabaseSync) {
  const inLocale = 'FROM word WHERE project_key = ? AND locale = ?';
  const some = db.prepare(
    `SELECT json_group_array(word) FROM (SELECT word ${inLocale} AND word > ? ORDER BY word LIMIT ${wordsAtOnce})`,
  );
  // Words with a digit, such as article numbers, have no inflected forms, and there may be very many of them.
  const between = db.prepare(`SELECT word ${inLocale} AND word >= ? AND word < ? AND word NOT GLOB '*[0-9]*'`);
  // A negative limit means no limit.
  const beginning = db.prepare(`SELECT word ${inLocale} AND word >= ? AND word < ? LIMIT ?`);
  const since = db.prepare('SELECT words FROM added_word WHERE born > ? AND project_key = ? AND locale = ?');
  // What was added before that is not listed any more.
  const swept = db.prepare('SELECT swept FROM store');
  const present = db.prepare(`SELECT 1 ${inLocale} AND word = ?`);
  for (const statement of [some, between, beginning, since, swept]) statement.setReturnArrays(true);
  return { some, between, beginning, since, swept, present };
}

/** U+10FFFF is the last character: every word with the beginning is less than this end. */
const endOf = (beginning: string) => `${beginning}\u{10ffff}`;

/** About the memory of a vocabulary without words. */
const emptyBytes = 1000;

/**
 * The words of a project under one locale. Words that begin alike are read together when one of them is looked up; the first look at words
 * that resemble one, or have it as their head, reads all of them into memory. Words that no document has any more may remain.
 */
export class ProjectWords {
  readonly #statements: WordStatements;
  readonly #check: () => void;
  readonly #project: readonly [projectKey: string, locale: string];
  /** The last change whose words are included. */
  #commits: number;
  #all: Vocabulary | undefined;
  /** By the beginning of their words. Words without inflected forms are in no group. */
  readonly #groups = new Map<string, WordGroup>();

  constructor(statements: WordStatements, check: () => void, projectKey: string, locale: string, commits: number) {
    this.#statements = statements;
    this.#check = check;
    this.#project = [projectKey, locale];
    this.#commits = commits;
  }

  get bytes(): number {
    let bytes = emptyBytes + (this.#all?.bytes ?? 0);
    for (const group of this.#groups.values()) bytes += group.bytes;
    return bytes;
  }

  /** Adds the words of changes up to a commit; false where they are not listed any more. */
  follow(commits: number): boolean {
    if (this.#commits === commits) return true;
    const [until] = this.#statements.swept.get() as unknown as readonly [number];
    if (this.#commits < until) return false;
    const added = this.#statements.since.all(this.#commits, ...this.#project) as unknown as [string][];
    for (const word of added.flatMap(([words]) => JSON.parse(`[${words}]`) as string[])) {
      this.#all?.add(word);
      if (!isNumbered(word)) this.#groups.get(beginningOf(word))?.add(word);
    }
    this.#commits = commits;
    return true;
  }

  has(word: string): boolean {
    return this.#statements.present.get(...this.#project, word) !== undefined;
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
  beginning(word: string, enough = -1): readonly string[] {
    const rows = this.#statements.beginning.all(...this.#project, word, endOf(word), enough) as unknown as [string][];
    return rows.map(([begun]) => begun);
  }

  /** The words of which this one, in some form, is the head (`isHeadOf`). */
  compounds(head: string, locale: string): readonly string[] {
    return this.#read().within(lettersOfHead(head, locale)).filter(compoundsOf(head, locale));
  }

  /** The words that a form may end which an unfinished one may become (`begunCompoundsOf`). */
  begunCompounds(begun: string, locale: string): readonly string[] {
    if (begunStems(begun, locale).size === 0) return [];
    return this.#read().within(lettersOfHead(begun, locale)).filter(begunCompoundsOf(begun, locale));
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
    const rows = this.#statements.between.all(...this.#project, beginning, endOf(beginning)) as unknown as [string][];
    const group = new WordGroup(rows.map(([each]) => each).filter((each) => beginningOf(each) === beginning));
    this.#groups.set(beginning, group);
    return group;
  }

  /** All words. A search that is stopped while it reads them leaves none. */
  #read(): Vocabulary {
    if (this.#all) return this.#all;
    const all = new Vocabulary();
    for (let last: string | undefined = ''; last !== undefined; ) {
      const [[text] = ['[]']] = this.#statements.some.all(...this.#project, last) as unknown as [string][];
      const words = JSON.parse(text) as string[];
      for (const word of words) all.add(word);
      last = words.length < wordsAtOnce ? undefined : words.at(-1);
      this.#check();
    }
    this.#all = all;
    return all;
  }
}
