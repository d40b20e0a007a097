import { indexedLocale } from '#words';
import { impact, maxLengthClass } from '../../../domain/search/relevance.ts';
import { inAttribute, inName, type Place } from '../../../domain/search/words/document-words.ts';
import { type Projection, termHead } from '../../index/term-encoding.ts';
import { type LengthKind, lengthClasses, lengthTerm } from '../../index/word-terms.ts';
import { type Alternative, type Choice, looseAlternatives, type QueryText } from '../../query/word-choices.ts';
import { hasRow, type PromptDeadline } from '../query/functions.ts';
import { commonPositions, without } from '../terms/row-sets.ts';
import { rowsStaged } from './columns/term-entries.ts';
import { projectionsOf } from './postings/postings.ts';
import { type PlacedRows, placedAmong } from './postings/word-places.ts';
import { begunRows, isByBeginning, type SearchScope } from './query-terms.ts';
import type { SearchContext } from './search.ts';

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

interface ReadFrom extends SearchScope, Pick<SearchContext, 'postings' | 'begunPlaces' | 'changes'> {
  readonly lengthsOf: LengthsOfRows;
  readonly deadline: PromptDeadline;
}

/** Where rows have a word: their positions, ascending in each projection, and the places. */
interface Hits {
  /** Absent where all rows have it. */
  readonly positions: Uint32Array | undefined;
  readonly places: Uint8Array;
  /** What their fields weigh beside others; absent where all weigh 1. */
  readonly weights?: readonly number[];
  /** The same for all of them. */
  readonly weight?: number;
  /** True if all rows have it in a text. */
  readonly isInAll?: boolean;
}

type Placed = ReturnType<typeof placedAmong>;

/** With more choices under a locale than this, all words with their common beginning are read in a row. */
const manyTogether = 200;

/** A beginning of one letter may have many thousand choices. */
const choicesBetweenChecks = 256;

/** The classes of a length, of which there are few. */
const lengthClassCount = maxLengthClass + 1;

/** What a word adds by its place and the class of the length that matters there. */
const impacts = Float64Array.from({ length: 6 * lengthClassCount }, (_, at) => {
  const place = Math.floor(at / lengthClassCount);
  return place === 0 ? 0 : impact(place as Place, at % lengthClassCount, at % lengthClassCount);
});

/** A reader for the rows of a search, with all words of its texts. */
export function createValueReader(from: ReadFrom, texts: readonly QueryText[], rows: Uint32Array): ValueReader {
  const { projectKey, staged } = from;
  const projections = projectionsOf(from);
  const heads = projections.map((projection) => termHead(projectKey, projection));
  const { postings } = from;
  const ownStaged = rowsStaged(from);
  const hits = new Map<Choice, Hits>();
  const lengths = new Map<string, Uint8Array>();
  loadWords(texts.flatMap(({ words }) => words.flatMap(looseAlternatives)));

  /** True if the words with one beginning are looked up together. */
  function areTogether(alternative: Alternative): boolean {
    return from.begunPlaces.areKnown && isByBeginning(alternative);
  }

  /** Reads where the words stand. */
  function loadWords(alternatives: readonly Alternative[]): void {
    const listed = alternatives.filter((each) => !areTogether(each));
    for (const { beginning, parts } of listed) {
      if (beginning === undefined || staged || parts[0]!.length < manyTogether) continue;
      for (const locale of new Set(parts[0]!.map((choice) => choice.locale))) {
        postings.loadBeginning({ locale, word: beginning });
      }
    }
    postings.loadWords(listed.flatMap(({ parts }) => parts.flat()));
    from.deadline.checkNow();
  }

  /**
   * The positions of the rows of a term, ascending; undefined if these are all. Of a document with a staged projection
   * only that counts.
   */
  function positionsOf(term: string, projection: Projection): Uint32Array | undefined {
    const found = postings.rowsOf(term);
    // Rows that are kept are the same list, where all of them match.
    if (found === rows && !staged) return undefined;
    const positions = new Uint32Array(Math.min(rows.length, found.length));
    const own = staged && projection === 'c' ? without(found, ownStaged) : found;
    return positions.subarray(0, commonPositions(rows, own, positions));
  }

  function hitsOf(choice: Choice): Hits {
    const known = hits.get(choice);
    if (known) return known;
    const [current, own] = postings.wordOf(choice);
    const found = own ? joined([hidden(placedAmong(rows, current!)), placedAmong(rows, own)]) : hitsOfRows(current!);
    const made = ruled(choice, found);
    hits.set(choice, made);
    return made;
  }

  function hitsOfRows(word: PlacedRows): Hits {
    // Rows that are kept are the same list, where all of them match.
    if (word.rows !== rows) return placedAmong(rows, word);
    const { of, usual, areTexts } = word.places;
    const places = of.length > 0 || rows.length === 0 ? of : new Uint8Array(rows.length).fill(usual);
    return { positions: undefined, places, isInAll: areTexts };
  }

  /** Those of the current projection: of a document with a staged one only that counts. */
  function hidden({ positions, places }: Placed): Placed {
    const isLeft = (at: number) => !hasRow(ownStaged, rows[positions[at]!]!);
    return { positions: positions.filter((_, at) => isLeft(at)), places: places.filter((_, at) => isLeft(at)) };
  }

  /** The same by the rules of the project. */
  function ruled(choice: Choice, found: Hits): Hits {
    const changed = from.changes?.of(choice);
    if (!changed) return found;
    const gone = new Set(changed.gone);
    const [positions, places, weights]: [number[], number[], number[]] = [[], [], []];
    for (let at = 0; at < found.places.length; at += 1) {
      const position = found.positions?.[at] ?? at;
      const row = rows[position]!;
      if (gone.has(row)) continue;
      const own = changed.places.get(row);
      positions.push(position);
      places.push(own?.place ?? found.places[at]!);
      weights.push(own?.weight ?? 1);
    }
    return { positions: Uint32Array.from(positions), places: Uint8Array.from(places), weights };
  }

  /** The lengths of one kind, by the position of the row. */
  function lengthsIn(locale: string, kind: LengthKind): Uint8Array {
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
        const those = positionsOf(term, projection);
        if (!those) into.fill(length);
        else for (const position of those) into[position] = length;
      }
    }
  }

  /** Raises the values of rows that have one of the choices, by where they have it. */
  function addPart(values: Float64Array, choices: readonly Choice[], isShort: boolean, factor: number): void {
    for (const [number, choice] of choices.entries()) {
      if (number % choicesBetweenChecks === 0) from.deadline.checkNow();
      addChoice(values, choice, isShort, factor);
    }
  }

  function addChoice(values: Float64Array, choice: Choice, isShort: boolean, factor: number): void {
    addHits(values, hitsOf(choice), indexedLocale(choice.locale), isShort, factor);
  }

  /** Raises the values of rows with one of many words that begin alike, by the best place of any. */
  function addBegun(values: Float64Array, alternative: Alternative, factor: number): void {
    for (const { locale, weighed } of begunRows(from.begunPlaces, alternative)) {
      for (const { weight, placed } of weighed)
        addHits(values, { ...hitsOfRows(placed), weight }, locale, false, factor);
    }
  }

  function addHits(
    values: Float64Array,
    { positions, places, weights, weight, isInAll }: Hits,
    locale: string,
    isShort: boolean,
    factor: number,
  ): void {
    if (isInAll && !isShort && (weight ?? 1) === 1) {
      raiseAll(values, places, lengthsIn(locale, 't'), factor);
      return;
    }
    let names: Uint8Array | undefined;
    let prose: Uint8Array | undefined;
    for (let at = 0; at < places.length; at += 1) {
      const position = positions ? positions[at]! : at;
      const place = places[at]!;
      let length = 0;
      if (place === inName) {
        names ??= lengthsIn(locale, 'n');
        length = names[position]!;
      } else if (place < inAttribute) {
        if (isShort) continue;
        prose ??= lengthsIn(locale, 't');
        length = prose[position]!;
      }
      const own = impacts[place * lengthClassCount + length]!;
      const value = factor * (weights ? weights[at]! * own : weight === undefined ? own : weight * own);
      if (value > values[position]!) values[position] = value;
    }
  }

  function raise(values: Float64Array, alternatives: readonly Alternative[]): Float64Array {
    for (const alternative of alternatives) {
      const { parts, factor, isShort } = alternative;
      if (areTogether(alternative)) addBegun(values, alternative, factor);
      else if (parts.length === 1) addPart(values, parts[0]!, isShort, factor);
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

/** Raises the values of rows that all have a word in a text: of a frequent word that is most of the work. */
function raiseAll(values: Float64Array, places: Uint8Array, prose: Uint8Array, factor: number): void {
  const worth = impacts.map((own) => factor * own);
  for (let at = 0; at < values.length; at += 1) {
    const value = worth[places[at]! * lengthClassCount + prose[at]!]!;
    if (value > values[at]!) values[at] = value;
  }
}

/** Hits of the two projections of a search that knows them. */
function joined(parts: readonly Placed[]): Hits {
  return {
    positions: Uint32Array.from(parts.flatMap(({ positions }) => [...positions])),
    places: Uint8Array.from(parts.flatMap(({ places }) => [...places])),
  };
}
