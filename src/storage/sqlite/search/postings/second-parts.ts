import { begunPartsOf, indexedLocale, spellingsOf } from '#words';
import { Cache } from '../../../../cache/cache.ts';
import { type DocumentWords, inAttribute, wordsOfDocument } from '../../../../domain/search/words/document-words.ts';
import { termHead } from '../../../index/term-encoding.ts';
import { placeMarks, wordTerm } from '../../../index/word-terms.ts';
import type { SecondParts } from '../../../query/plan-words.ts';
import type { Choice } from '../../../query/word-choices.ts';
import { changedRowsOn } from '../../indexing/changed-rows.ts';
import { hasRow } from '../../query/functions.ts';
import { union } from '../../terms/row-sets.ts';
import { openTermReader, type TakeRows, type TermReader } from '../../terms/term-reader.ts';
import { eachDocument } from '../columns/documents.ts';
import type { IndexedWords, SearchScope } from '../query-terms.ts';
import type { SearchContext } from '../search.ts';
import { createGrowingRows } from './growing-rows.ts';
import { projectionsOf, readBegunWords, readMarkedWords } from './postings.ts';
import { rowsInShort } from './word-places.ts';

/**
 * The words that may be the second part of a word which is still being typed: of `coffeet` those in a name or an attribute beside *coffee*
 * that begin with `t`. Of a large vocabulary thousands begin so, and the rows of each would have to be looked up. So their rows in names and
 * attributes are read once, one behind the other as they lie in the index, and kept.
 */

/** The words with a beginning, and the rows that have each in a name or an attribute. */
interface BegunWords {
  readonly words: readonly string[];
  /** Where the rows of each word end. */
  readonly ends: Uint32Array;
  readonly rows: Uint32Array;
  /** The commit as of which they were read. */
  readonly commits: number;
}

/** Kept from search to search, by beginning, locale and projection. */
export type BegunWordsCache = Cache<string, BegunWords>;

const maxBytes = 16 * 1024 * 1024;
const wordBytes = 60;
const entryBytes = 500;

/** With more changes since, the words are read again. */
const maxFollowed = 64;

/** Of so many resources with the first part the words are read out of themselves: many first parts are seldom words. */
const fewBeside = 16;

/** An empty cache. */
export function createBegunWordsCache(): BegunWordsCache {
  const bytesOf = ({ words, rows }: BegunWords) => entryBytes + words.length * wordBytes + rows.byteLength;
  return new Cache({ maxBytes, bytesOf });
}

interface PartsContext extends SearchScope, Pick<SearchContext, 'cache' | 'commits' | 'deadline'> {
  readonly indexed: IndexedWords;
}

/** Looks the second parts up in the rows that have the first one. */
export function createSecondParts(context: PartsContext): SecondParts {
  const { db, projectKey, cache, commits, deadline, indexed } = context;
  const changedSince = changedRowsOn(db);

  function read(head: string, locale: string, beginning: string): BegunWords {
    const [words, ends, rows] = [[] as string[], [] as number[], createGrowingRows()];
    const start = wordTerm(head, locale, '').length;
    readShort(openTermReader(db), head, { locale, word: beginning }, (term, short) => {
      deadline.check();
      if (short.length === 0) return;
      words.push(term.slice(start));
      ends.push(rows.add(short));
    });
    return { words, ends: Uint32Array.from(ends), rows: rows.all(), commits };
  }

  /** The words as they were read last, and the rows that changed since. */
  function known(head: string, locale: string, beginning: string): readonly [BegunWords, ReadonlySet<number>] {
    // The words that begin with fewer of the letters have them as well.
    for (let letters = 1; letters <= beginning.length; letters += 1) {
      const kept = cache.begunWords.get(wordTerm(head, locale, beginning.slice(0, letters)));
      const changed = kept && (kept.commits === commits ? noChanges : changedSince(projectKey, kept.commits, commits));
      if (kept && changed && changed.size <= maxFollowed) return [kept, changed];
    }
    const made = read(head, locale, beginning);
    cache.begunWords.set(wordTerm(head, locale, beginning), made);
    return [made, noChanges];
  }

  /** The words of documents themselves, by locale. */
  const ofDocuments = new Map<number, DocumentWords>();

  function addOfDocuments(
    rows: readonly number[],
    locale: string,
    isPart: (word: string) => boolean,
    found: Set<string>,
  ) {
    const missing = rows.filter((row) => !ofDocuments.has(row));
    if (missing.length > 0)
      eachDocument(context, missing, (document, row) => ofDocuments.set(row, wordsOfDocument(document)));
    for (const row of rows) {
      for (const [word, place] of ofDocuments.get(row)?.get(locale)?.places ?? []) {
        if (place >= inAttribute && isPart(word)) found.add(word);
      }
    }
  }

  /** Adds the words that the index has beside a first part, and those of documents that changed since it was read for them. */
  function addBegun(
    beside: Uint32Array,
    bits: Uint32Array,
    locale: string,
    beginning: string,
    isPart: (word: string) => boolean,
    found: Set<string>,
  ) {
    for (const projection of projectionsOf(context)) {
      deadline.checkNow();
      const [begun, changed] = known(termHead(projectKey, projection), locale, beginning);
      addBeside(begun, bits, isPart, found);
      const changedBeside = changed.size === 0 ? [] : [...changed].filter((row) => hasRow(beside, row));
      if (changedBeside.length > 0) addOfDocuments(changedBeside, locale, isPart, found);
    }
  }

  return (first, second, asLocale, spaces) => {
    indexed.load(first);
    const beside = union(first.map((choice) => indexed.of(choice, true)));
    if (beside.length === 0) return [];
    const isPart = begunPartsOf(second, asLocale);
    const bits = bitsOf(beside);
    return spaces.flatMap((space): readonly Choice[] => {
      const locale = indexedLocale(space);
      const found = new Set<string>();
      if (beside.length <= fewBeside) addOfDocuments([...beside], locale, isPart, found);
      else {
        for (const beginning of spellingsOf(second, asLocale)) addBegun(beside, bits, locale, beginning, isPart, found);
      }
      return [...found].map((word) => ({ locale: space, word }));
    });
  };
}

const noChanges: ReadonlySet<number> = new Set();

/** Calls `take` for the words that begin like one, with the rows that have each in a name or an attribute. */
function readShort(reader: TermReader, head: string, begun: Choice, take: TakeRows): void {
  const { place, marks } = placeMarks(begun.locale);
  if (place >= inAttribute) {
    readBegunWords(reader, head, begun, (term, placed) => take(term, rowsInShort(placed)));
    return;
  }
  // Most words stand in texts: the rows of these are not read.
  const short = marks.filter((each) => each.place >= inAttribute);
  const found = readMarkedWords(reader, wordTerm(head, begun.locale, begun.word), short);
  for (const [term, lists] of found) take(term, union(lists));
}

/** A bit for each row up to the last one. */
function bitsOf(rows: Uint32Array): Uint32Array {
  const bits = new Uint32Array((rows[rows.length - 1]! >>> 5) + 1);
  for (const row of rows) bits[row >>> 5]! |= 1 << (row & 31);
  return bits;
}

/** Adds the words that some row has which has a bit. */
function addBeside(
  { words, ends, rows }: BegunWords,
  bits: Uint32Array,
  isPart: (word: string) => boolean,
  found: Set<string>,
): void {
  for (let word = 0, start = 0; word < words.length; word += 1) {
    const end = ends[word]!;
    for (let at = start; at < end; at += 1) {
      const row = rows[at]!;
      // Behind the last bit there is none.
      if ((bits[row >>> 5]! & (1 << (row & 31))) === 0) continue;
      if (isPart(words[word]!)) found.add(words[word]!);
      break;
    }
    start = end;
  }
}
