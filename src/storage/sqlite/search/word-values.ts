import { impact, maxLengthClass } from '../../../domain/search/relevance.ts';
import { inAttribute, inName, type Place } from '../../../domain/search/words/document-words.ts';
import { type Projection, termHead } from '../../index/term-encoding.ts';
import { type LengthKind, lengthClasses, lengthTerm, placeMarks, wordTerm } from '../../index/word-terms.ts';
import { type Alternative, type Choice, looseAlternatives, type QueryText } from '../../query/word-choices.ts';
import type { PromptDeadline } from '../query/functions.ts';
import { rowsStaged } from './columns/term-entries.ts';
import { createPostings, withoutHead } from './postings.ts';
import type { SearchScope } from './query-terms.ts';
import { eachPosition } from './row-sets.ts';

/** Writes the lengths of rows under a locale into an array; undefined where the index has to be read for them. */
export type LengthsOfRows = (
  locale: string,
) => ((kind: LengthKind, rows: Uint32Array, into: Uint8Array) => void) | undefined;

/** Computes what the alternatives of words are worth in some rows. */
export interface ValueReader {
  /** For each row the best of the alternatives; 0 without any. */
  valuesOf(alternatives: readonly Alternative[]): Float64Array;
  /** The same for further alternatives. */
  raised(values: Float64Array, alternatives: readonly Alternative[]): Float64Array;
}

interface ReadFrom extends SearchScope {
  readonly lengthsOf: LengthsOfRows;
  readonly deadline: PromptDeadline;
}

/** Where rows have a word: their positions, ascending in each projection, and the places. */
interface Hits {
  readonly positions: Uint32Array;
  readonly places: Uint8Array;
  /** What their fields weigh beside others; absent where all weigh 1. */
  readonly weights?: readonly number[];
}

/** With more choices under a locale than this, all words with their common beginning are read in a row. */
const manyChoices = 200;

/** With more words than this, all terms with their marks are read in a row. */
const manyMarked = 64;

/** A beginning of one letter may have many thousand choices. */
const choicesBetweenChecks = 256;

/** The classes of a length, of which there are few. */
const classes = maxLengthClass + 1;
/** What a word adds by its place and the class of the length that matters there. */
const impacts = Float64Array.from({ length: 6 * classes }, (_, at) => {
  const place = Math.floor(at / classes);
  return place === 0 ? 0 : impact(place as Place, at % classes, at % classes);
});

/** A reader for the rows of a search, with all words of its texts. */
export function createValueReader(from: ReadFrom, texts: readonly QueryText[], rows: Uint32Array): ValueReader {
  const { projectKey, staged } = from;
  const projections: readonly Projection[] = staged ? ['c', 's'] : ['c'];
  const heads = projections.map((projection) => termHead(projectKey, projection));
  const postings = createPostings(from);
  const ownStaged = new Set(rowsStaged(from));
  const hits = new Map<string, Hits>();
  const lengths = new Map<string, Uint8Array>();
  loadWords(texts.flatMap(({ words }) => words.flatMap(looseAlternatives)));

  /** Reads where the words stand: first all of them, then the marks of those that some document has. */
  function loadWords(alternatives: readonly Alternative[]): void {
    const choices = alternatives.flatMap(({ parts }) => parts.flat());
    for (const { beginning, parts } of alternatives) {
      if (beginning === undefined || staged || parts[0]!.length < manyChoices) continue;
      for (const locale of new Set(parts[0]!.map((choice) => choice.locale))) {
        postings.loadBeginning(withoutHead(wordTerm(heads[0]!, locale, beginning), projectKey));
      }
    }
    const terms = heads.flatMap((head) => choices.map(({ locale, word }) => [locale, wordTerm(head, locale, word)]));
    postings.load(terms.map(([, term]) => term!));
    from.deadline.checkNow();
    const found = terms.filter(([, term]) => term !== undefined && hasHit(postings.rowsOf(term)));
    const marked = new Map(found.map(([locale, term]) => [term!, locale!]));
    if (marked.size > manyMarked) postings.loadMarked([...marked.keys()]);
    else
      postings.load([...marked].flatMap(([term, locale]) => placeMarks(locale).marks.map(({ mark }) => term + mark)));
    from.deadline.checkNow();
  }

  function hasHit(some: Uint32Array): boolean {
    let found = false;
    eachPosition(rows, some, () => {
      found = true;
    });
    return found;
  }

  /** Calls `each` with the positions of the rows of a term. Of a document with a staged projection only that counts. */
  function eachHit(term: string, projection: Projection, each: (position: number) => void): void {
    const found = postings.rowsOf(term);
    const own = staged && projection === 'c' ? found.filter((row) => !ownStaged.has(row)) : found;
    eachPosition(rows, own, each);
  }

  function hitsOf({ locale, word }: Choice): Hits {
    const known = hits.get(`${locale}|${word}`);
    if (known) return known;
    const { place: usual, marks } = placeMarks(locale);
    const terms = heads.map((head) => wordTerm(head, locale, word));
    const most = terms.reduce((sum, term) => sum + Math.min(rows.length, postings.rowsOf(term).length), 0);
    const positions = new Uint32Array(most);
    const places = new Uint8Array(most).fill(usual);
    let end = 0;
    for (const [at, projection] of projections.entries()) {
      const term = terms[at]!;
      const first = end;
      eachHit(term, projection, (position) => {
        positions[end] = position;
        end += 1;
      });
      for (const { place, mark } of end > first ? marks : []) {
        let next = first;
        eachHit(term + mark, projection, (position) => {
          while (positions[next]! < position) next += 1;
          places[next] = place;
        });
      }
    }
    const made = ruled({ locale, word }, { positions: positions.subarray(0, end), places: places.subarray(0, end) });
    hits.set(`${locale}|${word}`, made);
    return made;
  }

  /** The same by the rules of the project. */
  function ruled(choice: Choice, found: Hits): Hits {
    const changed = from.changes?.of(choice);
    if (!changed) return found;
    const gone = new Set(changed.gone);
    const [positions, places, weights]: [number[], number[], number[]] = [[], [], []];
    for (const [at, position] of found.positions.entries()) {
      const row = rows[position]!;
      if (gone.has(row)) continue;
      const own = changed.places.get(row);
      positions.push(position);
      places.push(own?.place ?? found.places[at]!);
      weights.push(own?.weight ?? 1);
    }
    return { positions: Uint32Array.from(positions), places: Uint8Array.from(places), weights };
  }

  /** The lengths that matter at a place, by the position of the row. */
  function lengthsAt(locale: string, place: Place): Uint8Array {
    const kind = place === inName ? 'n' : 't';
    const known = lengths.get(kind + locale);
    if (known) return known;
    const read = new Uint8Array(rows.length);
    lengths.set(kind + locale, read);
    const lengthOf = from.lengthsOf(locale);
    if (!lengthOf) readLengths(locale, kind, read);
    else lengthOf(kind, rows, read);
    return read;
  }

  function readLengths(locale: string, kind: LengthKind, into: Uint8Array): void {
    for (const [at, projection] of projections.entries()) {
      const terms = lengthClasses.map((each) => lengthTerm(heads[at]!, locale, kind, each));
      postings.load(terms);
      for (const [length, term] of terms.entries()) {
        eachHit(term, projection, (position) => {
          into[position] = length;
        });
      }
    }
  }

  /** Raises the values of rows that have one of the choices, by where they have it. */
  function addPart(values: Float64Array, choices: readonly Choice[], isShort: boolean, factor: number): void {
    for (const [number, choice] of choices.entries()) {
      if (number % choicesBetweenChecks === 0) from.deadline.checkNow();
      const { positions, places, weights } = hitsOf(choice);
      for (let at = 0; at < positions.length; at += 1) {
        const [position, place] = [positions[at]!, places[at]!];
        if (isShort && place < inAttribute) continue;
        const length = place === inAttribute ? 0 : lengthsAt(choice.locale, place as Place)[position]!;
        const own = impacts[place * classes + length]!;
        const value = factor * (weights ? weights[at]! * own : own);
        if (value > values[position]!) values[position] = value;
      }
    }
  }

  function raise(values: Float64Array, alternatives: readonly Alternative[]): Float64Array {
    for (const { parts, factor, isShort } of alternatives) {
      if (parts.length === 1) addPart(values, parts[0]!, isShort, factor);
      else addParts(values, parts, isShort, factor);
    }
    return values;
  }

  /** The same for alternatives that need all of several parts: the least of them counts. */
  function addParts(values: Float64Array, parts: Alternative['parts'], isShort: boolean, factor: number): void {
    const least = new Float64Array(rows.length).fill(Number.POSITIVE_INFINITY);
    for (const part of parts) {
      const own = new Float64Array(rows.length);
      addPart(own, part, isShort, 1);
      for (let at = 0; at < rows.length; at += 1) least[at] = Math.min(least[at]!, own[at]!);
    }
    for (let at = 0; at < rows.length; at += 1) {
      const value = factor * least[at]!;
      if (value > values[at]!) values[at] = value;
    }
  }

  return {
    valuesOf: (alternatives) => raise(new Float64Array(rows.length), alternatives),
    raised: (values, alternatives) => raise(values.slice(), alternatives),
  };
}
