import { indexedLocale, isPlainSpace } from '#words';
import { Cache } from '../../../../cache/cache.ts';
import type { JsonObject } from '../../../../contract/json.ts';
import { changesOf, type FieldRule, kindOfPlace, type RuledPlace } from '../../../../domain/search/field-rules.ts';
import { inAttribute, inName, type Place, wordsOfDocument } from '../../../../domain/search/words/document-words.ts';
import { termHead } from '../../../index/term-encoding.ts';
import { placeMarks, wordTerm } from '../../../index/word-terms.ts';
import type { Choice } from '../../../query/word-choices.ts';
import { changedRowsOn } from '../../indexing/changed-rows.ts';
import { ascending, union, without } from '../../terms/row-sets.ts';
import { openTermReader } from '../../terms/term-reader.ts';
import { type ChangeColumn, changeColumnName } from '../columns/change-column.ts';
import { valuesOf } from '../columns/column.ts';
import type { ReadyColumn } from '../columns/columns.ts';
import { eachDocument } from '../columns/documents.ts';
import type { SearchScope } from '../query-terms.ts';
import type { SearchContext } from '../search.ts';
import { createGrowingRows, type GrowingRows } from './growing-rows.ts';
import { readMarkedWords } from './postings.ts';
import { type PlacedRows, placesIn } from './word-places.ts';

/**
 * The rows with any word of a locale that begins like one, and the best place of such a word in each: a place that is worth more is so at
 * any length, so that no other word of the row counts. One letter may begin a hundred thousand article numbers, of which the rows of each
 * would have to be looked up.
 */
export interface BegunPlaces {
  /** False where words have to be looked up one by one: in staged projections, and until the column of the rules is built. */
  readonly areKnown: boolean;
  /** Those of words that weigh the same by the rules; a row may have several. Only where `areKnown`. */
  of(beginning: Choice): readonly WeighedRows[];
}

export interface WeighedRows {
  readonly weight: number;
  readonly placed: PlacedRows;
}

interface KeptPlaces {
  readonly weighed: readonly WeighedRows[];
  /** The commit as of which these are. */
  readonly commits: number;
}

/** Kept from search to search, by rules, space and beginning. */
export type BegunPlacesCache = Cache<string, KeptPlaces>;

const maxBytes = 16 * 1024 * 1024;
const entryBytes = 500;

/** With more changes since, the words are read again: of each changed row the document is read. */
const maxFollowed = 64;

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

type PlacesContext = SearchScope & Pick<SearchContext, 'cache' | 'commits' | 'deadline'>;

/** Reads them in the open snapshot, or follows what changed since they were read. */
export function createBegunPlaces(context: PlacesContext, rules: readonly FieldRule[]): BegunPlaces {
  const { db, projectKey, cache, commits, deadline, staged } = context;
  const head = termHead(projectKey, 'c');
  const column =
    staged || rules.length === 0
      ? undefined
      : cache.columns.built<ChangeColumn>({ projectKey, staged }, commits, changeColumnName(rules));

  /**
   * Calls `take` for the words with a beginning, with the rows where each stands at a place; without `exactly` also with rows where it stands
   * at a better one.
   */
  function eachWord({ locale, word }: Choice, exactly: boolean, take: TakePlaced): void {
    const reader = openTermReader(db);
    const beginning = wordTerm(head, locale, word);
    const start = wordTerm(head, locale, '').length;
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
  function addRuled(
    { column: values, maker }: ReadyColumn<ChangeColumn>,
    { locale: space, word }: Choice,
    found: RowsByWeight,
  ) {
    const locale = indexedLocale(space);
    const valuesOfRow = (row: number) => valuesOf(values, values.rows.get(row));
    const begins = maker.beginningWith(space, word);
    const rulesOf = new Map<string, number[]>();
    for (const row of union(kept(undefined, { locale, word }).map(({ placed }) => placed.rows))) {
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
    eachWord({ locale, word }, true, (own, place, rows) => {
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

  function read(ruled: typeof column, choice: Choice): readonly WeighedRows[] {
    const found = createRowsByWeight();
    const locale = indexedLocale(choice.locale);
    if (ruled) addRuled(ruled, choice, found);
    else eachWord({ locale, word: choice.word }, false, (_, place, rows) => found.add(place, rows));
    return found.weighed(locale);
  }

  /** The same rows but for some that changed since, of which the documents say it. */
  function followed(
    known: readonly WeighedRows[],
    changed: ReadonlySet<number>,
    ruled: typeof column,
    choice: Choice,
  ): readonly WeighedRows[] {
    const found = createRowsByWeight();
    for (const { weight, placed } of known) {
      const { of, usual } = placed.places;
      for (const [at, row] of placed.rows.entries()) {
        if (!changed.has(row)) found.addOne({ place: (of.length === 0 ? usual : of[at]!) as Place, weight }, row);
      }
    }
    eachDocument({ ...context, staged: false }, [...changed], (document, row) => {
      for (const place of placesInDocument(document, ruled ? rules : [], choice)) found.addOne(place, row);
    });
    return found.weighed(indexedLocale(choice.locale));
  }

  function kept(ruled: typeof column, choice: Choice): readonly WeighedRows[] {
    const { locale: space, word } = choice;
    const name = `${wordTerm(head, space, word)} ${ruled ? changeColumnName(rules) : ''}`;
    const known = cache.begunPlaces.get(name);
    if (known?.commits === commits) return known.weighed;
    const changed = known && changedRowsOn(db)(projectKey, known.commits, commits);
    const isFollowed = changed && changed.size <= maxFollowed;
    const weighed = !isFollowed
      ? read(ruled, choice)
      : changed.size === 0
        ? known.weighed
        : followed(known.weighed, changed, ruled, choice);
    cache.begunPlaces.set(name, { weighed, commits });
    return weighed;
  }

  return {
    areKnown: !staged && (rules.length === 0 || column !== undefined),
    of: (beginning) => kept(column, beginning),
  };
}

/** Where the words of a document stand that begin like one, by the rules. */
function* placesInDocument(
  document: JsonObject,
  rules: readonly FieldRule[],
  { locale: space, word }: Choice,
): Generator<RuledPlace> {
  const changes = rules.length === 0 ? [] : changesOf(document, rules);
  const ruled = new Map(changes.filter(({ locale }) => locale === space).map((each) => [each.word, each.ruled]));
  const indexed = isPlainSpace(space) ? undefined : wordsOfDocument(document).get(space)?.places;
  for (const [own, place] of indexed ?? []) {
    if (own.startsWith(word) && !ruled.has(own)) yield { place, weight: 1 };
  }
  for (const [own, place] of ruled) if (own.startsWith(word) && place !== 'nowhere') yield place;
}

const places: readonly Place[] = [1, 2, 3, inAttribute, inName];

function createRowsByPlace(): readonly GrowingRows[] {
  return Array.from({ length: inName + 1 }, createGrowingRows);
}

type RowsByWeight = ReturnType<typeof createRowsByWeight>;

/** Rows of many words by what these weigh, and their places. */
function createRowsByWeight() {
  const all = new Map<number, readonly GrowingRows[]>();
  const of = (weight: number) => {
    const known = all.get(weight) ?? createRowsByPlace();
    all.set(weight, known);
    return known;
  };
  const unruled = of(1);
  return {
    add: (place: Place, rows: Uint32Array) => unruled[place]!.add(rows),
    addOne: ({ place, weight }: RuledPlace, row: number) => of(weight)[place]!.addOne(row),
    /** The best place of each row. */
    weighed(locale: string): readonly WeighedRows[] {
      const found = [...all].map(([weight, lists]) => ({ weight, placed: placed(locale, lists) }));
      return found.filter((each) => each.placed.rows.length > 0);
    },
  };
}

function placed(locale: string, lists: readonly GrowingRows[]): PlacedRows {
  const byPlace = lists.map((list, place) => ({ place, rows: ascending(list.all()) }));
  const some = byPlace.filter((each) => each.rows.length > 0);
  const rows = union(some.map((each) => each.rows));
  const { place: usual } = placeMarks(locale);
  const isUsual = some.length === 1 && some[0]!.place === usual;
  // Lists of better places come later, so that theirs stay.
  return { rows, places: placesIn(rows, usual, isUsual ? [] : some) };
}
