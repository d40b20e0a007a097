import type { DatabaseSync } from 'node:sqlite';
import { indexedLocale } from '#words';
import type { Projection } from '../../index/term-encoding.ts';
import type { NeededText, WordCounts } from '../../query/ladder.ts';
import type { TermExpression } from '../../query/term-expression.ts';
import {
  type Alternative,
  anyAlternative,
  type Choice,
  looseAlternatives,
  manyChoices,
  type PlannedWord,
  type TermOptions,
} from '../../query/word-choices.ts';
import type { TextCondition } from '../query/access-paths.ts';
import { isAmong } from '../query/functions.ts';
import { lookupOf, rowsOfLookup } from '../query/lookup.ts';
import { inSeveral, intersect, noRows, union, without } from '../terms/row-sets.ts';
import { type WordChanges, withoutGone } from './changed-rows.ts';
import { rowsStaged } from './columns/term-entries.ts';
import type { BegunPlaces, WeighedRows } from './postings/begun-places.ts';
import type { Postings } from './postings/postings.ts';
import { type PlacedRows, placedInEither, placesOfSome, rowsInShort } from './postings/word-places.ts';
import type { SearchContext } from './search.ts';

/** The connection, project and projection of a search. */
export interface SearchScope {
  readonly db: DatabaseSync;
  readonly projectKey: string;
  readonly staged: boolean;
}

/**
 * The rows of documents that have some words, ascending: by set operations over the rows of their terms, which are kept
 * from search to search, as those of whole questions cannot be.
 */
export interface WordRows {
  /** The rows with one of the alternatives. */
  of(alternatives: readonly Alternative[]): Uint32Array;
  /** Reads the rows of words that are not here yet, together. */
  loadChoices(choices: readonly Choice[]): void;
  /** The rows with a word that was read. */
  ofChoice(choice: Choice): Uint32Array;
  /** The rows with as many words as one of the texts needs. */
  ofNeeded(needed: readonly NeededText[]): Uint32Array;
}

/** The words as the index has them, of the projection of the search. */
export interface IndexedWords {
  load(choices: readonly Choice[]): void;
  /** The rows with a word; with `isShort` in a name or an attribute. */
  of(choice: Choice, isShort: boolean): Uint32Array;
  /** The rows with a word, and its places. */
  placed(choice: Choice): PlacedRows;
}

/** Words of the projection of a search. */
export function createIndexedWords(scope: SearchScope, postings: Postings): IndexedWords {
  const ownStaged = rowsStaged(scope);
  return {
    load: postings.loadWords,
    of(choice, isShort) {
      const [current = noRows, own] = postings
        .wordOf(choice)
        .map((placed) => (isShort ? rowsInShort(placed) : placed.rows));
      return own ? union([without(current, ownStaged), own]) : current;
    },
    placed(choice) {
      const [current, own] = postings.wordOf(choice);
      if (!own) return current!;
      const rows = without(current!.rows, ownStaged);
      return placedInEither({ rows, places: placesOfSome(current!, rows) }, own);
    },
  };
}

/** Rows by the rules of a project, where it has some. */
export function createWordRows(
  scope: SearchScope & Pick<SearchContext, 'begunPlaces'>,
  indexed: IndexedWords,
  changes: WordChanges | undefined,
): WordRows {
  const { begunPlaces } = scope;
  const known = new WeakMap<readonly Alternative[], Uint32Array>();
  const ofEach = new WeakMap<Alternative, Uint32Array>();

  function load(alternatives: readonly Alternative[]): void {
    const listed = alternatives.filter((each) => !ofEach.has(each) && !isByBeginning(each));
    indexed.load(listed.flatMap(({ parts }) => parts.flat()));
  }

  /** The rows with one of the choices of each part. */
  function inAll(parts: Alternative['parts'], isShort: boolean): Uint32Array {
    if (parts.length === 1) return inAny(parts[0]!, isShort);
    const rows = parts.map((choices) => inAny(choices, false));
    if (intersect(rows).length === 0) return noRows;
    return isShort ? intersect(parts.map((choices) => inAny(choices, true))) : intersect(rows);
  }

  function inAny(choices: readonly Choice[], isShort: boolean): Uint32Array {
    return union(choices.map((choice) => ofChoice(choice, isShort)));
  }

  function ofChoice(choice: Choice, isShort: boolean): Uint32Array {
    const changed = changes?.of(choice);
    const rows = indexed.of(choice, isShort);
    return changed ? withoutGone(rows, changed, isShort) : rows;
  }

  function ofAlternative(alternative: Alternative): Uint32Array {
    const { parts, isShort } = alternative;
    if (isByBeginning(alternative)) {
      if (begunPlaces.areKnown) return rowsBegun(alternative);
      if (!changes) return ofBeginning(alternative);
      indexed.load(parts.flat());
      if (parts[0]!.every((choice) => changes.of(choice) === undefined)) return ofBeginning(alternative);
    }
    return inAll(parts, isShort);
  }

  function rowsBegun(alternative: Alternative): Uint32Array {
    return union(begunRows(begunPlaces, alternative).flatMap(({ weighed }) => weighed.map((each) => each.placed.rows)));
  }

  /** Many words with one beginning are one lookup of the index. */
  function ofBeginning(alternative: Alternative): Uint32Array {
    const { projectKey } = scope;
    return rowsOfTerms(scope, (projection) => anyAlternative(projectKey, projection, [alternative], termOptions))!;
  }

  function of(alternatives: readonly Alternative[]): Uint32Array {
    const found = known.get(alternatives);
    if (found) return found;
    load(alternatives);
    const rows = union(
      alternatives.map((each) => {
        const own = ofEach.get(each) ?? ofAlternative(each);
        ofEach.set(each, own);
        return own;
      }),
    );
    known.set(alternatives, rows);
    return rows;
  }

  return {
    of,
    loadChoices: (choices) => indexed.load(choices),
    ofChoice: (choice) => ofChoice(choice, false),
    ofNeeded(needed) {
      load(needed.flatMap(({ words, alternativesOf }) => words.flatMap((word: PlannedWord) => alternativesOf(word))));
      return union(
        needed.map(({ words, count, alternativesOf }) =>
          words.length === 0
            ? noRows
            : inSeveral(
                words.map((word) => of(alternativesOf(word))),
                count,
              ),
        ),
      );
    },
  };
}

/** The rows of more words with one beginning are read together. */
export function isByBeginning({ beginning, parts }: Alternative): boolean {
  return beginning !== undefined && parts[0]!.length >= manyChoices;
}

/** Those of the words of an alternative that `isByBeginning`, by locale. */
export function begunRows(
  begunPlaces: BegunPlaces,
  { beginning, parts }: Alternative,
): readonly { readonly locale: string; readonly weighed: readonly WeighedRows[] }[] {
  const spaces = new Set(parts[0]!.map((choice) => choice.locale));
  return [...spaces].map((space) => {
    return { locale: indexedLocale(space), weighed: begunPlaces.of({ locale: space, word: beginning! }) };
  });
}

const termOptions: TermOptions = { byBeginning: true };

/** Counts in the open snapshot. */
export function createWordCounts(words: WordRows): WordCounts {
  const loose = new Map<PlannedWord, number>();
  return {
    strict: ({ strict }) => words.of(strict).length,
    loose(word) {
      const known = loose.get(word) ?? words.of(looseAlternatives(word)).length;
      loose.set(word, known);
      return known;
    },
  };
}

/** The texts as one condition: a document must match one of them. */
export function textCondition(
  { db, words }: Pick<SearchContext, 'db' | 'words'>,
  needed: readonly NeededText[],
): TextCondition {
  const rows = words.ofNeeded(needed);
  const condition = isAmong(db, rows);
  return { rows, condition };
}

/** The rows of documents that an expression names. */
export function rowsOfTerms(scope: SearchScope, compile: (projection: Projection) => TermExpression): Uint32Array {
  return rowsOfLookup(scope.db, lookupOf(scope, compile));
}
