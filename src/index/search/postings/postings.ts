import { indexedLocale } from '#words';
import type { PromptDeadline } from '../../query/functions.ts';
import { without } from '../../terms/row-sets.ts';
import { type Projection, termHead } from '../../terms/term-encoding.ts';
import { openTermReader, type TakeRows, type TermReader } from '../../terms/term-reader.ts';
import { type PlaceMark, placeMarks, wordTerm } from '../../terms/word-terms.ts';
import { rowsStaged } from '../columns/term-entries.ts';
import type { SearchScope } from '../query-terms.ts';
import type { Choice } from '../words/word-choices.ts';
import { type PlacedRows, placedInEither, placesIn, placesOfSome, rowsInShort } from './word-places.ts';

/** The projections of a search: the words of the second hide those of the first in their rows. */
export function projectionsOf({ staged }: Pick<SearchScope, 'staged'>): readonly Projection[] {
  return staged ? ['c', 's'] : ['c'];
}

/** Words that are read between two looks at the deadline: less than some milliseconds. */
const wordsAtOnce = 64;

/** What a word is at its places, by the rows of its terms. */
const knownPlaces = new WeakMap<readonly Uint32Array[], PlacedRows>();

/** The rows and places of words in the open snapshot, as the index has them, in the projection of a search. */
export class Postings {
  readonly #reader: TermReader;
  readonly #deadline: PromptDeadline;
  readonly #heads: readonly string[];
  readonly #ownStaged: Uint32Array;
  /** By the choice itself: to find a text that was just made takes far longer. */
  readonly #words = new Map<Choice, PlacedRows>();
  /** By the term of a word. */
  readonly #ofTerms = new Map<string, PlacedRows>();

  constructor(scope: SearchScope, deadline: PromptDeadline) {
    this.#reader = openTermReader(scope.db);
    this.#deadline = deadline;
    this.#ownStaged = rowsStaged(scope);
    this.#heads = projectionsOf(scope).map((projection) => termHead(scope.projectKey, projection));
  }

  /** Reads words that are not here yet, of plain ones all of their locale. */
  load(choices: readonly Choice[]): void {
    const missing = choices.filter((choice) => !this.#words.has(choice));
    for (let from = 0; from < missing.length; from += wordsAtOnce) {
      if (from > 0) this.#deadline.checkNow();
      this.#readWords(missing.slice(from, from + wordsAtOnce));
    }
  }

  /** Reads all words of the current projection that begin like this. */
  loadBeginning({ locale: space, word }: Choice): void {
    const begunLike = { locale: indexedLocale(space), word };
    readBegunWords(this.#reader, this.#heads[0]!, begunLike, (term, placed) => this.#ofTerms.set(term, placed));
  }

  /** The rows with a word, and its places. */
  placed(choice: Choice): PlacedRows {
    if (!this.#words.has(choice)) this.#readWords([choice]);
    return this.#words.get(choice)!;
  }

  /** The rows with a word; with `isShort` in a name or an attribute. */
  of(choice: Choice, isShort: boolean): Uint32Array {
    const placed = this.placed(choice);
    return isShort ? rowsInShort(placed) : placed.rows;
  }

  #readWords(choices: readonly Choice[]): void {
    const wanted = choices.map((choice) => ({ choice, parts: this.#heads.map((head) => termsOfWord(head, choice)) }));
    const missing = wanted.flatMap(({ parts }) => parts).filter(({ term }) => !this.#ofTerms.has(term));
    const found = this.#reader.readGroups(
      missing.map(({ term, marks }) => [term, ...marks.map(({ mark }) => term + mark)]),
    );
    for (const [at, { term, place, marks }] of missing.entries()) {
      this.#ofTerms.set(term, placedBy(found[at]!, place, marks));
    }
    for (const { choice, parts } of wanted) {
      const [current, own] = parts.map(({ term }) => this.#ofTerms.get(term)!);
      this.#words.set(choice, own ? this.#inEither(current!, own) : current!);
    }
  }

  /** Of the current projection the rows without a staged one, and those of that. */
  #inEither(current: PlacedRows, own: PlacedRows): PlacedRows {
    const rows = without(current.rows, this.#ownStaged);
    return placedInEither({ rows, places: placesOfSome(current, rows) }, own);
  }
}

function termsOfWord(head: string, { locale: space, word }: Choice) {
  const locale = indexedLocale(space);
  return { term: wordTerm(head, locale, word), ...placeMarks(locale) };
}

/** The places of a word, kept as long as the index has the same rows. */
function placedBy(lists: readonly Uint32Array[], usual: number, marks: readonly PlaceMark[]): PlacedRows {
  const known = knownPlaces.get(lists);
  if (known) return known;
  const marked = marks.map(({ place }, at) => ({ place, rows: lists[at + 1]! }));
  const placed = { rows: lists[0]!, places: placesIn(lists[0]!, usual, marked) };
  knownPlaces.set(lists, placed);
  return placed;
}

/** Calls `take` for all words of a locale that begin like this, each with its term. */
export function readBegunWords(
  reader: TermReader,
  head: string,
  { locale, word }: Choice,
  take: (term: string, placed: PlacedRows) => void,
): void {
  const beginning = wordTerm(head, locale, word);
  const rowsOf = new Map<string, Uint32Array>();
  const lists = new Map<string, { place: number; rows: Uint32Array }[]>();
  const { place: usual, marks } = placeMarks(locale);
  const places = new Map(marks.map(({ mark, place }) => [mark, place]));
  reader.readBeginning(beginning, (term, rows) => {
    const end = term.indexOf('|', beginning.length);
    const place = places.get(term.slice(end));
    if (end < 0) rowsOf.set(term, rows);
    else if (place !== undefined) {
      const own = term.slice(0, end);
      const list = lists.get(own) ?? [];
      lists.set(own, list);
      list.push({ place, rows });
    }
  });
  for (const [term, rows] of rowsOf) take(term, { rows, places: placesIn(rows, usual, lists.get(term) ?? []) });
}

/** The rows of the words that begin like a term and have one of the marks, by the term of the word: a list for each mark. */
export function readMarkedWords(
  reader: TermReader,
  beginning: string,
  marks: readonly PlaceMark[],
): ReadonlyMap<string, readonly Uint32Array[]> {
  const found = new Map<string, Uint32Array[]>();
  if (marks.length === 0) return found;
  const take: TakeRows = (term, rows) => {
    const word = term.slice(0, term.lastIndexOf('|'));
    const lists = found.get(word);
    if (lists) lists.push(rows);
    else found.set(word, [rows]);
  };
  reader.readBeginning(
    beginning,
    take,
    marks.map(({ mark }) => mark),
  );
  return found;
}
