import type { DatabaseSync } from 'node:sqlite';
import { indexedLocale } from '#words';
import type { TextCondition } from '../query/access-paths.ts';
import { isAmong, type PromptDeadline } from '../query/functions.ts';
import { inSeveral, intersect, noRows, union } from '../terms/row-sets.ts';
import type { NeededText, WordCounts } from './ladder.ts';
import type { BegunPlaces, WeighedRows } from './postings/begun-places.ts';
import type { Postings } from './postings/postings.ts';
import type { SearchContext } from './search.ts';
import type { SearchCache } from './search-cache.ts';
import { type FieldChanges, withoutGone } from './word-changes.ts';
import {
  type Alternative,
  type Choice,
  looseAlternatives,
  manyChoices,
  type PlannedWord,
} from './words/word-choices.ts';

/** The connection, project and projection of a search. */
export interface SearchScope {
  readonly db: DatabaseSync;
  readonly projectKey: string;
  readonly staged: boolean;
}

/** What the steps of a search have in common. */
export interface SearchBase extends SearchScope {
  readonly cache: SearchCache;
  /** The number of the last commit in the snapshot. */
  readonly commits: number;
  readonly deadline: PromptDeadline;
}

/**
 * The rows of documents that have some words, ascending, by the rules of the project, where it has some: set operations over the rows of
 * terms, which are cached from search to search.
 */
export class WordRows {
  readonly #begunPlaces: BegunPlaces;
  readonly #postings: Postings;
  readonly #changes: FieldChanges | undefined;
  readonly #ofAll = new Map<readonly Alternative[], Uint32Array>();
  readonly #ofEach = new Map<Alternative, Uint32Array>();

  constructor(begunPlaces: BegunPlaces, postings: Postings, changes: FieldChanges | undefined) {
    this.#begunPlaces = begunPlaces;
    this.#postings = postings;
    this.#changes = changes;
  }

  /** The rows with one of the alternatives. */
  of(alternatives: readonly Alternative[]): Uint32Array {
    const found = this.#ofAll.get(alternatives);
    if (found) return found;
    this.#load(alternatives);
    const rows = union(
      alternatives.map((each) => {
        const own = this.#ofEach.get(each) ?? this.#ofAlternative(each);
        this.#ofEach.set(each, own);
        return own;
      }),
    );
    this.#ofAll.set(alternatives, rows);
    return rows;
  }

  /** Reads the rows of words that are not here yet, together. */
  loadChoices(choices: readonly Choice[]): void {
    this.#postings.load(choices);
  }

  /** The rows with a word; with `isShort` in a name or an attribute. */
  ofChoice(choice: Choice, isShort = false): Uint32Array {
    const changed = this.#changes?.of(choice);
    const rows = this.#postings.of(choice, isShort);
    return changed ? withoutGone(rows, changed, isShort) : rows;
  }

  /** The rows with as many words as one of the texts needs. */
  ofNeeded(needed: readonly NeededText[]): Uint32Array {
    this.#load(
      needed.flatMap(({ words, alternativesOf }) => words.flatMap((word: PlannedWord) => alternativesOf(word))),
    );
    return union(
      needed.map(({ words, count, alternativesOf, withPhrases }) => {
        if (words.length === 0) return noRows;
        const rows = inSeveral(
          words.map((word) => this.of(alternativesOf(word))),
          count,
        );
        return withPhrases?.(rows) ?? rows;
      }),
    );
  }

  #load(alternatives: readonly Alternative[]): void {
    const listed = alternatives.filter((each) => !this.#ofEach.has(each) && !areTogether(this.#begunPlaces, each));
    this.#postings.load(listed.flatMap(({ parts }) => parts.flat()));
  }

  #ofAlternative(alternative: Alternative): Uint32Array {
    if (!areTogether(this.#begunPlaces, alternative)) return this.#inAll(alternative.parts, alternative.isShort);
    const begun = begunRows(this.#begunPlaces, alternative);
    return union(begun.flatMap(({ weighed }) => weighed.map((each) => each.placed.rows)));
  }

  /** The rows with one of the choices of each part. */
  #inAll(parts: Alternative['parts'], isShort: boolean): Uint32Array {
    if (parts.length === 1) return this.#inAny(parts[0]!, isShort);
    const rows = intersect(parts.map((choices) => this.#inAny(choices, false)));
    if (rows.length === 0 || !isShort) return rows;
    return intersect(parts.map((choices) => this.#inAny(choices, true)));
  }

  #inAny(choices: readonly Choice[], isShort: boolean): Uint32Array {
    return union(choices.map((choice) => this.ofChoice(choice, isShort)));
  }
}

/** True for many words with one beginning, where these are read together. */
export function areTogether(begunPlaces: BegunPlaces, { beginning, parts }: Alternative): boolean {
  return begunPlaces.areKnown && beginning !== undefined && parts[0]!.length >= manyChoices;
}

/** The rows of the words of an alternative that `areTogether`, by locale. */
export function begunRows(
  begunPlaces: BegunPlaces,
  { beginning, parts }: Alternative,
): readonly { readonly locale: string; readonly weighed: readonly WeighedRows[] }[] {
  const spaces = new Set(parts[0]!.map((choice) => choice.locale));
  return [...spaces].map((space) => {
    return { locale: indexedLocale(space), weighed: begunPlaces.of({ locale: space, word: beginning! }) };
  });
}

/** Counts in the open snapshot. */
export function createWordCounts(words: WordRows): WordCounts {
  const loose = new Map<PlannedWord, number>();
  return {
    strict: ({ strict, weighed }) => (weighed && words.of(weighed).length) || words.of(strict).length,
    loose(word) {
      if (word.typos.length === 0) return words.of(word.strict).length;
      const known = loose.get(word) ?? words.of(looseAlternatives(word)).length;
      loose.set(word, known);
      return known;
    },
  };
}

function withPinned(rows: Uint32Array, pinned: readonly number[]): Uint32Array {
  return pinned.length === 0
    ? rows
    : union([rows, ...pinned.filter((row) => row >= 0).map((row) => Uint32Array.of(row))]);
}

/** The texts as one condition: a document must match one of them or be pinned, and have nothing that is excluded. */
export function textCondition(
  { db, words, excluded, pinned }: Pick<SearchContext, 'db' | 'words' | 'excluded' | 'pinned'>,
  needed: readonly NeededText[],
): TextCondition {
  const rows = excluded.removedFrom(withPinned(words.ofNeeded(needed), pinned));
  const condition = isAmong(db, rows);
  return { rows, condition };
}
