import { indexedLocale } from '#words';
import { impact, maxLengthClass } from '../../domain/search/relevance.ts';
import { inAttribute, inName, type Place } from '../../domain/search/words/document-words.ts';
import { commonPositions, without } from '../terms/row-sets.ts';
import { termHead } from '../terms/term-encoding.ts';
import { openTermReader } from '../terms/term-reader.ts';
import { type LengthKind, lengthClasses, lengthTerm } from '../terms/word-terms.ts';
import { rowsStaged } from './columns/term-entries.ts';
import { projectionsOf } from './postings/postings.ts';
import { placedAmong } from './postings/word-places.ts';
import { areTogether, begunRows, type SearchBase } from './query-terms.ts';
import type { SearchContext } from './search.ts';
import { type Alternative, type Choice, looseAlternatives, type QueryText } from './words/word-choices.ts';

/** Writes the lengths of rows under a locale into an array; undefined where the index has to be read for them. */
export type LengthsOfRows = (
  locale: string,
) => ((kind: LengthKind, rows: Uint32Array, into: Uint8Array) => void) | undefined;

interface ReadFrom extends SearchBase, Pick<SearchContext, 'postings' | 'begunPlaces' | 'changes'> {
  readonly lengthsOf: LengthsOfRows;
}

/** Where rows have a word: their positions, ascending, and the places. */
interface Hits {
  readonly positions: Uint32Array;
  readonly places: Uint8Array;
  /** The weights of their fields; absent if all weigh 1. */
  readonly weights?: readonly number[];
  /** One weight for all of them. */
  readonly weight?: number;
}

/** A beginning of one letter may have many thousand choices. */
const choicesBetweenChecks = 256;

/** The classes of a length, of which there are few. */
const lengthClassCount = maxLengthClass + 1;

/** The contribution of a word, by its place and the length class that counts there. */
const impacts = Float64Array.from({ length: 6 * lengthClassCount }, (_, at) => {
  const place = Math.floor(at / lengthClassCount);
  return place === 0 ? 0 : impact(place as Place, at % lengthClassCount, at % lengthClassCount);
});

/** Computes what the alternatives of words are worth in the rows of a search. */
export class ValueReader {
  readonly #from: ReadFrom;
  readonly #rows: Uint32Array;
  readonly #ownStaged: Uint32Array;
  readonly #hits = new Map<Choice, Hits>();
  readonly #lengths = new Map<string, Uint8Array>();

  /** Reads all words of the texts. */
  constructor(from: ReadFrom, texts: readonly QueryText[], rows: Uint32Array) {
    this.#from = from;
    this.#rows = rows;
    this.#ownStaged = rowsStaged(from);
    this.#loadWords(texts.flatMap(({ words }) => words.flatMap(looseAlternatives)));
  }

  /** For each row the best of the alternatives; 0 without any. */
  valuesOf(alternatives: readonly Alternative[]): Float64Array {
    return this.#raise(new Float64Array(this.#rows.length), alternatives);
  }

  /** Raises the values by further alternatives. */
  raised(values: Float64Array, alternatives: readonly Alternative[]): Float64Array {
    return this.#raise(values.slice(), alternatives);
  }

  /** Reads where the words stand. */
  #loadWords(alternatives: readonly Alternative[]): void {
    const listed = alternatives.filter((each) => !areTogether(this.#from.begunPlaces, each));
    this.#from.postings.load(listed.flatMap(({ parts }) => parts.flat()));
    this.#from.deadline.checkNow();
  }

  #hitsOf(choice: Choice): Hits {
    const known = this.#hits.get(choice);
    if (known) return known;
    const made = this.#ruled(choice, placedAmong(this.#rows, this.#from.postings.placed(choice)));
    this.#hits.set(choice, made);
    return made;
  }

  /** The values by the rules of the project. */
  #ruled(choice: Choice, found: Hits): Hits {
    const changed = this.#from.changes?.of(choice);
    if (!changed) return found;
    const gone = new Set(changed.gone);
    const [positions, places, weights]: [number[], number[], number[]] = [[], [], []];
    for (let at = 0; at < found.places.length; at += 1) {
      const position = found.positions[at]!;
      const row = this.#rows[position]!;
      if (gone.has(row)) continue;
      const own = changed.places.get(row);
      positions.push(position);
      places.push(own?.place ?? found.places[at]!);
      weights.push(own?.weight ?? 1);
    }
    return { positions: Uint32Array.from(positions), places: Uint8Array.from(places), weights };
  }

  /** The lengths of one kind, by the position of the row. */
  #lengthsIn(locale: string, kind: LengthKind): Uint8Array {
    const known = this.#lengths.get(kind + locale);
    if (known) return known;
    const read = new Uint8Array(this.#rows.length);
    this.#lengths.set(kind + locale, read);
    const lengthOf = this.#from.lengthsOf(locale);
    if (!lengthOf) this.#readLengths(locale, kind, read);
    else lengthOf(kind, this.#rows, read);
    return read;
  }

  #readLengths(locale: string, kind: LengthKind, into: Uint8Array): void {
    const { db, projectKey } = this.#from;
    for (const projection of projectionsOf(this.#from)) {
      const head = termHead(projectKey, projection);
      const found = openTermReader(db).read(lengthClasses.map((each) => lengthTerm(head, locale, kind, each)));
      for (const [length, rows] of found.entries()) {
        const own = projection === 'c' ? without(rows, this.#ownStaged) : rows;
        const positions = new Uint32Array(Math.min(this.#rows.length, own.length));
        const end = commonPositions(this.#rows, own, positions);
        for (let at = 0; at < end; at += 1) into[positions[at]!] = length;
      }
    }
  }

  /** Raises the values of rows that have one of the choices, by where they have it. */
  #addPart(values: Float64Array, choices: readonly Choice[], isShort: boolean, factor: number): void {
    for (const [number, choice] of choices.entries()) {
      if (number % choicesBetweenChecks === 0) this.#from.deadline.checkNow();
      this.#addHits(values, this.#hitsOf(choice), indexedLocale(choice.locale), isShort, factor);
    }
  }

  /** Raises the values of rows with one of many words that begin alike, by the best place of any. */
  #addBegun(values: Float64Array, alternative: Alternative, factor: number): void {
    for (const { locale, weighed } of begunRows(this.#from.begunPlaces, alternative)) {
      for (const { weight, placed } of weighed)
        this.#addHits(values, { ...placedAmong(this.#rows, placed), weight }, locale, false, factor);
    }
  }

  #addHits(
    values: Float64Array,
    { positions, places, weights, weight }: Hits,
    locale: string,
    isShort: boolean,
    factor: number,
  ): void {
    let names: Uint8Array | undefined;
    let prose: Uint8Array | undefined;
    for (let at = 0; at < places.length; at += 1) {
      const position = positions[at]!;
      const place = places[at]!;
      let length = 0;
      if (place === inName) {
        names ??= this.#lengthsIn(locale, 'n');
        length = names[position]!;
      } else if (place < inAttribute) {
        if (isShort) continue;
        prose ??= this.#lengthsIn(locale, 't');
        length = prose[position]!;
      }
      const own = impacts[place * lengthClassCount + length]!;
      const value = factor * (weights ? weights[at]! * own : weight === undefined ? own : weight * own);
      if (value > values[position]!) values[position] = value;
    }
  }

  #raise(values: Float64Array, alternatives: readonly Alternative[]): Float64Array {
    for (const alternative of alternatives) {
      const { parts, factor, isShort } = alternative;
      if (areTogether(this.#from.begunPlaces, alternative)) this.#addBegun(values, alternative, factor);
      else if (parts.length === 1) this.#addPart(values, parts[0]!, isShort, factor);
      else this.#addParts(values, parts, isShort, factor);
    }
    return values;
  }

  /** Adds alternatives that need all of several parts: the least of them counts. */
  #addParts(values: Float64Array, parts: Alternative['parts'], isShort: boolean, factor: number): void {
    const least = new Float64Array(this.#rows.length).fill(Number.POSITIVE_INFINITY);
    for (const part of parts) {
      const own = new Float64Array(this.#rows.length);
      this.#addPart(own, part, isShort, 1);
      for (let at = 0; at < this.#rows.length; at += 1) least[at] = Math.min(least[at]!, own[at]!);
    }
    for (let at = 0; at < this.#rows.length; at += 1) {
      const value = factor * least[at]!;
      if (value > values[at]!) values[at] = value;
    }
  }
}
