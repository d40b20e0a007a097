import { Cache } from '../../../../cache/cache.ts';
import { inName, wordsOfDocument } from '../../../../domain/search/words/document-words.ts';
import { indexedLocale } from '../../../../domain/search/words/locales.ts';
import { termHead } from '../../../index/term-encoding.ts';
import { placeMarks, wordTerm } from '../../../index/word-terms.ts';
import type { Choice } from '../../../query/word-choices.ts';
import { changedRowsOn } from '../../indexing/changed-rows.ts';
import { eachDocument } from '../columns/documents.ts';
import type { SearchScope } from '../query-terms.ts';
import { ascending, union, without } from '../row-sets.ts';
import type { SearchContext } from '../search.ts';
import { createGrowingRows } from './growing-rows.ts';
import { openTermReader, type TakeRows } from './term-reader.ts';
import { type PlacedRows, placesIn } from './word-places.ts';

/**
 * The rows with any word of a locale that begins like one, and the best place of such a word in each: a place that is worth more is so at
 * any length, so that no other word of the row counts. One letter may begin a hundred thousand article numbers, of which the rows of each
 * would have to be looked up (decision 235).
 */
export interface BegunPlaces {
  /** Of the current projection. */
  of(beginning: Choice): PlacedRows;
}

interface KeptPlaces extends PlacedRows {
  /** The commit as of which these are. */
  readonly commits: number;
}

/** Kept from search to search, by locale and beginning. */
export type BegunPlacesCache = Cache<string, KeptPlaces>;

const maxBytes = 16 * 1024 * 1024;
const entryBytes = 500;

/** With more changes since, the words are read again: of each changed row the document is read. */
const maxFollowed = 64;

/** An empty cache. */
export function createBegunPlacesCache(): BegunPlacesCache {
  return new Cache({
    maxBytes,
    bytesOf: ({ rows, places }) => entryBytes + rows.byteLength + places.of.byteLength,
  });
}

type PlacesContext = SearchScope & Pick<SearchContext, 'cache' | 'commits' | 'deadline'>;

/** Reads them in the open snapshot, or follows what changed since they were read. */
export function createBegunPlaces(context: PlacesContext): BegunPlaces {
  const { db, projectKey, cache, commits, deadline } = context;

  function read(locale: string, word: string): PlacedRows {
    const reader = openTermReader(db);
    const beginning = wordTerm(termHead(projectKey, 'c'), locale, word);
    const { place: usual, marks } = placeMarks(locale);
    const placeOf = new Map(marks.map(({ mark, place }) => [mark, place]));
    // Where a word stands at a worse place than the usual one, the term without a mark does not count. These are few.
    const worse = marks.filter(({ place }) => place < usual).map(({ mark }) => mark);
    const elsewhere = new Map<string, Uint32Array[]>();
    if (worse.length > 0) {
      const takeMarked: TakeRows = (term, rows) => {
        const own = term.slice(0, term.lastIndexOf('|'));
        elsewhere.set(own, [...(elsewhere.get(own) ?? []), rows]);
      };
      reader.readBeginning(beginning, takeMarked, worse);
    }
    const found = createRowsByPlace();
    reader.readBeginning(beginning, (term, rows) => {
      deadline.check();
      const mark = term.indexOf('|', beginning.length);
      const lists = mark < 0 && elsewhere.size > 0 ? elsewhere.get(term) : undefined;
      const place = mark < 0 ? usual : placeOf.get(term.slice(mark));
      if (place !== undefined) found.add(place, lists ? without(rows, union(lists)) : rows);
    });
    return found.placed(locale);
  }

  /** The same rows but for some that changed since, of which the documents say it. */
  function followed(known: PlacedRows, changed: ReadonlySet<number>, locale: string, word: string): PlacedRows {
    const found = createRowsByPlace();
    const { of, usual } = known.places;
    for (let at = 0; at < known.rows.length; at += 1) {
      if (!changed.has(known.rows[at]!)) found.addOne(of.length === 0 ? usual : of[at]!, known.rows[at]!);
    }
    eachDocument({ ...context, staged: false }, [...changed], (document, row) => {
      let best = 0;
      for (const [each, place] of wordsOfDocument(document).get(locale)?.places ?? []) {
        if (place > best && each.startsWith(word)) best = place;
      }
      if (best > 0) found.addOne(best, row);
    });
    return found.placed(locale);
  }

  return {
    of({ locale: space, word }) {
      const locale = indexedLocale(space);
      const name = wordTerm(termHead(projectKey, 'c'), locale, word);
      const kept = cache.begunPlaces.get(name);
      if (kept?.commits === commits) return kept;
      const changed = kept && changedRowsOn(db)(projectKey, kept.commits, commits);
      const isFollowed = changed && changed.size <= maxFollowed;
      const found = isFollowed
        ? changed.size === 0
          ? kept
          : followed(kept, changed, locale, word)
        : read(locale, word);
      cache.begunPlaces.set(name, { rows: found.rows, places: found.places, commits });
      return found;
    },
  };
}

/** Rows of many words by their places. */
function createRowsByPlace() {
  const lists = Array.from({ length: inName + 1 }, createGrowingRows);
  return {
    add: (place: number, rows: Uint32Array) => lists[place]!.add(rows),
    addOne: (place: number, row: number) => lists[place]!.addOne(row),
    /** The best place of each row. */
    placed(locale: string): PlacedRows {
      const byPlace = lists.map((list, place) => ({ place, rows: ascending(list.all()) }));
      const some = byPlace.filter((each) => each.rows.length > 0);
      const rows = union(some.map((each) => each.rows));
      const { place: usual } = placeMarks(locale);
      const isUsual = some.length === 1 && some[0]!.place === usual;
      // Lists of better places come later, so that theirs stay.
      return { rows, places: placesIn(rows, usual, isUsual ? [] : some) };
    },
  };
}
