import { indexedLocale, isPlainSpace } from '#words';
import { Cache } from '../../../cache/cache.ts';
import { type FieldRule, kindOfPlace, type RuledPlace } from '../../../domain/search/field-rules.ts';
import { inAttribute, inName, type Place } from '../../../domain/search/words/document-words.ts';
import { ascending, union, without } from '../../terms/row-sets.ts';
import { termHead } from '../../terms/term-encoding.ts';
import { openTermReader } from '../../terms/term-reader.ts';
import { placeMarks, wordTerm } from '../../terms/word-terms.ts';
import { type ChangeColumn, changeColumnName } from '../columns/change-column.ts';
import type { FollowedColumn } from '../columns/column.ts';
import type { SearchBase } from '../query-terms.ts';
import type { Choice } from '../words/word-choices.ts';
import { readMarkedWords } from './postings.ts';
import { RowBuffer } from './row-buffer.ts';
import { type PlacedRows, placesIn } from './word-places.ts';

export interface WeighedRows {
  readonly weight: number;
  readonly placed: PlacedRows;
}

interface CachedPlaces {
  readonly weighed: readonly WeighedRows[];
  /** The commit as of which these are. */
  readonly commits: number;
}

/** Cached from search to search, by rules, space and beginning. */
export type BegunPlacesCache = Cache<string, CachedPlaces>;

const maxBytes = 16 * 1024 * 1024;
const entryBytes = 500;

/** An empty cache. */
export function createBegunPlacesCache(): BegunPlacesCache {
  const bytesOf = ({ placed: { rows, places } }: WeighedRows) => entryBytes + rows.byteLength + places.of.byteLength;
  return new Cache({
    maxBytes,
    bytesOf: ({ weighed }) => weighed.reduce((sum, each) => sum + bytesOf(each), entryBytes),
  });
}

/** Gets a word as terms write it, and rows where it stands at a place. */
type TakePlaced = (word: string, place: Place, rows: Uint32Array) => void;

/**
 * The rows with any word of a locale that begins like one, and the best place of such a word in each: a place that is worth more is so at
 * any length, so that no other word of the row counts. One letter may begin a hundred thousand article numbers, of which the rows of each
 * would have to be looked up.
 */
export class BegunPlaces {
  /** False where words have to be looked up one by one: in staged projections, and until the column of the rules is built. */
  readonly areKnown: boolean;
  readonly #context: SearchBase;
  readonly #head: string;
  /** The effect of the rules; undefined without rules. */
  readonly #ruled: FollowedColumn<ChangeColumn> | undefined;
  readonly #ruledName: string;

  constructor(context: SearchBase, rules: readonly FieldRule[]) {
    const { projectKey, cache, commits, staged } = context;
    this.#context = context;
    this.#head = termHead(projectKey, 'c');
    this.#ruledName = changeColumnName(rules);
    this.#ruled = staged || rules.length === 0 ? undefined : cache.columns.built(context, commits, this.#ruledName);
    this.areKnown = !staged && (rules.length === 0 || this.#ruled !== undefined);
  }

  /** The rows of words that have one weight by the rules; a row may have several words. Only where `areKnown`. */
  of(beginning: Choice): readonly WeighedRows[] {
    return this.#cached(beginning, this.#ruled);
  }

  #cached(choice: Choice, ruled: FollowedColumn<ChangeColumn> | undefined): readonly WeighedRows[] {
    const { cache, commits } = this.#context;
    const { locale: space, word } = choice;
    const name = `${wordTerm(this.#head, space, word)} ${ruled ? this.#ruledName : ''}`;
    const known = cache.begunPlaces.get(name);
    if (known?.commits === commits) return known.weighed;
    const found = new RowsByWeight();
    const locale = indexedLocale(space);
    if (ruled) this.#addRuled(ruled, choice, found);
    else this.#eachWord({ locale, word }, false, (_, place, rows) => found.add(place, rows));
    const weighed = found.weighed(locale);
    cache.begunPlaces.set(name, { weighed, commits });
    return weighed;
  }

  /**
   * Calls `take` for the words with a beginning, with the rows where each stands at a place; without `exactly` also with rows where it stands
   * at a better one.
   */
  #eachWord({ locale, word }: Choice, exactly: boolean, take: TakePlaced): void {
    const { db, deadline } = this.#context;
    const reader = openTermReader(db);
    const beginning = wordTerm(this.#head, locale, word);
    const start = wordTerm(this.#head, locale, '').length;
    const { place: usual, marks } = placeMarks(locale);
    const placeOf = new Map(marks.map(({ mark, place }) => [mark, place]));
    // Where a word stands at another place than the usual one, the term without a mark does not count; worse places are few.
    const others = marks.filter(({ place }) => exactly || place < usual);
    const elsewhere = readMarkedWords(reader, beginning, others);
    reader.readBeginning(beginning, (term, rows) => {
      deadline.check();
      const mark = term.indexOf('|', beginning.length);
      const lists = mark < 0 && elsewhere.size > 0 ? elsewhere.get(term) : undefined;
      const place = mark < 0 ? usual : placeOf.get(term.slice(mark));
      const own = mark < 0 ? term.slice(start) : term.slice(start, mark);
      if (place !== undefined) take(own, place, lists ? without(rows, union(lists)) : rows);
    });
  }

  /** By the rules: the column says which words of a row stand elsewhere, and what the others weigh. */
  #addRuled(
    { column, maker }: FollowedColumn<ChangeColumn>,
    { locale: space, word }: Choice,
    found: RowsByWeight,
  ): void {
    const locale = indexedLocale(space);
    const valuesOfRow = (row: number) => column.valuesOf(column.rows.get(row));
    const begins = maker.beginningWith(space, word);
    const rulesOf = new Map<string, number[]>();
    for (const row of union(this.#cached({ locale, word }, undefined).map(({ placed }) => placed.rows))) {
      for (const value of valuesOfRow(row)) {
        const begun = begins(value);
        if (!begun) continue;
        const rows = rulesOf.get(begun.word) ?? [];
        rulesOf.set(begun.word, rows);
        rows.push(row);
        if (begun.ruled !== 'nowhere') found.addOne(begun.ruled, row);
      }
    }
    // Of the words there, the rules list those that are plain.
    if (isPlainSpace(space)) return;
    const others = createRowsByPlace();
    this.#eachWord({ locale, word }, true, (own, place, rows) => {
      const ruled = rulesOf.size === 0 ? undefined : rulesOf.get(own);
      others[place]!.add(ruled ? without(rows, Uint32Array.from(ruled)) : rows);
    });
    for (const place of places) {
      const kind = kindOfPlace(place);
      for (const row of ascending(others[place]!.all())) {
        const weight = maker.usualWeight(valuesOfRow(row), locale, kind);
        if (weight > 0) found.addOne({ place, weight }, row);
      }
    }
  }
}

const places: readonly Place[] = [1, 2, 3, inAttribute, inName];

function createRowsByPlace(): readonly RowBuffer[] {
  return Array.from({ length: inName + 1 }, () => new RowBuffer());
}

/** Rows of many words by what these weigh, and their places. */
class RowsByWeight {
  readonly #all = new Map<number, readonly RowBuffer[]>();
  readonly #unruled = this.#of(1);

  #of(weight: number): readonly RowBuffer[] {
    const known = this.#all.get(weight) ?? createRowsByPlace();
    this.#all.set(weight, known);
    return known;
  }

  add(place: Place, rows: Uint32Array): void {
    this.#unruled[place]!.add(rows);
  }

  addOne({ place, weight }: RuledPlace, row: number): void {
    this.#of(weight)[place]!.addOne(row);
  }

  /** The best place of each row. */
  weighed(locale: string): readonly WeighedRows[] {
    const found = [...this.#all].map(([weight, lists]) => ({ weight, placed: placed(locale, lists) }));
    return found.filter((each) => each.placed.rows.length > 0);
  }
}

function placed(locale: string, lists: readonly RowBuffer[]): PlacedRows {
  const byPlace = lists.map((list, place) => ({ place, rows: ascending(list.all()) }));
  const some = byPlace.filter((each) => each.rows.length > 0);
  const rows = union(some.map((each) => each.rows));
  const { place: usual } = placeMarks(locale);
  const isUsual = some.length === 1 && some[0]!.place === usual;
  // Lists of better places come later, so that theirs stay.
  return { rows, places: placesIn(rows, usual, isUsual ? [] : some) };
}
